"""What the entry page reads: where the user may enter, and what was entered lately."""

from __future__ import annotations

import datetime
import uuid

from django.contrib.auth.models import User

from ratings import rights
from ratings.models import Hanchan, Player, Season, Seat


def seasons_for(user: User) -> list[Season]:
    """Seasons of the user's clubs that games can be entered into; the running one of the last game first.

    Tournaments enter their tables on their own pages.
    """
    seasons = Season.objects.of_clubs().filter(club__in=rights.clubs_of(user)).select_related("club", "rule_set")
    return sorted(seasons, key=lambda season: (not season.covers(season.today()), -season.starts_on.toordinal()))


def tables_on(season: Season, day: datetime.date) -> int:
    return Hanchan.objects.filter(season=season, played_on=day).exclude(status=Hanchan.Status.VOID).count()


def seats_of_submission(key: uuid.UUID) -> list[Seat]:
    return list(Seat.objects.filter(hanchan__submit_key=key).select_related("player"))


def players(ids: set[int]) -> dict[int, Player]:
    return Player.objects.in_bulk([pk for pk in ids if pk > 0])
