"""Rating formulas: results in order → rating changes (RULES §1, Rating formulas).

Ratings are integers in thousandths; it is the rating after each game that is rounded, half away from zero.
*Sum* and *average* follow from totals and need nothing here; Tenhou R and Elo depend on the order of games
and are folded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from ratings.scoring import round_to

SUM, AVERAGE, TENHOU, ELO = "sum", "average", "tenhou", "elo"
ORDER_DEPENDENT = frozenset({TENHOU, ELO})
INITIAL_RATING = {SUM: 0, AVERAGE: 0, TENHOU: 1_500_000, ELO: 1_500_000}
ELO_K = 32

Key = TypeVar("Key")
Four = tuple[int, int, int, int]


class RatedGame(NamedTuple, Generic[Key]):
    """One game as a formula sees it: who, and double the mean place of each (so that ties stay whole)."""

    key: Key
    players: Four
    place_twice: Four
    substituted: bool  # such a game changes nobody's rating


class Rated(NamedTuple):
    rating: int
    games: int  # rated games before the next one


@dataclass(frozen=True)
class Formula:
    """Which formula, with its settings."""

    name: str
    initial: int = 1_500_000
    k: int = ELO_K

    def changes(self, before: Sequence[Rated], place_twice: Four) -> list[int]:
        if self.name == TENHOU:
            return tenhou_changes(before, place_twice)
        return elo_changes(before, place_twice, self.k)


def tenhou_changes(before: Sequence[Rated], place_twice: Sequence[int]) -> list[int]:
    """ΔR = K·(P + (A − R)/40), K = 1 − 0.002n and 0.2 from n = 400.

    P = 30/10/−10/−30 falls by 20 a place, so a tie's mean is 50 − 20·(mean place) = 50 − 10·place_twice.
    Everything over the common denominator 160 · 1000, so that the only rounding is the last.
    """
    total = sum(player.rating for player in before)
    changes = []
    for player, twice in zip(before, place_twice, strict=True):
        k_thousandths = max(1000 - 2 * player.games, 200)
        spread = 160_000 * (50 - 10 * twice) + total - 4 * player.rating
        after = Fraction(160_000 * player.rating + k_thousandths * spread, 160_000)
        changes.append(round_to(after, 1, "half_away") - player.rating)
    return changes


def elo_changes(before: Sequence[Rated], place_twice: Sequence[int], k: int) -> list[int]:
    """ΔR = 3K(S − E), S = (4 − place)/6, E = Σ 1/(1 + 10^((Rⱼ − Rᵢ)/400))/6 over the three opponents."""
    changes = []
    for i, (player, twice) in enumerate(zip(before, place_twice, strict=True)):
        expected = sum(
            1 / (1 + 10.0 ** ((other.rating - player.rating) / 400_000)) for j, other in enumerate(before) if j != i
        )
        after = player.rating + 3000 * k * ((8 - twice) / 12 - expected / 6)
        changes.append(int(after + math.copysign(0.5, after)) - player.rating)
    return changes


def fold(
    games: Iterable[RatedGame[Key]], state: dict[int, Rated], formula: Formula
) -> Iterator[tuple[Key, list[int | None]]]:
    """Ratings after each game, East to North; None where a game changes nobody's. `state` is carried along."""
    for game in games:
        if game.substituted:
            yield game.key, [None, None, None, None]
            continue
        before = [state.get(player) or Rated(formula.initial, 0) for player in game.players]
        after: list[int | None] = []
        changes = formula.changes(before, game.place_twice)
        for player, was, change in zip(game.players, before, changes, strict=True):
            state[player] = Rated(was.rating + change, was.games + 1)
            after.append(was.rating + change)
        yield game.key, after
