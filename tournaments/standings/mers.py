"""European ranking (MERS): the weight of a tournament, the points of a place, and a player's rank over tournaments.

Pure computation, according to RULES §3. Fractions stay exact; only a base rank is rounded, as the rule says.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

HALF = Fraction(1, 2)
PADDED_TO = 5
BEST = 4
RESULTS_NEEDED = 2
MOST_SUBSTITUTES = 3  # counted as participants, if the event counts substitutes


class Result(NamedTuple):
    """A base rank with the tournament's weight (already halved in its second year) and its last day."""

    points: int
    weight: Fraction
    day: datetime.date


def base_rank(place: int, players: int) -> int:
    """1000 for the first to 0 for the last, rounded half up. The place of tied players is the best of their places."""
    if not 1 <= place <= players:
        raise ValueError(f"place {place} of {players}")
    if players == 1:
        return 0  # there was no opponent; the formula would divide by zero
    return int((Fraction(1000 * (players - place), players - 1) + HALF) // 1)


def weight(days: int, players: int, countries: int, championship: bool = False) -> Fraction:
    """The weight of a tournament: from 1 to 6, in steps of a half."""
    return (
        Fraction(min(3, max(1, days)))
        + _step(players, above=40, well_above=80)
        + _step(countries, above=5, well_above=9)
        + int(championship)
    )


def _step(count: int, above: int, well_above: int) -> Fraction:
    return Fraction(1) if count > well_above else HALF if count > above else Fraction(0)


def age_factor(day: datetime.date, today: datetime.date) -> Fraction:
    """How much an event that ended on `day` still counts: 1 up to and on its first anniversary, ½ to the second."""
    if today < day:
        return Fraction(0)
    ends = [(day.year + years, day.month, day.day) for years in (1, 2)]  # 29 February: as if every year had it
    now = (today.year, today.month, today.day)
    return Fraction(1) if now <= ends[0] else HALF if now <= ends[1] else Fraction(0)


def averages(results: Iterable[Result]) -> tuple[Fraction, Fraction] | None:
    """The two means of a rank: A over most results, B over the best four. None with fewer than two results.

    If results at the limit have equal base ranks, A takes the newer one and B the one with more weight.
    """
    counting = [result for result in results if result.weight]
    if len(counting) < RESULTS_NEEDED:
        return None
    padding = [Result(0, Fraction(1), datetime.date.min)] * (PADDED_TO - len(counting))
    newer_first = sorted(counting, key=lambda result: (result.points, result.day, result.weight), reverse=True)
    heavier_first = sorted(counting, reverse=True)  # of equal base ranks: weight is the second field of the tuple
    most = [*newer_first, *padding][: _considered(len(counting))]
    return _mean(most), _mean([*heavier_first, *padding][:BEST])


def rank(results: Iterable[Result]) -> Fraction | None:
    """A player's exact rank over several events. None if the player has fewer than two results."""
    means = averages(results)
    return None if means is None else (means[0] + means[1]) / 2


def _considered(count: int) -> int:
    """How many results count: 5 + ⌈0.8 (n − 5)⌉, or five if there are no more than five."""
    return PADDED_TO if count <= PADDED_TO else PADDED_TO - (-4 * (count - PADDED_TO) // 5)


def _mean(results: Sequence[Result]) -> Fraction:
    weights = sum((result.weight for result in results), Fraction(0))
    return sum((result.points * result.weight for result in results), Fraction(0)) / weights
