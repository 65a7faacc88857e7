"""Order-dependent ratings: folded again from the game that changed, and written only where they differ."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber

from ratings import formulas, scoring
from ratings.formulas import Rated, RatedGame
from ratings.models import Season, Seat, Standing


class Moment(NamedTuple):
    """A game's place in the order of games."""

    played_at: datetime.datetime
    hanchan_id: int


class SeatRow(NamedTuple):
    pk: int
    hanchan_id: int
    player_id: int
    place_twice: int
    substitute: str
    rating_after: int | None


def formula_of(season: Season) -> formulas.Formula:
    return formulas.Formula(season.formula, season.initial_rating, season.elo_k)


def refold(season: Season, since: Moment, touched: Iterable[int] = ()) -> None:
    """Folds ratings again from a moment on; call with the season locked and results already stored.

    `touched` are players who may have left the later games altogether: their rating falls back to what it
    was before the moment.
    """
    if not season.depends_on_order:
        return
    rows = _rows_since(season.pk, since)
    players = {row.player_id for row in rows} | set(touched)
    state = _state_before(season, since, players)
    changed = []
    for row, rating in _folded(rows, state, formula_of(season)):
        if rating != row.rating_after:
            changed.append(Seat(pk=row.pk, rating_after=rating))
    Seat.objects.bulk_update(changed, ["rating_after"], batch_size=500)
    _store_ratings(season, state, players)


def _rows_since(season_id: int, since: Moment) -> list[SeatRow]:
    later = Q(played_at__gt=since.played_at) | Q(played_at=since.played_at, hanchan_id__gte=since.hanchan_id)
    rows = Seat.objects.filter(later, season_id=season_id, counts=True).order_by("played_at", "hanchan_id", "wind")
    return [SeatRow(*row) for row in rows.values_list(*SeatRow._fields)]


def _folded(
    rows: Iterable[SeatRow], state: dict[int, Rated], formula: formulas.Formula
) -> Iterator[tuple[SeatRow, int | None]]:
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
    for index, ratings in formulas.fold(rated, state, formula):
        yield from zip(games[index], ratings, strict=True)


def _state_before(season: Season, since: Moment, players: set[int]) -> dict[int, Rated]:
    """Rating and number of rated games of these players just before a moment."""
    earlier = Q(played_at__lt=since.played_at) | Q(played_at=since.played_at, hanchan_id__lt=since.hanchan_id)
    seats = Seat.objects.filter(earlier, season=season, counts=True, player__in=players, rating_after__isnull=False)
    games = dict(seats.values_list("player_id").annotate(Count("pk")).order_by())
    order = [F("played_at").desc(), F("hanchan_id").desc()]
    newest = seats.annotate(back=Window(RowNumber(), partition_by=F("player_id"), order_by=order)).filter(back=1)
    rows = newest.values_list("player_id", "rating_after")
    return {player: Rated(rating, games[player]) for player, rating in rows if rating is not None}


def _store_ratings(season: Season, state: dict[int, Rated], players: set[int]) -> None:
    standings = []
    for standing in Standing.objects.filter(season=season, player__in=players):
        now = state.get(standing.player_id, Rated(season.initial_rating, 0))
        if (standing.rating, standing.rated_games) != now:
            standing.rating, standing.rated_games = now
            standings.append(standing)
    Standing.objects.bulk_update(standings, ["rating", "rated_games"], batch_size=500)
