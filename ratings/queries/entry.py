"""What the entry page reads: the seasons the user may enter games into, and what was entered lately."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping

from django.contrib.auth.models import User

from ratings import rights
from ratings.mahjong.gamesheet import Sheet
from ratings.models import Club, Hanchan, Player, Season, Seat

A_DAY = datetime.timedelta(days=1)


def seasons_for(user: User, club: Club | None = None) -> list[Season]:
    """Return the seasons of the user's clubs that games can be entered into: running ones first, then the newest first.

    With a club, return only its seasons.

    Tables of tournaments are entered on the tournaments' own pages.
    """
    clubs = rights.clubs_of(user)
    clubs = clubs.filter(pk=club.pk) if club else clubs
    seasons = Season.objects.of_clubs().filter(club__in=clubs).select_related("club", "rule_set")
    return sorted(seasons, key=lambda season: (not season.covers(season.today()), -season.starts_on.toordinal()))


def tables_on(season: Season, day: datetime.date) -> int:
    return Hanchan.objects.filter(season=season, played_on=day).exclude(status=Hanchan.Status.VOID).count()


def same_game(season: Season, sheet: Sheet[int], guests: Mapping[int, str]) -> Hanchan | None:
    """Return a game of the same four players with the same points within a day: probably this sheet, entered before.

    `guests` are the names of people on the sheet who are not stored yet.
    """
    near = (sheet.played_at - A_DAY, sheet.played_at + A_DAY)
    games = Hanchan.objects.filter(season=season, played_at__range=near).exclude(status=Hanchan.Status.VOID)
    typed = {(guests.get(seat.player, seat.player), seat.played.points) for seat in sheet.seats}
    with_first_score = games.filter(seats__points=sheet.seats[0].played.points).distinct()
    for game in with_first_score.prefetch_related("seats__player"):
        stored = game.seats.all()
        by_number = {(seat.player_id, seat.points) for seat in stored}
        by_name = {(seat.player.native_name, seat.points) for seat in stored}
        if typed <= by_number | by_name:
            return game
    return None


def seats_of_submission(key: uuid.UUID) -> list[Seat]:
    return list(Seat.objects.filter(hanchan__submit_key=key).select_related("player"))


def players(ids: set[int]) -> dict[int, Player]:
    return Player.objects.in_bulk([pk for pk in ids if pk > 0])
