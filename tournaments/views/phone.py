"""Pages for a player's phone: find your own seats, and hand in a draft for your table with the code on its sheet."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubsite.saving import saved
from ratings.forms.sheet_preview import SheetPreview
from ratings.mahjong.problems import Refused
from ratings.services.hanchans import SubmittedBefore
from tournaments.forms.results import TableSheet, type_on_phone
from tournaments.models import Entry, Round
from tournaments.queries import lookup, my_rounds
from tournaments.queries.clock import coming_round
from tournaments.queries.standings import entries_of, view_stage
from tournaments.queries.tokens import table_of
from tournaments.services.tables import record_table
from tournaments.views.opening import EventPage, frame_of, open_event


@require_safe
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """List the names that match, so that a player can tap their own."""
    opened = open_event(request, slug)
    typed = request.GET.get("q", "").strip()[:100]
    found = my_rounds.find_entries(entries_of(opened.tournament), typed)
    return render(request, "tournaments/me.html", {**frame_of(opened, "me"), "q": typed, "entries": found})


@require_safe
def schedule(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An entry's own page, to be kept as a bookmark."""
    opened = open_event(request, slug)
    entry = lookup.entry(opened.summary.pk, number)
    if entry is None:
        raise Http404
    entry.tournament = opened.tournament
    rounds = my_rounds.own_rounds(entry)
    context = {
        **frame_of(opened, "me"),
        "entry": entry,
        "rounds": my_rounds.as_read(rounds),
        "now": my_rounds.round_now(rounds),
        "coming": coming_round(opened.summary.pk),
        **(_standing(opened, entry) if opened.sees_results else {}),
    }
    return render(request, "tournaments/my_rounds.html", context)


def _standing(opened: EventPage, entry: Entry) -> dict[str, Any]:
    """Rank and total in the last stage that the entry is in, and its prospect at the cut."""
    for mark in reversed([stage for stage in opened.summary.stages if stage.is_opened]):
        view = view_stage(lookup.stage(opened.summary.pk, mark.number))
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
    """The sheet of one table for a user who has its code. It is stored as a draft, which a scorer confirms."""
    opened = open_event(request, slug)
    try:
        table = table_of(token, opened.summary.pk)
    except Refused as refused:
        return _sorry(request, opened, refused, 404)
    if table.has_result or table.round.state == Round.State.CONFIRMED:
        return render(request, "tournaments/draft_in.html", {**frame_of(opened, "me"), "table": table})
    typed = type_on_phone(table, request.POST if request.method == "POST" else None)
    preview = _preview(typed)
    if request.method == "POST" and typed.is_valid:
        answer = _hand_in(request, opened, typed, preview)
        if answer:
            return answer
    context = {
        **frame_of(opened, "me"),
        "table": table,
        "preview": preview,
        "token": token,
        "saved": "saved" in request.GET,
    }
    return render(request, "tournaments/draft.html", context, status=422 if request.method == "POST" else 200)


def _preview(typed: TableSheet) -> SheetPreview:
    return SheetPreview(typed, typed.season.rule_set)


def _hand_in(request: HttpRequest, opened: EventPage, typed: TableSheet, preview: SheetPreview) -> HttpResponse | None:
    """Store the draft; return None if it was refused and the page has to be shown again.

    This is stricter than a draft needs to be: a wrong sum is best counted again while the sticks are on the table.
    """
    sheet = typed.entry_sheet()
    if preview.problems or sheet is None:
        typed.refuse(preview.problems)
        return None
    try:
        record_table(typed.table, sheet, draft=True, submit_key=typed.frame.cleaned_data["submit_key"])
    except SubmittedBefore:
        pass  # the same form was sent again: the draft is already stored
    except Refused as refused:
        return _sorry(request, opened, refused, 409)
    return saved(request, f"{request.path}?saved")


@require_POST
def draft_sum(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The sum while it is typed."""
    opened = open_event(request, slug)
    try:
        table = table_of(token, opened.summary.pk)
    except Refused as refused:
        return _sorry(request, opened, refused, 404)
    preview = _preview(type_on_phone(table, request.POST, partial=True))
    return render(request, "ratings/entry/check.html", {"preview": preview})


def _sorry(request: HttpRequest, opened: EventPage, refused: Refused, status: int) -> HttpResponse:
    context = {**frame_of(opened, "me"), "sentences": refused.sentences(gettext)}
    return render(request, "tournaments/draft_refused.html", context, status=status)
