"""The page of a game in a real browser: phone, laptop, both themes, keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from ratings.models import Hanchan
from ratings.services.hanchans import record_hanchan
from tests.browser.conftest import PHONE, Theme, assert_accessible, assert_fits, set_theme, set_viewport
from tests.cast import make_players, make_season, make_sheet

DESK = (1440, 900)
SMALL = (320, 640)


@pytest.fixture
def game(live_server: LiveServer) -> Hanchan:
    """Long names, a stick left, a chombo, a fine and a substitute: as much as a page ever holds."""
    players = make_players(8)
    four = [players[1], players[5], players[2], players[6]]
    east = {"chombo": 1, "penalty": 2000, "late_minutes": 3, "substitute": "mid_game", "played_by": players[0].pk}
    sheet = make_sheet(four, 45_200, 32_600, 23_900, 17_300, east=east, sticks_left=1, table=12)
    return record_hanchan(make_season(), sheet)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_of_a_game_passes_axe(
    page: Page, complaints: list[str], game: Hanchan, theme: Theme, size: tuple[int, int]
) -> None:
    set_theme(page, theme)
    set_viewport(page, size)
    page.goto(game.get_absolute_url())

    assert_accessible(page, complaints)


@pytest.mark.parametrize("winds_unknown", [False, True], ids=["winds known", "winds unknown"])
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["375", "320"])
def test_the_page_of_a_game_does_not_scroll_sideways(
    page: Page, game: Hanchan, size: tuple[int, int], winds_unknown: bool
) -> None:
    Hanchan.objects.filter(pk=game.pk).update(winds_unknown=winds_unknown)
    set_viewport(page, size)
    page.goto(game.get_absolute_url())

    assert_fits(page)
    for number in page.locator(".steps .outcome td:not(.sumcol)").all():
        box = number.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]


def test_east_sits_below_west_with_south_to_the_right(page: Page, game: Hanchan) -> None:
    set_viewport(page, DESK)
    page.goto(game.get_absolute_url())
    boxes = [page.locator(f".mat .seat.{wind}").bounding_box() for wind in ("east", "south", "west", "north")]
    (east, south, west, north) = ((box["x"], box["y"]) for box in boxes if box)

    assert west[1] < south[1] < east[1]
    assert north[0] < east[0] < south[0]


def test_names_on_the_mat_lead_to_their_players(page: Page, game: Hanchan) -> None:
    page.goto(game.get_absolute_url())
    page.locator(".mat .seat.north a").first.click()

    assert "Александра Константинопольская" in page.locator("h1").inner_text()
