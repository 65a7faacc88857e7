"""From what-if to a replayed season in a real browser; a separate process does the work beside a real server."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, assert_accessible, assert_fits, set_theme, set_viewport

ROOT = Path(__file__).resolve().parents[2]
GAMES = 20_000
DONE = re.compile(r"20.000 games were replayed")
SEASON = "/clubs/large/seasons/season/"
MAKE = """
import django, os
os.environ["DJANGO_SETTINGS_MODULE"] = "clubsite.settings"
django.setup()
from django.contrib.auth.models import User
User.objects.create_superuser("owner", password="tile-for-tile")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """A served site with a season long enough for its progress to be seen.

    A worker needs a database that another process can open.
    """
    database = f"sqlite:///{folder / 'site.sqlite3'}"
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment = kept | {"UMAOKA_VAR": str(folder), "DATABASE_URL": database}
    sizes = ["--hanchans", str(GAMES), "--players", "60", "--database", database]
    for command in (["-m", "tests.scale", *sizes], ["-c", MAKE]):
        subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True)
    server = subprocess.Popen(
        [sys.executable, "manage.py", "start", "127.0.0.1:0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    found = next((match[1] for line in server.stdout if (match := re.search(r"(http://127\.0\.0\.1:\d+)/", line))), "")
    yield found
    server.terminate()
    server.wait()
    server.stdout.close()


@contextmanager
def held_in_the_middle(database: Path) -> Iterator[None]:
    """Stop the process of the replay when it has reported progress, and let it go on afterwards.

    A page asks once a second; a fast machine would be done in between.
    """
    query = "SELECT process FROM clubsite_job WHERE kind = 'replay' AND state = 'running' AND done > 0"
    with closing(sqlite3.connect(database, timeout=30)) as file:
        for _patience in range(6_000):
            if found := file.execute(query).fetchone():
                break
            time.sleep(0.01)
        else:
            pytest.fail("the replay reported no progress")
    os.kill(found[0], signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(found[0], signal.SIGCONT)


def test_a_replay_shows_its_progress_and_its_end(page: Page, folder: Path, address: str, complaints: list[str]) -> None:
    page.goto(f"{address}/admin/login/?next=/admin/ratings/season/1/what-if/")
    page.fill("[name=username]", "owner")
    page.fill("[name=password]", "tile-for-tile")
    page.press("[name=password]", "Enter")

    page.get_by_label("Rules", exact=True).select_option(label="M-League")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("shifts every score by −5000")).to_be_visible(timeout=60_000)
    assert_accessible(page, complaints)
    picture(page, "what-if")
    set_viewport(page, PHONE)
    set_theme(page, "dark")
    assert_fits(page)
    picture(page, "what-if-phone")
    set_viewport(page, LAPTOP)
    set_theme(page, "light")

    page.get_by_label("Why?").fill("as voted in spring")
    page.get_by_role("button", name="Replay all").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    with held_in_the_middle(folder / "site.sqlite3"):
        expect(page.locator("#job")).to_contain_text(re.compile(r"\d000 of 20.000"))
        picture(page, "progress")
        assert_accessible(page, complaints)
    expect(page.locator("#job")).to_contain_text(DONE, timeout=120_000)
    picture(page, "done")

    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_text("M-League").first).to_be_visible()


def test_the_progress_page_works_without_javascript_too(page: Page, address: str) -> None:
    context = page.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]
    plain = context.new_page()
    plain.goto(f"{address}/admin/login/?next=/admin/ratings/season/1/what-if/?rules=preset-ema-2012")
    plain.fill("[name=username]", "owner")
    plain.fill("[name=password]", "tile-for-tile")
    plain.press("[name=password]", "Enter")
    plain.get_by_label("Why?").fill("back again")
    plain.get_by_role("button", name="Replay all").click()

    for _patience in range(600):
        if plain.get_by_text("games were replayed").count():
            break
        plain.get_by_role("link", name="Refresh").click()
    assert plain.get_by_text(DONE).count() == 1
    context.close()


def test_a_large_season_is_fetched_as_a_workbook_and_read_again(
    page: Page, address: str, tmp_path: Path, complaints: list[str]
) -> None:
    """Separate processes do both and show progress. The page asks about names that players of two clubs share."""
    page.goto(f"{address}/admin/login/?next=/clubs/large/")
    page.fill("[name=username]", "owner")
    page.fill("[name=password]", "tile-for-tile")
    page.press("[name=password]", "Enter")
    page.goto(f"{address}{SEASON}workbook.xlsx")
    assert_accessible(page, complaints)
    page.get_by_role("button", name="Create workbook").click()
    expect(page.locator("#job")).to_contain_text("The workbook is ready", timeout=120_000)
    picture(page, "workbook-done")
    with page.expect_download(timeout=60_000) as downloading:
        page.get_by_role("link", name="Continue").click()
    book = tmp_path / "season.xlsx"
    downloading.value.save_as(book)

    page.goto(f"{address}/admin/ratings/importbatch/add/?into=1")
    page.get_by_label("File").set_input_files(book)
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_role("heading", name="Reading “season.xlsx”")).to_be_visible()
    assert_accessible(page, complaints)
    expect(page.locator("#job")).to_contain_text("The file is read", timeout=240_000)
    page.get_by_role("link", name="Continue").click()

    expect(page.get_by_role("heading", name="What “season.xlsx” would do")).to_be_visible()
    expect(page.locator("dt:text-is('Problems') + dd")).to_have_text("0")
    expect(page.get_by_role("heading", name="Who are these?")).to_be_visible()
    picture(page, "read-again")
    assert_accessible(page, complaints)


def picture(page: Page, name: str) -> None:
    """Take a screenshot for a person to look at, if the run asks for it."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
