"""`manage.py load_event`: load a whole tournament from its file, all or nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.mahjong.problems import Refused
from tournaments.queries.standings import as_json
from tournaments.services.eventfiles import load
from tournaments.standings import eventfile


class Command(BaseCommand):
    help = (
        "Loads an event file (a whole tournament as JSON) from FILE or standard input, all or nothing. What is wrong "
        "with it is said in one line that names round, table and seat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="an event file, or - for standard input")
        parser.add_argument(
            "--standings", action="store_true", help="print the standings after every round as JSON, and nothing else"
        )

    def handle(self, *args: Any, file: str, standings: bool = False, **options: Any) -> None:
        data = self._json(file)
        try:
            tournament = load(eventfile.read(data))
        except Refused as refused:
            raise CommandError(_line(refused.problems[0].sentence()), returncode=2) from refused
        if standings:
            self.stdout.write(json.dumps(as_json(tournament), ensure_ascii=False))
        else:
            count = tournament.entries.count()
            self.stdout.write(f"Loaded {tournament}: {count} entries. Its page is {tournament.get_absolute_url()}")

    def _json(self, name: str) -> Any:
        where = "Standard input" if name == "-" else name
        try:
            raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant, object_pairs_hook=_no_key_twice)
        except OSError as error:
            raise CommandError(_line(f"{where} cannot be read: {error.strerror}."), returncode=2) from error
        except UnicodeDecodeError as error:
            raise CommandError(_line(f"{where} is not text in UTF-8."), returncode=2) from error
        except (ValueError, RecursionError) as error:
            raise CommandError(_line(f"{where} is not JSON: {error}."), returncode=2) from error


def _line(sentence: str) -> str:
    """The sentence on one line, even if a name in the file contains line breaks."""
    return " ".join(sentence.split())


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number JSON knows")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object with the same key twice; the JSON reader would silently keep the last value."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {json.dumps(key)} appears twice in one object")
        found[key] = value
    return found
