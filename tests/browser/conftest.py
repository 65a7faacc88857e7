"""A real Chromium for the tests of this directory, and the errors it reported.

Every test in this directory gets the marker `browser`. `page` fails its test afterwards if the browser reported a
console error, an exception in a script or a violation of the Content-Security-Policy.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

Theme = Literal["light", "dark"]

HERE = Path(__file__).parent
PHONE = (375, 812)
LAPTOP = (1280, 800)
PROJECTOR = (1920, 1080)
ARGUMENTS = [
    "--no-sandbox",  # CI runs as root, where Chromium has no sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


def find_chromium() -> str:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found or not shutil.which(found):
        problem = f"There is no Chromium at {found}." if found else "Chromium is not installed here."
        remedy = "On Debian: apt-get install chromium; elsewhere set CHROMIUM to the path of the program."
        pytest.fail(f"{problem} {remedy}", pytrace=False)
    return found


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Use SQLite in a file, as on a real site, because an open page polls for news while a test writes.

    In memory the page and the test would share one connection's cache and lock each other's tables.
    """
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "browser.sqlite3")


@pytest.fixture(scope="session")
def live_server(django_db_setup: None, live_server: LiveServer) -> Iterator[LiveServer]:
    """The server starts after the database is made, because the database decides if threads share one connection.

    It stops when all requests are answered: a request that ended later would find no database.
    """
    yield live_server
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(timeout=30)


@pytest.fixture(scope="session")
def browser(live_server: LiveServer) -> Iterator[Browser]:
    """Depends on the server, so that the browser and all its connections are closed before the server stops."""
    chromium = find_chromium()
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        # Playwright keeps an event loop on this thread, which makes Django refuse its ORM; nothing here is async.
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


# htmx aborts a live check when a newer one begins or the page is left; a real failure is htmx:sendError.
GIVEN_UP = ("htmx:afterRequest,", "htmx:sendAbort,")


@pytest.fixture
def complaints() -> list[str]:
    """The errors that the browser reported in this test. A test that causes one on purpose clears the list."""
    return []


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, complaints: list[str]) -> Iterator[Page]:
    """A page in a new browser profile; addresses such as `/` are those of the live server."""
    context = browser.new_context(base_url=live_server.url, viewport={"width": LAPTOP[0], "height": LAPTOP[1]})
    context.set_default_timeout(15_000)
    page = context.new_page()

    def heard(message: ConsoleMessage) -> None:
        # Chromium reports broken CSP rules and files it could not load as console errors too.
        if message.type in ("error", "warning") and not message.text.startswith(GIVEN_UP):
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
    yield page
    context.close()
    assert not complaints, "the browser complained:\n" + "\n".join(complaints)


@pytest.fixture
def sign_in(page: Page, live_server: LiveServer) -> Callable[[User], None]:
    """Signs a user in without the login page, which has tests of its own."""

    def give_cookie(user: User) -> None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])

    return give_cookie


def assert_fits(page: Page) -> None:
    """The page needs no scrolling sideways. Waits first: a click may have opened a page that is not loaded yet."""
    page.wait_for_load_state()
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= shown, f"{page.url} is {wide} px wide and {shown} are shown"


def assert_accessible(page: Page, complaints: list[str]) -> None:
    """axe adds its own styles to the page, which the policy blocks: errors reported after it ran are not the page's."""
    page.wait_for_load_state()
    assert complaints == []
    found = Axe().run(page)
    complaints.clear()
    assert found.violations_count == 0, f"{page.url}: {found.generate_report()}"


def set_viewport(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def set_theme(page: Page, theme: Theme) -> None:
    """The theme the visitor's system asks for."""
    page.emulate_media(color_scheme=theme)
