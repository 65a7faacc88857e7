"""The result of one table: typing it, confirming a draft, correcting it after showing the effect, voiding it."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from clubsite import confirm, numbers
from clubsite.confirm import ConfirmStep, Reason
from clubsite.saving import saved, sent_as_card
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.sheet_preview import SeatView, SheetPreview
from ratings.mahjong import gamesheet
from ratings.mahjong.problems import Refused
from ratings.mahjong.scoring import SeatResult
from ratings.models import Player
from ratings.queries import entry as entry_queries
from ratings.services import hanchans
from tournaments.forms.results import TableSheet, type_table
from tournaments.forms.rulings import ReasonForm
from tournaments.models import Round, Table, Tournament
from tournaments.queries.effects import Shift, compare, with_sheet
from tournaments.queries.standings import view_stage
from tournaments.services.sheets import expected_seats, sheet_at
from tournaments.services.tables import correct_table, record_table, void_table
from tournaments.views.access import (
    Context,
    manage_url,
    page_context,
    round_or_404,
    staff_page,
    table_or_404,
)
from tournaments.views.rounds import may_play
from tournaments.views.seats import seat_effects


@staff_page(rights.may_enter)
def of_hanchan(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Redirect from a game, which knows only its season, to the table it was played at."""
    found = Table.objects.filter(hanchan=pk, round__stage__tournament=tournament).select_related("round__stage").first()
    if found is None:
        messages.info(request, gettext("This game is no longer the result of a table. Enter the table again."))
        return redirect(manage_url("rounds", tournament))
    round_ = found.round
    return redirect(manage_url("table", tournament, round_.stage.number, round_.number, found.number))


@staff_page(rights.may_enter)
def table(request: HttpRequest, tournament: Tournament, stage: int, number: int, table_number: int) -> HttpResponse:
    """Enter a table's result, or correct it after showing who moves in the standings."""
    round_ = round_or_404(tournament, stage, number)
    found = table_or_404(round_, table_number)
    if found.has_result:
        return _correct(request, tournament, found)
    if request.method != "POST":
        return _page(request, tournament, found, _typed(tournament, found, None, partial=True))
    typed = _typed(tournament, found, request.POST)
    sheet = typed.entry_sheet()
    if not typed.is_valid or sheet is None:
        return _page(request, tournament, found, typed, status=422)
    try:
        draft, key = "draft" in request.POST, typed.frame.cleaned_data.get("submit_key")
        recorded = record_table(found, sheet, by=user_of(request), draft=draft, submit_key=key)
    except Refused as refused:
        typed.refuse(refused.problems)
        return _page(request, tournament, found, typed, status=422)
    except hanchans.SubmittedBefore:
        messages.info(request, gettext("This table was saved already; nothing was entered twice."))
        return _next(request, round_, table_number)
    _say_saved(request, recorded)
    return _next(request, round_, table_number)


def _typed(tournament: Tournament, table: Table, data: object, *, partial: bool = False) -> TableSheet:
    seats = list(sheet_at(table).seats) if table.hanchan else expected_seats(table)
    people = may_play(tournament) | {e.number: e for s in seats for e in s.people}
    return type_table(table, seats, dict(sorted(people.items())), data, partial=partial)


def _next(request: HttpRequest, round_: Round, number: int) -> HttpResponse:
    address = manage_url("round", round_.stage.tournament, round_.stage.number, round_.number)
    return saved(request, f"{address}?{urlencode({'after': number})}")  # no fragment: it would prevent the focus


def _say_saved(request: HttpRequest, table: Table) -> None:
    assert table.hanchan is not None
    write = numbers.writer()
    seats = sorted(table.hanchan.seats.select_related("player"), key=lambda seat: (seat.place or 0, seat.wind))
    rows = ", ".join(f"{seat.player.native_name} {write.result(seat.result)}" for seat in seats)
    messages.success(request, gettext("Table %(table)s: %(rows)s.") % {"table": table.number, "rows": rows})


def _page(
    request: HttpRequest, tournament: Tournament, table: Table, typed: TableSheet, status: int = 200
) -> HttpResponse:
    return render(request, "tournaments/manage/table.html", _context(request, tournament, table, typed), status=status)


def _context(request: HttpRequest, tournament: Tournament, table: Table, typed: TableSheet) -> Context:
    preview = _preview(request, table, typed)
    round_ = table.round
    return page_context(
        request,
        tournament,
        "rounds",
        heading=gettext("Table %(table)s, round %(round)s") % {"table": table.number, "round": round_.number},
        round=round_,
        table=table,
        preview=preview,
        **_outcome(table, preview),
        prefix=f"t{table.number}",
        alone=not sent_as_card(request),
    )


def _preview(request: HttpRequest, table: Table, typed: TableSheet) -> SheetPreview:
    hanchan = table.hanchan if table.has_result else None
    rule_set = hanchan.rule_set if hanchan else table.round.stage.season.rule_set
    return SheetPreview(typed, rule_set, user_of(request), hanchan)


class TableOutcome(NamedTuple):
    """What a seat would get, why it differs from the plain result, and its new rank in the standings."""

    row: SeatView
    result: SeatResult
    effects: list[str]
    shift: Shift | None


def _outcome(table: Table, preview: SheetPreview) -> Context:
    """What would be recorded for each seat, and all entries that would move in the standings."""
    sheet = preview.sheet
    if sheet is None or not preview.results:
        return {"outcomes": [], "shifts": []}
    shifts = _shifts(table, preview)
    of_player = {shift.entry.player_id: shift for shift in shifts}
    outcomes = [
        TableOutcome(row, result, seat_effects(seat.played, preview.rules), of_player.get(seat.player))
        for row, result, seat in zip(preview.rows, preview.results, sheet.seats, strict=True)
    ]
    return {"outcomes": outcomes, "shifts": shifts}


def _shifts(table: Table, preview: SheetPreview) -> list[Shift]:
    """The changes that the sheet would make in the standings."""
    sheet = preview.sheet
    if sheet is None or not preview.results:
        return []
    view = view_stage(table.round.stage)
    return compare(view, with_sheet(view, table, sheet, preview.results))


@require_POST
@staff_page(rights.may_enter)
def preview(request: HttpRequest, tournament: Tournament, stage: int, number: int, table_number: int) -> HttpResponse:
    """Sum and places for what is typed so far, as a fragment of the page."""
    found = table_or_404(round_or_404(tournament, stage, number), table_number)
    typed = _typed(tournament, found, request.POST, partial=True)
    seen = _preview(request, found, typed)
    alone = "alone" in request.GET
    context = {"preview": seen, "prefix": f"t{found.number}", "table": found, "alone": alone, "live": alone}
    return render(request, "tournaments/manage/table_check.html", context | _outcome(found, seen))


# --- corrections --------------------------------------------------------------------------------------------


def _correct(request: HttpRequest, tournament: Tournament, table: Table) -> HttpResponse:
    assert table.hanchan is not None
    if not rights.may_change(request.user, table.hanchan):
        raise PermissionDenied
    if request.method != "POST":
        return _page(request, tournament, table, _typed(tournament, table, None))
    typed = _typed(tournament, table, request.POST)
    if confirm.wants_edit(request) or not typed.is_valid:
        return _page(request, tournament, table, typed, status=200 if confirm.wants_edit(request) else 422)
    seen = _preview(request, table, typed)
    if seen.problems:
        typed.refuse(seen.problems)
        return _page(request, tournament, table, typed, status=422)
    reason = _why_corrected()
    if not confirm.is_confirmed(request) or reason.is_missing(request):
        return _confirm(request, tournament, table, typed, refused=confirm.is_confirmed(request))
    return _save_correction(request, tournament, table, typed, reason.given(request))


def _why_corrected() -> Reason:
    return Reason(gettext("Why is the sheet corrected?"), gettext("Enter a short reason."))


def _save_correction(
    request: HttpRequest, tournament: Tournament, table: Table, typed: TableSheet, reason: str
) -> HttpResponse:
    sheet = typed.entry_sheet()
    assert sheet is not None
    assert table.hanchan is not None
    version = typed.frame.cleaned_data.get("version") or table.hanchan.version
    try:
        corrected = correct_table(table, sheet, version=version, by=user_of(request), reason=reason)
    except Refused as refused:
        typed.refuse(refused.problems)
        return _page(request, tournament, table, typed, status=422)
    except hanchans.Conflict:
        current = table_or_404(table.round, table.number)
        messages.warning(
            request, gettext("Another user changed this table while you were typing. This is what differs from it now.")
        )
        return _confirm(request, tournament, current, typed, status=409)
    _say_saved(request, corrected)
    return _next(request, table.round, table.number)


def _confirm(
    request: HttpRequest,
    tournament: Tournament,
    table: Table,
    typed: TableSheet,
    *,
    refused: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Show the old and new values and all entries that move. Nothing is stored yet."""
    assert table.hanchan is not None
    seen, before = _preview(request, table, typed), hanchans.sheet_of(table.hanchan)
    sheet = seen.sheet
    assert sheet is not None
    found = gamesheet.changes(before, sheet)
    step = ConfirmStep(
        request,
        submit=gettext("Save the correction"),
        back=gettext("Back to the sheet"),
        reason=_why_corrected(),
        action=manage_url("table", tournament, table.round.stage.number, table.round.number, table.number),
        changed={f"t{table.number}-version": str(table.hanchan.version)},
        refused=refused,
    )
    context = page_context(
        request,
        tournament,
        "rounds",
        heading=gettext("Before you save the correction"),
        round=table.round,
        table=table,
        changes=[change for change in found if change.field != "played_at"],
        people=_people(before, sheet),
        shifts=_shifts(table, seen),
        step=step,
    )
    return render(request, "tournaments/manage/correct.html", context, status=step.status if refused else status)


def _people(*sheets: gamesheet.Sheet[int]) -> dict[int, Player]:
    return entry_queries.players({person for sheet in sheets for person in sheet.people})


@staff_page(rights.may_rule)
def void(request: HttpRequest, tournament: Tournament, stage: int, number: int, table_number: int) -> HttpResponse:
    """Remove a result or draft, with a reason, so that the table can be entered again."""
    found = table_or_404(round_or_404(tournament, stage, number), table_number)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            void_table(found, by=user_of(request), reason=form.cleaned_data["reason"])
            messages.success(request, gettext("Table %(table)s can be entered again.") % {"table": table_number})
            return redirect(manage_url("round", tournament, stage, number))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    context = page_context(
        request,
        tournament,
        "rounds",
        heading=gettext("Take away the result of table %(table)s?") % {"table": table_number},
        form=form,
        submit=gettext("Take it away"),
        cancel_url=manage_url("round", tournament, stage, number),
    )
    return render(request, "tournaments/manage/form.html", context, status=422 if form.is_bound else 200)
