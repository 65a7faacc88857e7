"""The clock: the data that every device requests every few seconds, the clock page, and the buttons for staff."""

from __future__ import annotations

import datetime
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from clubsite import freshness
from clubsite.digits import whole_number
from ratings.mahjong.problems import Refused
from tournaments.forms.clock import ExtraTimeForm
from tournaments.models import Round
from tournaments.queries.clock import Clock, clock_of
from tournaments.services.rounds import add_time, pause_clock, start_clock
from tournaments.views.opening import EventPage, frame_of, open_event


@require_safe
def state(request: HttpRequest, slug: str) -> JsonResponse:
    """The time as the server knows it, and whether anything else on the screen has changed."""
    opened = open_event(request, slug)
    now = timezone.now()
    clock = clock_of(opened.summary.pk, now)
    answer = JsonResponse(
        {
            "version": version_of(opened),
            "time": timezone.localtime(now, opened.zone).strftime("%H:%M:%S"),
            "clock": as_data(clock),
        }
    )
    answer["Cache-Control"] = "no-store"
    return answer


def version_of(opened: EventPage) -> str:
    return sha256(repr((freshness.build(), opened.summary, opened.today)).encode()).hexdigest()[:16]


def as_data(clock: Clock) -> dict[str, Any]:
    """What a device needs to run the clock by itself until the next answer; times are in milliseconds."""
    return {
        "round": clock.round.pk if clock.round else None,
        "state": clock.state,
        "label": clock.label,
        "overLabel": clock.over_label,
        "plainLabel": clock.plain_label,
        "startsIn": _milliseconds(clock.starts_in),
        "remaining": _milliseconds(clock.remaining),
        "played": _milliseconds(clock.played),
        "length": _milliseconds(clock.length),
        "warning": _milliseconds(clock.warning),
        "signals": [_milliseconds(signal) for signal in clock.signal_times],
        "words": {"before": clock.words_before, "after": clock.words_after, "over": clock.words_over},
        "tables": [each.words for each in clock.tables],
    }


def _milliseconds(time: datetime.timedelta | None) -> int | None:
    return None if time is None else round(time.total_seconds() * 1000)


@require_http_methods(["GET", "HEAD", "POST"])
def clock(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The clock for everybody; with buttons for staff."""
    opened = open_event(request, slug)
    if request.method == "POST":
        return _change(request, opened)
    return render(request, "tournaments/clock.html", _context(opened, None))


def _context(opened: EventPage, form: ExtraTimeForm | None) -> dict[str, Any]:
    now = clock_of(opened.summary.pk, timezone.now())
    if form is None and now.round is not None and opened.is_staff:
        form = ExtraTimeForm(now.round)
    return {**frame_of(opened, "clock"), "clock": now, "form": form}


def _change(request: HttpRequest, opened: EventPage) -> HttpResponseBase:
    if not opened.is_staff:
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        raise Http404
    wanted = request.POST.get("round", "")
    rounds = Round.objects.filter(stage__tournament=opened.summary.pk).select_related("stage")
    round_ = get_object_or_404(rounds, pk=whole_number(wanted) or 0)
    try:
        match request.POST.get("action"):
            case "start":
                start_clock(round_)
            case "pause":
                pause_clock(round_)
            case "extra":
                return _extra(request, opened, round_)
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
    return redirect("tournaments:clock", opened.summary.slug)


def _extra(request: HttpRequest, opened: EventPage, round_: Round) -> HttpResponse:
    form = ExtraTimeForm(round_, request.POST)
    if not form.is_valid():
        return render(request, "tournaments/clock.html", _context(opened, form), status=422)
    add_time(round_, form.seconds, table=form.cleaned_data["table"])
    messages.success(request, form.sentence)
    return redirect("tournaments:clock", opened.summary.slug)
