"""`manage.py copy_to DATABASE_URL`: copy everything into another, empty database, such as PostgreSQL.

Copies row by row and keeps every id. It copies all models that Django knows, with history and many-to-many tables.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, Error, connections, models, transaction

from clubsite.failures import sentence_for
from clubsite.settings import database_from
from clubsite.terminal import Bar

TARGET = "copy_target"
ROWS_AT_ONCE = 1000
MADE_BY_MIGRATING = {"auth.Permission", "contenttypes.ContentType"}

Report = Callable[[str, int, int], None]


class NotMoved(Exception):
    """Nothing was copied. The message says why in a sentence; no row of the target was changed."""


def every_model() -> list[type[models.Model]]:
    """All models with their own table."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def copy_everything(report: Report) -> dict[str, int]:
    """Copy all rows in one transaction of the target. Return the number of rows by table."""
    found = every_model()
    total = sum(_rows(model, DEFAULT_DB_ALIAS).count() for model in found)
    done = 0
    with transaction.atomic(using=TARGET), connections[TARGET].constraint_checks_disabled():
        _refuse_what_is_there()
        # Delete what migrating made (content types, permissions) before copying, since deletions cascade to other rows.
        for model in found:
            _rows(model, TARGET).delete()
        for model in found:
            for chunk in _chunks(model):
                _rows(model, TARGET).bulk_create(chunk)
                done += len(chunk)
                report(model._meta.db_table, done, total)
        connections[TARGET].check_constraints()
        _continue_numbers(found)
        return {model._meta.db_table: _rows(model, TARGET).count() for model in found}


def differences(copied: dict[str, int]) -> list[str]:
    """One sentence for each table whose number of rows differs."""
    wrong = []
    for model in every_model():
        here, there = _rows(model, DEFAULT_DB_ALIAS).count(), copied[model._meta.db_table]
        if here != there:
            wrong.append(f"{model._meta.db_table}: {here} rows here, {there} there.")
    return wrong


def _rows(model: type[models.Model], alias: str) -> models.QuerySet[Any]:
    return model._base_manager.using(alias)


def _chunks(model: type[models.Model]) -> Iterator[list[models.Model]]:
    chunk: list[models.Model] = []
    for row in _rows(model, DEFAULT_DB_ALIAS).order_by("pk").iterator(ROWS_AT_ONCE):
        chunk.append(row)
        if len(chunk) == ROWS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _refuse_what_is_there() -> None:
    for model in every_model():
        if model._meta.label not in MADE_BY_MIGRATING and _rows(model, TARGET).exists():
            raise NotMoved("The other database holds data already. Give an empty one; nothing was changed.")


def _continue_numbers(found: list[type[models.Model]]) -> None:
    """Let the ids of new rows continue after those that were copied."""
    statements = connections[TARGET].ops.sequence_reset_sql(no_style(), found)
    with connections[TARGET].cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


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
        """Check in the copy that all derived data follows from the data that was entered."""
        manage = settings.BASE_DIR / "manage.py"
        done = subprocess.run(
            [sys.executable, str(manage), "rebuild", "--check"], env={**os.environ, "DATABASE_URL": url}, check=False
        )
        if done.returncode:
            raise CommandError("The copy differs from what its games say; see above. The old database is untouched.")
