"""`manage.py score`: reads tables as JSON and prints their results as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.mahjong import scoring, tablefile
from ratings.mahjong.problems import Problem, Refused
from ratings.mahjong.rulesets import PRESETS, Rules


class Command(BaseCommand):
    help = (
        "Scores finished hanchans. Reads one JSON table or a list of tables from FILE or standard input and prints "
        "their results as JSON in the same shape and order. One bad table, and nothing is printed for any."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="a JSON file, or - for standard input")
        parser.add_argument(
            "--ruleset",
            metavar="KEY",
            help=f"the rule set of tables that name none: {', '.join(PRESETS)}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        data = self._load(options["file"])
        try:
            default = None if options["ruleset"] is None else tablefile.read_rules(options["ruleset"])
        except Refused as refused:
            raise CommandError(f"--ruleset: {refused}", returncode=2) from refused
        tables = data if isinstance(data, list) else [data]
        results = [self._score(number, table, default) for number, table in enumerate(tables, 1)]
        json.dump(results if isinstance(data, list) else results[0], sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")

    def _load(self, name: str) -> Any:
        where = "standard input" if name == "-" else name
        try:
            raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant)
        except OSError as error:
            raise CommandError(f"{where} cannot be read: {error.strerror}.", returncode=2) from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{where} is not text in UTF-8.", returncode=2) from error
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{where} is not JSON: {' '.join(str(error).split())}.", returncode=2) from error

    def _score(self, number: int, data: Any, default: Rules | None) -> dict[str, Any]:
        try:
            table = tablefile.read_table(data)
            rules = self._rules(data, default)
            problems = scoring.check(table, rules)
            if problems:
                raise Refused(*problems)
        except Refused as refused:
            sentence = tablefile.located(refused.problems[0], number).sentence()
            raise CommandError(sentence, returncode=2) from refused
        return tablefile.write_results(scoring.score(table, rules))

    def _rules(self, data: dict[str, Any], default: Rules | None) -> Rules:
        if "ruleset" in data:
            return tablefile.read_rules(data["ruleset"])
        if default is None:
            raise Refused(Problem("the table names no “ruleset”, and --ruleset is not given.", code="no_ruleset"))
        return default


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number JSON knows")
