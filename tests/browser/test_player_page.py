"""A player's page in a real browser: a curve for the keyboard, a phone without sideways scrolling."""

from __future__ import annotations

import datetime

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Player
from ratings.services.hanchans import record_hanchan
from tests.browser.conftest import PHONE, Theme, assert_accessible, assert_fits, set_theme, set_viewport
from tests.cast import THURSDAY, make_players, make_season, make_sheet

DESK = (1440, 900)
SMALL = (320, 640)


@pytest.fixture
def player(live_server: LiveServer) -> Player:
    """Alexandra, who has a long name and thirty games against seven others."""
    players = make_players(8)
    players.insert(0, players.pop(6))
    season = make_season()
    for number in range(30):
        others = [players[1 + (number + step) % 7] for step in range(3)]
        points = [(46_200, 32_600, 23_900, 17_300), (17_300, 46_200, 32_600, 23_900)][number % 2]
        at = THURSDAY + datetime.timedelta(days=number)
        record_hanchan(season, make_sheet([players[0], *others], *points, at=at))
    return players[0]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_of_a_player_passes_axe(
    page: Page, complaints: list[str], player: Player, theme: Theme, size: tuple[int, int]
) -> None:
    set_theme(page, theme)
    set_viewport(page, size)
    page.goto(player.get_absolute_url())

    assert_accessible(page, complaints)


@pytest.mark.parametrize("address", ["/players/", "/players/?q=nobody"])
def test_the_search_passes_axe(page: Page, complaints: list[str], player: Player, address: str) -> None:
    page.goto(address)

    assert_accessible(page, complaints)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["375", "320"])
def test_neither_page_scrolls_sideways(page: Page, player: Player, size: tuple[int, int]) -> None:
    set_viewport(page, size)
    for address in (player.get_absolute_url(), f"{player.get_absolute_url()}?show=all", "/players/"):
        page.goto(address)
        assert_fits(page)


def test_the_curve_is_walked_by_keyboard_and_each_point_opens_its_game(page: Page, player: Player) -> None:
    set_viewport(page, DESK)
    page.goto(player.get_absolute_url())
    points = page.locator(".chart a.point")
    assert points.count() == 30
    points.first.focus()
    expect(points.first.locator(".tip")).to_be_visible()

    page.keyboard.press("ArrowRight")

    expect(points.nth(1)).to_be_focused()
    expect(points.nth(1).locator(".tip")).to_be_visible()
    expect(points.first.locator(".tip")).to_be_hidden()
    assert points.nth(1).get_attribute("aria-label") == "17 April, game 2, 4th: −21.7, total +3.5"
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Hanchan of 17 April 2026")


def test_the_curve_can_be_read_as_a_table(page: Page, player: Player) -> None:
    page.goto(player.get_absolute_url())
    page.get_by_text("Show as a table").click()

    table = page.locator(".curve table")
    expect(table).to_be_visible()
    assert table.locator("tbody tr").count() == 30


def test_another_choice_of_games_is_one_form_without_scripts(page: Page, player: Player) -> None:
    page.goto(player.get_absolute_url())
    page.get_by_label("Which games").select_option("all")
    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.locator(".stats")).to_contain_text("Seasons")


def test_the_search_in_the_top_bar_finds_a_player(page: Page, player: Player) -> None:
    page.goto("/")
    page.get_by_label("Find a player").fill("konstantin")
    page.keyboard.press("Enter")
    page.get_by_role("link", name=player.native_name).click()

    expect(page.locator("h1")).to_have_text(player.native_name)
