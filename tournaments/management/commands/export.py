"""`manage.py export`: data of the site as files. Each kind is a module of `tournaments.management.exports`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.problems import Refused
from tournaments.management.exports import KINDS


class Command(BaseCommand):
    help = "Writes data of the site to a file. `manage.py export KIND --help` says what each kind needs."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND", parser_class=ArgumentParser)
        for name, kind in KINDS.items():
            own = kinds.add_parser(name, help=kind.help)
            kind.add_arguments(own)

    def handle(self, *args: Any, kind: str, **options: Any) -> None:
        try:
            said = KINDS[kind].run(options)
        except Refused as refused:
            said = [" ".join(problem.sentence().split()) for problem in refused.problems]
            raise CommandError("\n".join(said), returncode=2) from refused
        except OSError as error:
            name = error.filename or options["output"]  # what is too large for a disk names no file
            raise CommandError(f"{name} cannot be written: {error.strerror}.", returncode=2) from error
        for line in said:
            self.stderr.write(line)
