"""Help: one short page for each role, with pictures that `python -m tests.pictures` takes of the demo."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

# Each role: who it is for, and what its page is about.
ROLES = {
    "player": (_("Players"), _("Read the leaderboard, understand a result, find your table.")),
    "scorer": (_("Scorers"), _("Enter a table, finish a draft, correct your games of the day.")),
    "referee": (_("Referees"), _("Penalties, wrong sums, corrections and rulings.")),
    "club-admin": (_("Club admins"), _("Start a club: rules, season, people, imports.")),
    "organiser": (_("Organisers"), _("Run a tournament from registration to the final ranking.")),
}


@require_safe
def roles(request: HttpRequest) -> HttpResponse:
    return render(request, "ratings/help/roles.html", {"roles": ROLES})


@require_safe
def role(request: HttpRequest, role: str) -> HttpResponse:
    if role not in ROLES:
        raise Http404
    title, about = ROLES[role]
    context = {"role": role, "roles": ROLES, "title": title, "about": about}
    return render(request, f"ratings/help/{role}.html", context)
