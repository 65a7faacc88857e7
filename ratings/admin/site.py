"""The admin site: who may enter it, and which of Django's own addresses it leaves out."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_protect

from ratings import rights


class MemberLoginForm(AuthenticationForm):
    """Lets in whoever works for a club; Django's own asks for `is_staff`, which means nothing here."""

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if not rights.is_member(user):
            raise ValidationError(
                gettext("This account works for no club. Ask an admin of your club to add you as a member."),
                code="no_club",
            )


class ClubAdminSite(AdminSite):
    site_header = site_title = "Umaoka"
    index_title = _("What would you like to do?")
    login_form = MemberLoginForm

    def has_permission(self, request: HttpRequest) -> bool:
        return rights.is_member(request.user)

    def get_urls(self) -> list[Any]:
        """Django's, but: whoever is signed in can sign out, also when no club's member any more; and no
        `r/<type>/<id>/`, which leads to any object by a guessed id and asks nobody."""
        urls: list[URLPattern | URLResolver] = super().get_urls()
        kept = [url for url in urls if getattr(url, "name", None) not in ("logout", "view_on_site")]
        return [path("logout/", csrf_protect(self.logout), name="logout"), *kept]
