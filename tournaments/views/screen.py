"""The screen on the wall: one page that updates itself, and the slides it fetches."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite import freshness, qr
from tournaments.queries import lookup
from tournaments.queries.clock import clock_of
from tournaments.queries.overview import round_lines
from tournaments.queries.rounds import tables_of
from tournaments.queries.standings import view_stage
from tournaments.tables import wall
from tournaments.views.clock import version_of
from tournaments.views.opening import EventPage, frame_of, open_event


@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_event(request, slug)
    find = qr.address(request, reverse("tournaments:me", args=[slug]))
    context = {
        **frame_of(opened, "screen"),
        **slides_of(opened),
        "clock": clock_of(opened.summary.pk, timezone.now()),
        "version": version_of(opened),
        "time": timezone.now(),
        "qr": qr.code(find, gettext("QR code: find your table")),
        "find": find.split("://", 1)[-1],
        "bright": "bright" in request.GET,
    }
    return render(request, "tournaments/screen.html", context)


@require_safe
def slides(request: HttpRequest, slug: str) -> HttpResponseBase:
    """All slides as they are now; answered with 304 while nothing changed."""
    opened = open_event(request, slug)
    return freshness.page(request, opened.facts, "tournaments/slides.html", lambda: slides_of(opened))


def slides_of(opened: EventPage) -> dict[str, Any]:
    """The slides. Results are shown only if the public may see them, even though staff opened the page on the wall."""
    lines = round_lines(opened.tournament)
    line = wall.round_to_seat(lines)
    shown = [*wall.seating(list(tables_of(line.round)))] if line else []
    opened_stages = [stage.number for stage in opened.summary.stages if stage.is_opened]
    stage = lookup.stage(opened.summary.pk, opened_stages[-1])
    after = 0
    if opened.summary.results_public:
        view = view_stage(stage)
        after = view.last_round
        shown += wall.standings(view, after) if after or stage.number > 1 else []
    return {
        "event": opened.tournament,
        "stages": [stage for stage in opened.summary.stages if stage.is_opened],
        "stage": stage,
        "line": line,
        "after": after,
        "slides": shown,
        "secret": not opened.summary.results_public,
    }
