"""Answer repeated requests without rendering again: entity tags, 304, and whole pages in Django's cache.

Two responses are the same if the facts of the page, the address, the language, the reader and the build of the site
are the same. The module does not know what the facts are: a page passes a value that changes whenever the page would
look different.
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
    """A value that changes when code, templates or styles of the site change. It is the same in every process."""
    newest = max(
        path.stat().st_mtime_ns
        for name in _SOURCES
        for path in (settings.BASE_DIR / name).rglob("*")
        if path.suffix != ".pyc"
    )
    return f"{newest:x}"


@cache
def _token_mark() -> str:
    """The placeholder for the reader's CSRF token in a cached page. It cannot be guessed and is never shown."""
    return salted_hmac("clubsite.freshness", "csrf token").hexdigest()


def keep(key: tuple[object, ...], make: Callable[[], Any]) -> Any:
    """A computed value, cached under a key of everything it depends on."""
    return store.get_or_set(_digest(build(), *key), make, KEPT_FOR)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:32]


def page(request: HttpRequest, facts: object, template: str, context: Callable[[], dict[str, Any]]) -> HttpResponseBase:
    """Answer with 304 if the reader has the page, else with the cached page, else with a newly rendered page.

    `facts` must change whenever the page would change. `context` is called only when the page has to be rendered.
    """
    known = settings.SESSION_COOKIE_NAME in request.COOKIES
    if settings.DEBUG or _has_messages(request, known):
        # A message is shown only once, and a developer wants to see the template just edited.
        answer = HttpResponse(render_to_string(template, context(), request))
        answer["Cache-Control"] = "private, no-store"
        return answer
    parts = (build(), facts, request.get_full_path(), get_language(), request.user.pk if known else None)
    # The page in the browser contains a CSRF token, which becomes invalid with a new cookie.
    etag = f'"{_digest(parts, request.COOKIES.get(settings.CSRF_COOKIE_NAME))}"'
    unchanged = get_conditional_response(request, etag=etag)
    answer = unchanged or HttpResponse(_kept(request, _digest(parts), template, context))
    answer["ETag"] = etag
    answer["Cache-Control"] = "private, no-cache"
    answer["Vary"] = "Cookie"  # another session cookie is another reader; middleware adds the language
    return answer


def _has_messages(request: HttpRequest, known: bool) -> bool:
    """Whether messages wait, in the session or in a cookie. A reader with neither has none and is not looked up."""
    return (known or MESSAGES_COOKIE in request.COOKIES) and len(get_messages(request)) > 0


def _kept(request: HttpRequest, key: str, template: str, context: Callable[[], dict[str, Any]]) -> bytes:
    pieces: list[bytes] | None = store.get(key)
    if pieces is None:
        mark = _token_mark()
        body = render_to_string(template, {**context(), "csrf_token": mark}, request)
        pieces = body.encode().split(mark.encode())
        store.set(key, pieces, KEPT_FOR)
    return get_token(request).encode().join(pieces) if len(pieces) > 1 else pieces[0]
