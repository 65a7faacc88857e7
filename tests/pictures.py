"""The pictures of the help pages and of the README, taken of the demo in Chromium: `python -m tests.pictures`.

DATABASE_URL names a database that holds the demo; it is only read, but for the sessions that sign in. Pictures are
written by day, in English, at one size, and small, because they are part of the repository.
"""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

FOLDER = Path(__file__).parent.parent / "clubsite" / "static" / "umaoka" / "help"
WIDE, HIGH = 1200, 900
LARGEST = 60_000
CLUB = "furiten"


@dataclass(frozen=True)
class Picture:
    """A page, and the name of the user who looks at it. Names in braces are those of `places`."""

    address: str
    user: str = ""


PICTURES = {
    "leaderboard": Picture("/clubs/{club}/seasons/{season}/"),
    "hanchan": Picture("/hanchans/{hanchan}/"),
    "entry": Picture("/admin/ratings/hanchan/add/", "furiten-scorer"),
    "penalties": Picture("/clubs/{club}/seasons/{season}/penalties/", "furiten-referee"),
    "desk": Picture("/admin/", "furiten-admin"),
    "what-if": Picture("/admin/ratings/season/{season_id}/what-if/?rules=preset-wrc", "furiten-admin"),
    "tournament": Picture("/tournaments/{event}/manage/", "furiten-admin"),
    "round": Picture("/tournaments/{event}/manage/rounds/1/1/", "furiten-admin"),
}


def places() -> dict[str, Any]:
    """The running season of the club with its newest game, and its event that is being played."""
    from ratings.models import Hanchan, Season
    from tournaments.models import Tournament

    season = Season.objects.filter(club__slug=CLUB, is_public=True).exclude(kind="tournament").latest("starts_on")
    event = Tournament.objects.filter(club__slug=CLUB).latest("starts_on")
    hanchan = Hanchan.objects.filter(season=season, status="final").latest("played_on")
    return {"club": CLUB, "season": season.slug, "season_id": season.pk, "event": event.slug, "hanchan": hanchan.pk}


def main() -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import ARGUMENTS, find_chromium

    names = places()
    FOLDER.mkdir(exist_ok=True)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps an event loop on this thread
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*ARGUMENTS, "--lang=en-GB"])
        for name, picture in PICTURES.items():
            context = browser.new_context(
                base_url=url, viewport={"width": WIDE, "height": HIGH}, color_scheme="light", locale="en-GB"
            )
            if picture.user:
                sign_in(context, picture.user, url)
            path = FOLDER / f"{name}.webp"
            path.write_bytes(take(context, picture.address.format(**names)))
            print(f"{path.name}: {path.stat().st_size // 1000} kB")
            context.close()
        browser.close()


def take(context: BrowserContext, address: str) -> bytes:
    """The window as a WebP file, in the best quality that is small enough."""
    page = context.new_page()
    answer = page.goto(address, wait_until="networkidle")
    if answer is None or not answer.ok:
        raise ValueError(f"{address} cannot be opened")
    page.evaluate("document.activeElement.blur()")
    session = context.new_cdp_session(page)
    for quality in (90, 75, 60, 45):
        taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        content = base64.b64decode(taken["data"])
        if len(content) < LARGEST:
            return content
    raise ValueError(f"{address} gives a picture of {len(content)} bytes")


def sign_in(context: BrowserContext, user: str, url: str) -> None:
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.get(username=user), settings.AUTHENTICATION_BACKENDS[-1])
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": url}])


@contextmanager
def served() -> Iterator[str]:
    """The site with its static files at a free port."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
    server.set_app(StaticFilesHandler(get_wsgi_application()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    main()
