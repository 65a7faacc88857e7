"""Pages to print for an organiser, on A4. The stylesheet decides where they break."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite import qr
from clubsite.digits import whole_number
from ratings.tables.names import Names
from tournaments.models import Round, Stage
from tournaments.queries import lookup, paper
from tournaments.queries.log import referees_log
from tournaments.queries.rounds import tables_of
from tournaments.queries.standings import final_ranking, view_event
from tournaments.queries.tokens import token_of
from tournaments.tables import final as final_table
from tournaments.tables import standings as table
from tournaments.views.opening import EventPage, frame_of, open_event
from tournaments.views.standings import board_of, wants_whole_event

MOST_COPIES = 50
ON_UPRIGHT_PAPER = 6  # rounds whose columns fit beside a name


@require_safe
def index(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_event(request, slug)
    rounds = paper.published_rounds(opened.tournament)
    context = {**frame_of(opened, "print"), "rounds": rounds, "round": paper.round_asked_for(rounds, "")}
    return render(request, "tournaments/print.html", context)


def _page(request: HttpRequest, opened: EventPage, template: str, **context: Any) -> HttpResponse:
    find = qr.address(request, reverse("tournaments:me", args=[opened.summary.slug]))
    frame = {
        **frame_of(opened, "print"),
        "printed": timezone.now(),
        "find_qr": qr.code(find, gettext("QR code: find your table")),
        "find": find.split("://", 1)[-1],
    }
    return render(request, f"tournaments/paper/{template}.html", {**frame, **context})


def _round(request: HttpRequest, opened: EventPage) -> Round:
    """The published round in the address. There is nothing to print before the first round is published."""
    rounds = paper.published_rounds(opened.tournament)
    round_ = paper.round_asked_for(rounds, request.GET.get("round", ""))
    if round_ is None:
        raise Http404(gettext("No round is seated yet."))
    return round_


# --- seats --------------------------------------------------------------------------------------------------


@require_safe
def seating(request: HttpRequest, slug: str) -> HttpResponse:
    """By table, for the wall."""
    opened = open_event(request, slug)
    round_ = _round(request, opened)
    return _page(request, opened, "seating", round=round_, tables=list(tables_of(round_)))


@require_safe
def names(request: HttpRequest, slug: str) -> HttpResponse:
    """By name, for the wall."""
    opened = open_event(request, slug)
    round_ = _round(request, opened)

    shown = Names(opened.is_staff)
    seats = sorted(paper.seats_in(tables_of(round_)), key=lambda seat: shown.place(seat.entry.player))
    return _page(request, opened, "names", round=round_, seats=seats)


@require_safe
def schedules(request: HttpRequest, slug: str) -> HttpResponse:
    """A card for each player, to cut out."""
    opened = open_event(request, slug)
    cards = []
    for schedule in paper.schedules(opened.tournament):
        address = qr.address(request, reverse("tournaments:my_rounds", args=[slug, schedule.entry.number]))
        cards.append((schedule, qr.code(address, gettext("QR code: your rounds"))))
    return _page(request, opened, "schedules", cards=cards)


# --- sheets -------------------------------------------------------------------------------------------------


@require_safe
def sheets(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A score sheet for every table of a round. Its code lets a phone hand in a draft, so only staff print it."""
    opened = open_event(request, slug)
    if not opened.is_staff:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise Http404
    round_ = _round(request, opened)
    found = []
    for each in tables_of(round_):
        address = qr.address(request, reverse("tournaments:draft", args=[slug, token_of(each)]))
        found.append((each, qr.code(address, gettext("QR code: enter this table"))))
    stage = lookup.stage(opened.summary.pk, round_.stage.number)
    return _page(request, opened, "sheets", round=round_, sheets=found, **_sheet_facts(stage))


@require_safe
def blank(request: HttpRequest, slug: str) -> HttpResponse:
    """Spare sheets without names; `?copies=5`."""
    opened = open_event(request, slug)
    wanted = request.GET.get("copies", "")
    copies = min(max(whole_number(wanted) or 1, 1), MOST_COPIES)
    stage = opened.stage_asked_for(request)
    return _page(request, opened, "sheets", sheets=[(None, "")] * copies, **_sheet_facts(stage))


def _sheet_facts(stage: Stage) -> dict[str, Any]:
    return {
        "rules": stage.rules,
        "rule_set": stage.season.rule_set,
        "stage": stage,
        "hands": ["E1", "E2", "E3", "E4", "S1", "S2", "S3", "S4"],
    }


@require_safe
def numbers(request: HttpRequest, slug: str) -> HttpResponse:
    """A large number for each table."""
    opened = open_event(request, slug)
    return _page(request, opened, "numbers", tables=range(1, paper.table_numbers(opened.tournament) + 1))


# --- results ------------------------------------------------------------------------------------------------


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The paper hangs on a wall, so it shows names as visitors see them, also when staff print it."""
    opened = open_event(request, slug)
    if not opened.sees_results:
        return _page(request, opened, "secret")
    if wants_whole_event(request, opened):
        views = view_event(opened.tournament)
        ranked = final_ranking(views)
        return _page(request, opened, "final", **final_table.drawn(ranked, views, sees_hidden=False, on_paper=True))
    stage = opened.stage_asked_for(request)
    board = replace(board_of(request, opened, stage), names=Names(False))
    drawn = {"heads": table.heads(board), "rows": table.rows(board), "outside_rows": table.outside_rows(board)}
    return _page(
        request, opened, "standings", stage=stage, board=board, landscape=board.after > ON_UPRIGHT_PAPER, **drawn
    )


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_event(request, slug)
    if not opened.sees_results:
        return _page(request, opened, "secret")
    return _page(request, opened, "log", lines=referees_log(opened.tournament))
