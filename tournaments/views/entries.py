"""The entries: listing them, adding one player or a pasted list, changing an entry, filling up the tables."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.queries import people
from tournaments.forms.entries import AddEntryForm, EntryForm, PasteForm
from tournaments.models import Entry, Tournament
from tournaments.queries.cancelling import may_cancel
from tournaments.queries.entries import in_order, last_registered
from tournaments.queries.events import headcount
from tournaments.queries.registration import door, unconfirmed
from tournaments.services import entries as services
from tournaments.services.events import change_event
from tournaments.services.registration import enter_list, enter_newcomer
from tournaments.views.access import entry_or_404, manage_url, page_context, staff_page

STEPS = (Entry.Status.WAITING, *Entry.PLAYING)


@staff_page(rights.may_manage)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    context = page_context(
        request,
        tournament,
        "entries",
        heading=gettext("Entries"),
        entries=in_order(tournament),
        unconfirmed=unconfirmed(tournament),
        door=door(tournament),
        count=headcount(tournament),
        has_teams=tournament.entries.exclude(team="").exists(),
    )
    return render(request, "tournaments/manage/entries.html", context)


@staff_page(rights.may_manage)
def add(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    kind = request.GET.get("substitute", "")
    initial = {"substitute_kind": kind if kind in Entry.SubstituteKind.values else ""}
    form = AddEntryForm(request.POST if request.method == "POST" else None, initial=initial, user=user_of(request))
    if request.method == "POST" and form.is_valid():
        try:
            entry = enter_newcomer(tournament, form.newcomer(), by=user_of(request))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
        else:
            messages.success(request, _entered_words(entry))
            return redirect(manage_url("entry_add" if "again" in request.POST else "entries", tournament))
    context = page_context(request, tournament, "entries", heading=gettext("Enter a player"), form=form)
    return render(request, "tournaments/manage/entry_add.html", context, status=422 if form.is_bound else 200)


def _entered_words(entry: Entry) -> str:
    params = {"name": entry.player.native_name, "number": entry.number}
    if entry.status == Entry.Status.WAITING:
        return gettext("%(name)s is on the waiting list: all places are taken.") % params
    return gettext("%(name)s is entered as number %(number)s.") % params


@staff_page(rights.may_manage)
def suggestions(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Players whose name matches the typed text, as a list box. The club's entry page uses the same list."""
    typed = request.GET.get("player", "").strip()[:120]
    found = people.suggest(tournament.club, typed, user_of(request)) if typed else []
    context = {"players": found, "typed": typed, "field": "player", "offer_guest": False}
    return render(request, "ratings/entry/suggestions.html", context)


@staff_page(rights.may_manage)
def paste(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Read a pasted list and show how it was understood; enter it when the user saves."""
    form = PasteForm(request.POST if request.method == "POST" else None)
    context = page_context(request, tournament, "entries", heading=gettext("Paste a list"), form=form)
    if request.method != "POST" or not form.is_valid() or "edit" in request.POST:
        if "edit" in request.POST:
            context["form"] = PasteForm(initial={"text": request.POST.get("text", "")})
        status = 422 if form.is_bound and "edit" not in request.POST else 200
        return render(request, "tournaments/manage/paste.html", context, status=status)
    if "save" in request.POST:
        try:
            entered = enter_list(tournament, form.newcomers(tournament, user_of(request)), by=user_of(request))
        except Refused as refused:
            for sentence in refused.sentences(gettext):
                messages.error(request, gettext("Nothing was entered. %(why)s") % {"why": sentence})
        else:
            words = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(entered))
            messages.success(request, words % {"count": len(entered)})
            return redirect(manage_url("entries", tournament))
    context["lines"] = form.lines(tournament, user_of(request))
    return render(request, "tournaments/manage/paste_preview.html", context)


@staff_page(rights.may_manage)
def entry(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    found = entry_or_404(tournament, number)
    form = EntryForm(request.POST if request.method == "POST" else None, instance=found)
    if request.method == "POST" and form.is_valid():
        try:
            services.change_entry(form.save(commit=False), by=user_of(request))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
        else:
            messages.success(request, gettext("Saved."))
            return redirect(manage_url("entries", tournament))
    context = page_context(
        request,
        tournament,
        "entries",
        heading=found.player.native_name,
        form=form,
        entry=found,
        may_cancel=may_cancel(found),
        steps=() if found.status not in STEPS or found.is_substitute else [s for s in STEPS if s != found.status],
    )
    return render(request, "tournaments/manage/entry.html", context, status=422 if form.is_bound else 200)


@require_POST
@staff_page(rights.may_manage)
def set_status(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Set the status to waiting, registered, confirmed or checked in; or remove an entry that was a mistake."""
    found = entry_or_404(tournament, number)
    wanted = request.POST.get("status", "")
    try:
        if wanted == "remove":
            return _remove(request, tournament, found)
        if wanted not in STEPS:
            raise Http404
        services.set_status(found, Entry.Status(wanted), by=user_of(request))
        messages.success(request, gettext("Saved."))
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
    return redirect(manage_url("entry", tournament, number))


def _remove(request: HttpRequest, tournament: Tournament, entry: Entry) -> HttpResponse:
    drawn = services.remove_entry(entry, by=user_of(request))
    messages.success(request, gettext("%(name)s is removed from the list.") % {"name": entry.player.native_name})
    if not drawn:
        return redirect(manage_url("entries", tournament))
    words = ngettext(
        "Round %(rounds)s was drawn with this entry and is to be drawn again.",
        "Rounds %(rounds)s were drawn with this entry and are to be drawn again.",
        len(drawn),
    )
    messages.warning(request, words % {"rounds": ", ".join(str(each.number) for each in drawn)})
    return redirect(manage_url("schedule", tournament))


@require_POST
@staff_page(rights.may_manage)
def admit(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Give free places to waiting entries, or confirm all registered entries at once."""
    if "confirm_all" in request.POST:
        waiting = tournament.entries.filter(status=Entry.Status.REGISTERED, substitute_kind="")
        done = [services.set_status(each, Entry.Status.CONFIRMED, by=user_of(request)) for each in waiting]
        words = ngettext("%(count)s entry is confirmed.", "%(count)s entries are confirmed.", len(done))
    else:
        done = services.admit_waiting(tournament, by=user_of(request))
        words = ngettext("%(count)s player has a place now.", "%(count)s players have a place now.", len(done))
    messages.success(request, words % {"count": len(done)})
    return redirect(manage_url("entries", tournament))


# --- filling up the tables ----------------------------------------------------------------------------------


@staff_page(rights.may_manage)
def fill(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Fill up the tables if the players are not a multiple of four: with substitutes, byes, or one table less."""
    count = headcount(tournament)
    surplus = last_registered(tournament, count.too_many)
    if request.method == "POST":
        return _fill(request, tournament, surplus)
    occasional = tournament.entries.filter(
        substitute_kind=Entry.SubstituteKind.OCCASIONAL, status=Entry.Status.SUBSTITUTE
    ).select_related("player")
    context = page_context(
        request,
        tournament,
        "entries",
        heading=gettext("Fill up the tables"),
        count=count,
        surplus=surplus,
        occasional=occasional,
        waiting=tournament.entries.filter(status=Entry.Status.WAITING).select_related("player"),
    )
    return render(request, "tournaments/manage/fill.html", context)


def _fill(request: HttpRequest, tournament: Tournament, surplus: list[Entry]) -> HttpResponse:
    user, wanted = user_of(request), request.POST.get("way")
    if wanted in Tournament.Odd.values:
        tournament.odd = wanted
        change_event(tournament, by=user, reason="how tables are filled", fields=["odd"])
        messages.success(request, gettext("Saved: %(way)s.") % {"way": tournament.get_odd_display()})
    elif wanted == "fewer":
        _fewer(request, surplus)
    elif wanted == "promote":
        substitute = get_object_or_404(
            tournament.entries, number=_number(request.POST.get("number")), status=Entry.Status.SUBSTITUTE
        )
        substitute.substitute_kind = Entry.SubstituteKind.PERMANENT
        services.change_entry(substitute, by=user)
        messages.success(request, gettext("%(name)s plays every round now.") % {"name": substitute.player.native_name})
    else:
        raise Http404
    return redirect(manage_url("fill", tournament))


def _fewer(request: HttpRequest, surplus: list[Entry]) -> None:
    try:
        services.put_back(surplus, by=user_of(request))
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
    else:
        names = ", ".join(each.player.native_name for each in surplus)
        messages.success(request, gettext("On the waiting list now: %(names)s.") % {"names": names})


def _number(text: str | None) -> int:
    return whole_number(text or "", 5) or 0
