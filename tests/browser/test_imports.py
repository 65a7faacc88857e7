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


def choose(page: Page, name: str, content: bytes, button: str = "Show what it would do") -> None:
    page.get_by_label("File").set_input_files(
        FilePayload(name=name, mimeType="application/octet-stream", buffer=content)
    )
    page.get_by_role("button", name=button).click()


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
    asked = page.get_by_role("group", name="Dmitri Sokolow")
    asked.get_by_role("combobox").press_sequentially("sokolov")
    asked.get_by_role("option", name="Дмитрий Соколов").click()
    expect(asked.get_by_label("another player")).to_be_checked()
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
    page.goto("/clubs/furiten/players/")
    page.get_by_role("link", name="Import a list").click()
    looked_at(page, complaints)
    rows = [["Małgorzata Nowa", "PL"], ["Dmitri Sokolow", "BY"]]
    choose(page, "people.csv", csv(["Kto", "Skąd"], *rows), "Upload file")

    expect(page.get_by_role("heading", name="Columns of “people.csv”")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_label("A: Kto").select_option("name")
    page.get_by_label("B: Skąd").select_option("country")
    page.get_by_role("button", name="Show what it would do").click()

    expect(page.get_by_role("heading", name="Who are these?")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_role("group", name="Dmitri Sokolow").get_by_label("a new player").check()
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
        page.get_by_role("group", name="佐藤 健太").get_by_label("a new player").check()
        page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Import the list").click()

    expect(page.get_by_text("2 players are entered.")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_role("button", name="Undo the import").click()

    expect(page.get_by_text("removed from the list")).to_be_visible()


def test_what_is_wrong_in_a_file_is_corrected_on_the_page(
    page: Page, world: World, sign_in: Callable[[User], None], complaints: list[str]
) -> None:
    sign_in(world.users["admin"])
    four = [player.native_name for player in world.furiten.players]
    page.goto(ADD)
    page.get_by_label("Import into").select_option(str(world.furiten.season.pk))
    choose(page, "old.xlsx", xlsx(WIDE, wide(DAY, four, [1000, *RIGHT[1:]]), wide("someday", four, RIGHT, game=2)))

    first, second = (page.get_by_role("group", name=f"Row {row}") for row in (2, 3))
    expect(first.get_by_text("44 200 are missing")).to_be_visible()
    expect(second.get_by_text("“someday” is not a date.")).to_be_visible()
    looked_at(page, complaints)
    first.get_by_label("Leave this row out").check()
    second.get_by_label("A: Date").fill("20.4.26")
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_text("1 row is left out: 2.")).to_be_visible()
    expect(page.get_by_role("button", name="Import 1 game")).to_be_visible()
    looked_at(page, complaints)
    assert ImportBatch.objects.filter(state="done").count() == 0


def test_a_pasted_list_is_read_beside_the_box_and_added(
    page: Page, world: World, sign_in: Callable[[User], None], complaints: list[str]
) -> None:
    """A namesake of another club is asked about, and the answer stays while the list is typed on."""
    stranger = world.haneman.players[0]
    sign_in(world.users["admin"])
    page.goto("/admin/clubs/furiten/players/add/")
    names = page.get_by_label("Names")
    names.fill(f"Małgorzata Nowa\n{stranger.native_name}")
    asked = page.get_by_label(f"Who is {stranger.native_name}?")
    expect(asked).to_be_visible()
    looked_at(page, complaints)
    expect(page.get_by_role("button", name="Add 1 player")).to_be_visible()
    asked.select_option(str(stranger.pk))
    expect(page.get_by_role("button", name="Add 2 players")).to_be_visible()

    names.press("Control+End")
    names.press_sequentially("\nJan Nowy")
    expect(page.get_by_role("button", name="Add 3 players")).to_be_visible()
    expect(asked).to_have_value(str(stranger.pk))
    page.get_by_role("button", name="Add 3 players").click()

    expect(page.get_by_text("3 players were imported.")).to_be_visible()
    assert world.furiten.club.players.filter(pk=stranger.pk).exists()
