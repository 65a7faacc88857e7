"""Events for lists: those that a reader may see, and counts of their entries."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from ratings import rights
from tournaments.models import Entry, Tournament


def visible_to(user: rights.Person) -> QuerySet[Tournament]:
    """Public events, and those of the clubs that the user works for."""
    found = Tournament.objects.select_related("club")
    if rights.is_owner(user):
        return found
    return found.filter(Q(is_public=True) | Q(club__in=rights.clubs_of(user).values("pk")))


def sees_event(user: rights.Person, tournament: Tournament) -> bool:
    return tournament.is_public or rights.may_enter(user, tournament.club_id)


@dataclass(frozen=True)
class Headcount:
    """How entries fill tables of four; `short` players are missing to the next multiple of four."""

    playing: int
    checked_in: int
    permanent_substitutes: int
    occasional_substitutes: int
    waiting: int

    @property
    def seated(self) -> int:
        return self.playing + self.permanent_substitutes

    @property
    def short(self) -> int:
        return -self.seated % 4

    @property
    def too_many(self) -> int:
        """How many would sit out with one table less."""
        return self.seated % 4


def headcount(tournament: Tournament) -> Headcount:
    """Count the entries, for the check-in and for the draw; one query."""
    kind, status = Entry.SubstituteKind, Entry.Status
    staying = ~Q(status__in=(*Entry.LEFT, *Entry.NOT_IN))
    counts = tournament.entries.aggregate(
        playing=Count("pk", filter=Q(substitute_kind="", status__in=Entry.PLAYING)),
        checked_in=Count("pk", filter=Q(substitute_kind="", status=status.CHECKED_IN)),
        permanent_substitutes=Count("pk", filter=Q(substitute_kind=kind.PERMANENT) & staying),
        occasional_substitutes=Count("pk", filter=Q(substitute_kind=kind.OCCASIONAL) & staying),
        waiting=Count("pk", filter=Q(status=status.WAITING)),
    )
    return Headcount(**counts)
