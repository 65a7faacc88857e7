"""`manage.py import_games FILE --season CLUB/SEASON [--dry-run]`: games of an old spreadsheet into a season.

Says everything that is wrong with the file, and writes nothing unless all of it can be written. A season that is not
there yet is made when the file is our own workbook: then its address may be left out (`--season CLUB/`).
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from ratings.imports.values import UNITS
from ratings.management.importing import add_name_argument, content_of, names_said, say_findings, say_questions
from ratings.models import Club, ImportBatch, Season
from ratings.problems import Refused
from ratings.services.imports.confined import confined
from ratings.services.imports.files import NEW, Choices, open_file
from ratings.services.imports.planning import Plan, make_plan
from ratings.services.imports.writing import write_plan


class Command(BaseCommand):
    help = "Imports the games of an .xlsx or .csv file into a season; all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--season", required=True, metavar="CLUB/SEASON", help="its addresses")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--unit", choices=list(UNITS), default="", help="what one in a column of points means")
        parser.add_argument("--date", type=datetime.date.fromisoformat, help="day of games without one, 2026-04-16")
        parser.add_argument("--new-guests", action="store_true", help="names that fit nobody become new guests")
        add_name_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        club, season = _chosen(options["season"])
        file: Path = options["file"]
        choices = Choices(unit=options["unit"], day=options["date"], names=names_said(options["name"]))
        try:
            with confined():
                book = open_file(content_of(file), file.name)
                plan = make_plan(club, season, book, choices)
                if options["new_guests"] and plan.questions:
                    choices.names |= {q.key: NEW for q in plan.questions if not q.candidates}
                    plan = make_plan(club, season, book, choices)
            self._say(plan)
            if options["dry_run"]:
                self.stdout.write("Dry run: nothing was stored.")
            elif plan.may_be_written:
                with transaction.atomic():  # killed or refused, not even the batch stays behind
                    batch = ImportBatch.objects.create(club=club, season=season, file_name=file.name[-200:])
                    write_plan(plan, batch)
                self.stdout.write(f"Imported {batch.games} games and {batch.adjustments} penalties as no. {batch.pk}.")
            elif plan.has_something or plan.findings.wrong_count or plan.questions:
                raise CommandError("Nothing was imported: put right what is listed above, and run it again.")
            else:
                self.stdout.write("There is nothing new in the file.")
        except Refused as refused:
            raise CommandError(" ".join(problem.sentence() for problem in refused.problems)) from refused

    def _say(self, plan: Plan) -> None:
        found = plan.findings
        say_findings(self, found)
        say_questions(self, plan.questions, nobody="--new-guests makes a new guest")
        unit = f", points in {plan.layout.unit}" if plan.layout else ""
        self.stdout.write(
            f"{len(plan.games)} games, {len(plan.adjustments)} penalties, {len(plan.new_people)} new players{unit}; "
            f"{plan.already} in the season already; {found.wrong_count} problems, {len(plan.questions)} open names."
        )


def _chosen(name: str) -> tuple[Club, Season | None]:
    club_slug, _slash, slug = name.partition("/")
    club = Club.objects.filter(slug=club_slug).first()
    if club is None:
        raise CommandError(f"There is no club “{club_slug}”.")
    season = Season.objects.select_related("club", "rule_set").filter(club=club, slug=slug).first()
    if slug and season is None:
        raise CommandError(f"There is no season “{name}”. Name it by its addresses, as in furiten/spring-2026.")
    return club, season
