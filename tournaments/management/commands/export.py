"""`manage.py export`: write data of the site to files. Each kind of file is a class here and a line in KINDS."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Season
from ratings.workbooks import season as season_workbook
from tournaments.models import Tournament
from tournaments.queries.eventfiles import read_event
from tournaments.standings import eventfile
from tournaments.workbooks import ema, event

_ = gettext_noop


class Export:
    """A kind of file: its command-line arguments, and how it is written."""

    help = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the output argument, which every kind has; kinds that need more arguments extend this."""
        parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, - for the screen")

    def run(self, options: dict[str, Any]) -> list[str]:
        """Write the file and return lines that the user should know. Raises `Refused` with a sentence."""
        raise NotImplementedError


class SeasonWorkbook(Export):
    help = "a season as an Excel workbook: standings, games, players, penalties, rules, checks"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "slug", metavar="SLUG", help="the season's address, CLUB/SEASON, or SEASON if no other has it"
        )
        parser.add_argument("--public", action="store_true", help="as strangers see it: hidden players stay hidden")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> list[str]:
        season = _find_season(options["slug"])
        with _output(options["output"]) as file:
            season_workbook.write(season, file, sees_hidden=not options["public"])
        return []


class OfAnEvent(Export):
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the last part of the tournament's address")
        super().add_arguments(parser)


class EventFile(OfAnEvent):
    help = "a whole tournament as one JSON file: people, seats, scores, rulings"

    def run(self, options: dict[str, Any]) -> list[str]:
        export = read_event(_find_event(options["slug"]))
        text = json.dumps(eventfile.write(export.event), ensure_ascii=False, indent=1)
        with _output(options["output"]) as file:
            file.write(text.encode())
        return [f"{round_} has tables without a result and is not in the file." for round_ in export.left_out]


class EventWorkbook(OfAnEvent):
    help = "an event as an Excel workbook: standings, results, seating, entries, rulings, rules, checks"

    def run(self, options: dict[str, Any]) -> list[str]:
        tournament = _find_event(options["slug"])
        with _output(options["output"]) as file:
            event.write(tournament, file)
        return []


class EmaWorkbook(OfAnEvent):
    help = "the results of an event for the European ranking; refused until nothing is missing"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--draft", action="store_true", help="write it all the same, marked as a draft")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> list[str]:
        tournament = _find_event(options["slug"])
        with _output(options["output"]) as file:
            problems = ema.write(tournament, file, draft=options["draft"])
        return [f"Still missing: {problem.sentence()}" for problem in problems]


KINDS: dict[str, Export] = {
    "event": EventFile(),
    "season": SeasonWorkbook(),
    "tournament": EventWorkbook(),
    "ema": EmaWorkbook(),
}


class Command(BaseCommand):
    help = "Writes data of the site to a file. `manage.py export KIND --help` says what each kind needs."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND", parser_class=ArgumentParser)
        for name, kind in KINDS.items():
            own = kinds.add_parser(name, help=kind.help)
            kind.add_arguments(own)

    def handle(self, *args: Any, kind: str, **options: Any) -> None:
        try:
            lines = KINDS[kind].run(options)
        except Refused as refused:
            sentences = [" ".join(sentence.split()) for sentence in refused.sentences()]
            raise CommandError("\n".join(sentences), returncode=2) from refused
        except OSError as error:
            name = error.filename or options["output"]  # the error for a full disk names no file
            raise CommandError(f"{name} cannot be written: {error.strerror}.", returncode=2) from error
        for line in lines:
            self.stderr.write(line)


@contextmanager
def _output(name: str) -> Iterator[IO[bytes]]:
    """The file to write. It is written completely or not at all, so a reader never finds half a file."""
    if name == "-":
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            shutil.copyfileobj(file, sys.stdout.buffer)
        return
    path = Path(name)
    beside = path.with_name(f"{path.name}.part")
    try:
        with beside.open("w+b") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _find_event(slug: str) -> Tournament:
    tournament = Tournament.objects.select_related("club", "rule_set").filter(slug=slug).first()
    if tournament is None:
        raise Refused(Problem(_("There is no event with the address “%(slug)s”."), {"slug": slug}))
    return tournament


def _find_season(slug: str) -> Season:
    club, _slash, name = slug.rpartition("/")
    found = Season.objects.select_related("club", "rule_set").filter(slug=name)
    seasons = list(found.filter(club__slug=club) if club else found)
    if not seasons:
        raise Refused(Problem(_("There is no season with the address “%(slug)s”."), {"slug": slug}))
    if len(seasons) > 1:
        choices = ", ".join(f"{season.club.slug}/{season.slug}" for season in seasons)
        raise Refused(Problem(_("Several clubs have such a season. Name one of %(choices)s."), {"choices": choices}))
    return seasons[0]
