"""The seasons of a club, as its tabs and the season switcher need them."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from clubsite.statements import Statement
from ratings.models import Season


class ListedSeason(NamedTuple):
    """A season as the tabs of its club need it."""

    slug: str
    name: str
    kind: str
    starts_on: datetime.date
    ends_on: datetime.date | None
    club__time_zone: str

    @property
    def today(self) -> datetime.date:
        """Today's date at the club."""
        return timezone.localdate(timezone=zoneinfo.ZoneInfo(self.club__time_zone))

    def covers(self, day: datetime.date) -> bool:
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)


class SeasonSummary(NamedTuple):
    """All columns of a season that its pages show, besides its games. While the summary is the same, no page changes.

    Values are raw database values. Use only the fields above the line.
    """

    pk: int
    slug: str
    name: str
    kind: str
    revision: int
    is_public: bool
    results_public: bool
    competition: str
    club_id: int
    club__time_zone: str
    # ---
    starts_on: object
    ends_on: object
    formula: object
    initial_rating: object
    minimum_games: object
    metrics: object
    tie_breaks: object
    rule_set_id: object
    rule_set__name: object
    rule_set__slug: object
    rule_set__version: object
    club__name: object

    @property
    def today(self) -> datetime.date:
        """Today's date at the club."""
        return timezone.localdate(timezone=zoneinfo.ZoneInfo(self.club__time_zone))

    @property
    def is_of_club(self) -> bool:
        return self.kind in Season.CLUB_KINDS


def seasons_of(club_slug: str) -> list[ListedSeason]:
    """Return all seasons of a club, newest first, including those of events, which have their pages elsewhere."""
    return [ListedSeason(*row) for row in _newest_first(club_slug).values_list(*ListedSeason._fields)]


def _newest_first(club_slug: str) -> QuerySet[Season]:
    return Season.objects.filter(club__slug=club_slug).order_by("-starts_on", "name", "pk")


_marks = Statement(lambda club_slug: _newest_first(club_slug).values_list(*SeasonSummary._fields), values=1)


def marks_of(club_slug: str) -> list[SeasonSummary]:
    """Return summaries of the same seasons in the same order.

    Called for every request of a page, also if the reader's browser already has the page.
    """
    return [SeasonSummary(*row) for row in _marks.rows(club_slug)]


AnySeason = TypeVar("AnySeason", ListedSeason, SeasonSummary)


def own_seasons(seasons: Sequence[AnySeason]) -> list[AnySeason]:
    """Return the club's own seasons: those with a page under the club."""
    return [season for season in seasons if season.kind in Season.CLUB_KINDS]


def current_season(seasons: Sequence[ListedSeason]) -> ListedSeason | None:
    """Return the season that the tabs lead to.

    This is the running season (rated before simplified), else the last that began, else the next to begin.
    """
    own = own_seasons(seasons)
    running = [season for season in own if season.covers(season.today)]
    if running:
        return min(running, key=lambda season: Season.CLUB_KINDS.index(Season.Kind(season.kind)))
    begun = [season for season in own if season.starts_on <= season.today]
    return begun[0] if begun else (own[-1] if own else None)
