"""The race of a season: the rank of its best players after each day that was played.

Games and adjustments are added up day by day in the order in which they count, and ranked with the function that ranks
the leaderboard, so the last day is the leaderboard.
"""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from clubsite import freshness
from ratings.mahjong import standings
from ratings.mahjong.standings import PlayerTally
from ratings.models import Season, Seat
from ratings.queries.standings import counting_seats, valid_adjustments

RUNNERS = 8
MOST_DAYS = 40  # of a longer season some days are shown, evenly spread

Row = TypeVar("Row", bound=tuple[Any, ...])


class RacePlace(NamedTuple):
    """Where a player is: the place in the list, and the rank, which players with equal numbers share."""

    place: int
    rank: int


@dataclass(frozen=True)
class Race:
    """The best players of the last day, best first, and where each was after each day; None before enough games."""

    days: tuple[datetime.date, ...]
    courses: dict[int, tuple[RacePlace | None, ...]]


class _Result(NamedTuple):
    """A seat of a counting game."""

    played_on: datetime.date
    player_id: int
    result: int
    place: int
    place_twice: int
    chombo: int
    penalty: int
    substitute: str
    rating_after: int | None


def race_of(season: Season) -> Race:
    """Return the race, kept until the season changes. Without two days there is none, and it is empty."""
    found: Race = freshness.keep(("race", season.pk, season.revision), lambda: _run(season))
    return found


def _run(season: Season) -> Race:
    order = ("played_at", "hanchan_id")
    results = [_Result(*row) for row in counting_seats(season.pk).order_by(*order).values_list(*_Result._fields)]
    adjusted = valid_adjustments(season.pk).values_list("given_on", "player_id", "kind", "points")
    days = _spread(sorted({each.played_on for each in results}))
    if len(days) < 2:
        return Race((), {})
    tallies: dict[int, PlayerTally] = {}
    orders: list[dict[int, RacePlace]] = []
    played, given = _by_day(results, days), _by_day(adjusted, days)
    for day in days:
        for each in played[day]:
            _count(season, tallies, each)
        for _given_on, player, kind, points in given[day]:
            _tally(season, tallies, player).adjust(kind, points)
        orders.append(_places(season, tallies))
    best = list(orders[-1])[:RUNNERS]
    return Race(tuple(days), {player: tuple(places.get(player) for places in orders) for player in best})


def _spread(days: Sequence[datetime.date]) -> list[datetime.date]:
    """Some of the days, evenly spread, always with the first and the last."""
    if len(days) <= MOST_DAYS:
        return list(days)
    return [days[round(index * (len(days) - 1) / (MOST_DAYS - 1))] for index in range(MOST_DAYS)]


def _by_day(rows: Iterable[Row], days: Sequence[datetime.date]) -> dict[datetime.date, list[Row]]:
    """Rows begin with their day. What happened between two days shown belongs to the later one."""
    found: dict[datetime.date, list[Row]] = defaultdict(list)
    for row in rows:
        found[days[min(bisect_left(days, row[0]), len(days) - 1)]].append(row)
    return found


def _tally(season: Season, tallies: dict[int, PlayerTally], player: int) -> PlayerTally:
    if player not in tallies:
        rating = season.initial_rating if season.depends_on_order else None
        tallies[player] = PlayerTally(player_id=player, rating=rating)
    return tallies[player]


def _count(season: Season, tallies: dict[int, PlayerTally], seat: _Result) -> None:
    tally = _tally(season, tallies, seat.player_id)
    own = seat.substitute == Seat.Substitute.NONE
    tally.add(seat.result, seat.place, seat.place_twice, own=own, chombo=seat.chombo, penalty=seat.penalty)
    if seat.rating_after is not None:
        tally.rating = seat.rating_after


def _places(season: Season, tallies: dict[int, PlayerTally]) -> dict[int, RacePlace]:
    """The ranked players in their order."""
    ranked, _waiting = standings.split_by_minimum(tallies.values(), season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    listed = standings.rank(sorted(ranked, key=lambda tally: tally.player_id), metrics)
    return {row.player_id: RacePlace(place, rank) for place, (rank, row) in enumerate(listed, 1)}
