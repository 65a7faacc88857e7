"""`manage.py import_games FILE --season CLUB/SEASON [--dry-run]`: imports games from a spreadsheet into a season.

It prints everything that is wrong with the file, and stores nothing unless everything can be stored. If the file is our
own workbook, the command can make the season: then leave out the season's address (`--season CLUB/`).
"""

from __future__ import annotations

import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser

from ratings.imports.games import GAMES, GamesPlan
from ratings.imports.kinds import Choices
from ratings.imports.names import Question
from ratings.imports.values import UNITS
from ratings.management.importing import ImportCommand
from ratings.models import Club, ImportBatch, Season


class Command(ImportCommand):
    help = "Imports the games of an .xlsx or .csv file into a season; all of them or none."
    new_option = "new_guests"
    new_words = "--new-guests makes a new guest"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--season", required=True, metavar="CLUB/SEASON", help="its addresses")
        parser.add_argument("--unit", choices=list(UNITS), default="", help="what one in a column of points means")
        parser.add_argument("--date", type=datetime.date.fromisoformat, help="day of games without one, 2026-04-16")
        parser.add_argument(
            "--new-guests", action="store_true", help="names that fit no known player become new guests"
        )

    def target(self, options: dict[str, Any]) -> ImportBatch:
        name: str = options["season"]
        club_slug, _slash, slug = name.partition("/")
        club = Club.objects.filter(slug=club_slug).first()
        if club is None:
            raise CommandError(f"There is no club “{club_slug}”.")
        season = Season.objects.select_related("club", "rule_set").filter(club=club, slug=slug).first()
        if slug and season is None:
            raise CommandError(f"There is no season “{name}”. Name it by its addresses, as in furiten/spring-2026.")
        return ImportBatch(club=club, season=season, kind=GAMES.key)

    def choices(self, options: dict[str, Any]) -> Choices:
        choices = super().choices(options)
        choices.unit, choices.day = options["unit"], options["date"]
        return choices

    def is_new(self, question: Question) -> bool:
        return not question.candidates

    def counts(self, plan: GamesPlan) -> str:
        unit = f", points in {plan.layout.unit}" if plan.layout else ""
        new = f"{len(plan.games)} games, {len(plan.adjustments)} penalties, {len(plan.new_people)} new players{unit}"
        return f"{new}; {plan.already} in the season already"

    def result(self, batch: ImportBatch) -> str:
        return f"Imported {batch.games} games and {batch.adjustments} penalties as no. {batch.pk}."
