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
    """Games newest first, each with its seats in order of place."""
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
    """Whoever has a standing in the season, to choose from; nobody when they are too many for a list."""
    found = list(Player.objects.filter(standings__season=season)[: at_most + 1])
    return found if len(found) <= at_most else []


def player_line(season: Season, span: Span, player: int) -> PlayerTally | None:
    """What the leaderboard says of one player over the same days."""
    return next((line for line in lines(season, span) if line.player_id == player), None)
