"""Rules for every response: it loads only our own files, and no user stays signed in without a required step."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext

from clubsite import second_factor
from clubsite.signing_in import used_second_step

# `data:` images are Pico's icons for selects, dates and times. Nothing inline and nothing from other sites is allowed.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


def address_of(request: HttpRequest) -> str | None:
    """The network address of the client. In production the proxy sends it; only the proxy connects to us.

    Otherwise all clients would have the address of the proxy, and guessing at a user name would lock its owner out."""
    said: str = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.PRODUCTION else ""
    return said.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR")


class SecondFactorMiddleware:
    """End sessions without a second step where it is required. Such a session is older than the rule or the role.

    A user who has turned the second step on cannot sign in without it (`clubsite.signing_in`), so that is not checked.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if settings.REQUIRE_SECOND_FACTOR and settings.SESSION_COOKIE_NAME in request.COOKIES:
            user = request.user
            if isinstance(user, User) and not used_second_step(request) and second_factor.is_required_of(user):
                logout(request)
                messages.info(
                    request, gettext("Your role now requires two-factor authentication. Sign in again to set it up.")
                )
                return redirect_to_login(request.get_full_path())
        return self.get_response(request)
