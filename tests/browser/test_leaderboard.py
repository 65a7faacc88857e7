"""Leaderboard, games, players and penalties in a real browser: on a phone, by keyboard, by day and by night."""

from __future__ import annotations

import datetime

import pytest
from playwright.sync_api import Page, expect

from ratings.models import Adjustment, Player, Season
from ratings.services.hanchans import record_hanchan
from tests.browser.conftest import LAPTOP, PHONE, Theme, assert_accessible, assert_fits, set_theme, set_viewport
from tests.cast import THURSDAY, make_players, make_season, make_sheet, make_user

SMALL_PHONE = (320, 640)
TABLET = (900, 1000)
WIDE = (1300, 900)
PAGES = ["", "seasons/spring/", "seasons/spring/games/", "seasons/spring/penalties/", "players/"]


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Eight players, long names among them; two have played too little to be ranked."""
    season = make_season(name="Spring season 2026", slug="spring", minimum_games=2)
    make_season(season.club, name="Free games", slug="free", kind="simplified")
    players = make_players(8)
    for number in range(6):
        four = [players[(number * 3 + seat) % 6] for seat in range(4)]
        record_hanchan(season, make_sheet(four, 45_200, 31_100, 25_700, 18_000, at=at(number), table=number + 1))
    record_hanchan(season, make_sheet([*players[6:], *players[:2]], 61_000, 40_000, 20_000, -1000, at=at(9)))
    Adjustment.objects.create(
        season=season,
        player=players[0],
        points=-20_000,
        reason="Came after the second round had begun",
        given_on=THURSDAY.date(),
        by=make_user("referee", season.club, "referee"),
    )
    Player.objects.filter(pk=players[3].pk).update(visibility="hidden")
    return season


def at(day: int) -> datetime.datetime:
    return THURSDAY + datetime.timedelta(days=day)


def club(page: str) -> str:
    return f"/clubs/furiten/{page}"


def sorted_column(page: Page) -> str:
    return page.locator(".board th[aria-sort]").inner_text()


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, TABLET, LAPTOP, WIDE], ids=str)
def test_nothing_scrolls_sideways(page: Page, season: Season, size: tuple[int, int], address: str) -> None:
    set_viewport(page, size)
    page.goto(club(address))

    assert_fits(page)
    # A card hides content that is too wide for it, so the page itself does not scroll.
    edges = "cell => cell.getBoundingClientRect().right - cell.closest('.card').getBoundingClientRect().right"
    assert max(page.locator(".card.flush tbody tr > *").evaluate_all(f"cells => cells.map({edges})")) <= 1


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lists_pass_axe(page: Page, complaints: list[str], season: Season, theme: Theme, size: tuple[int, int]) -> None:
    set_theme(page, theme)
    set_viewport(page, size)
    for address in PAGES:
        page.goto(club(address))
        assert_accessible(page, complaints)
    page.goto(club("seasons/spring/?asof=2026-04-18"))
    assert_accessible(page, complaints)


def test_rank_name_and_total_are_in_sight_on_a_phone(page: Page, season: Season) -> None:
    set_viewport(page, SMALL_PHONE)
    page.goto(club("seasons/spring/"))

    row = page.locator(".board tbody tr").first
    for part in (".rank-cell", ".name-cell", ".total-cell"):
        box = row.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= SMALL_PHONE[0]
    expect(row.locator(".off").first).to_be_hidden()


def test_a_column_is_sorted_by_a_click(page: Page, season: Season) -> None:
    page.goto(club("seasons/spring/"))
    assert sorted_column(page) == "Total"

    page.get_by_role("link", name="Games", exact=True).nth(1).click()

    assert sorted_column(page) == "Games"
    games = [int(cell) for cell in page.locator(".board td.games-cell").all_inner_texts()]
    assert games == sorted(games, reverse=True)


def test_a_column_is_sorted_by_keyboard(page: Page, season: Season) -> None:
    page.goto(club("seasons/spring/"))
    page.locator(".board thead a", has_text="Avg place").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=average_place")

    assert sorted_column(page) == "Avg place"
    places = [float(cell) for cell in page.locator(".board td.average-cell").all_inner_texts()]
    assert places == sorted(places)


def test_sorting_and_filtering_work_on_a_phone_without_heads(page: Page, season: Season) -> None:
    set_viewport(page, PHONE)
    page.goto(club("seasons/spring/"))
    page.get_by_text("Filter and sort").click()
    page.get_by_label("Sort by").select_option("-games")
    page.get_by_label("Minimum games").fill("5")
    page.get_by_role("button", name="Show", exact=True).click()

    expect(page.get_by_role("heading", name="Not ranked with this minimum")).to_be_visible()
    expect(page.get_by_text("Filter and sort")).to_be_visible()


def test_the_table_of_a_past_day_has_the_way_back(page: Page, season: Season) -> None:
    page.goto(club("seasons/spring/"))
    page.get_by_label("As of").fill("2026-04-18")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("as of Saturday 18 April 2026. 4 hanchans have been played since.")).to_be_visible()

    page.get_by_role("link", name="Show today’s leaderboard").click()
    page.wait_for_url("**/seasons/spring/")


def test_a_total_leads_to_the_games_behind_it_and_a_result_to_its_game(page: Page, season: Season) -> None:
    page.goto(club("seasons/spring/"))
    page.locator(".board td.total a").first.click()
    expect(page.get_by_role("heading", name="What they add up to")).to_be_visible()

    page.locator(".games .mine a.num").first.click()
    page.wait_for_url("**/hanchans/*/")


def test_the_switcher_changes_the_season_and_stays_on_the_tab(page: Page, season: Season) -> None:
    page.goto(club("seasons/spring/games/"))
    page.get_by_label("Season", exact=True).select_option("free")
    page.get_by_role("button", name="Show season").click()

    page.wait_for_url("**/seasons/free/games/")
    expect(page.get_by_text("No hanchan played yet")).to_be_visible()


def test_the_season_race_comes_when_the_reader_scrolls_to_it(page: Page, season: Season, complaints: list[str]) -> None:
    set_viewport(page, PHONE)
    page.goto(club("seasons/spring/"))
    page.locator("#race").scroll_into_view_if_needed()

    race = page.locator("figure.race")
    expect(race.locator("polyline")).to_have_count(6)
    lowest = race.locator(".race-plot li").last.bounding_box()
    field = race.locator(".rank-lines").bounding_box()
    assert lowest is not None
    assert field is not None
    assert lowest["y"] + lowest["height"] < field["y"] + field["height"]  # one row more, for all places below
    assert_accessible(page, complaints)
    assert_fits(page)


@pytest.mark.parametrize("size", [LAPTOP, WIDE, (1440, 900)], ids=str)
def test_no_name_of_the_games_breaks_inside_a_word(page: Page, season: Season, size: tuple[int, int]) -> None:
    set_viewport(page, size)
    page.goto(club("seasons/spring/games/"))

    rows = page.locator(".games .who .name").filter(has_text="Константинопольская").all()
    assert rows
    for name in rows:
        words = len(name.inner_text().split())
        lines = name.evaluate("each => new Set([...each.getClientRects()].map(line => Math.round(line.top))).size")
        assert lines <= words
