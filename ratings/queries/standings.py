"""Standings computed from games: a season's aggregates, for all its players or some, until any day."""

from __future__ import annotations

import operator
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from django.db.models import Count, F, FloatField, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Cast, Coalesce, NullIf

from ratings.mahjong.formulas import FormulaFigure
from ratings.mahjong.standings import PLACES, RECENT, PlayerTally
from ratings.models import Adjustment, Seat

OWN = Q(substitute=Seat.Substitute.NONE)  # places, best and worst are counted over own seats only (RULES §1)
COUNTS_AS_GAME = Q(kind=Adjustment.Kind.ABSENCE)
# An aggregate cannot have the name of a column of the seat, so these fields of a tally get other names in the query.
RENAMED = {"seat_chombo": "chombo", "seat_place_twice": "place_twice"}


def ranking_number(figure: FormulaFigure) -> Any:
    """Return the SQL expression that stored standings are ranked by: `standings.primary_metric` for the database.

    Division rounds correctly: equal averages are equal floats, and a higher average is never a lower float. Without a
    game there is no average: the result is NULL, because PostgreSQL refuses to divide by zero.
    """
    total = reduce(operator.add, map(F, figure.terms))
    if not figure.per:
        return total
    return Cast(total, FloatField()) / NullIf(Cast(F(figure.per), FloatField()), Value(0.0))


def seat_aggregates() -> dict[str, Any]:
    """Return `Tally.add` in SQL, for `.values("player_id").annotate(**…)`. It uses only columns of the index."""
    return {
        "games": Count("hanchan_id"),
        "placed": Count("hanchan_id", filter=OWN),
        "results": Coalesce(Sum("result"), Value(0)),
        "penalties": Coalesce(Sum("penalty"), Value(0)),
        **{name: Count("hanchan_id", filter=OWN & Q(place=place)) for place, name in enumerate(PLACES, 1)},
        "seat_place_twice": Coalesce(Sum("place_twice", filter=OWN), Value(0)),
        "best": Max("result", filter=OWN),
        "worst": Min("result", filter=OWN),
        "seat_chombo": Coalesce(Sum("chombo"), Value(0)),
        "last_played_on": Max("played_on"),
    }


def aggregate(seats: QuerySet[Seat], adjustments: QuerySet[Adjustment]) -> dict[int, PlayerTally]:
    """Return tallies by player from counting seats and unrevoked adjustments, without the last ten results."""
    tallies: dict[int, PlayerTally] = {}
    for found in seats.values("player_id").annotate(**seat_aggregates()).order_by():
        fields: dict[str, Any] = {RENAMED.get(name, name): value for name, value in found.items()}
        tallies[fields["player_id"]] = PlayerTally(**fields)
    add_adjustments(tallies, adjustments)
    return tallies


def add_adjustments(tallies: dict[int, PlayerTally], adjustments: QuerySet[Adjustment]) -> None:
    """Add unrevoked adjustments to the players' tallies."""
    rows = adjustments.values("player_id", "kind").annotate(sum_points=Sum("points"), count=Count("pk")).order_by()
    for player, kind, points, count in rows.values_list("player_id", "kind", "sum_points", "count"):
        tallies.setdefault(player, PlayerTally(player_id=player)).adjust(kind, points, count)


def recent_results(seats: QuerySet[Seat]) -> Mapping[int, list[int]]:
    """Return the last ten results of each player, oldest first.

    Seats are read in the order of the index, and only the last ten of each player are kept. Numbering them in the
    database would sort every player's games again.
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
