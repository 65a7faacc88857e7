"""`manage.py export tournament|ema SLUG -o FILE`: an event as a workbook, and its results for the European ranking."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from tournaments.management.exports.kind import Kind, find_event, output
from tournaments.workbooks import ema, event


class EventWorkbook(Kind):
    help = "an event as an Excel workbook: standings, results, seating, entries, rulings, rules, checks"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the last part of the tournament's address")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> list[str]:
        tournament = find_event(options["slug"])
        with output(options["output"]) as file:
            event.write(tournament, file)
        return []


class EmaWorkbook(EventWorkbook):
    help = "the results of an event for the European ranking; refused until nothing is missing"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--draft", action="store_true", help="write it all the same, marked as a draft")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> list[str]:
        tournament = find_event(options["slug"])
        with output(options["output"]) as file:
            problems = ema.write(tournament, file, draft=options["draft"])
        return [f"Still missing: {problem.sentence()}" for problem in problems]
