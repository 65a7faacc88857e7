"""Answering again without working again: entity tags, 304, and whole pages kept in Django's cache.

Owns what makes two answers the same besides the page's own facts: address, language, reader and the build of the
site. Refuses to know what the facts are; a page hands over a value that changes whenever it would look different.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache as store
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language

KEPT_FOR = 3600
MESSAGES_COOKIE = CookieStorage.cookie_name
_SOURCES = ("clubsite", "ratings", "tournaments", "templates", "locale")


@cache
def build() -> str:
    """Changes whenever the code, the templates or the styles of the site do; the same in every process."""
    newest = max(
        path.stat().st_mtime_ns
        for name in _SOURCES
        for path in (settings.BASE_DIR / name).rglob("*")
        if path.suffix != ".pyc"
    )
    return f"{newest:x}"


@cache
def _token_mark() -> str:
    """Stands where each reader's own CSRF token belongs while a page is made. Nobody can guess it, nor ever sees it."""
    return salted_hmac("clubsite.freshness", "csrf token").hexdigest()


def keep(key: tuple[object, ...], make: Callable[[], Any]) -> Any:
    """A computed value, kept under whatever it depends on."""
    return store.get_or_set(_digest(build(), *key), make, KEPT_FOR)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:32]


def page(request: HttpRequest, facts: object, template: str, context: Callable[[], dict[str, Any]]) -> HttpResponseBase:
    """The page as the reader already has it (304), as it is kept, or made anew.

    `facts` must change whenever the page would; `context` is called only when the page has to be made.
    """
    known = settings.SESSION_COOKIE_NAME in request.COOKIES
    if settings.DEBUG or _has_messages(request, known):
        # A message is said once, and a developer wants to see the template just edited.
        answer = HttpResponse(render_to_string(template, context(), request))
        answer["Cache-Control"] = "private, no-store"
        return answer
    parts = (build(), facts, request.get_full_path(), get_language(), request.user.pk if known else None)
    # A page held by the browser holds a token, which a new cookie makes worthless.
    etag = f'"{_digest(parts, request.COOKIES.get(settings.CSRF_COOKIE_NAME))}"'
    unchanged = get_conditional_response(request, etag=etag)
    answer = unchanged or HttpResponse(_kept(request, _digest(parts), template, context))
    answer["ETag"] = etag
    answer["Cache-Control"] = "private, no-cache"
    answer["Vary"] = "Cookie"  # whoever has a session is somebody else; middleware adds the language
    return answer


def _has_messages(request: HttpRequest, known: bool) -> bool:
    """Messages wait in the session or in a cookie; a reader with neither has none, and need not be looked up."""
    return (known or MESSAGES_COOKIE in request.COOKIES) and len(get_messages(request)) > 0


def _kept(request: HttpRequest, key: str, template: str, context: Callable[[], dict[str, Any]]) -> bytes:
    pieces: list[bytes] | None = store.get(key)
    if pieces is None:
        mark = _token_mark()
        body = render_to_string(template, {**context(), "csrf_token": mark}, request)
        pieces = body.encode().split(mark.encode())
        store.set(key, pieces, KEPT_FOR)
    return get_token(request).encode().join(pieces) if len(pieces) > 1 else pieces[0]
