"""What holds on every page: axe finds nothing serious, nothing with the focus is covered, charts are one tab stop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.services.hanchans import record_hanchan
from tests.browser.conftest import LAPTOP, PHONE, set_theme, set_viewport
from tests.cast import make_sheet
from tests.test_urls_matrix import TABLE, expected, places
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

SERIOUS = ("serious", "critical")
ROLES_THAT_LOOK = ("stranger", "admin", "owner")  # the owner only where others may not go
ALL = {"preload": False}  # axe would ask for the imported stylesheets at addresses of its own
COLOURS = {**ALL, "runOnly": ["color-contrast", "link-in-text-block"]}

# Pages with a bar that stays at the edge of the window, and long forms.
FORMS = (
    "/admin/ratings/hanchan/add/",
    "/admin/ratings/season/{season}/change/",
    "/admin/ratings/ruleset/{rule_set}/change/",
    "/tournaments/{event_slug}/manage/settings/",
    "/tournaments/{event_slug}/manage/schedule/",
)

# Colours fade from one theme to the other; axe would read them half-way.
FADED = "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)))"

# Whether another element lies over the middle of what has the focus (WCAG 2.2, 2.4.11).
COVERED = """() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const box = focused.getBoundingClientRect();
  if (!box.width || !box.height) return null;
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const label = focused.id && document.querySelector(`label[for="${CSS.escape(focused.id)}"]`);
  const seen = top && (focused.contains(top) || top.contains(focused) || (label && label.contains(top)));
  return seen ? null : `${focused.tagName} ${focused.name || focused.id || focused.textContent.trim()} under ` +
    (top ? `${top.tagName}.${top.className}` : "nothing: outside the window");
}"""


@pytest.fixture
def world(live_server: LiveServer) -> World:
    return make_world()


def addresses(role: str, world: World) -> Iterator[str]:
    """The first page of each kind that this role can open, and that no role before it opened."""
    earlier = ROLES_THAT_LOOK[: ROLES_THAT_LOOK.index(role)]
    names = places(world)
    for address, (get, _post) in TABLE.items():
        statuses = expected(get)
        if statuses[role] == 200 and all(statuses[each] != 200 for each in earlier):
            yield address.format(**names)


def sign_in(page: Page, world: World, role: str, url: str) -> None:
    cookie = world.client(role).cookies.get(settings.SESSION_COOKIE_NAME)
    if cookie:
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie.value, "url": url}])


def serious(page: Page, options: dict[str, Any] = ALL) -> list[str]:
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {[node['target'] for node in each['nodes']][:4]}" for each in found if each["impact"] in SERIOUS
    ]


def is_page(page: Page, address: str) -> bool:
    """Opens the address. Files and answers of other kinds are no pages; neither is a part of one, which has no head."""
    head = page.request.head(address)
    if not head.headers.get("content-type", "").startswith("text/html"):
        return False
    page.goto(address)
    return bool(page.title())


@pytest.mark.parametrize("role", ROLES_THAT_LOOK)
def test_axe_finds_nothing_serious_on_any_page(
    page: Page, complaints: list[str], world: World, live_server: LiveServer, role: str
) -> None:
    sign_in(page, world, role, live_server.url)
    found = []
    for address in addresses(role, world):
        set_theme(page, "light")
        if not is_page(page, address):
            continue
        by_day = serious(page)
        set_theme(page, "dark")
        page.evaluate(FADED)
        found += [f"{address} {each}" for each in [*by_day, *(f"dark {each}" for each in serious(page, COLOURS))]]

    complaints.clear()  # axe itself tries inline styles, which our policy refuses
    assert not found, "\n".join(found)


def covered_stops(page: Page, most: int = 60) -> list[str]:
    """What is covered, or out of the window, while it has the focus of the Tab key."""
    covered = []
    for _stop in range(most):
        page.keyboard.press("Tab")
        said = page.evaluate(COVERED)
        if said:
            covered.append(said)
    return covered


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_nothing_with_the_focus_is_covered(
    page: Page, world: World, live_server: LiveServer, size: tuple[int, int]
) -> None:
    set_viewport(page, size)
    sign_in(page, world, "admin", live_server.url)
    names = places(world)
    for address in FORMS:
        page.goto(address.format(**names))

        assert covered_stops(page) == [], address


def test_a_chart_is_one_stop_and_arrow_keys_move_between_its_games(page: Page, live_server: LiveServer) -> None:
    world = make_world()
    season, players = world.furiten.season, world.furiten.players[:4]
    for points in ([45_200, 31_100, 25_700, 18_000], [18_000, 25_700, 31_100, 45_200], [30_000] * 4):
        record_hanchan(season, make_sheet(players, *points))
    page.goto(players[0].get_absolute_url())
    stops = page.locator("svg.chart a[tabindex='0']")

    expect(stops).to_have_count(1)
    newest = stops.get_attribute("aria-label")
    stops.focus()
    page.keyboard.press("Shift+Tab")
    assert page.locator(".chart:focus, .chart :focus").count() == 0, "the drawing itself is a stop"
    stops.focus()
    page.keyboard.press("ArrowLeft")
    expect(stops).to_have_count(1)
    expect(stops).to_be_focused()
    assert stops.get_attribute("aria-label") != newest
    page.keyboard.press("End")
    assert stops.get_attribute("aria-label") == newest


def test_the_cards_of_a_table_have_edges_in_forced_colours(page: Page, world: World) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(world.furiten.hanchan.get_absolute_url())

    expect(page.locator(".mat .seat").first).to_have_css("border-top-width", "1px")
    expect(page.locator(".mat .seat").first).to_have_css("border-top-style", "solid")


def test_japanese_names_are_readable_without_a_font_of_the_system(page: Page, live_server: LiveServer) -> None:
    page.goto("/")
    loaded = page.evaluate(
        """document.fonts.load('16px "Noto Sans JP"', "佐藤 健, ヤマダ")""" + ".then((all) => all.length)"
    )

    assert loaded == 1
