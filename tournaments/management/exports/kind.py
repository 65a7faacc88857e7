"""What a kind of export is, and how it writes its file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any


class Kind:
    help = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Every kind writes to a file; those that need more extend this."""
        parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, - for the screen")

    def run(self, options: dict[str, Any]) -> list[str]:
        """Writes the file; returns what the reader should know, a line each. Refuses with a sentence."""
        raise NotImplementedError


def write_bytes(name: str, content: bytes) -> None:
    """Whole or not at all: a reader never finds half a file."""
    if name == "-":
        sys.stdout.buffer.write(content)
        return
    path = Path(name)
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
