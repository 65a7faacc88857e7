"""The entry page inside the admin site: typing, correcting, voiding and restoring a game.

The views are thin: forms read what was typed, services write it, and `rights` decides who may. A refused form is shown
again with everything as it was typed.
"""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubsite import confirm, numbers
from clubsite.confirm import ConfirmStep, Reason
from clubsite.digits import whole_number
from clubsite.saving import saved
from clubsite.signing_in import user_of
from ratings import rights
from ratings.competitions import game_page
from ratings.forms.entry import GameSheet, bind, blank, filled, with_guests
from ratings.forms.sheet_preview import SheetPreview
from ratings.forms.variation import VariationForm
from ratings.mahjong import gamesheet
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Refused
from ratings.mahjong.standings import primary_metric
from ratings.models import Hanchan, Player, Season
from ratings.queries import entry as reads
from ratings.queries import people, previews
from ratings.queries.hanchans import with_table
from ratings.services import hanchans
from ratings.services.players import add_guest

Context = dict[str, Any]
REASON_LETTERS = 500


# --- a new game -------------------------------------------------------------------------------------------


def add(request: HttpRequest) -> HttpResponse:
    """Show an empty sheet, or save the sheet just sent, or show it again with its errors."""
    user = user_of(request)
    seasons = reads.seasons_for(user)
    season = _chosen_season(request, seasons)
    if season is None:
        return render(
            request, "ratings/entry/no_season.html", {"may_manage": rights.clubs_of(user, rights.Level.ADMIN).exists()}
        )
    if request.method == "POST":
        typed, variation = _typed(request, season)
        answer = _record(request, typed) if typed.is_valid and variation.is_valid() else None
        if answer:
            return answer
    else:
        typed, variation = blank(season, _evening(request, season)), VariationForm(season)
    preview = SheetPreview(typed, season.rule_set, user)
    return _page(request, preview, {"seasons": seasons, "variation": variation})


def _chosen_season(request: HttpRequest, seasons: list[Season]) -> Season | None:
    """Return the requested season, or else the first of the list."""
    wanted = request.POST.get("season") or request.GET.get("season") or ""
    chosen = [season for season in seasons if str(season.pk) == wanted]
    if wanted and not chosen:
        raise Http404
    return next(iter(chosen or seasons), None)


def _evening(request: HttpRequest, season: Season) -> datetime.datetime | None:
    """Return date and time carried over from the table entered before."""
    try:
        return datetime.datetime.fromisoformat(request.GET["at"]).astimezone(season.club.zone)
    except (KeyError, ValueError, OverflowError):
        return None


def _typed(
    request: HttpRequest, season: Season, hanchan: Hanchan | None = None, *, partial: bool = False
) -> tuple[GameSheet, VariationForm]:
    variation = VariationForm(season, request.POST)
    found = variation.difference if variation.is_valid() else {}
    seated = _everybody(hanchans.sheet_of(hanchan)) if hanchan else ()
    typed = bind(season, request.POST, found, user=user_of(request), seated=seated, partial=partial)
    return typed, variation


def _record(request: HttpRequest, typed: GameSheet) -> HttpResponse | None:
    """Save a new game. Return None if it was refused and the page has to be shown again."""
    sheet = typed.sheet()
    assert sheet is not None
    key = typed.frame.cleaned_data.get("submit_key")
    twin = reads.same_game(typed.season, sheet, typed.guests)
    if twin and twin.submit_key != key and not typed.frame.cleaned_data.get("another"):
        typed.frame.ask_whether_another(twin)
        return None
    try:
        with transaction.atomic():
            sheet = with_guests(sheet, _guests(typed, key))
            hanchan = hanchans.record_hanchan(
                typed.season, sheet, by=user_of(request), draft=request.POST.get("action") == "draft", submit_key=key
            )
    except Refused as refused:
        typed.refuse(list(refused.problems))
        return None
    except hanchans.SubmittedBefore as before:
        return _submitted_before(request, typed, before)
    _say_saved(request, hanchan)
    return _next(request, hanchan)


def _guests(typed: GameSheet, key: Any) -> dict[int, Player]:
    """Return the guests of this sheet. Guests created when the same form was sent before are reused."""
    known = {seat.player.native_name: seat.player for seat in reads.seats_of_submission(key)} if key else {}
    return {number: known.get(name) or add_guest(typed.season.club, name) for number, name in typed.guests.items()}


def _submitted_before(request: HttpRequest, typed: GameSheet, before: hanchans.SubmittedBefore) -> HttpResponse | None:
    if before.same:
        messages.info(request, gettext("This table was saved already; nothing was entered twice."))
        return _next(request, before.hanchan)
    typed.frame.add_error(
        None,
        _("This form was saved already, with other content. Open that game to correct it, or start an empty sheet."),
    )
    return None


def _next(request: HttpRequest, hanchan: Hanchan) -> HttpResponse:
    if request.POST.get("action") == "next":
        local = hanchan.played_at.astimezone(hanchan.season.club.zone)
        query = QueryDict(mutable=True)
        query.update({"season": str(hanchan.season_id), "at": local.isoformat()})
        return saved(request, f"{reverse('admin:ratings_hanchan_add')}?{query.urlencode()}")
    return saved(request, hanchan.get_absolute_url())


def _say_saved(request: HttpRequest, hanchan: Hanchan) -> None:
    seats = sorted(hanchan.seats.select_related("player"), key=lambda seat: (seat.place or 0, seat.wind))
    link = format_html('<a href="{}">{}</a>', hanchan.get_absolute_url(), gettext("Open the game"))
    if hanchan.status == Hanchan.Status.DRAFT:
        words = gettext("Saved as a draft. It counts nowhere until it is finished.")
        messages.success(request, format_html("{} {}", words, link))
        return
    write = numbers.writer()
    rows = format_html_join(", ", "{} {}", ((seat.player.native_name, write.result(seat.result)) for seat in seats))
    messages.success(request, format_html("{} {}. {}", gettext("Saved:"), rows, link))


# --- while typing -----------------------------------------------------------------------------------------


def preview(request: HttpRequest) -> HttpResponse:
    """Return sum, places, results and moves of what is typed so far, as page fragments."""
    season = _chosen_season(request, reads.seasons_for(user_of(request)))
    if season is None or request.method != "POST":
        raise Http404
    hanchan = _own_game(request, request.POST.get("hanchan"))
    typed, _variation = _typed(request, season, hanchan, partial=True)
    rule_set = hanchan.rule_set if hanchan else season.rule_set
    seen = SheetPreview(typed, rule_set, user_of(request), hanchan if _is_final(hanchan) else None)
    return render(request, "ratings/entry/live.html", _context(request, seen))


def _is_final(hanchan: Hanchan | None) -> bool:
    return hanchan is not None and hanchan.status == Hanchan.Status.FINAL


def suggestions(request: HttpRequest) -> HttpResponse:
    """Return players that match what is typed into a seat's name, as a list box."""
    season = _chosen_season(request, reads.seasons_for(user_of(request)))
    if season is None:
        raise Http404
    field = request.GET.get("field", "")
    typed = request.GET.get(field, "").strip()[:120]
    found = people.suggest(season.club, typed, user_of(request))
    exact = any(player.called for player in found)  # type: ignore[attr-defined]
    offer_guest = bool(typed) and not exact and field.endswith("-player")
    context = {"players": found, "typed": typed, "field": field, "offer_guest": offer_guest}
    return render(request, "ratings/entry/suggestions.html", context)


# --- a recorded game --------------------------------------------------------------------------------------


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Continue a draft, or correct a final game after showing what will move."""
    hanchan = _game(request, pk)
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
    typed, variation = _typed(request, hanchan.season, hanchan)
    if confirm.wants_edit(request) or not (typed.is_valid and variation.is_valid()):
        return _sheet_again(request, hanchan, typed, variation)
    sheet = typed.sheet()
    assert sheet is not None
    draft = hanchan.status == Hanchan.Status.DRAFT and request.POST.get("action") == "draft"
    problems = hanchans.check_sheet(hanchan.season, hanchan.rule_set, sheet, by=user, draft=draft)
    if problems:
        typed.refuse(problems)
        return _sheet_again(request, hanchan, typed, variation)
    if _is_final(hanchan) and not confirm.is_confirmed(request):
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
            sheet = with_guests(sheet, _guests(typed, None))
            changed = hanchans.change_hanchan(
                hanchan, sheet, version=version, by=user, reason=reason.given(request), draft=draft
            )
    except Refused as refused:
        typed.refuse(list(refused.problems))
        return _sheet_again(request, hanchan, typed, variation)
    except hanchans.Conflict:
        return _conflict(request, hanchan.pk, typed)
    _say_saved(request, changed)
    return _next(request, changed)


def _sheet_again(request: HttpRequest, hanchan: Hanchan, typed: GameSheet, variation: VariationForm) -> HttpResponse:
    final = hanchan if _is_final(hanchan) else None
    preview = SheetPreview(typed, hanchan.rule_set, user_of(request), final)
    key = f"game-{hanchan.pk}-{hanchan.version}"
    context = {"hanchan": hanchan, "sheet_key": key, "seasons": [hanchan.season], "variation": variation}
    return _page(request, preview, context)


def _why_corrected(user: User, hanchan: Hanchan) -> Reason:
    if rights.needs_reason(user, hanchan):
        refusal = gettext("Say in a few words why the game is corrected.")
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
        action=reverse("admin:ratings_hanchan_change", args=[hanchan.pk]),
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
    people_by_id = _people(request, {move.player_id for move in moving} | _everybody(sheet), typed)
    return {"moves": moving, "people": people_by_id, "metric": primary_metric(hanchan.season.formula)}


def _people(request: HttpRequest, ids: set[int], typed: GameSheet | None) -> dict[int, Player]:
    """Return players by id, as the user may see them.

    People on the typed sheet, guests included, are called as they are on the sheet.
    """
    seen = {player.pk: player for player in people.as_seen(reads.players(ids).values(), user_of(request))}
    if typed:
        seen |= {seat.person.pk: seat.person for seat in typed.seats if seat.person}
        seen |= {number: Player(native_name=name) for number, name in typed.guests.items()}
    return seen


def _everybody(sheet: Sheet[int]) -> set[int]:
    return set(sheet.people)


def _conflict(request: HttpRequest, pk: int, typed: GameSheet) -> HttpResponse:
    """Show both versions side by side and let the user choose, because another user saved the game first."""
    current = _game(request, pk)
    mine, theirs = typed.sheet(), hanchans.sheet_of(current)
    assert mine is not None
    event = current.events.select_related("by").last()
    context = {
        "hanchan": current,
        "club": current.season.club,
        "event": event,
        "changes": gamesheet.changes(theirs, mine),
        "people": _people(request, _everybody(mine) | _everybody(theirs), typed),
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
    hanchan = _game(request, pk)
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
            messages.warning(request, gettext("Somebody changed this game a moment ago. Look at it, then try again."))
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
        return Reason(gettext("Why is the game void?"), gettext("Say in a few words why."), REASON_LETTERS)
    return Reason(gettext("Why is it restored? (optional)"), longest=REASON_LETTERS)


def _status_moves(hanchan: Hanchan, sheet: Sheet[int], void: bool) -> list[previews.Move]:
    if void:
        return previews.moves(hanchan.season, None, (), hanchan) if _is_final(hanchan) else []
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


def _game(request: HttpRequest, pk: int) -> Hanchan:
    """Return a game of one of the user's clubs. A game of another club raises Http404."""
    hanchan = with_table(pk)
    if hanchan is None or not rights.may_enter(user_of(request), hanchan.season.club_id):
        raise Http404
    return hanchan


def _own_game(request: HttpRequest, text: str | None) -> Hanchan | None:
    number = whole_number(text or "")
    return None if number is None else _game(request, number)


def _not_yours(request: HttpRequest, hanchan: Hanchan) -> HttpResponse:
    messages.warning(
        request, gettext("A scorer may change drafts and own games of the day. Ask a referee or a club admin.")
    )
    return redirect(hanchan)


# --- the page ---------------------------------------------------------------------------------------------


def _page(request: HttpRequest, preview: SheetPreview, context: Context) -> HttpResponse:
    invalid = preview.typed.frame.is_bound
    return render(
        request,
        "ratings/entry/page.html",
        {**_context(request, preview), **context},
        status=422 if invalid else 200,
    )


def _context(request: HttpRequest, preview: SheetPreview) -> Context:
    season = preview.typed.season
    typed = preview.typed.frame["date"].value()
    day = typed if isinstance(typed, datetime.date) else season.today()
    tonight = reads.tables_on(season, day)
    return {
        "preview": preview,
        "sheet_key": f"season-{season.pk}",
        "season": season,
        "club": season.club,
        "may_override": rights.may_rule(user_of(request), season.club_id),
        "tonight": tonight,
        "tonight_words": ngettext("table entered", "tables entered", tonight),
        "day": day,
    }
