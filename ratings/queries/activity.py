"""What was played lately, for visitors: the evenings of a club, its last games, and a game that the home page explains.

Only games of seasons with public results are read, and of clubs only those of the last year.
"""

from __future__ import annotations

import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from ratings.models import Club, Hanchan, Player, Season, Seat
from ratings.queries.games import with_seats
from ratings.queries.hanchans import with_table

LATELY = datetime.timedelta(days=365)


class ClubEvening(NamedTuple):
    """A day on which a club played."""

    day: datetime.date
    games: int
    players: int


def _lately(club: Club) -> QuerySet[Hanchan]:
    since = timezone.now().date() - LATELY
    public = Season.objects.filter(club=club, results_public=True)
    return Hanchan.objects.filter(season__in=public, status=Hanchan.Status.FINAL, played_on__gte=since)


def evenings(club: Club, at_most: int) -> list[ClubEvening]:
    """Return the last days on which the club played, oldest first."""
    days = _lately(club).order_by().values("played_on")
    counted = days.annotate(games=Count("pk", distinct=True), players=Count("seats__player", distinct=True))
    newest = counted.order_by("-played_on").values_list("played_on", "games", "players")[:at_most]
    return [ClubEvening(*row) for row in reversed(newest)]


def last_games(club: Club, at_most: int) -> list[Hanchan]:
    """Return the last games of the club, newest first, with seats in order of place."""
    return list(with_seats(_lately(club).order_by("-played_at", "-pk"))[:at_most])


def game_to_explain(season: Season) -> Hanchan | None:
    """Return the last game of the season whose winner played in person and shows the full name."""
    winner = Seat.objects.filter(
        hanchan=OuterRef("pk"),
        place=1,
        substitute=Seat.Substitute.NONE,
        player__visibility=Player.Visibility.FULL,
        player__anonymised_at=None,
    )
    games = Hanchan.objects.filter(Exists(winner), season=season, status=Hanchan.Status.FINAL)
    pk = games.order_by("-played_at", "-pk").values_list("pk", flat=True).first()
    return with_table(pk) if pk else None
