"""The desk of a club: what waits, what was played today, and the way to everything its staff look after."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubsite import worker
from clubsite.signing_in import user_of
from ratings import rights
from ratings.models import Club

LAST_CLUB = "desk_club"


@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The desk of the club that the user worked for last, or of the first one."""
    clubs = list(rights.clubs_of(user_of(request)))
    last = request.session.get(LAST_CLUB)
    chosen = next((club for club in clubs if club.pk == last), next(iter(clubs), None))
    return _page(request, chosen, clubs)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    chosen = get_object_or_404(Club, slug=slug)
    if not rights.may_enter(user_of(request), chosen.pk):
        raise Http404
    request.session[LAST_CLUB] = chosen.pk
    return _page(request, chosen, list(rights.clubs_of(user_of(request))))


def _page(request: HttpRequest, club: Club | None, clubs: list[Club]) -> HttpResponse:
    user = user_of(request)
    context = {
        "club": club,
        "clubs": clubs,
        "is_owner": rights.is_owner(user),
        "complaint": worker.complaint() if rights.is_owner(user) else "",
        "may_rule": club is not None and rights.may_rule(user, club.pk),
        "may_manage": club is not None and rights.may_manage(user, club.pk),
        "invited": rights.is_invited(user),
    }
    return render(request, "desk/desk.html", context)


@require_safe
def moved(request: HttpRequest, old: str) -> HttpResponse:
    """An address of Django's admin from before it moved: the owner gets the same page there, others their desk."""
    if not rights.is_owner(user_of(request)):
        return redirect("desk:desk")
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    return redirect(f"{reverse('admin:index')}{old}{query}")
