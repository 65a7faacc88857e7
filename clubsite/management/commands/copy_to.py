"""`manage.py copy_to DATABASE_URL`: everything into another, empty database, such as PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connections

from clubsite.moving import TARGET, NotMoved, copy_everything, differences
from clubsite.settings import database_from
from clubsite.terminal import Bar
from clubsite.troubles import sentence_for


class Command(BaseCommand):
    help = "Copies everything into another, empty database, and checks that it arrived. Stop the site first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", metavar="DATABASE_URL", help="postgres://user:password@host:5432/name")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        try:
            config = connections.configure_settings({"default": {}, TARGET: database_from(url)})
            connections.settings[TARGET] = config[TARGET]
            call_command("migrate", database=TARGET, verbosity=0)
            with Bar(self.stderr, "copying") as bar:
                copied = copy_everything(lambda _table, done, total: bar.show(done, total))
        except (ImproperlyConfigured, NotMoved, Error) as error:
            known = sentence_for(error) if isinstance(error, Error) else None
            raise CommandError(f"Nothing was copied: {known or ' '.join(str(error).split())}") from error
        finally:
            if TARGET in connections.settings:
                connections[TARGET].close()
        wrong = differences(copied)
        if wrong:
            raise CommandError(" ".join(wrong))
        self.stdout.write(f"{sum(copied.values())} rows in {len(copied)} tables, counted on both sides.")
        self._check_there(url)

    def _check_there(self, url: str) -> None:
        """Asks the copy itself whether everything derived follows from what was entered."""
        manage = settings.BASE_DIR / "manage.py"
        done = subprocess.run(
            [sys.executable, str(manage), "rebuild", "--check"], env={**os.environ, "DATABASE_URL": url}, check=False
        )
        if done.returncode:
            raise CommandError("The copy differs from what its games say; see above. The old database is untouched.")
