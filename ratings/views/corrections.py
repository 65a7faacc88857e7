"""Pages about a recorded game: finishing a draft, correcting, voiding and restoring a game.

Before a final game changes, a page shows what changes and who moves. The score sheet itself is the page of
`ratings.views.entry`.
"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from clubsite import confirm
from clubsite.confirm import ConfirmStep, Reason
from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.competitions import game_page
from ratings.forms.entry import GameSheet, filled, with_guests
from ratings.forms.sheet_preview import SheetPreview
from ratings.forms.variation import VariationForm
from ratings.mahjong import gamesheet
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Refused
from ratings.mahjong.standings import primary_metric
from ratings.models import Hanchan, Player
from ratings.queries import entry as entry_queries
from ratings.queries import people, previews
from ratings.services import hanchans
from ratings.views.entry import Context, game_or_404, go_on, guests_of, is_final, say_saved, sheet_page, typed_sheet

REASON_LETTERS = 500


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Continue a draft, or correct a final game after showing what will move."""
    hanchan = game_or_404(request, pk)
    if elsewhere := game_page(hanchan.season.competition, hanchan.pk):
        return redirect(elsewhere)  # the competition's own page also checks and confirms its tables
    user = user_of(request)
    if not rights.may_change(user, hanchan):
        return _not_yours(request, hanchan)
    if hanchan.status == Hanchan.Status.VOID:
        messages.info(request, gettext("This game is void. Restore it before you correct it."))
        return redirect(hanchan)
    if request.method != "POST":
        return _sheet_again(request, hanchan, filled(hanchan, user), VariationForm(hanchan.season, hanchan=hanchan))
    typed, variation = typed_sheet(request, hanchan.season, hanchan)
    if confirm.wants_edit(request) or not (typed.is_valid and variation.is_valid()):
        return _sheet_again(request, hanchan, typed, variation)
    sheet = typed.sheet()
    assert sheet is not None
    draft = hanchan.status == Hanchan.Status.DRAFT and request.POST.get("action") == "draft"
    problems = hanchans.check_sheet(hanchan.season, hanchan.rule_set, sheet, by=user, draft=draft)
    if problems:
        typed.refuse(problems)
        return _sheet_again(request, hanchan, typed, variation)
    if is_final(hanchan) and not confirm.is_confirmed(request):
        return _confirm(request, hanchan, typed)
    return _change(request, hanchan, typed, variation, draft)


def _change(
    request: HttpRequest, hanchan: Hanchan, typed: GameSheet, variation: VariationForm, draft: bool
) -> HttpResponse:
    sheet, user = typed.sheet(), user_of(request)
    assert sheet is not None
    reason = _why_corrected(user, hanchan)
    if reason.is_missing(request):
        return _confirm(request, hanchan, typed)
    version = typed.frame.cleaned_data.get("version") or hanchan.version
    try:
        with transaction.atomic():
            sheet = with_guests(sheet, guests_of(typed, None))
            changed = hanchans.change_hanchan(
                hanchan, sheet, version=version, by=user, reason=reason.given(request), draft=draft
            )
    except Refused as refused:
        typed.refuse(list(refused.problems))
        return _sheet_again(request, hanchan, typed, variation)
    except hanchans.Conflict:
        return _conflict(request, hanchan.pk, typed)
    say_saved(request, changed)
    return go_on(request, changed)


def _sheet_again(request: HttpRequest, hanchan: Hanchan, typed: GameSheet, variation: VariationForm) -> HttpResponse:
    final = hanchan if is_final(hanchan) else None
    preview = SheetPreview(typed, hanchan.rule_set, user_of(request), final)
    key = f"game-{hanchan.pk}-{hanchan.version}"
    context = {"hanchan": hanchan, "sheet_key": key, "seasons": [hanchan.season], "variation": variation}
    return sheet_page(request, preview, context)


def _why_corrected(user: User, hanchan: Hanchan) -> Reason:
    if rights.needs_reason(user, hanchan):
        refusal = gettext("Enter a short reason for the correction.")
        return Reason(gettext("Why is the game corrected?"), refusal, REASON_LETTERS)
    return Reason(gettext("Why is the game corrected? (optional)"), longest=REASON_LETTERS)


def _confirm(request: HttpRequest, hanchan: Hanchan, typed: GameSheet) -> HttpResponse:
    """Show the changes and every player who moves. Nothing is stored yet."""
    seen = SheetPreview(typed, hanchan.rule_set, user_of(request), hanchan)
    sheet = typed.sheet()
    assert sheet is not None
    changes = gamesheet.changes(hanchans.sheet_of(hanchan), sheet)
    step = ConfirmStep(
        request,
        submit=gettext("Save the correction"),
        back=gettext("Back to the sheet"),
        reason=_why_corrected(user_of(request), hanchan),
        action=reverse("desk:correct", args=[hanchan.pk]),
        refused=confirm.is_confirmed(request),
        changes_nothing=not changes,
    )
    context = {
        **_moves_context(request, hanchan, seen.moves, sheet, typed),
        "hanchan": hanchan,
        "club": hanchan.season.club,
        "changes": changes,
        "step": step,
    }
    return render(request, "ratings/entry/confirm.html", context, status=step.status)


def _moves_context(
    request: HttpRequest,
    hanchan: Hanchan,
    moves: dict[int, previews.Move],
    sheet: Sheet[int],
    typed: GameSheet | None = None,
) -> Context:
    moving = [move for move in moves.values() if move.moves]
    people_by_id = _people(request, {move.player_id for move in moving} | set(sheet.people), typed)
    return {"moves": moving, "people": people_by_id, "metric": primary_metric(hanchan.season.formula)}


def _people(request: HttpRequest, ids: set[int], typed: GameSheet | None) -> dict[int, Player]:
    """Return players by id, as the user may see them.

    People on the typed sheet, guests included, are called as they are on the sheet.
    """
    seen = {player.pk: player for player in people.as_seen(entry_queries.players(ids).values(), user_of(request))}
    if typed:
        seen |= {seat.person.pk: seat.person for seat in typed.seats if seat.person}
        seen |= {number: Player(native_name=name) for number, name in typed.guests.items()}
    return seen


def _conflict(request: HttpRequest, pk: int, typed: GameSheet) -> HttpResponse:
    """Show both versions side by side and let the user choose, because another user saved the game first."""
    current = game_or_404(request, pk)
    mine, theirs = typed.sheet(), hanchans.sheet_of(current)
    assert mine is not None
    event = current.events.select_related("by").last()
    context = {
        "hanchan": current,
        "club": current.season.club,
        "event": event,
        "changes": gamesheet.changes(theirs, mine),
        "people": _people(request, set(mine.people) | set(theirs.people), typed),
        "step": ConfirmStep(
            request,
            submit=gettext("Use mine"),
            back=gettext("Edit mine first"),
            changed={"version": str(current.version)},
        ),
    }
    return render(request, "ratings/entry/conflict.html", context, status=409)


def set_status(request: HttpRequest, pk: int, *, void: bool) -> HttpResponse:
    """Void or restore a game, after showing which players move and asking for a reason."""
    hanchan = game_or_404(request, pk)
    if elsewhere := game_page(hanchan.season.competition, hanchan.pk):
        return redirect(elsewhere)  # the competition's own page also checks and confirms its tables
    if not rights.may_rule(user_of(request), hanchan.season.club_id):
        return _not_yours(request, hanchan)
    if (hanchan.status == Hanchan.Status.VOID) != (not void):
        return redirect(hanchan)
    reason = _why_status(void)
    if request.method == "POST" and not reason.is_missing(request):
        write = hanchans.void_hanchan if void else hanchans.restore_hanchan
        try:
            hanchan = write(
                hanchan, version=_version(request, hanchan), by=user_of(request), reason=reason.given(request)
            )
        except hanchans.Conflict:
            messages.warning(request, gettext("Another user has just changed this game. Look at it, then try again."))
            return redirect(hanchan)
        messages.success(request, _status_words(hanchan))
        return redirect(hanchan)
    sheet = hanchans.sheet_of(hanchan)
    moves = _status_moves(hanchan, sheet, void)
    context = {
        **_moves_context(request, hanchan, {move.player_id: move for move in moves}, sheet),
        "hanchan": hanchan,
        "club": hanchan.season.club,
        "void": void,
        "step": ConfirmStep(
            request,
            submit=gettext("Void the game") if void else gettext("Restore the game"),
            back=gettext("Leave it as it is"),
            reason=reason,
            cancel_url=hanchan.get_absolute_url(),
            changed={"version": str(hanchan.version)},
            refused=request.method == "POST",
        ),
    }
    return render(request, "ratings/entry/set_status.html", context)


def _why_status(void: bool) -> Reason:
    if void:
        return Reason(gettext("Why is the game void?"), gettext("Enter a short reason."), REASON_LETTERS)
    return Reason(gettext("Why is it restored? (optional)"), longest=REASON_LETTERS)


def _status_moves(hanchan: Hanchan, sheet: Sheet[int], void: bool) -> list[previews.Move]:
    if void:
        return previews.moves(hanchan.season, None, (), hanchan) if is_final(hanchan) else []
    if hanchans.check_sheet(hanchan.season, hanchan.rule_set, sheet):
        return []  # it becomes a draft, which counts nowhere
    return previews.moves(hanchan.season, sheet, hanchans.score_sheet(hanchan.rules, sheet))


def _status_words(hanchan: Hanchan) -> str:
    return {
        Hanchan.Status.VOID: gettext("The game is void and counts nowhere. It can be restored."),
        Hanchan.Status.FINAL: gettext("The game counts again."),
        Hanchan.Status.DRAFT: gettext("The game is a draft again, because its sheet is not right yet."),
    }[Hanchan.Status(hanchan.status)]


def _version(request: HttpRequest, hanchan: Hanchan) -> int:
    text = request.POST.get("version", "")
    number = whole_number(text, 9)
    return hanchan.version if number is None else number


def _not_yours(request: HttpRequest, hanchan: Hanchan) -> HttpResponse:
    messages.warning(
        request, gettext("A scorer may change drafts and their own games of the day. Ask a referee or a club admin.")
    )
    return redirect(hanchan)
