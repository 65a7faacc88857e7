"""The members of a club and the invitations that wait for an answer."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubsite.signing_in import user_of
from ratings import rights
from ratings.models import Club
from ratings.queries.invitations import invitations_by


@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    user = user_of(request)
    if not rights.may_manage(user, club.pk):
        raise Http404
    context = {
        "club": club,
        "members": club.memberships.select_related("user").order_by("user__username"),
        "invitations": invitations_by(user).filter(club=club),
    }
    return render(request, "desk/members.html", context)
