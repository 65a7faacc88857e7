"""Moving everything from one database into another, empty one, row by row and keeping every number.

Knows tables, not what they mean: all models Django knows of, the history and many-to-many tables included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connections, models, transaction

TARGET = "copy_target"
ROWS_AT_ONCE = 1000
MADE_BY_MIGRATING = {"auth.Permission", "contenttypes.ContentType"}

Report = Callable[[str, int, int], None]


class NotMoved(Exception):
    """Says in a sentence why nothing was moved; the target is as it was."""


def every_model() -> list[type[models.Model]]:
    """Whatever has rows of its own."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def copy_everything(report: Report) -> dict[str, int]:
    """Copies all rows in one transaction of the target; the numbers copied, by table."""
    found = every_model()
    total = sum(_rows(model, DEFAULT_DB_ALIAS).count() for model in found)
    done = 0
    with transaction.atomic(using=TARGET), connections[TARGET].constraint_checks_disabled():
        _refuse_what_is_there()
        # What migrating put there: content types, permissions. All of it first, as a row takes along what points at it.
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
    """Tables whose numbers of rows differ, as sentences."""
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
    """New rows get numbers after those that came along."""
    statements = connections[TARGET].ops.sequence_reset_sql(no_style(), found)
    with connections[TARGET].cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
