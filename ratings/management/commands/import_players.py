"""`manage.py import_players FILE --club CLUB [--dry-run]`: imports a list of players into a club, all or nothing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from ratings.imports.players import PLAYERS, PlayersPlan
from ratings.management.importing import PeopleCommand
from ratings.models import Club, ImportBatch


class Command(PeopleCommand):
    help = "Imports a list of players from an .xlsx or .csv file into a club; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--club", required=True, help="its address")

    def target(self, options: dict[str, Any]) -> ImportBatch:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club “{options['club']}”.")
        return ImportBatch(club=club, kind=PLAYERS.key)

    def counts(self, plan: PlayersPlan) -> str:
        gaining = f"{len(plan.completed)} known who gain something"
        return f"{len(plan.new)} new players, {gaining}, {plan.already} known already"

    def result(self, batch: ImportBatch) -> str:
        return f"Imported {batch.people} players as no. {batch.pk}."
