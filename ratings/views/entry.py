"""The entry page: the score sheet of a new game, and what it answers while a user types.

The views are thin: forms read what was typed, services write it, and `rights` decides who may. A refused form is shown
again with everything as it was typed.
"""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubsite import numbers
from clubsite.digits import whole_number
from clubsite.saving import saved
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.entry import GameSheet, bind, blank, with_guests
from ratings.forms.sheet_preview import SheetPreview
from ratings.forms.variation import VariationForm
from ratings.mahjong.problems import Refused
from ratings.models import Club, Hanchan, Player, Season
from ratings.queries import entry as entry_queries
from ratings.queries import people
from ratings.queries.hanchans import with_table
from ratings.services import hanchans
from ratings.services.players import add_guest

Context = dict[str, Any]


# --- a new game -------------------------------------------------------------------------------------------


def add(request: HttpRequest) -> HttpResponse:
    """Show an empty sheet, or save the sheet just sent, or show it again with its errors."""
    user = user_of(request)
    seasons = entry_queries.seasons_for(user)
    season = _chosen_season(request, seasons)
    if season is None:
        return render(
            request, "ratings/entry/no_season.html", {"may_manage": rights.clubs_of(user, rights.Level.ADMIN).exists()}
        )
    if request.method == "POST":
        typed, variation = typed_sheet(request, season)
        answer = _record(request, typed) if typed.is_valid and variation.is_valid() else None
        if answer:
            return answer
    else:
        typed, variation = blank(season, _evening(request, season)), VariationForm(season)
    preview = SheetPreview(typed, season.rule_set, user)
    return sheet_page(request, preview, {"seasons": seasons, "variation": variation})


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


def typed_sheet(
    request: HttpRequest, season: Season, hanchan: Hanchan | None = None, *, partial: bool = False
) -> tuple[GameSheet, VariationForm]:
    variation = VariationForm(season, request.POST)
    found = variation.difference if variation.is_valid() else {}
    seated = set(hanchans.sheet_of(hanchan).people) if hanchan else ()
    typed = bind(season, request.POST, found, user=user_of(request), seated=seated, partial=partial)
    return typed, variation


def _record(request: HttpRequest, typed: GameSheet) -> HttpResponse | None:
    """Save a new game. Return None if it was refused and the page has to be shown again."""
    sheet = typed.sheet()
    assert sheet is not None
    key = typed.frame.cleaned_data.get("submit_key")
    twin = entry_queries.same_game(typed.season, sheet, typed.guests)
    if twin and twin.submit_key != key and not typed.frame.cleaned_data.get("another"):
        typed.frame.ask_whether_another(twin)
        return None
    try:
        with transaction.atomic():
            sheet = with_guests(sheet, guests_of(typed, key))
            hanchan = hanchans.record_hanchan(
                typed.season, sheet, by=user_of(request), draft=request.POST.get("action") == "draft", submit_key=key
            )
    except Refused as refused:
        typed.refuse(list(refused.problems))
        return None
    except hanchans.SubmittedBefore as before:
        return _submitted_before(request, typed, before)
    say_saved(request, hanchan)
    return go_on(request, hanchan)


def guests_of(typed: GameSheet, key: Any) -> dict[int, Player]:
    """Return the guests of this sheet. Guests created when the same form was sent before are reused."""
    known = {seat.player.native_name: seat.player for seat in entry_queries.seats_of_submission(key)} if key else {}
    return {
        number: known.get(name) or add_guest(typed.season.club, name, typed.remark_of(number))
        for number, name in typed.guests.items()
    }


def _submitted_before(request: HttpRequest, typed: GameSheet, before: hanchans.SubmittedBefore) -> HttpResponse | None:
    if before.same:
        messages.info(request, gettext("This table was saved already; nothing was entered twice."))
        return go_on(request, before.hanchan)
    typed.frame.add_error(
        None,
        _("This form was saved already, with other content. Open that game to correct it, or start an empty sheet."),
    )
    return None


def go_on(request: HttpRequest, hanchan: Hanchan) -> HttpResponse:
    if request.POST.get("action") == "next":
        local = hanchan.played_at.astimezone(hanchan.season.club.zone)
        query = QueryDict(mutable=True)
        query.update({"season": str(hanchan.season_id), "at": local.isoformat()})
        return saved(request, f"{reverse('desk:enter')}?{query.urlencode()}")
    return saved(request, hanchan.get_absolute_url())


def say_saved(request: HttpRequest, hanchan: Hanchan) -> None:
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
    season = _chosen_season(request, entry_queries.seasons_for(user_of(request)))
    if season is None or request.method != "POST":
        raise Http404
    hanchan = _own_game(request, request.POST.get("hanchan"))
    typed, _variation = typed_sheet(request, season, hanchan, partial=True)
    rule_set = hanchan.rule_set if hanchan else season.rule_set
    seen = SheetPreview(typed, rule_set, user_of(request), hanchan if is_final(hanchan) else None)
    return render(request, "ratings/entry/live.html", _context(request, seen))


def is_final(hanchan: Hanchan | None) -> bool:
    return hanchan is not None and hanchan.status == Hanchan.Status.FINAL


def _own_game(request: HttpRequest, text: str | None) -> Hanchan | None:
    number = whole_number(text or "")
    return None if number is None else game_or_404(request, number)


def game_or_404(request: HttpRequest, pk: int) -> Hanchan:
    """Return a game of one of the user's clubs. A game of another club raises Http404."""
    hanchan = with_table(pk)
    if hanchan is None or not rights.may_enter(user_of(request), hanchan.season.club_id):
        raise Http404
    return hanchan


def suggestions(request: HttpRequest) -> HttpResponse:
    """Return players that match what is typed into a seat's name, as a list box."""
    field = request.GET.get("field", "")
    typed = request.GET.get(field, "").strip()[:120]
    found = people.suggest(_club_of_search(request), typed, user_of(request), without=_seated(request.GET, field))
    context = {
        "players": found,
        "typed": typed,
        "field": field,
        "offer_guest": bool(typed) and not typed.isdigit() and field.endswith("-player"),
        "is_namesake": any(player.called for player in found),  # type: ignore[attr-defined]
        "is_sure": any(player.is_sure for player in found[:1]),  # type: ignore[attr-defined]
    }
    return render(request, "ratings/entry/suggestions.html", context)


def _seated(typed: QueryDict, field: str) -> set[int]:
    """Return the players chosen in the other fields of the sheet."""
    ids = {whole_number(typed.get(name) or "") for name in typed if name.endswith("_id") and name != f"{field}_id"}
    return {pk for pk in ids if pk is not None}


def _club_of_search(request: HttpRequest) -> Club:
    """The club that the page names, as the pages of an import do, or that of the season chosen on the entry page."""
    user, slug = user_of(request), request.GET.get("club")
    if slug:
        return get_object_or_404(rights.clubs_of(user), slug=slug)
    season = _chosen_season(request, entry_queries.seasons_for(user))
    if season is None:
        raise Http404
    return season.club


# --- the page ---------------------------------------------------------------------------------------------


def sheet_page(request: HttpRequest, preview: SheetPreview, context: Context) -> HttpResponse:
    invalid = preview.typed.frame.is_bound
    return render(
        request,
        "ratings/entry/page.html",
        {**_context(request, preview), **context},
        status=422 if invalid else 200,
    )


def _context(request: HttpRequest, preview: SheetPreview) -> Context:
    season = preview.typed.season
    frame = preview.typed.frame
    facts = frame.cleaned_data if frame.is_bound else frame.initial
    day, time = facts.get("date") or season.today(), facts.get("time")
    tonight = entry_queries.tables_on(season, day)
    return {
        "preview": preview,
        "sheet_key": f"season-{season.pk}",
        "season": season,
        "club": season.club,
        "may_override": rights.may_rule(user_of(request), season.club_id),
        "tonight": tonight,
        "tonight_words": ngettext("table entered", "tables entered", tonight),
        "day": day,
        "is_today": day == season.today(),
        "time": f"{time:%H:%M}" if time else "",
    }
