"""Cancel an entry before its first round, or take a cancellation back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from tournaments.forms.cancelling import CancelForm
from tournaments.models import Entry, Round, Tournament
from tournaments.queries.cancelling import may_cancel, rounds_without_seat
from tournaments.services.cancelling import cancel as cancel_entry
from tournaments.services.cancelling import take_back_cancellation
from tournaments.views.access import entry_or_404, manage_url, page_context, staff_page
from tournaments.views.seats import unseated_words


@staff_page(rights.may_manage)
def cancel(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show which seats are already published and who could take them, then take the entry off the list."""
    entry = entry_or_404(tournament, number)
    name = {"name": entry.player.native_name}
    if not may_cancel(entry):
        messages.info(request, gettext("%(name)s can no longer cancel. Withdraw the entry instead.") % name)
        return redirect(manage_url("entry", tournament, number))
    form = CancelForm(entry, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            again = cancel_entry(entry, form.settled(), reason=form.cleaned_data["reason"], by=user_of(request))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
        else:
            messages.success(request, gettext("The entry of %(name)s is cancelled.") % name)
            return _go_on(request, tournament, again)
    context = page_context(
        request,
        tournament,
        "entries",
        heading=gettext("Cancel the entry of %(name)s?") % name,
        intro=gettext("The entry leaves the list without a ruling and without absences. You can take this back."),
        form=form,
        entry=entry,
        submit=gettext("Cancel the entry"),
        back_url=manage_url("entry", tournament, number),
    )
    return render(request, "tournaments/manage/cancel.html", context, status=422 if form.is_bound else 200)


def _go_on(request: HttpRequest, tournament: Tournament, again: list[Round]) -> HttpResponse:
    if not again:
        return redirect(manage_url("entries", tournament))
    words = ngettext(
        "Round %(rounds)s was drawn with this entry and is to be drawn again.",
        "Rounds %(rounds)s were drawn with this entry and are to be drawn again.",
        len(again),
    )
    messages.warning(request, words % {"rounds": ", ".join(str(each.number) for each in again)})
    return redirect(manage_url("schedule", tournament))


@require_POST
@staff_page(rights.may_manage)
def restore(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Take the cancellation back."""
    entry = entry_or_404(tournament, number)
    try:
        _say_restored(request, take_back_cancellation(entry, by=user_of(request)))
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
    return redirect(manage_url("entry", tournament, number))


def _say_restored(request: HttpRequest, entry: Entry) -> None:
    params = {"name": entry.player.native_name}
    if entry.status == Entry.Status.WAITING:
        messages.success(request, gettext("%(name)s is on the waiting list: all places are taken.") % params)
        return
    messages.success(request, gettext("%(name)s is entered again.") % params)
    unseated = [] if entry.is_substitute else rounds_without_seat(entry)
    if unseated:
        messages.warning(request, unseated_words(entry, unseated))
