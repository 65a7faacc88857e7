"""Queries that are compiled once and run many times with different values.

Django compiles a QuerySet again each time it is run. For a short result that takes longer than the query itself. Use
this only for the few queries at the start of every page: the rows come without Django's conversions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

_STANDS_IN = 1_000_000_007  # a number that no query of ours contains


class Statement:
    """A compiled query. `make` builds the QuerySet from placeholders; each run replaces them by its own values."""

    def __init__(self, make: Callable[..., QuerySet[Any, Any]], values: int) -> None:
        self.make = make
        self.values = values
        self.compiled: dict[str, tuple[str, list[Callable[[tuple[Any, ...]], Any]]]] = {}

    def rows(self, *values: Any, start: int = 0, stop: int | None = None) -> list[tuple[Any, ...]]:
        sql, places = self.compiled.get(connection.vendor) or self._compile()
        given = [place(values) for place in places]
        if stop is not None:
            sql, given = f"{sql} LIMIT %s OFFSET %s", [*given, stop - start, start]
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            return cursor.fetchall()

    def _compile(self) -> tuple[str, list[Callable[[tuple[Any, ...]], Any]]]:
        marks = [_STANDS_IN + index for index in range(self.values)]
        sql, given = self.make(*marks).query.sql_with_params()
        places = [self._place(value, marks) for value in given]
        self.compiled[connection.vendor] = (str(sql), places)
        return self.compiled[connection.vendor]

    @staticmethod
    def _place(value: Any, marks: list[int]) -> Callable[[tuple[Any, ...]], Any]:
        for index, mark in enumerate(marks):
            if value == mark or value == str(mark):
                return lambda values: values[index]
        return lambda _values: value
