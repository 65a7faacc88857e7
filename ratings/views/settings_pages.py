"""What the settings pages of a club share: which club is meant, two editors at once, and the page of a history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Club
from ratings.queries.history import Happening, newest_change
from ratings.queries.settings_history import told_since
from ratings.services.editing import CHANGED_MEANWHILE

SEEN = "seen"


def asked_club(request: HttpRequest, heading: str) -> Club | HttpResponse:
    """The club that a page is for: the one in the address (`?club=`), or the only one that the user manages.

    With several clubs and none in the address it is a page that asks.
    """
    user = user_of(request)
    if not rights.has_level_somewhere(user, rights.Level.ADMIN):
        raise PermissionDenied
    clubs = list(rights.clubs_of(user, rights.Level.ADMIN))
    wanted = request.GET.get("club")
    if wanted is not None:
        found = next((club for club in clubs if club.slug == wanted), None)
        if found is None:
            raise Http404
        return found
    if len(clubs) == 1:
        return clubs[0]
    return render(request, "desk/settings/choose_club.html", {"heading": heading, "clubs": clubs})


def refuse_reading(user: rights.Person, club_id: int) -> None:
    """404 for everybody who does not work for the club."""
    if not rights.may_enter(user, club_id):
        raise Http404


def refuse_writing(request: HttpRequest, club_id: int) -> bool:
    """Whether the user may only read the settings; 404 for other clubs, and refused for whoever tries to write."""
    user = user_of(request)
    refuse_reading(user, club_id)
    if rights.may_manage(user, club_id):
        return False
    if request.method == "POST":
        raise PermissionDenied
    return True


@dataclass
class Editing:
    """One row that is being edited: what its user has seen of it, and what others stored meanwhile."""

    row: Any
    seen: int
    history: Callable[[], list[Happening]]
    meanwhile: Sequence[Happening] = ()

    @classmethod
    def of(cls, request: HttpRequest, row: Any, history: Callable[[], list[Happening]]) -> Editing:
        """The form sends the number of the last change that its user saw; without one it is the newest."""
        sent = whole_number(request.POST.get(SEEN, ""))
        return cls(row, newest_change(row) if sent is None else sent, history)

    def save(self, form: forms.BaseForm, store: Callable[[int], Any]) -> Any:
        """Call `store` with the number. What it refuses is said in the form, and None returned."""
        try:
            return store(self.seen)
        except Refused as refused:
            for problem in refused.problems:
                form.add_error(None, problem.sentence(gettext))
            if any(problem.code == CHANGED_MEANWHILE for problem in refused.problems):
                self.meanwhile = told_since(self.history(), self.row, self.seen)
                self.seen = newest_change(self.row)
            return None

    def status(self, form: forms.BaseForm) -> int:
        if self.meanwhile:
            return 409
        return 422 if form.is_bound and form.errors else 200


def history_page(request: HttpRequest, club: Club, name: str, address: str, told: list[Happening]) -> HttpResponse:
    """Who changed what and when, in the time of the club."""
    context = {
        "heading": gettext("History of %(name)s") % {"name": name},
        "club": club,
        "name": name,
        "address": address,
        "happenings": told,
    }
    return render(request, "desk/settings/history.html", context)
