"""Keeps each player's aggregates in a season equal to what its games and adjustments say."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.models import Standing
from ratings.queries.standings import aggregate, counting_seats, recent_results, valid_adjustments

BASE_FIELDS = [
    "games",
    "placed",
    "results",
    "adjustments",
    "penalties",
    "firsts",
    "seconds",
    "thirds",
    "fourths",
    "place_twice",
    "best",
    "worst",
    "chombo",
    "last_played_on",
    "recent",
]


def derive(season_id: int, players: Iterable[int] | None = None) -> list[Standing]:
    """What the standings must be, not yet stored. Ratings are not touched here."""
    seats = counting_seats(season_id, players)
    fields = aggregate(seats, valid_adjustments(season_id, players))
    recent = recent_results(seats)
    return [
        Standing(season_id=season_id, player_id=player, recent=recent.get(player, []), **mine)
        for player, mine in fields.items()
    ]


def restand(season_id: int, players: Iterable[int]) -> None:
    """Stores the standings of exactly these players anew; call with the season locked."""
    players = set(players)
    derived = derive(season_id, players)
    gone = players - {standing.player_id for standing in derived}
    if gone:
        Standing.objects.filter(season_id=season_id, player_id__in=gone).delete()
    Standing.objects.bulk_create(
        derived, update_conflicts=True, unique_fields=["season", "player"], update_fields=BASE_FIELDS
    )
