"""Standings read from games: what a season's aggregates are, of all its players or some, until any day."""

from __future__ import annotations

import operator
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from django.db.models import Count, F, FloatField, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Cast, Coalesce, NullIf

from ratings.formulas import Figure
from ratings.models import Adjustment, Seat

RECENT = 10
OWN = Q(substitute=Seat.Substitute.NONE)  # places, best and worst are counted over own seats only (RULES §1)
COUNTS_AS_GAME = Q(kind=Adjustment.Kind.ABSENCE)
FINES = Q(kind=Adjustment.Kind.PENALTY)


def ranking_number(figure: Figure) -> Any:
    """A figure of kept standings in SQL, as a season is ranked by it: `standings.primary_metric` for the database.

    Division rounds correctly: equal averages are equal floats, and a higher one is never below. Without a game there
    is no average, which PostgreSQL would refuse to compute.
    """
    total = reduce(operator.add, map(F, figure.terms))
    if not figure.per:
        return total
    return Cast(total, FloatField()) / NullIf(Cast(F(figure.per), FloatField()), Value(0.0))


def seat_aggregates() -> dict[str, Any]:
    """The aggregates of a player's seats, for `.values("player_id").annotate(**…)`; only columns of the index."""
    return {
        "games": Count("hanchan_id"),
        "placed": Count("hanchan_id", filter=OWN),
        "results": Coalesce(Sum("result"), Value(0)),
        "seat_penalties": Coalesce(Sum("penalty"), Value(0)),
        "firsts": Count("hanchan_id", filter=OWN & Q(place=1)),
        "seconds": Count("hanchan_id", filter=OWN & Q(place=2)),
        "thirds": Count("hanchan_id", filter=OWN & Q(place=3)),
        "fourths": Count("hanchan_id", filter=OWN & Q(place=4)),
        "twice": Coalesce(Sum("place_twice", filter=OWN), Value(0)),
        "best": Max("result", filter=OWN),
        "worst": Min("result", filter=OWN),
        "chombos": Coalesce(Sum("chombo"), Value(0)),
        "last_played_on": Max("played_on"),
    }


def aggregate(seats: QuerySet[Seat], adjustments: QuerySet[Adjustment]) -> dict[int, dict[str, Any]]:
    """Standing fields by player, out of counting seats and unrevoked adjustments."""
    fields: dict[int, dict[str, Any]] = {}
    for found in seats.values("player_id").annotate(**seat_aggregates()).order_by():
        row: dict[str, Any] = {**found}
        player = row.pop("player_id")
        row["place_twice"] = row.pop("twice")
        row["chombo"] = row.pop("chombos")
        row["penalties"] = row.pop("seat_penalties")
        fields[player] = {"adjustments": 0, **row}
    rows = adjustments.values("player_id").annotate(
        sum_points=Sum("points"),
        fines=Coalesce(Sum("points", filter=FINES), Value(0)),
        extra_games=Count("pk", filter=COUNTS_AS_GAME),
    )
    for total in rows.order_by():
        mine = fields.setdefault(total["player_id"], _nothing())
        mine["adjustments"] += total["sum_points"]
        mine["penalties"] -= total["fines"]
        mine["games"] += total["extra_games"]
    return fields


def _nothing() -> dict[str, Any]:
    names = ("games", "placed", "results", "firsts", "seconds", "thirds", "fourths", "place_twice", "chombo")
    empty: dict[str, Any] = dict.fromkeys((*names, "adjustments", "penalties"), 0)
    return {**empty, "best": None, "worst": None, "last_played_on": None}


def recent_results(seats: QuerySet[Seat]) -> Mapping[int, list[int]]:
    """The last ten results of each player, oldest first.

    Read in the order of the index and kept ten at a time: numbering them in the database sorts every player's
    games again.
    """
    recent: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=RECENT))
    in_order = seats.order_by("player_id", "played_at", "hanchan_id").values_list("player_id", "result")
    for player, result in in_order.iterator():
        recent[player].append(result or 0)
    return {player: list(newest) for player, newest in recent.items()}


def counting_seats(season_id: int, players: Iterable[int] | None = None) -> QuerySet[Seat]:
    seats = Seat.objects.filter(season_id=season_id, counts=True)
    return seats if players is None else seats.filter(player_id__in=players)


def valid_adjustments(season_id: int, players: Iterable[int] | None = None) -> QuerySet[Adjustment]:
    found = Adjustment.objects.filter(season_id=season_id, revoked_at=None)
    return found if players is None else found.filter(player_id__in=players)
