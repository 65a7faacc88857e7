"""Order-dependent ratings read from seats: the rows of later games, and the players' state before them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber

from ratings.mahjong import scoring
from ratings.mahjong.formulas import Rated, RatedGame, Rater, fold
from ratings.models import Season, Seat


class Moment(NamedTuple):
    """A game's position in the order of games."""

    played_at: datetime.datetime
    hanchan_id: int


BEFORE_ALL = Moment(datetime.datetime.min.replace(tzinfo=datetime.UTC), 0)


class SeatRow(NamedTuple):
    pk: int
    hanchan_id: int
    player_id: int
    place_twice: int
    substitute: str
    rating_after: int | None


def rater_of(season: Season) -> Rater:
    """Return the season's formula with its settings. The formula must depend on the order of games."""
    changes = season.rating_formula.changes
    assert changes is not None, season.formula
    return Rater(changes, season.initial_rating, season.elo_k)


def rows_since(season_id: int, since: Moment) -> list[tuple[Moment, SeatRow]]:
    """Return counting seats from a moment on, in the order of games and seats, each with its game's moment."""
    later = Q(played_at__gt=since.played_at) | Q(played_at=since.played_at, hanchan_id__gte=since.hanchan_id)
    seats = Seat.objects.filter(later, season_id=season_id, counts=True).order_by("played_at", "hanchan_id", "wind")
    rows = seats.values_list("played_at", *SeatRow._fields)
    return [(Moment(row[0], row[2]), SeatRow(*row[1:])) for row in rows]


def folded(rows: Iterable[SeatRow], state: dict[int, Rated], rater: Rater) -> Iterator[tuple[SeatRow, int | None]]:
    """Yield each seat with its rating after the game. `state` is updated along the way."""
    games = [list(seats) for _hanchan, seats in groupby(rows, key=lambda row: row.hanchan_id)]
    rated = (
        RatedGame(
            index,
            (seats[0].player_id, seats[1].player_id, seats[2].player_id, seats[3].player_id),
            (seats[0].place_twice, seats[1].place_twice, seats[2].place_twice, seats[3].place_twice),
            any(seat.substitute != scoring.NONE for seat in seats),
        )
        for index, seats in enumerate(games)
    )
    for index, ratings in fold(rated, state, rater):
        yield from zip(games[index], ratings, strict=True)


def state_before(season: Season, since: Moment, players: set[int]) -> dict[int, Rated]:
    """Return rating and number of rated games of these players just before a moment."""
    earlier = Q(played_at__lt=since.played_at) | Q(played_at=since.played_at, hanchan_id__lt=since.hanchan_id)
    seats = Seat.objects.filter(earlier, season=season, counts=True, player__in=players, rating_after__isnull=False)
    games = dict(seats.values_list("player_id").annotate(Count("pk")).order_by())
    order = [F("played_at").desc(), F("hanchan_id").desc()]
    newest = seats.annotate(back=Window(RowNumber(), partition_by=F("player_id"), order_by=order)).filter(back=1)
    rows = newest.values_list("player_id", "rating_after")
    return {player: Rated(rating, games[player]) for player, rating in rows if rating is not None}
