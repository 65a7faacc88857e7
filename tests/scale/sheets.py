"""Score sheets by the thousand: drawn from a distribution, not played, and always summing up."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.rulesets import Rules

FIRST_DAY = datetime.date(2025, 1, 1)
LAST_DAY = datetime.date(2025, 12, 31)
NOON = datetime.datetime(2025, 1, 1, 12, tzinfo=datetime.UTC)
MINUTES = 364 * 24 * 60
SPREAD = 12_000


@dataclass(frozen=True)
class Rarely:
    """How often a seat or a table has something special."""

    tie: float = 0.05
    sticks: float = 0.06
    chombo: float = 0.01
    penalty: float = 0.002
    substitute: float = 0.01


RARELY = Rarely()


def draw_sheets(die: Random, players: Sequence[int], hanchans: int, rules: Rules) -> Iterator[Sheet]:
    """In the order of play over a year, some players far busier than others."""
    busy = list(accumulate(1 / (10 + rank) ** 0.5 for rank in range(len(players))))
    for number in range(hanchans):
        at = NOON + datetime.timedelta(minutes=number * MINUTES // hanchans)
        sticks = die.random() < RARELY.sticks
        points = _points(die, rules.full_sum // 100 - 10 * sticks)
        four = _four(die, players, busy)
        seats = tuple(_seat(die, player, 100 * p) for player, p in zip(four, points, strict=True))
        yield Sheet(at, at.date(), seats, sticks_left=int(sticks))


def _four(die: Random, players: Sequence[int], busy: Sequence[float]) -> Sequence[int]:
    while True:
        four = die.choices(players, cum_weights=busy, k=4)
        if len(set(four)) == 4:
            return four


def _points(die: Random, hundreds: int) -> list[int]:
    """Four multiples of one hundred with this sum."""
    mean, spread = hundreds / 4, SPREAD / 100
    points = [round(die.gauss(mean, spread)) for _ in range(3)]
    if die.random() < RARELY.tie:
        points[0] = points[1]
    return [*points, hundreds - sum(points)]


def _seat(die: Random, player: int, points: int) -> SeatSheet[int]:
    luck = die.random()
    if luck < RARELY.substitute:
        return SeatSheet(player, scoring.Seat(points, substitute=die.choice((scoring.FROM_START, scoring.MID_GAME))))
    if luck < RARELY.substitute + RARELY.penalty:
        return SeatSheet(player, scoring.Seat(points, penalty=1000))
    return SeatSheet(player, scoring.Seat(points, chombo=int(luck > 1 - RARELY.chombo)))
