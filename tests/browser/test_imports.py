"""Importing a file in a real browser: upload, questions about names, dry run, import, undo; axe finds no problem."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import FilePayload, Page, expect

from ratings.models import Hanchan, ImportBatch, Player
from tests.browser.conftest import LAPTOP, PHONE, assert_accessible, assert_fits, set_theme, set_viewport
from tests.ratings.files import WIDE, csv, wide, xlsx
from tests.world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)

ADD = "/admin/ratings/importbatch/add/"
DAY = datetime.date(2026, 4, 20)
RIGHT = [45_200, 31_100, 25_700, 18_000]


@pytest.fixture
def world() -> World:
    return make_world()


def choose(page: Page, name: str, content: bytes) -> None:
    page.get_by_label("File").set_input_files(
        FilePayload(name=name, mimeType="application/octet-stream", buffer=content)
    )
    page.get_by_role("button", name="Show what it would do").click()


def looked_at(page: Page, complaints: list[str]) -> None:
    """Nothing scrolls sideways at either width, and axe finds no problem in either theme."""
    for size in (PHONE, LAPTOP):
        set_viewport(page, size)
        assert_fits(page)
    for theme in ("light", "dark"):
        set_theme(page, theme)
        # Colours fade from one theme to the other; axe would read them half-way.
        page.evaluate("Promise.all(document.getAnimations().map(each => each.finished.catch(() => 0)))")
        assert_accessible(page, complaints)


def test_games_come_in_and_go_again(
    page: Page, world: World, sign_in: Callable[[User], None], complaints: list[str]
) -> None:
    sign_in(world.users["admin"])
    four = [player.native_name for player in world.furiten.players]
    page.goto(ADD)
    looked_at(page, complaints)
    page.get_by_label("Import into").select_option(str(world.furiten.season.pk))
    choose(page, "old.xlsx", xlsx(WIDE, wide(DAY, ["Dmitri Sokolow", *four[1:]], RIGHT)))

    expect(page.get_by_role("heading", name="Who are these?")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_label("Dmitri Sokolow", exact=True).select_option(str(world.furiten.player.pk))
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_text("The leaderboard afterwards")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_role("button", name="Import 1 game").click()

    expect(page.get_by_text("1 game was imported.")).to_be_visible()
    looked_at(page, complaints)
    assert Hanchan.objects.filter(season=world.furiten.season, status="final").count() == 2
    page.get_by_role("button", name="Undo the import").click()

    expect(page.get_by_text("its games are void")).to_be_visible()
    assert Hanchan.objects.filter(season=world.furiten.season, status="void").count() == 1


def test_players_come_in_and_go_again(
    page: Page, world: World, sign_in: Callable[[User], None], complaints: list[str]
) -> None:
    sign_in(world.users["admin"])
    page.goto("/admin/")
    page.get_by_role("link", name="Import a list of players").click()
    choose(page, "people.csv", csv(["Kto", "Skąd"], ["Małgorzata Nowa", "PL"], ["Dmitri Sokolow", "BY"]))

    expect(page.get_by_role("heading", name="Columns of “people.csv”")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_label("A: Kto").select_option("name")
    page.get_by_label("B: Skąd").select_option("country")
    page.get_by_role("button", name="Show what it would do").click()

    expect(page.get_by_role("heading", name="Who are these?")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_label("Dmitri Sokolow", exact=True).select_option("new")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Import the list").click()

    expect(page.get_by_text("2 players were imported.")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_role("button", name="Undo the import").click()

    expect(page.get_by_text("the players it added are removed")).to_be_visible()
    assert not Player.objects.filter(native_name__in=["Małgorzata Nowa", "Dmitri Sokolow"]).exists()


def test_entries_come_in_and_go_again(
    page: Page, world: World, sign_in: Callable[[User], None], complaints: list[str]
) -> None:
    sign_in(world.users["admin"])
    page.goto("/tournaments/furiten-open/manage/entries/")
    page.get_by_role("link", name="Import a file").click()
    looked_at(page, complaints)
    rows = [["Ольга Новая", "Minsk", "04270001"], ["佐藤 健太", "", ""]]
    choose(page, "entries.csv", csv(["Name", "Team", "EMA number"], *rows))

    expect(page.get_by_text("Entry by entry")).to_be_visible()
    looked_at(page, complaints)
    if page.get_by_role("button", name="Continue").is_visible():
        page.get_by_label("佐藤 健太", exact=True).select_option("new")
        page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Import the list").click()

    expect(page.get_by_text("2 players are entered.")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_role("button", name="Undo the import").click()

    expect(page.get_by_text("removed from the list")).to_be_visible()


def test_a_file_that_is_wrong_is_told_where(
    page: Page, world: World, sign_in: Callable[[User], None], complaints: list[str]
) -> None:
    sign_in(world.users["admin"])
    four = [player.native_name for player in world.furiten.players]
    page.goto(ADD)
    page.get_by_label("Import into").select_option(str(world.furiten.season.pk))
    choose(page, "old.xlsx", xlsx(WIDE, wide(DAY, four, [1000, *RIGHT[1:]]), wide("someday", four, RIGHT, game=2)))

    expect(page.get_by_text("row 3, column A: “someday” is not a date.")).to_be_visible()
    expect(page.get_by_text("44200 are missing")).to_be_visible()
    looked_at(page, complaints)
    assert ImportBatch.objects.filter(state="done").count() == 0
