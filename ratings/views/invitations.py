"""Pages for invitations: a user's own, to accept or decline, and a club's, to withdraw."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from clubsite import second_factor
from clubsite.signing_in import used_second_step, user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Invitation
from ratings.queries.invitations import invitations_by, invitations_of
from ratings.services import invitations


@never_cache
@csrf_protect
def own(request: HttpRequest) -> HttpResponse:
    """Show signed-in users their invitations, and take their answers. They need not work for a club yet."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, reverse("desk:login"))
    if request.method == "POST":
        return _answer(request)
    context = {"invitations": invitations_of(request.user), "is_member": rights.is_member(request.user)}
    return render(request, "accounts/invitations.html", context)


def _answer(request: HttpRequest) -> HttpResponse:
    user, number = user_of(request), request.POST.get("invitation", "")
    found = next((each for each in invitations_of(user) if str(each.pk) == number), None)
    try:
        if found is None:
            messages.info(request, gettext("This invitation is no longer open."))
        elif request.POST.get("answer") == "accept":
            member = invitations.accept(found, by=user)
            named = {"club": found.club.name, "role": member.get_role_display()}
            said = gettext("You now work for %(club)s, as %(role)s.") % named
            return _go_on(request, member.user, said)
        elif request.POST.get("answer") == "decline":
            invitations.decline(found, by=user)
            messages.success(request, gettext("You declined the invitation to %(club)s.") % {"club": found.club.name})
    except Refused as refused:
        messages.info(request, refused.problems[0].sentence(gettext))
    return redirect("desk:invitations")


def _go_on(request: HttpRequest, user: User, said: str) -> HttpResponse:
    """Redirect to the desk.

    If the new role requires a second factor that this session did not use, sign the user out first.
    """
    must_sign_in_again = second_factor.is_required_of(user) and not used_second_step(request)
    if must_sign_in_again:
        logout(request)
    messages.success(request, said)
    if must_sign_in_again:
        messages.info(request, gettext("This role requires two-factor authentication. Sign in again to set it up."))
    return redirect("desk:desk")


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw an invitation after a confirmation page; only for admins of the club that invites."""
    user = user_of(request)
    found: Invitation | None = invitations_by(user).filter(pk=pk).first()
    if found is None:
        raise Http404
    members = reverse("desk:members", args=[found.club.slug])
    if request.method == "POST":
        try:
            invitations.withdraw(found, by=user)
            named = {"name": found.user.get_username()}
            messages.success(request, gettext("The invitation of %(name)s is withdrawn.") % named)
        except Refused as refused:
            messages.info(request, refused.problems[0].sentence(gettext))
        return redirect(members)
    named = {"name": found.user.get_username(), "club": found.club.name}
    context = {
        "heading": gettext("Withdraw invitation"),
        "intro": gettext("%(name)s can then no longer accept the invitation to %(club)s.") % named,
        "submit": gettext("Withdraw invitation"),
        "cancel_url": members,
        "club": found.club,
    }
    return render(request, "form_page.html", context)
