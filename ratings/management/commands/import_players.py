"""`manage.py import_players FILE --club CLUB [--dry-run]`: a list of players into a club, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from ratings.management.importing import add_list_arguments, content_of, import_list, names_said
from ratings.models import Club, ImportBatch
from ratings.problems import Refused
from ratings.services.imports import players
from ratings.services.imports.confined import confined
from ratings.services.imports.files import Choices, open_file
from ratings.services.imports.lists import ListPlan
from ratings.services.imports.players import PlayersPlan


class Command(BaseCommand):
    help = "Imports a list of players from an .xlsx or .csv file into a club; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        add_list_arguments(parser)
        parser.add_argument("--club", required=True, help="its address")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club “{options['club']}”.")
        file: Path = options["file"]
        try:
            with confined():
                book = open_file(content_of(file), file.name)
        except Refused as refused:
            raise CommandError(" ".join(problem.sentence() for problem in refused.problems)) from refused

        def plan_with(choices: Choices) -> ListPlan:
            plan = players.make_plan(club, book, choices)
            self.stdout.write(
                f"{len(plan.new)} new players, {len(plan.completed)} known who gain something, {plan.already} known "
                f"already; {plan.findings.wrong_count} problems, {len(plan.questions)} open names."
            )
            return plan

        @transaction.atomic
        def write(plan: ListPlan) -> ImportBatch:
            assert isinstance(plan, PlayersPlan)
            kind = ImportBatch.Kind.PLAYERS
            return players.write_plan(
                plan, ImportBatch.objects.create(club=club, kind=kind, file_name=file.name[-200:])
            )

        done = import_list(self, plan_with, write, Choices(names=names_said(options["name"])), options)
        if done:
            self.stdout.write(f"Imported {done.people} players as no. {done.pk}.")
