"""How results are added up, the metrics computed from the sums, and the one ranking function of the product.

A metric becomes a column, a sort key, a tie-break and an export column. It is a pure function of a `Tally`, which
defines how results add up. This module does not know where the results come from.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, TypeVar

from ratings.mahjong.formulas import FORMULAS
from ratings.mahjong.problems import gettext_noop

_ = gettext_noop


RECENT = 10
PLACES = ("firsts", "seconds", "thirds", "fourths")
# Kinds of results without a game that mean more than points (`ratings.models.Adjustment` has all kinds).
PENALTY, ABSENCE, BYE, CARRIED = "penalty", "absence", "bye", "carried"


@dataclass(slots=True)
class Tally:
    """Results added up: the input of every metric. Amounts are game points.

    A stored `Standing` has columns of the same names. The database adds up many seats at once by the same rules
    (`ratings.queries.standings`); a test checks that both agree.
    """

    games: int = 0
    placed: int = 0  # own seats: places, best and worst count only these
    results: int = 0
    adjustments: int = 0
    penalties: int = 0
    firsts: int = 0
    seconds: int = 0
    thirds: int = 0
    fourths: int = 0
    place_twice: int = 0
    best: int | None = None
    worst: int | None = None
    chombo: int = 0
    last_played_on: datetime.date | None = None
    recent: Sequence[int] = ()  # the last ten results, oldest first
    rating: int | None = None

    def add(self, result: int, place: int, place_twice: int, *, own: bool, chombo: int = 0, penalty: int = 0) -> None:
        """Add a seat of a game. A substituted seat (not `own`) does not count in places, best and worst (RULES §1)."""
        self.games += 1
        self.results += result
        self.penalties += penalty
        self.chombo += chombo
        self.recent = (*self.recent, result)[-RECENT:]
        if not own:
            return
        self.placed += 1
        self.place_twice += place_twice
        name = PLACES[place - 1]
        setattr(self, name, getattr(self, name) + 1)
        self.best = result if self.best is None else max(self.best, result)
        self.worst = result if self.worst is None else min(self.worst, result)

    def adjust(self, kind: str, points: int, count: int = 1) -> None:
        """Add `count` results without a game, all of one kind; `points` is their sum."""
        self.adjustments += points
        if kind == PENALTY:
            self.penalties -= points
        elif kind == ABSENCE:
            self.games += count


@dataclass(slots=True)
class PlayerTally(Tally):
    """The tally of one player in a season."""

    player_id: int = 0


ADDED_UP = tuple(each.name for each in fields(Tally) if each.name not in ("last_played_on", "recent", "rating"))


def together(tallies: Sequence[Any]) -> Tally:
    """Combine several seasons of one player: add counts and sums, take the best and worst game. There is no rating."""
    sums = {name: sum(getattr(each, name) for each in tallies) for name in ADDED_UP if name not in ("best", "worst")}
    best = max((each.best for each in tallies if each.best is not None), default=None)
    worst = min((each.worst for each in tallies if each.worst is not None), default=None)
    return Tally(**sums, best=best, worst=worst)


Aggregate = Any  # a Tally, or a stored Standing
Value = int | Fraction | None
SortKey = Any  # anything that can be compared with the other keys of the same call

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
        """Return a key for each `Aggregate`; a better value has a higher key, and a missing value the lowest.

        Whole numbers are their own keys. For fractions the key is a float and the fraction. Division rounds correctly,
        so the float never contradicts the fraction. It avoids nearly all comparisons of fractions; only if floats are
        equal do the fractions decide. In a ranking the rows are those that are equal in every earlier metric. A metric
        that compares the rows with each other overrides this method.
        """
        values = [self.value(row) for row in rows]
        if self.lower_is_better:
            values = [None if value is None else -value for value in values]
        if any(isinstance(value, Fraction) for value in values):
            return [_LOWEST if value is None else (value.numerator / value.denominator, value) for value in values]
        return [-math.inf if value is None else value for value in values]


_LOWEST = (-math.inf, 0)


def _mean(total: int, count: int) -> Fraction | None:
    return Fraction(total, count) if count else None


def total(a: Aggregate) -> int:
    return int(a.results + a.adjustments)


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
    """Return the metric that a season with this formula is ranked by."""
    return METRICS[FORMULAS[formula].figure.metric]


def ranking_metrics(formula: str, tie_breaks: Iterable[str]) -> list[Metric]:
    first = primary_metric(formula)
    return [first, *(METRICS[key] for key in tie_breaks if key != first.key)]


Row = TypeVar("Row")


def rank(rows: Iterable[Row], metrics: Sequence[Metric]) -> list[tuple[int, Row]]:
    """Return rows with their ranks, best first. Rows equal in every metric share a rank, and the next is skipped."""
    return _ranked(list(rows), metrics, 1)


def _ranked(rows: list[Row], metrics: Sequence[Metric], first: int) -> list[tuple[int, Row]]:
    """Rank by the first metric; compute the next metric only for rows that are equal so far."""
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
    """Sort rows by one metric alone, as when a reader sorts a column. Missing values come last in both directions."""
    known: list[Row] = []
    missing: list[Row] = []
    for row in rows:
        (missing if metric.value(aggregate_of(row)) is None else known).append(row)
    keys = metric.sort_keys([aggregate_of(row) for row in known])
    order = sorted(range(len(known)), key=keys.__getitem__, reverse=descending != metric.lower_is_better)
    return [known[index] for index in order] + missing


def split_by_minimum(rows: Iterable[Row], minimum: int) -> tuple[list[Row], list[Row]]:
    """Return the rows with enough games to be ranked, and the other rows."""
    ranked: list[Row] = []
    waiting: list[Row] = []
    for row in rows:
        (ranked if row.games >= minimum else waiting).append(row)  # type: ignore[attr-defined]
    return ranked, waiting
