"""Open a page of an event: find the event by its slug and the reader's level. A hidden event gives a 404."""

from __future__ import annotations

import datetime
import zoneinfo
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone

from clubsite.digits import whole_number
from ratings import rights
from tournaments.models import Stage, Tournament
from tournaments.queries import lookup


@dataclass(frozen=True)
class EventPage:
    """An event, the level of its reader, and the time."""

    summary: lookup.EventSummary
    level: rights.Level
    now: datetime.datetime

    @property
    def today(self) -> datetime.date:
        return timezone.localdate(self.now, self.zone)

    @property
    def is_staff(self) -> bool:
        return self.level >= rights.Level.SCORER

    @property
    def sees_results(self) -> bool:
        """Whether the reader sees results. Until the ceremony only staff see them, on every page."""
        return self.summary.results_public or self.is_staff

    @property
    def facts(self) -> tuple[object, ...]:
        """A value that changes whenever a page of this event would look different to this reader."""
        closes_at = self.summary.registration_closes_at
        return self.summary, self.level, self.today, closes_at is not None and self.now >= closes_at

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.summary.zone)

    @cached_property
    def tournament(self) -> Tournament:
        return lookup.tournament(self.summary.pk)

    def stage_asked_for(self, request: HttpRequest) -> Stage:
        """The stage of `?stage=2`; without a valid number, the last stage that has been opened."""
        opened = [stage.number for stage in self.summary.stages if stage.is_opened]
        wanted = whole_number(request.GET.get("stage", ""))
        return lookup.stage(self.summary.pk, wanted if wanted in opened else opened[-1])

    def file_name(self, *subject: str) -> str:
        return "-".join([self.summary.slug, *subject, self.today.isoformat()])


def open_event(request: HttpRequest, slug: str) -> EventPage:
    summary = lookup.find(slug)
    if summary is None:
        raise Http404
    level = rights.level(request.user, summary.club_id)
    if not summary.is_public and level < rights.Level.SCORER:
        raise Http404
    return EventPage(summary, level, timezone.now())


def frame_of(opened: EventPage, tab: str) -> dict[str, Any]:
    """The context for the frame around every page of an event."""
    return {
        "event": opened.tournament,
        "tab": tab,
        "stages": [stage for stage in opened.summary.stages if stage.is_opened],
        "sees_results": opened.sees_results,
        "sees_hidden": opened.is_staff,
        "is_staff_here": opened.is_staff,
        "level": opened.level,
    }
