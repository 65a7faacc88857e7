"""`manage.py import_entries FILE --event SLUG [--dry-run]`: a list of entries into an event, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from ratings.management.importing import add_list_arguments, content_of, import_list, names_said
from ratings.models import ImportBatch
from ratings.problems import Refused
from ratings.services.imports.confined import confined
from ratings.services.imports.files import Choices, open_file
from ratings.services.imports.lists import ListPlan
from tournaments.models import Tournament
from tournaments.services import entry_imports
from tournaments.services.entry_imports import EntriesPlan


class Command(BaseCommand):
    help = "Imports a list of entries from an .xlsx or .csv file into an event; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        add_list_arguments(parser)
        parser.add_argument("--event", required=True, help="its address")

    def handle(self, *args: Any, **options: Any) -> None:
        event = Tournament.objects.select_related("club").filter(slug=options["event"]).first()
        if event is None:
            raise CommandError(f"There is no event “{options['event']}”.")
        file: Path = options["file"]
        try:
            with confined():
                book = open_file(content_of(file), file.name)
        except Refused as refused:
            raise CommandError(" ".join(problem.sentence() for problem in refused.problems)) from refused

        def plan_with(choices: Choices) -> ListPlan:
            plan = entry_imports.make_plan(event, book, choices)
            self.stdout.write(
                f"{len(plan.new)} new entries ({plan.new_players} of new players), {plan.already} entered already; "
                f"{plan.findings.wrong_count} problems, {len(plan.questions)} open names."
            )
            return plan

        @transaction.atomic
        def write(plan: ListPlan) -> ImportBatch:
            assert isinstance(plan, EntriesPlan)
            facts = {"kind": ImportBatch.Kind.ENTRIES, "into": entry_imports.into(event)}
            batch = ImportBatch.objects.create(club=event.club, file_name=file.name[-200:], **facts)
            return entry_imports.write_plan(plan, event, batch)

        done = import_list(self, plan_with, write, Choices(names=names_said(options["name"])), options)
        if done:
            self.stdout.write(f"Entered {done.people} players as import no. {done.pk}.")
