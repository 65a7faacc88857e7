"""The games of a season as a list, and what a player's games and adjustments add up to."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from ratings.mahjong.standings import PlayerTally
from ratings.models import Hanchan, Player, Season, Seat
from ratings.queries.leaderboard import WHOLE, Span, lines


@dataclass(frozen=True)
class GamesWanted:
    season: Season
    span: Span = WHOLE
    player: int | None = None
    result: int | None = None  # only games in which that player had exactly this result
    uncounted: bool = False  # drafts and void games too


def games(wanted: GamesWanted) -> QuerySet[Hanchan]:
    """Return the games, newest first. `with_seats` adds the seats."""
    found = Hanchan.objects.filter(wanted.span.days("played_on"), season=wanted.season)
    if not wanted.uncounted:
        found = found.filter(status=Hanchan.Status.FINAL)
    if wanted.player is not None:
        mine = Seat.objects.filter(hanchan=OuterRef("pk"), player_id=wanted.player)
        found = found.filter(Exists(mine if wanted.result is None else mine.filter(result=wanted.result)))
    return found.order_by("-played_at", "-pk")


def with_seats(found: QuerySet[Hanchan]) -> QuerySet[Hanchan]:
    seats = Seat.objects.select_related("player").order_by("place", "wind")
    return found.prefetch_related(Prefetch("seats", seats, to_attr="by_place"))


def season_players(season: Season, at_most: int) -> list[Player]:
    """Return the players with a standing in the season, for a select list; no one if there are more than `at_most`."""
    found = list(Player.objects.filter(standings__season=season)[: at_most + 1])
    return found if len(found) <= at_most else []


def player_line(season: Season, span: Span, player: int) -> PlayerTally | None:
    """Return the player's line of the leaderboard for the same days."""
    return next((line for line in lines(season, span) if line.player_id == player), None)
