"""Stored seats read in large numbers, for replaying a season and for its workbook."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from ratings.mahjong import scoring
from ratings.models import Seat


class Derived(NamedTuple):
    """The derived columns of one seat."""

    place: int | None
    place_twice: int | None
    result: int | None
    rating_after: int | None


class StoredSeat(NamedTuple):
    pk: int
    hanchan_id: int
    player_id: int
    played_by_id: int | None
    played: scoring.Seat
    derived: Derived


_NAMED = StoredSeat._fields[:4]
_COLUMNS = (*_NAMED, *scoring.Seat._fields, *Derived._fields)
_FACTS_END = len(_NAMED) + len(scoring.Seat._fields)


def stored_seats(hanchans: Collection[int]) -> dict[int, list[StoredSeat]]:
    """Return the seats of these games by game, East to North."""
    rows = Seat.objects.filter(hanchan__in=hanchans).order_by("hanchan_id", "wind").values_list(*_COLUMNS)
    # Built by position for speed: a season can have hundreds of thousands of seats.
    seats = (
        StoredSeat._make((*row[:4], scoring.Seat._make(row[4:_FACTS_END]), Derived._make(row[_FACTS_END:])))
        for row in rows
    )
    return {pk: list(four) for pk, four in groupby(seats, key=itemgetter(1))}
