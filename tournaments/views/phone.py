"""On the phone: find yourself and see where you sit, and hand in a draft of your table by the code on its sheet."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ratings.gamesheet import SeatSheet
from ratings.problems import Refused
from ratings.services.hanchans import SubmittedBefore
from tournaments.forms.drafts import DraftForm
from tournaments.models import Entry, Round, Table
from tournaments.queries import lookup, own
from tournaments.queries.clock import coming_round
from tournaments.queries.standings import entries_of, view_stage
from tournaments.queries.tokens import table_of
from tournaments.services.sheets import expected_seats, sheet_at
from tournaments.services.tables import record_table
from tournaments.views.opening import Opened, frame_of, open_event


@require_safe
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """Names in order; the second tap is on one's own."""
    opened = open_event(request, slug)
    typed = request.GET.get("q", "").strip()[:100]
    found = own.find_entries(entries_of(opened.tournament), typed)
    return render(request, "tournaments/me.html", {**frame_of(opened, "me"), "q": typed, "entries": found})


@require_safe
def schedule(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An entry's own page, to be kept as a bookmark."""
    opened = open_event(request, slug)
    entry = lookup.entry(opened.mark.pk, number)
    if entry is None:
        raise Http404
    entry.tournament = opened.tournament
    rounds = own.own_rounds(entry)
    context = {
        **frame_of(opened, "me"),
        "entry": entry,
        "rounds": own.as_read(rounds),
        "now": own.round_now(rounds),
        "coming": coming_round(opened.mark.pk),
        **(_standing(opened, entry) if opened.sees_results else {}),
    }
    return render(request, "tournaments/my_rounds.html", context)


def _standing(opened: Opened, entry: Entry) -> dict[str, Any]:
    """Rank and total in the last stage the entry is in, and what the cut still asks for."""
    for mark in reversed([stage for stage in opened.mark.stages if stage.is_opened]):
        view = view_stage(lookup.stage(opened.mark.pk, mark.number))
        standings = view.after(view.last_round)
        for index, row in enumerate(standings.rows):
            if row.entry == entry.number:
                prospects = view.prospects(view.last_round, standings.rows)
                return {
                    "row": row if view.last_round else None,
                    "of": len(standings.rows),
                    "prospect": prospects[index] if prospects and view.stage.closed_at is None else None,
                    "cut": view.stage.cut_top,
                }
    return {}


# --- a table's draft ----------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, slug: str, token: str) -> HttpResponseBase:
    """The sheet of one table for whoever holds its code: never more than a draft, which a scorer confirms."""
    opened = open_event(request, slug)
    try:
        table = table_of(token, opened.mark.pk)
    except Refused as refused:
        return _sorry(request, opened, refused, 404)
    if table.has_result or table.round.state == Round.State.CONFIRMED:
        return render(request, "tournaments/draft_in.html", {**frame_of(opened, "me"), "table": table})
    seats = seats_of(table)
    form = DraftForm(table, seats, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            record_table(table, form.sheet(), draft=True, submit_key=form.cleaned_data["submit_key"])
        except SubmittedBefore:
            pass  # the same form again: the draft stands as it is
        except Refused as refused:
            return _sorry(request, opened, refused, 409)
        return redirect(f"{request.path}?saved")
    context = {**frame_of(opened, "me"), "table": table, "form": form, "token": token, "saved": "saved" in request.GET}
    return render(request, "tournaments/draft.html", context, status=422 if form.errors else 200)


@require_POST
def draft_sum(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The sum while it is typed."""
    opened = open_event(request, slug)
    try:
        table = table_of(token, opened.mark.pk)
    except Refused as refused:
        return _sorry(request, opened, refused, 404)
    form = DraftForm(table, seats_of(table), request.POST)
    return render(request, "tournaments/draft_sum.html", {"form": form})


def seats_of(table: Table) -> list[SeatSheet[Entry]]:
    return list(sheet_at(table).seats) if table.has_draft else expected_seats(table)


def _sorry(request: HttpRequest, opened: Opened, refused: Refused, status: int) -> HttpResponse:
    sentences = [problem.sentence(gettext) for problem in refused.problems]
    context = {**frame_of(opened, "me"), "sentences": sentences}
    return render(request, "tournaments/draft_refused.html", context, status=status)
