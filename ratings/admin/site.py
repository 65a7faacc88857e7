"""The admin site: who may enter it, and which of Django's own addresses it leaves out."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_protect

from clubsite import worker
from clubsite.signing_in import user_of
from clubsite.views import second_factor, signing_in
from clubsite.views.signing_in import SignIn
from ratings import rights
from ratings.queries.invitations import invitations_of
from ratings.views import invitations


class MemberLoginForm(AuthenticationForm):
    """Lets in users who are members of a club or invited. Django's form checks `is_staff`, which is not used here."""

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if not (rights.is_member(user) or rights.is_invited(user)):
            raise ValidationError(
                gettext("This account isn’t linked to a club. Ask an admin of your club to add you as a member."),
                code="no_club",
            )


class ClubAdminSite(AdminSite):
    site_header = site_title = "Umaoka"
    index_title = _("What would you like to do?")
    login_form = MemberLoginForm

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method == "GET" and self.has_permission(request):
            return redirect("admin:index")
        if request.method == "GET" and rights.is_invited(request.user):
            return redirect("admin:invitations")
        answer: HttpResponse = SignIn.as_view(authentication_form=self.login_form)(request)  # type: ignore[assignment]
        return answer

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        user = user_of(request)
        complaint = worker.complaint() if user.is_superuser else ""
        shown = {"invited": invitations_of(user).count(), "sees_work": user.is_superuser, "complaint": complaint}
        return super().index(request, shown | (extra_context or {}))

    def has_permission(self, request: HttpRequest) -> bool:
        return rights.is_member(request.user)

    def get_urls(self) -> list[Any]:
        """Django's addresses and those of the user's own account.

        Every signed-in user can sign out, also a user who is no longer a member of any club. Django's `r/<type>/<id>/`
        is left out, because it leads to any object by a guessed id without checking rights.
        """
        urls: list[URLPattern | URLResolver] = super().get_urls()
        kept = [url for url in urls if getattr(url, "name", None) not in ("logout", "view_on_site")]
        own = [
            path("logout/", csrf_protect(self.logout), name="logout"),
            path("login/code/", signing_in.second_step, name="second_step"),
            path("login/set-up/", signing_in.first_set_up, name="first_set_up"),
            path("invitations/", invitations.own, name="invitations"),
            path("account/", self.admin_view(second_factor.account), name="account"),
            path("account/second-step/", self.admin_view(second_factor.turn_on), name="second_step_on"),
            path("account/second-step/off/", self.admin_view(second_factor.turn_off), name="second_step_off"),
            path("account/recovery-codes/", self.admin_view(second_factor.new_recovery_codes), name="recovery_codes"),
        ]
        return [*own, *kept]
