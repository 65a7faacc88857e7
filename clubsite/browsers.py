"""Remember in a signed cookie which users have signed in with a browser.

So wrong guesses from other browsers do not lock these users out. The cookie does not prove who the visitor is and
gives no access. It only has the effect that wrong passwords are counted by browser instead of by user name, which
strangers can type too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from clubsite.counting import name_as_counted

COOKIE = "known_browser"
SALT = "clubsite.browsers"
KEPT_FOR = 90 * 24 * 3600  # seconds
MOST_NAMES = 8  # several people use the laptop at the desk


def remember(request: HttpRequest, answer: HttpResponseBase, username: str) -> None:
    """Add the user name to those of this browser, the newest first."""
    names = [_mark(username), *(mark for mark in _marks(request) if mark != _mark(username))]
    answer.set_signed_cookie(
        COOKIE,
        ".".join(names[:MOST_NAMES]),
        salt=SALT,
        max_age=KEPT_FOR,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def knows(request: HttpRequest, username: str) -> bool:
    return any(constant_time_compare(mark, _mark(username)) for mark in _marks(request))


def is_trusted(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> bool:
    """For django-axes: whether an attempt is counted by its browser instead (`clubsite.views.signing_in`).

    A signed-in user who is asked for the password again may have left the desk, so django-axes counts those attempts.
    """
    if request.user.is_authenticated:
        return False
    return knows(request, str((credentials or {}).get("username") or ""))


def _marks(request: HttpRequest) -> list[str]:
    kept = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=KEPT_FOR)
    return [mark for mark in str(kept).split(".") if mark]


def _mark(username: str) -> str:
    """The keyed hash that represents a user name in the cookie. The cookie does not reveal the names."""
    return salted_hmac(SALT, name_as_counted(username), algorithm="sha256").hexdigest()[:24]
