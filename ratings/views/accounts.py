"""Signing in and out, and the password of one's own account. What is on these pages `clubsite.views` decides."""

from __future__ import annotations

from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse_lazy

from clubsite import staff
from clubsite.views.signing_in import SignIn
from ratings import rights
from ratings.forms.signing_in import MemberLoginForm


def sign_in(request: HttpRequest) -> HttpResponseBase:
    """The sign-in page. Users who are signed in go on to their desk, or to the invitation that they have to answer."""
    if request.method == "GET" and staff.may_enter(request.user):
        return redirect("desk:desk")
    if request.method == "GET" and rights.is_invited(request.user):
        return redirect("desk:invitations")
    return SignIn.as_view(authentication_form=MemberLoginForm)(request)


class OwnPassword(PasswordChangeView):
    success_url = reverse_lazy("desk:password_change_done")
