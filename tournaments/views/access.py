"""Access to the staff pages of an event.

Visitors who are not signed in are asked to sign in. Users who do not work for the club get a 404, and users who work
for the club at too low a level get a 403. `ratings.rights` decides who has which right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse

from ratings import rights
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.queries.rounds import tables_of

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)
Context = dict[str, Any]
Right = Callable[[rights.Person, int], bool]
EventView = Callable[Concatenate[HttpRequest, Tournament, P], R]
SlugView = Callable[Concatenate[HttpRequest, str, P], R]


def staff_page(right: Right) -> Callable[[EventView[P, R]], SlugView[P, R | HttpResponse]]:
    """Restrict a page of an event to members of its club's staff with this right.

    The view receives the event instead of its slug.
    """

    def decorate(view: EventView[P, R]) -> SlugView[P, R | HttpResponse]:
        @wraps(view)
        def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> R | HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            tournament = get_object_or_404(Tournament.objects.select_related("club", "rule_set"), slug=slug)
            if not rights.may_enter(request.user, tournament.club_id):
                raise Http404
            if not right(request.user, tournament.club_id):
                raise PermissionDenied
            return view(request, tournament, *args, **kwargs)

        return page

    return decorate


def round_or_404(tournament: Tournament, stage: int, number: int) -> Round:
    related = ("stage__season__rule_set", "stage__season__club", "stage__tournament__club", "confirmed_by")
    rounds = Round.objects.select_related(*related)
    return get_object_or_404(rounds, stage__tournament=tournament, stage__number=stage, number=number)


def table_or_404(round_: Round, number: int) -> Table:
    """A table of this round, with its planned seats and its sheet. `table.round` is the given object."""
    table = get_object_or_404(tables_of(round_), number=number)
    table.round = round_
    return table


def stage_or_404(tournament: Tournament, number: int) -> Stage:
    stages = tournament.stages.select_related("season__rule_set", "season__club", "tournament__club")
    return get_object_or_404(stages, number=number)


def entry_or_404(tournament: Tournament, number: int) -> Entry:
    return get_object_or_404(tournament.entries.select_related("player", "left_stage"), number=number)


def manage_url(name: str, tournament: Tournament, *args: object) -> str:
    return reverse(f"tournaments:manage_{name}", args=[tournament.slug, *args])


def page_context(request: HttpRequest, tournament: Tournament, tab: str, **more: Any) -> Context:
    """The context that every staff page needs: the event, the current tab, and what the user may do here."""
    user, club = request.user, tournament.club_id
    return {
        "tournament": tournament,
        "club": tournament.club,
        "tab": tab,
        "may_rule": rights.may_rule(user, club),
        "may_manage": rights.may_manage(user, club),
        **more,
    }
