"""“All data”: Django's own admin, for the owner of the site only. Staff work on pages of their own (`desk_urls`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext_lazy as _

from clubsite import staff
from ratings import rights

# Staff sign in, sign out and change their password on the site's own pages. Django's `r/<type>/<id>/` leads to any
# object by a guessed id without checking rights.
LEFT_OUT = {"login", "logout", "password_change", "password_change_done", "view_on_site"}


class AllDataSite(AdminSite):
    site_header = site_title = "Umaoka"
    index_title = _("All data")

    def has_permission(self, request: HttpRequest) -> bool:
        return rights.is_owner(request.user)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """The view for the owner. Other staff are led to the desk, and visitors to the sign-in page."""
        inner: Callable[..., Any] = super().admin_view(view, cacheable)

        def for_the_owner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if self.has_permission(request):
                answer: HttpResponse = inner(request, *args, **kwargs)
                return answer
            if staff.may_enter(request.user):
                return redirect("desk:desk")
            return redirect_to_login(request.get_full_path(), resolve_url("desk:login"))

        return for_the_owner

    def get_urls(self) -> list[Any]:
        return [url for url in super().get_urls() if getattr(url, "name", None) not in LEFT_OUT]
