"""`manage.py backup FILE`: write the whole database to one file while the site is running."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubsite.backups import BackupFailed, backup
from clubsite.terminal import Bar


class Command(BaseCommand):
    help = "Writes a backup of the whole database; the site may be in use meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a name that does not exist yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with Bar(self.stderr, "backup") as bar:
            try:
                backup(file, bar.show)
            except BackupFailed as failed:
                raise CommandError(str(failed)) from failed
        self.stdout.write(f"Backup written to {file}, {file.stat().st_size // 1024} KiB.")
