"""The players of a club, regulars and guests, with how much they played and when they last did."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, Sum

from ratings.models import Affiliation, Club, Player, Standing


@dataclass(frozen=True)
class ClubPlayer:
    player: Player
    kind: str
    seasons: int
    games: int
    last_played_on: datetime.date | None


def club_players(club: Club, *, all_results: bool) -> list[ClubPlayer]:
    """Return the players in order of affiliation. `all_results` also counts seasons without public results yet."""
    counted = Standing.objects.filter(season__club=club, games__gt=0)
    if not all_results:
        counted = counted.filter(season__results_public=True)
    rows = counted.values("player_id").annotate(seasons=Count("pk"), played=Sum("games"), last=Max("last_played_on"))
    played: dict[int, dict[str, Any]] = {row["player_id"]: {**row} for row in rows.order_by()}
    nothing: dict[str, Any] = {"seasons": 0, "played": 0, "last": None}
    affiliations = Affiliation.objects.filter(Q(player__merged_into=None), club=club).select_related("player")
    return [
        ClubPlayer(each.player, each.kind, mine["seasons"], mine["played"], mine["last"])
        for each in affiliations.order_by("pk")
        for mine in [played.get(each.player_id) or nothing]
    ]
