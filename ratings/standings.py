"""Metrics of a standing, each declared once, and the one ranking function of the product.

A metric becomes a column, a sort key, a tie-break and an export column. It is a pure function of the kept
aggregates (`Aggregate`); where those come from is not known here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from ratings import formulas
from ratings.problems import gettext_noop

_ = gettext_noop


class Aggregate(Protocol):
    """What is kept of a player's season; amounts are game points."""

    games: int
    placed: int
    results: int
    adjustments: int
    penalties: int
    firsts: int
    seconds: int
    thirds: int
    fourths: int
    place_twice: int
    best: int | None
    worst: int | None
    chombo: int
    recent: Sequence[int]
    rating: int | None


Value = int | Fraction | None
SortKey = Any  # whatever compares with the other keys of the same call

# How a value is written: a result (+12.3), a rating (1512.4), a place (2.31), a count, four counts, a row of sticks.
RESULT, RATING, PLACE, COUNT, SHARES, STICKS = "result", "rating", "place", "count", "shares", "sticks"


@dataclass(frozen=True)
class Metric:
    key: str
    label: str
    short: str
    unit: str
    value: Callable[[Any], Value]
    lower_is_better: bool = False

    @property
    def is_result(self) -> bool:
        """Whether a value is a result, above or below zero."""
        return self.unit == RESULT

    def sort_keys(self, rows: Sequence[Any]) -> list[SortKey]:
        """Of each `Aggregate` a key that is higher the better it is; a missing value is below every other.

        Whole numbers are their own keys. Division rounds correctly, so a float never contradicts the fraction it
        stands for: it spares nearly every comparison of fractions, and where floats are equal the fractions decide.
        In a ranking the rows are those that every metric before left equal; a metric that compares them with each
        other overrides this.
        """
        values = [self.value(row) for row in rows]
        if self.lower_is_better:
            values = [None if value is None else -value for value in values]
        if any(isinstance(value, Fraction) for value in values):
            return [_LOWEST if value is None else (value.numerator / value.denominator, value) for value in values]
        return [-math.inf if value is None else value for value in values]


_LOWEST = (-math.inf, 0)


@lru_cache(maxsize=8192)  # a new game changes four of them, and a page shows two hundred
def _mean(total: int, count: int) -> Fraction | None:
    return Fraction(total, count) if count else None


def total(a: Aggregate) -> int:
    return a.results + a.adjustments


def average_place(a: Aggregate) -> Fraction | None:
    return _mean(a.place_twice, 2 * a.placed)


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric("rating", _("Rating"), _("Rating"), RATING, lambda a: a.rating),
        Metric("total", _("Total"), _("Total"), RESULT, total),
        Metric("games", _("Games"), _("Games"), COUNT, lambda a: a.games),
        Metric("average", _("Average result"), _("Average"), RESULT, lambda a: _mean(total(a), a.games)),
        Metric("average_place", _("Average place"), _("Avg place"), PLACE, average_place, lower_is_better=True),
        Metric("places", _("Places, first to fourth"), _("1st – 4th"), SHARES, lambda a: a.firsts),
        Metric("firsts", _("First places"), _("1st"), COUNT, lambda a: a.firsts),
        Metric("seconds", _("Second places"), _("2nd"), COUNT, lambda a: a.seconds),
        Metric("thirds", _("Third places"), _("3rd"), COUNT, lambda a: a.thirds, lower_is_better=True),
        Metric("fourths", _("Fourth places"), _("4th"), COUNT, lambda a: a.fourths, lower_is_better=True),
        Metric("best_game", _("Best game"), _("Best"), RESULT, lambda a: a.best),
        Metric("worst_game", _("Worst game"), _("Worst"), RESULT, lambda a: a.worst),
        Metric("chombo", _("Chombo"), _("Chombo"), COUNT, lambda a: a.chombo, lower_is_better=True),
        Metric("penalties", _("Penalties"), _("Penalties"), RESULT, lambda a: -a.penalties),
        Metric("recent", _("Last ten games together"), _("Last ten"), STICKS, lambda a: sum(a.recent)),
    )
}

DEFAULT_METRICS = (
    "games",
    "average",
    "average_place",
    "places",
    "best_game",
    "worst_game",
    "chombo",
    "penalties",
    "recent",
)
DEFAULT_TIE_BREAKS = ("average_place", "best_game")
TIE_BREAKS = tuple(key for key in METRICS if key not in ("places", "recent"))


def primary_metric(formula: str) -> Metric:
    """What a season is ranked by."""
    if formula in formulas.ORDER_DEPENDENT:
        return METRICS["rating"]
    return METRICS["average" if formula == formulas.AVERAGE else "total"]


def ranking_metrics(formula: str, tie_breaks: Iterable[str]) -> list[Metric]:
    first = primary_metric(formula)
    return [first, *(METRICS[key] for key in tie_breaks if key != first.key)]


Row = TypeVar("Row")


def rank(rows: Iterable[Row], metrics: Sequence[Metric]) -> list[tuple[int, Row]]:
    """Rows with their ranks, best first: equal in every metric means the same rank, and the next is skipped."""
    return _ranked(list(rows), metrics, 1)


def _ranked(rows: list[Row], metrics: Sequence[Metric], first: int) -> list[tuple[int, Row]]:
    """Tie-breaks are asked only of those whom they could part."""
    if not metrics:
        return [(first, row) for row in rows]
    keys = metrics[0].sort_keys(rows)
    order = sorted(range(len(rows)), key=keys.__getitem__, reverse=True)
    ranked: list[tuple[int, Row]] = []
    while len(ranked) < len(rows):
        start = end = len(ranked)
        best = keys[order[start]]
        while end < len(rows) and keys[order[end]] == best:
            end += 1
        if end == start + 1:
            ranked.append((first + start, rows[order[start]]))
        else:
            ranked += _ranked([rows[index] for index in order[start:end]], metrics[1:], first + start)
    return ranked


def sort_by(rows: Iterable[Row], metric: Metric, aggregate_of: Callable[[Row], Any], descending: bool) -> list[Row]:
    """Rows by one metric alone, as a reader sorts a column: a missing value comes last in either direction."""
    known: list[Row] = []
    missing: list[Row] = []
    for row in rows:
        (missing if metric.value(aggregate_of(row)) is None else known).append(row)
    keys = metric.sort_keys([aggregate_of(row) for row in known])
    order = sorted(range(len(known)), key=keys.__getitem__, reverse=descending != metric.lower_is_better)
    return [known[index] for index in order] + missing


def split_by_minimum(rows: Iterable[Row], minimum: int) -> tuple[list[Row], list[Row]]:
    """Those with games enough to be ranked, and those who wait."""
    ranked: list[Row] = []
    waiting: list[Row] = []
    for row in rows:
        (ranked if row.games >= minimum else waiting).append(row)  # type: ignore[attr-defined]
    return ranked, waiting
