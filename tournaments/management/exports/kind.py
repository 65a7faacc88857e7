"""What a kind of export is, and how it writes its file."""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ratings.problems import Problem, Refused, gettext_noop
from tournaments.models import Tournament

_ = gettext_noop


class Kind:
    help = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Every kind writes to a file; those that need more extend this."""
        parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, - for the screen")

    def run(self, options: dict[str, Any]) -> list[str]:
        """Writes the file; returns what the reader should know, a line each. Refuses with a sentence."""
        raise NotImplementedError


def write_bytes(name: str, content: bytes) -> None:
    with output(name) as file:
        file.write(content)


@contextmanager
def output(name: str) -> Iterator[IO[bytes]]:
    """The file to write. Whole or not at all: a reader never finds half a file."""
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


def find_event(slug: str) -> Tournament:
    tournament = Tournament.objects.select_related("club", "rule_set").filter(slug=slug).first()
    if tournament is None:
        raise Refused(Problem(_("There is no event with the address “%(slug)s”."), {"slug": slug}))
    return tournament
