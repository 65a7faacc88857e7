"""The seasons of a club, as its tabs and the season switcher need them."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils import timezone

from ratings.models import Season

_KINDS = [Season.Kind.RATED, Season.Kind.SIMPLIFIED]


class ListedSeason(NamedTuple):
    """Everything the pages of a season show of it besides its games, so that a change of any of it shows."""

    pk: int
    slug: str
    name: str
    kind: str
    revision: int
    starts_on: datetime.date
    ends_on: datetime.date | None
    results_public: bool
    event_url: str
    formula: str
    initial_rating: int
    minimum_games: int
    metrics: list[str]
    tie_breaks: list[str]
    rule_set_id: int
    rule_set__name: str
    rule_set__version: int
    club_id: int
    club__name: str
    club__time_zone: str

    @property
    def today(self) -> datetime.date:
        """The club's date of today."""
        return timezone.localdate(timezone=zoneinfo.ZoneInfo(self.club__time_zone))

    def covers(self, day: datetime.date) -> bool:
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)


def seasons_of(club_slug: str, **only: Any) -> list[ListedSeason]:
    """All seasons of a club, newest first; those of events too, which have their page elsewhere."""
    rows = Season.objects.filter(club__slug=club_slug, **only).order_by("-starts_on", "name", "pk")
    return [ListedSeason(*row) for row in rows.values_list(*ListedSeason._fields)]


def own_seasons(seasons: Sequence[ListedSeason]) -> list[ListedSeason]:
    """The club's own: those with a page under the club."""
    return [season for season in seasons if season.kind in _KINDS]


def current_season(seasons: Sequence[ListedSeason]) -> ListedSeason | None:
    """What the tabs lead to: the running season, rated before simplified; else the last one begun; else the next."""
    own = own_seasons(seasons)
    running = [season for season in own if season.covers(season.today)]
    if running:
        return min(running, key=lambda season: _KINDS.index(Season.Kind(season.kind)))
    begun = [season for season in own if season.starts_on <= season.today]
    return begun[0] if begun else (own[-1] if own else None)
