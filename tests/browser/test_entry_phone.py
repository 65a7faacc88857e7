"""The entry page on a small phone: everything on one screen, and nothing with the focus under the bar."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Player, Season
from tests.browser.conftest import assert_accessible, assert_fits, set_viewport
from tests.cast import make_players, make_season, make_user

ADD = "/admin/ratings/hanchan/add/"
SMALL = (375, 667)

# The element with the focus, unless it is seen at its middle and near its corners.
COVERED = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return null;
  const box = focused.getBoundingClientRect();
  const spots = [[.5, .5], [.1, .2], [.9, .2], [.1, .8], [.9, .8]];
  const hidden = spots.filter(([x, y]) => {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return !top || !(focused.contains(top) || top.contains(focused) || top.closest("label")?.control === focused);
  });
  const what = focused.id || focused.name || focused.className || focused.textContent.trim();
  return hidden.length ? `${focused.tagName} ${what}: ${box.top | 0} to ${box.bottom | 0}` : null;
}"""


@pytest.fixture
def season(live_server: LiveServer) -> Season:
    today = timezone.localdate()
    return make_season(starts_on=today - datetime.timedelta(days=300), ends_on=None)


@pytest.fixture
def players(season: Season) -> list[Player]:
    return make_players(6)


@pytest.fixture
def referee(sign_in: Callable[[User], None], season: Season, players: list[Player]) -> None:
    sign_in(make_user("referee", season.club, "referee"))


def covered_while_tabbing(page: Page, key: str = "Tab") -> tuple[int, list[str]]:
    """Press Tab until the focus leaves the page. Return how many stops there were, and which were covered."""
    stops, covered = 0, []
    for _press in range(120):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement === document.body"):
            break
        stops += 1
        if found := page.evaluate(COVERED):
            covered.append(found)
    return stops, covered


@pytest.mark.usefixtures("referee")
class TestOneScreen:
    def test_four_players_and_a_bar_of_one_line_fit(self, page: Page) -> None:
        set_viewport(page, SMALL)
        page.goto(ADD)
        bar = page.locator(".check").bounding_box()
        assert bar is not None
        assert bar["height"] <= 64
        assert bar["y"] + bar["height"] <= 667
        for wind in range(4):
            for name in ("player", "points", "chombo"):
                box = page.locator(f"#id_seat{wind}-{name}").bounding_box()
                assert box is not None
                assert 0 < box["y"] < box["y"] + box["height"] <= bar["y"], (wind, name)
                assert box["height"] >= 44, (wind, name)
        assert_fits(page)

    def test_they_still_fit_when_all_is_typed(self, page: Page) -> None:
        set_viewport(page, SMALL)
        page.goto(ADD)
        for wind, (name, points) in enumerate([("сок", "387"), ("szcz", "315"), ("佐藤", "276"), ("berg", "222")]):
            page.locator(f"#id_seat{wind}-player").press_sequentially(name)
            page.keyboard.press("Enter")
            page.locator(f"#id_seat{wind}-points").fill(points)
        expect(page.locator("#check")).to_contain_text("The sum is right")
        expect(page.locator("#note3")).to_contain_text("reads 22 200")
        page.evaluate("scrollTo(0, 0)")
        bar, last = page.locator(".check").bounding_box(), page.locator("#id_seat3-points").bounding_box()
        assert bar is not None
        assert last is not None
        assert last["y"] + last["height"] <= bar["y"]

    @pytest.mark.parametrize("width", [320, 375])
    def test_nothing_is_wider_than_the_phone_with_all_that_a_row_can_say(self, page: Page, width: int) -> None:
        set_viewport(page, (width, 667))
        page.goto(ADD)
        page.locator("#id_seat0-player").fill("соколов")
        page.locator("#list-seat0-player [role=option]").first.click()
        page.locator("#id_seat0-points").fill("31.1")
        expect(page.locator("#note0")).to_contain_text("reads 31 100")
        for wind in range(4):
            page.locator("details.more summary").nth(wind).click()
            expect(page.locator(f"#id_seat{wind}-late_minutes")).to_be_visible()
            expect(page.get_by_text("Minutes late").nth(wind)).to_be_visible()
        assert_fits(page)

    def test_season_and_time_are_one_line_until_they_are_changed(self, page: Page, season: Season) -> None:
        set_viewport(page, SMALL)
        page.goto(ADD)
        expect(page.locator("#when-line")).to_contain_text(season.name)
        expect(page.locator("#when-line")).to_contain_text("today")
        expect(page.locator("#id_date")).to_be_hidden()
        page.get_by_text("Change", exact=True).click()
        page.locator("#id_date").fill("2026-01-05")
        expect(page.locator("#when-line")).to_contain_text("5 Jan 2026")

    def test_the_other_ways_to_save_are_in_a_menu(self, page: Page) -> None:
        set_viewport(page, SMALL)
        page.goto(ADD)
        draft = page.get_by_role("button", name="Save draft")
        expect(draft).to_be_hidden()
        page.locator(".others summary").press("Enter")
        expect(draft).to_be_visible()
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.locator(".others summary")).to_be_hidden()
        expect(draft).to_be_visible()


@pytest.mark.usefixtures("referee")
@pytest.mark.parametrize("size", [SMALL, (1440, 900), (1280, 600), (320, 568)])
class TestFocus:
    def test_nothing_with_the_focus_is_covered(self, page: Page, size: tuple[int, int]) -> None:
        set_viewport(page, size)
        page.goto(ADD)
        page.evaluate("document.querySelectorAll('.entry details:not(.others)').forEach((each) => each.open = true)")
        page.evaluate("document.activeElement.blur()")
        stops, covered = covered_while_tabbing(page)
        assert stops > 40
        assert covered == []
        _stops, covered = covered_while_tabbing(page, "Shift+Tab")
        assert covered == []

    def test_nor_with_errors(self, page: Page, size: tuple[int, int], complaints: list[str]) -> None:
        set_viewport(page, size)
        page.goto(ADD)
        page.keyboard.press("Control+Enter")
        expect(page.locator(".error").first).to_be_visible()
        expect(page.locator("#id_seat0-player")).to_be_focused()
        assert page.evaluate(COVERED) is None
        _stops, covered = covered_while_tabbing(page)
        assert covered == []
        complaints.clear()  # a refused form answers 422, which Chromium reports


@pytest.mark.usefixtures("referee")
def test_the_small_screen_has_no_barrier(page: Page, complaints: list[str]) -> None:
    set_viewport(page, SMALL)
    page.goto(ADD)
    page.locator(".others summary").click()
    assert_accessible(page, complaints)
