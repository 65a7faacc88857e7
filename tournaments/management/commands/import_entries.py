"""`manage.py import_entries FILE --event SLUG [--dry-run]`: import a list of entries into an event, all or nothing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from ratings.management.importing import PeopleCommand
from ratings.models import ImportBatch
from tournaments.imports import ENTRIES, EntriesPlan, into
from tournaments.models import Tournament


class Command(PeopleCommand):
    help = "Imports a list of entries from an .xlsx or .csv file into an event; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--event", required=True, help="its address")

    def target(self, options: dict[str, Any]) -> ImportBatch:
        event = Tournament.objects.select_related("club").filter(slug=options["event"]).first()
        if event is None:
            raise CommandError(f"There is no event “{options['event']}”.")
        return ImportBatch(club=event.club, kind=ENTRIES.key, into=into(event))

    def counts(self, plan: EntriesPlan) -> str:
        return f"{len(plan.new)} new entries ({plan.new_players} of new players), {plan.already} entered already"

    def result(self, batch: ImportBatch) -> str:
        return f"Entered {batch.people} players as import no. {batch.pk}."
