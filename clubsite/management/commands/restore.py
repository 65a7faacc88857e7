"""`manage.py restore FILE`: replace everything in the database by a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubsite.backups import BackupFailed, restore
from clubsite.terminal import Bar


class Command(BaseCommand):
    help = "Replaces everything in the database by a backup. Stop the site first."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--yes", action="store_true", help="do not ask; everything now in the database is lost")

    def handle(self, *args: Any, file: Path, yes: bool, **options: Any) -> None:
        if not yes:
            raise CommandError("Everything now in the database will be replaced. Say --yes if that is meant.")
        with Bar(self.stderr, "restore") as bar:
            try:
                restore(file, bar.show)
            except BackupFailed as failed:
                raise CommandError(str(failed)) from failed
        call_command("migrate", verbosity=0)
        self.stdout.write(f"Restored from {file}.")
