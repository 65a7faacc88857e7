"""Events for the list of tournaments and the home page: the progress of each, and its group out of four."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from ratings import rights
from ratings.models import Standing
from tournaments.models import Entry, Round, Tournament
from tournaments.queries.events import visible_to
from tournaments.queries.registration import door_of


class Phase(StrEnum):
    RUNNING = "running"
    OPEN = "open"  # for registration
    COMING = "coming"
    FINISHED = "finished"
    PLAYED = "played"  # the last day is over, and the event is not finished yet


@dataclass(frozen=True)
class Listed:
    event: Tournament
    entered: int
    ranked: int
    rounds: int
    seated: int  # rounds that are published
    confirmed: int

    @property
    def players(self) -> int:
        """The number of entered players; from the first confirmed round on, of those in the standings."""
        return self.ranked if self.confirmed else self.entered

    @property
    def phase(self) -> Phase:
        event, today = self.event, self.event.today()
        if event.finished_at is not None:
            return Phase.FINISHED
        if event.ends_on < today:
            return Phase.PLAYED
        if event.starts_on <= today or self.seated:
            return Phase.RUNNING
        return Phase.OPEN if door_of(event, None, timezone.now()).is_open else Phase.COMING

    @property
    def round_now(self) -> int:
        """The current round, counted through all stages; 0 before the first is seated.

        It is the first that is published and not confirmed: the whole schedule may be published at once.
        """
        return min(self.confirmed + 1, self.seated)


@dataclass(frozen=True)
class Groups:
    running: list[Listed] = field(default_factory=list)
    open: list[Listed] = field(default_factory=list)
    coming: list[Listed] = field(default_factory=list)
    finished: list[Listed] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.running or self.open or self.coming or self.finished)


def listed_events(user: rights.Person) -> list[Listed]:
    """Every event that the reader may see, in order of the first day; one query."""
    entered = Entry.objects.filter(substitute_kind="").exclude(status__in=Entry.NOT_IN)
    kept = Standing.objects.filter(player=OuterRef("player"), season__stage__tournament=OuterRef("tournament"))
    ranked = entered.filter(Exists(kept)).exclude(status=Entry.Status.WITHDRAWN, keep_results=False)
    events = visible_to(user).annotate(
        listed_entered=_count(entered, "tournament"),
        listed_ranked=_count(ranked, "tournament"),
        listed_rounds=_count(Round.objects.all(), "stage__tournament"),
        listed_seated=_count(Round.objects.exclude(state=Round.State.PLANNED), "stage__tournament"),
        listed_confirmed=_count(Round.objects.filter(state=Round.State.CONFIRMED), "stage__tournament"),
    )
    return [
        Listed(
            event,
            event.listed_entered,
            event.listed_ranked,
            event.listed_rounds,
            event.listed_seated,
            event.listed_confirmed,
        )
        for event in events.order_by("starts_on", "name")
    ]


def _count(rows: QuerySet[Entry] | QuerySet[Round], owner: str) -> Coalesce:
    """How many rows an event has. It is a subquery because joins of two kinds of rows would multiply them."""
    own = rows.filter(Q(**{owner: OuterRef("pk")})).order_by().values(owner).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(own, output_field=IntegerField()), 0)


def grouped(events: Iterable[Listed]) -> Groups:
    """The events in groups: running and coming events in order of their days, past events with the newest first."""
    groups = Groups()
    places = {
        Phase.RUNNING: groups.running,
        Phase.OPEN: groups.open,
        Phase.COMING: groups.coming,
        Phase.FINISHED: groups.finished,
        Phase.PLAYED: groups.finished,
    }
    for listed in events:
        places[listed.phase].append(listed)
    groups.finished.reverse()
    return groups
