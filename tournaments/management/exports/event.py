"""`manage.py export event SLUG -o FILE`: the event file, which `load_event` reads again."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from tournaments import eventfile
from tournaments.management.exports.kind import Kind, find_event, write_bytes
from tournaments.queries.eventfiles import read_event


class EventFile(Kind):
    help = "a whole tournament as one JSON file: people, seats, scores, rulings"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the last part of the tournament's address")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> list[str]:
        export = read_event(find_event(options["slug"]))
        text = json.dumps(eventfile.write(export.event), ensure_ascii=False, indent=1)
        write_bytes(options["output"], text.encode())
        return [f"{round_} has tables without a result and is not in the file." for round_ in export.left_out]
