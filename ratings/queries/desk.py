"""What the desk of a club shows: the tables of today, the last evening, what waits, and how much there is of what."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Case, Count, OuterRef, Prefetch, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from ratings.models import Affiliation, Club, Hanchan, ImportBatch, Membership, RuleSet, Season, Seat

MOST_TABLES = 40  # of one day; an event may have hundreds, and has its own page for them


class ClubCounts(NamedTuple):
    seasons: int
    players: int
    members: int
    rule_sets: int
    imports: int


def counts(club: Club) -> ClubCounts:
    """Return how many seasons, players, members, rule sets and imports the club has. One query."""
    rows = {
        "seasons": Season.objects.of_clubs(),
        "players": Affiliation.objects.filter(player__merged_into=None),
        "members": Membership.objects.all(),
        "rule_sets": RuleSet.objects.all(),
        "imports": ImportBatch.objects.all(),
    }
    counted = {f"{name}_count": _count(found, "slug" if name == "rule_sets" else "pk") for name, found in rows.items()}
    return ClubCounts(*Club.objects.filter(pk=club.pk).annotate(**counted).values_list(*counted)[0])


def _count(rows: QuerySet, what: str) -> Coalesce:
    counted = rows.filter(club=OuterRef("pk")).order_by().values("club").annotate(n=Count(what, distinct=True))
    return Coalesce(Subquery(counted.values("n")), 0)


def tables_of_day(club: Club, day: datetime.date) -> list[Hanchan]:
    """Return the games of a day with their seats: drafts first, then the newest. Events of the club count too."""
    seats = Seat.objects.select_related("player").order_by("place", "wind")
    drafts_first = Case(When(status=Hanchan.Status.DRAFT, then=Value(0)), default=Value(1))
    games = Hanchan.objects.filter(season__club=club, played_on=day).exclude(status=Hanchan.Status.VOID)
    related = games.select_related("season__club", "entered_by").prefetch_related(Prefetch("seats", seats))
    return list(related.order_by(drafts_first, "-played_at", "-pk")[:MOST_TABLES])


@dataclass(frozen=True)
class LastEvening:
    """The last day played before today, in figures."""

    day: datetime.date
    tables: int
    players: int
    best: Seat


def last_evening(club: Club, before: datetime.date) -> LastEvening | None:
    games = Hanchan.objects.filter(season__club=club, season__kind__in=Season.CLUB_KINDS, status=Hanchan.Status.FINAL)
    day = games.filter(played_on__lt=before).order_by("-played_on").values_list("played_on", flat=True).first()
    if day is None:
        return None
    played = Seat.objects.filter(hanchan__in=games.filter(played_on=day)).select_related("player", "season")
    seats = list(played.order_by("-result", "pk"))
    return LastEvening(day, len({seat.hanchan_id for seat in seats}), len({seat.player_id for seat in seats}), seats[0])


def drafts(club: Club) -> list[Hanchan]:
    """Return the unfinished games of the club's own seasons, oldest first. Events show theirs on their own pages."""
    found = Hanchan.objects.filter(season__club=club, season__kind__in=Season.CLUB_KINDS, status=Hanchan.Status.DRAFT)
    return list(found.select_related("season").order_by("played_at", "pk"))


def waiting_imports(club: Club) -> list[ImportBatch]:
    """Return the uploaded files that are not imported yet, newest first."""
    found = ImportBatch.objects.filter(club=club, state=ImportBatch.State.DRAFT)
    return list(found.select_related("season").defer("content", "choices", "dry_run"))
