"""Find an event by its slug, with everything that shows whether its pages have changed; one query."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from clubsite.statements import Statement
from tournaments.models import Entry, Stage, Tournament


class StageSummary(NamedTuple):
    """A stage and the revision of its season. Writes of rounds, entries, results and rulings all raise the revision."""

    pk: int
    number: int
    name: str
    revision: int
    is_opened: bool


@dataclass(frozen=True)
class EventSummary:
    pk: int
    slug: str
    club_id: int
    is_public: bool
    results_public: bool
    finished: bool
    zone: str
    registration_closes_at: datetime.datetime | None  # passing it changes pages without a write
    names: tuple[str, ...]  # of the event, its club and its rules: on all pages, but not in any revision
    stages: tuple[StageSummary, ...]


_EVENT = ("tournament_id", "tournament__club_id", "tournament__is_public", "tournament__results_hidden")
_NAMES = (
    "tournament__name",
    "tournament__club__name",
    "tournament__club__slug",
    "tournament__rule_set__name",
    "tournament__rule_set__version",
)


_STAGE = ("pk", "number", "name", "season__revision", "opened_at")
_STATE = ("tournament__finished_at", "tournament__registration_closes_at", "tournament__club__time_zone")
_stages = Statement(
    lambda slug: (
        Stage.objects.filter(tournament__slug=slug).order_by("number").values_list(*_STAGE, *_STATE, *_EVENT, *_NAMES)
    ),
    values=1,
)


def find(slug: str) -> EventSummary | None:
    """The event with this slug, or None. Every event has a stage. Called for every page and by every device."""
    rows = _stages.rows(slug)
    if not rows:
        return None
    finished, closes_at, zone, pk, club, public, hidden, *names = rows[0][5:]
    stages = tuple(StageSummary(row[0], row[1], row[2], row[3], row[4] is not None) for row in rows)
    return EventSummary(
        pk=pk,
        slug=slug,
        club_id=club,
        is_public=bool(public),
        results_public=bool(public and not hidden),
        finished=finished is not None,
        zone=zone,
        registration_closes_at=_moment(closes_at),
        names=tuple(str(name) for name in names),
        stages=stages,
    )


def _moment(stored: datetime.datetime | str | None) -> datetime.datetime | None:
    """A time as read from the database, which stores UTC. SQLite gives no zone, and some versions give text."""
    moment = datetime.datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return moment.replace(tzinfo=datetime.UTC) if moment and moment.tzinfo is None else moment


def tournament(pk: int) -> Tournament:
    """The event itself, with the related rows that its pages show."""
    return Tournament.objects.select_related("club", "rule_set__club").get(pk=pk)


def entry(event: int, number: int) -> Entry | None:
    entries = Entry.objects.filter(tournament=event, number=number).exclude(status__in=Entry.NOT_IN)
    return entries.select_related("player", "left_stage").first()


def stage(event: int, number: int) -> Stage:
    related = ("season__rule_set", "tournament__club", "tournament__rule_set")
    return Stage.objects.select_related(*related).get(tournament=event, number=number)


def revisions(events: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """The revision of each season of these events; every write to an event raises one of them. One query."""
    stages = Stage.objects.filter(tournament__in=list(events)).order_by("pk")
    return tuple(stages.values_list("season_id", "season__revision"))
