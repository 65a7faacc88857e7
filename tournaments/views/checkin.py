"""Check-in at the door, one name after another; made for use with one thumb."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from tournaments.models import Entry, Tournament
from tournaments.queries.entries import at_the_door
from tournaments.queries.events import headcount
from tournaments.services.entries import check_in, set_status
from tournaments.views.access import entry_or_404, manage_url, page_context, staff_page


@staff_page(rights.may_enter)
def checkin(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    if request.method == "POST":
        return _check(request, tournament)
    typed = request.GET.get("q", "")[:60]
    context = page_context(
        request,
        tournament,
        "checkin",
        heading=gettext("Check-in"),
        entries=at_the_door(tournament, typed),
        q=typed,
        count=headcount(tournament),
    )
    template = "door_list.html" if request.headers.get("HX-Request") else "checkin.html"
    return render(request, f"tournaments/manage/{template}", context)


def _check(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    number = request.POST.get("number", "")
    entry = entry_or_404(tournament, whole_number(number, 5) or 0)
    try:
        if "undo" in request.POST:
            set_status(entry, Entry.Status.CONFIRMED, by=user_of(request))
            words = gettext("%(name)s is not checked in any more.")
        else:
            check_in(entry, by=user_of(request))
            words = gettext("%(name)s is here.")
        messages.success(request, words % {"name": entry.player.native_name})
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
    return redirect(f"{manage_url('checkin', tournament)}?{urlencode({'q': ''})}")
