"""Rating formulas: results in order → rating changes (RULES §1, Rating formulas).

Each formula is declared once, in `FORMULAS`: the season's form offers it, leaderboards rank by its figure, and charts
and pages use its texts. Ratings are integers in thousandths. The rating after each game is rounded, half away from
zero. *Sum* and *average* follow from totals and are not folded; Tenhou R and Elo depend on the order of games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from ratings.mahjong.problems import gettext_noop
from ratings.mahjong.scoring import round_to

_ = gettext_noop

ELO_K = 32

Key = TypeVar("Key")
Four = tuple[int, int, int, int]


class RatedGame(NamedTuple, Generic[Key]):
    """One game as a formula sees it: the players, and double the mean place of each (a whole number also in a tie)."""

    key: Key
    players: Four
    place_twice: Four
    substituted: bool  # such a game changes no rating


class Rated(NamedTuple):
    rating: int
    games: int  # rated games before the next one


@dataclass(frozen=True)
class FormulaFigure:
    """What a season is ranked by: a metric of `standings`, the columns that it is computed from, and its texts.

    `terms` are columns of a stored standing that are added up, and `per` is the column by which their sum is divided. A
    player may have no value of an `optional` figure. `title` is the title of the chart, `curve` its label for screen
    readers.
    """

    metric: str
    terms: tuple[str, ...]
    title: str
    curve: str
    noun: str
    foot: str
    per: str = ""
    optional: bool = False


TOTAL = FormulaFigure(
    metric="total",
    terms=("results", "adjustments"),
    title=_("Total over the season"),
    curve=_("Total after each game, %(season)s"),
    noun=_("total"),
    foot=_("Tied totals share a rank unless a tie-break separates them. Select a total to see its games."),
)
MEAN = FormulaFigure(
    metric="average",
    terms=("results", "adjustments"),
    per="games",
    optional=True,
    title=_("Average over the season"),
    curve=_("Average after each game, %(season)s"),
    noun=_("average"),
    foot=_("Tied averages share a rank unless a tie-break separates them. Select an average to see its games."),
)
RATING = FormulaFigure(
    metric="rating",
    terms=("rating",),
    optional=True,
    title=_("Rating over the season"),
    curve=_("Rating after each game, %(season)s"),
    noun=_("rating"),
    foot=_("Tied ratings share a rank unless a tie-break separates them. Select a rating to see its games."),
)


Changes = Callable[[Sequence[Rated], Sequence[int], int], list[int]]
"""From the ratings before a game, the places in it (twice) and the season's K to the change of each rating."""


@dataclass(frozen=True)
class Formula:
    """One rating formula. A season stores its `key`, which has at most eight letters.

    `changes` computes how a game changes the ratings of its four players. A formula without it does not depend on the
    order of games and is not folded. `initial` is the rating of a new player unless the season sets another. `uses_k`
    says whether the season's K changes anything.
    """

    key: str
    label: str
    figure: FormulaFigure = RATING
    initial: int = 0
    changes: Changes | None = None
    uses_k: bool = False

    @property
    def depends_on_order(self) -> bool:
        return self.changes is not None


@dataclass(frozen=True)
class Rater:
    """A formula that depends on the order of games, with the settings of a season."""

    changes: Changes
    initial: int = 1_500_000
    k: int = ELO_K


def tenhou_changes(before: Sequence[Rated], place_twice: Sequence[int]) -> list[int]:
    """ΔR = K·(P + (A − R)/40), K = 1 − 0.002n and 0.2 from n = 400.

    P = 30/10/−10/−30 falls by 20 a place, so a tie's mean is 50 − 20·(mean place) = 50 − 10·place_twice.
    Everything is computed over the common denominator 160 · 1000, so that only the last step rounds.
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


SUM = Formula("sum", _("sum of results"), TOTAL)
AVERAGE = Formula("average", _("average result"), MEAN)
TENHOU = Formula(
    "tenhou",
    _("Tenhou R"),
    initial=1_500_000,
    changes=lambda before, place_twice, k: tenhou_changes(before, place_twice),
)
ELO = Formula("elo", _("Elo"), initial=1_500_000, changes=elo_changes, uses_k=True)

FORMULAS = {formula.key: formula for formula in (SUM, AVERAGE, TENHOU, ELO)}


def fold(
    games: Iterable[RatedGame[Key]], state: dict[int, Rated], rater: Rater
) -> Iterator[tuple[Key, list[int | None]]]:
    """Yield the ratings after each game, East to North; None if the game changes no rating. `state` is updated."""
    for game in games:
        if game.substituted:
            yield game.key, [None, None, None, None]
            continue
        before = [state.get(player) or Rated(rater.initial, 0) for player in game.players]
        after: list[int | None] = []
        changes = rater.changes(before, game.place_twice, rater.k)
        for player, was, change in zip(game.players, before, changes, strict=True):
            state[player] = Rated(was.rating + change, was.games + 1)
            after.append(was.rating + change)
        yield game.key, after
