"""Queries compiled once and run many times with other values.

Django compiles a QuerySet anew whenever it is run; for a short answer that takes longer than the database does. Only
for the few reads every page begins with: the rows come as the database has them, without Django's conversions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

_STANDS_IN = 1_000_000_007  # no constant of any query of ours


class Statement:
    """`make` builds the QuerySet from values; wherever one of its values comes to stand, each run puts its own."""

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
