"""Rounds: which tables are missing, entering them one after another, checking and confirming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.sheet_preview import SheetPreview
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Refused
from ratings.queries.hanchans import handed_in
from tournaments.forms.results import type_table
from tournaments.forms.rulings import ReasonForm
from tournaments.forms.times import TimesForm
from tournaments.models import Entry, Round, Table, Tournament
from tournaments.queries.agenda import round_states
from tournaments.queries.rounds import records_of, rounds_of, tables_of, unaccounted
from tournaments.queries.standings import entries_of
from tournaments.services.rounds import announce_times, confirm_round, unconfirm_round
from tournaments.services.sheets import expected_in_round, sheet_at
from tournaments.services.tables import check_table
from tournaments.views.access import manage_url, page_context, round_or_404, staff_page


@dataclass(frozen=True)
class TableCard:
    """A table on the page of its round: its result, or the form for it."""

    table: Table
    preview: SheetPreview | None = None
    focus: bool = False
    sent: Sequence[Sheet[int]] = ()  # what phones handed in; if it differs, the last two sheets

    @property
    def differing(self) -> bool:
        return len(self.sent) > 1


@staff_page(rights.may_enter)
def rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    context = page_context(request, tournament, "rounds", heading=gettext("Rounds"), states=round_states(tournament))
    return render(request, "tournaments/manage/rounds.html", context)


@staff_page(rights.may_manage)
def times(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Set the announced start of each round."""
    form = TimesForm(tournament, list(rounds_of(tournament)), request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        announce_times(tournament, form.times())
        messages.success(request, gettext("Saved."))
        return redirect(manage_url("rounds", tournament))
    context = page_context(
        request,
        tournament,
        "rounds",
        heading=gettext("When rounds start"),
        form=form,
        cancel_url=manage_url("rounds", tournament),
    )
    return render(request, "tournaments/manage/times.html", context, status=422 if form.is_bound else 200)


@staff_page(rights.may_enter)
def round_page(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """All tables of a round. Tables without a result are shown as forms; the next one to type has the focus."""
    round_ = round_or_404(tournament, stage, number)
    tables = list(tables_of(round_))
    for table in tables:
        table.round = round_
    cards = _cards(request, tournament, round_, tables)
    missing = [card.table for card in cards if not card.table.has_result]
    context = page_context(
        request,
        tournament,
        "rounds",
        heading=gettext("Round %(round)s") % {"round": number},
        round=round_,
        cards=cards,
        missing=missing,
        drafts=[table for table in missing if table.has_draft],
        unchecked=[table for table in tables if table.has_result and not table.is_checked],
        forgotten=unaccounted(round_) if round_.is_published and not missing else [],
        records=records_of(round_),
        names={entry.player_id: entry for entry in entries_of(tournament)},
    )
    return render(request, "tournaments/manage/round.html", context)


def _cards(request: HttpRequest, tournament: Tournament, round_: Round, tables: list[Table]) -> list[TableCard]:
    if not round_.is_published:
        return [TableCard(table) for table in tables]
    missing = [table for table in tables if not table.has_result]
    people = may_play(tournament)
    expected = expected_in_round(round_, missing)
    focus = _next_table(request, missing)
    sent = handed_in(table.hanchan_id for table in missing if table.has_draft)
    user = user_of(request)
    cards = []
    for table in tables:
        if table.has_result:
            cards.append(TableCard(table))
            continue
        seats = sheet_at(table).seats if table.has_draft else expected[table.number]
        typed = type_table(table, seats, people, partial=True)
        preview = SheetPreview(typed, round_.stage.season.rule_set, user)
        cards.append(TableCard(table, preview, table == focus, sent.get(table.hanchan_id or 0, ())))
    return cards


def may_play(tournament: Tournament) -> dict[int, Entry]:
    """The entries that may play another player's seat: all that take part and have not left, by number."""
    return {entry.number: entry for entry in entries_of(tournament) if entry.is_in and not entry.has_left}


def _next_table(request: HttpRequest, missing: list[Table]) -> Table | None:
    """The next missing table after the one just typed, otherwise the first missing table."""
    text = request.GET.get("after", "")
    after = whole_number(text, 5) or 0
    return next((table for table in missing if table.number > after), missing[0] if missing else None)


@staff_page(rights.may_enter)
def stamps(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """The stamps of a round's tables, so that an open page knows which tables to reload."""
    tables = tables_of(round_or_404(tournament, stage, number))
    return JsonResponse({str(table.number): table.stamp for table in tables})


@require_POST
@staff_page(rights.may_enter)
def check(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """Mark one table as compared with its sheet, or all tables that have a result."""
    round_ = round_or_404(tournament, stage, number)
    wanted = request.POST.get("table", "")
    tables = [t for t in tables_of(round_) if t.has_result and not t.is_checked and wanted in (str(t.number), "all")]
    for table in tables:
        check_table(table, by=user_of(request))
    words = ngettext("%(count)s table is checked.", "%(count)s tables are checked.", len(tables))
    messages.success(request, words % {"count": len(tables)})
    return redirect(manage_url("round", tournament, stage, number))


@require_POST
@staff_page(rights.may_rule)
def confirm(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    round_ = round_or_404(tournament, stage, number)
    try:
        confirm_round(round_, by=user_of(request))
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
        return redirect(manage_url("round", tournament, stage, number))
    messages.success(request, gettext("Round %(round)s is confirmed.") % {"round": number})
    return redirect(manage_url("home", tournament))


@staff_page(rights.may_rule)
def unconfirm(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """Open a round again; the reason goes into the log."""
    round_ = round_or_404(tournament, stage, number)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            unconfirm_round(round_, by=user_of(request), reason=form.cleaned_data["reason"])
            messages.success(request, gettext("Round %(round)s is open again.") % {"round": number})
            return redirect(manage_url("round", tournament, stage, number))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    context = page_context(
        request,
        tournament,
        "rounds",
        heading=gettext("Open round %(round)s again?") % {"round": number},
        form=form,
        submit=gettext("Open it again"),
        intro=gettext("A single wrong sheet needs no open round: correct its table instead."),
        cancel_url=manage_url("round", tournament, stage, number),
    )
    return render(request, "tournaments/manage/form.html", context, status=422 if form.is_bound else 200)
