"""Typing a table with the keyboard alone, on a laptop and on a phone."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Affiliation, Hanchan, Player, Season
from ratings.services.hanchans import record_hanchan
from ratings.services.players import refresh_search_text
from tests.browser.conftest import PHONE, Theme, assert_fits, set_theme, set_viewport
from tests.cast import make_players, make_season, make_sheet, make_user

As = Callable[[str], None]
ADD = "/admin/ratings/hanchan/add/"
NAMES = ("соколов", "szcz", "佐藤", "berg")
POINTS = ("387", "315", "276", "222")


@pytest.fixture
def season(live_server: LiveServer) -> Season:
    today = timezone.localdate()
    return make_season(starts_on=today - datetime.timedelta(days=300), ends_on=None)


@pytest.fixture
def players(season: Season) -> list[Player]:
    return make_players(6)


@pytest.fixture
def as_role(sign_in: Callable[[User], None], season: Season) -> As:
    return lambda role: sign_in(make_user(role, season.club, role))


def type_table(page: Page, *points: str) -> None:
    """Type four names and four numbers at full speed, Enter after each but the last; the first field has the focus."""
    for wind, (name, number) in enumerate(zip(NAMES, points, strict=True)):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(page.locator(f"#id_seat{wind}-points")).to_be_focused()
        page.keyboard.type(number)
        if wind < 3:
            page.keyboard.press("Enter")
    for wind in range(4):  # the list may arrive after Enter was pressed; its player is taken all the same
        expect(page.locator(f"#id_seat{wind}-player_id")).not_to_have_value("")


def test_a_table_is_typed_without_the_mouse(page: Page, as_role: As, season: Season, players: list[Player]) -> None:
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "31.5", "27600", "222")
    expect(page.locator("#check")).to_contain_text("The sum is right")
    expect(page.locator("#preview")).to_contain_text("+17.7")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Saved: Дмитрий Соколов +17.7")
    expect(page.locator("#id_seat0-player")).to_be_focused()
    seats = Hanchan.objects.get().seats.all()
    assert [(seat.player, seat.points) for seat in seats] == list(
        zip(players[:4], (38_700, 31_500, 27_600, 22_200), strict=True)
    )


def test_a_wrong_sum_is_seen_before_saving_and_refused(
    page: Page, as_role: As, season: Season, players: list[Player], complaints: list[str]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "315", "276", "211")
    expect(page.locator("#check")).to_contain_text("1100 points short")
    page.keyboard.press("Control+Enter")
    expect(page.locator("main")).to_contain_text("1100 are missing")
    expect(page.locator("#id_seat3-points")).to_have_value("211")
    assert not Hanchan.objects.exists()
    complaints.clear()  # a refused form answers 422, which Chromium reports
    page.get_by_role("button", name="Use 22 200").click()
    expect(page.locator("#check")).to_contain_text("The sum is right")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Saved:")


def test_the_missing_score_is_offered_and_not_filled_in(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "315", "276", "")
    expect(page.get_by_role("button", name="Use 22 200")).to_be_visible()
    expect(page.locator("#id_seat3-points")).to_have_value("")


def test_an_unknown_name_is_made_a_guest_by_choosing_so(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "315", "276", "222")
    field = page.locator("#id_seat3-player")
    field.fill("Новая Гостья")
    field.press("ArrowDown")
    expect(page.locator("#list-seat3-player")).to_contain_text("New guest: Новая Гостья")
    field.press("Enter")
    expect(page.locator("#note3")).to_contain_text("new guest")
    page.keyboard.press("Control+Enter")
    expect(page.locator("main")).to_contain_text("Saved:")
    assert Hanchan.objects.get().seats.get(wind=3).player.native_name == "Новая Гостья"


def test_enter_takes_a_new_guest_if_nobody_else_can_be_meant_and_says_so(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    page.keyboard.type("Новая Гостья")
    expect(page.locator("#list-seat0-player")).to_contain_text("New guest: Новая Гостья")
    page.keyboard.press("Enter")
    expect(page.get_by_label("New guest").first).to_be_checked()
    expect(page.get_by_label("New guest").first).to_be_visible()
    expect(page.locator("[data-said]")).to_have_text("New guest: Новая Гостья")
    expect(page.locator("#note0")).to_contain_text("new guest")
    expect(page.locator("#id_seat0-points")).to_be_focused()


def test_enter_before_the_list_came_takes_a_new_guest_as_well(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    page.keyboard.type("Новая Гостья")
    page.keyboard.press("Enter")
    page.keyboard.type("311")
    expect(page.get_by_label("New guest").first).to_be_checked()
    expect(page.locator("#id_seat0-points")).to_have_value("311")


def test_enter_never_takes_a_stranger_whose_name_only_contains_what_was_typed(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    stranger = Player.objects.create(native_name="Евгений Щукин")
    refresh_search_text(stranger)
    as_role("scorer")
    page.goto(ADD)
    page.keyboard.type("ки")
    expect(page.locator("#list-seat0-player")).to_contain_text("Щукин")
    page.keyboard.press("Enter")
    expect(page.locator("#id_seat0-player")).to_be_focused()
    expect(page.locator("[data-said]")).to_have_text("Choose one with ↓ and Enter.")
    expect(page.locator("#id_seat0-player_id")).to_have_value("")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#id_seat0-player_id")).to_have_value(str(stranger.pk))
    expect(page.locator("#id_seat0-points")).to_be_focused()


def test_a_missing_thousand_is_a_stick_that_was_left(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "315", "276", "212")
    page.get_by_role("button", name="1 stick left?").click()
    expect(page.locator("#check")).to_contain_text("The sum is right")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Saved:")
    assert Hanchan.objects.get().sticks_left == 1


def test_a_namesake_is_asked_about_and_the_same_person_is_one_press_away(
    page: Page, as_role: As, season: Season, players: list[Player], complaints: list[str]
) -> None:
    Affiliation.objects.create(player=players[3], club=season.club)
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "315", "276", "222")
    field = page.locator("#id_seat3-player")
    field.fill("Thomas Bergmann")
    page.get_by_role("option", name="Another person, new here").click()
    page.keyboard.press("Control+Enter")
    expect(page.locator("main")).to_contain_text("Is it the same person, or another one?")
    expect(page.get_by_role("button", name="The same person: Thomas Bergmann")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#id_seat3-points")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.locator("main")).to_contain_text("Saved:")
    assert Hanchan.objects.get().seats.get(wind=3).player == players[3]
    complaints.clear()  # a refused form answers 422, which Chromium reports


def test_the_extra_fields_of_every_row_have_a_label_that_is_seen(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    as_role("scorer")
    page.goto(ADD)
    for wind in range(4):
        page.locator("details.more summary").nth(wind).click()
        for label in ("Minutes late", "Penalty", "Substitute", "Who played"):
            box = page.locator(f".seatrow:nth-of-type({wind + 1}) .extra").get_by_text(label, exact=True).bounding_box()
            assert box is not None
            assert box["width"] > 20, (wind, label)


def test_a_plain_table_takes_at_most_thirty_five_keys_ten_times(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    """Three letters a name, three digits a score, Enter after each: the list answers before the next Enter."""
    as_role("scorer")
    page.goto(ADD)
    for table in range(10):
        keys = 0
        numbers = (str(387 - table), str(315 + table), "276", "222")
        for wind, (name, points) in enumerate(zip(("сок", "szcz", "佐藤", "berg"), numbers, strict=True)):
            for typed in (name, points):
                page.keyboard.type(typed)
                page.keyboard.press("Enter")
                keys += len(typed) + 1
            if wind < 3:
                expect(page.locator(f"#id_seat{wind + 1}-player")).to_be_focused()
        expect(page.locator("main > .says")).to_contain_text(f"+{17.7 - table / 10:.1f}")
        expect(page.locator("#id_seat0-player")).to_be_focused()
        assert keys <= 35
    assert Hanchan.objects.count() == 10


def test_typing_aborts_no_request(page: Page, as_role: As, season: Season, players: list[Player]) -> None:
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    as_role("scorer")
    page.goto(ADD)
    page.locator("#id_seat0-player").press_sequentially("соколов дмитрий", delay=130)
    page.keyboard.press("Enter")
    page.locator("#id_seat0-points").press_sequentially("31100", delay=260)
    expect(page.locator("#note0")).to_contain_text("Dmitry Sokolov")
    assert [text for text in heard if "Abort" in text] == []


def test_a_correction_shows_who_moves_before_it_is_saved(
    page: Page, as_role: As, season: Season, players: list[Player]
) -> None:
    yesterday = timezone.now() - datetime.timedelta(days=1)
    game = record_hanchan(season, make_sheet(players[:4], 45_200, 31_100, 25_700, 18_000, at=yesterday))
    as_role("referee")
    page.goto(f"/admin/ratings/hanchan/{game.pk}/change/")
    page.locator("#id_seat0-points").fill("252")
    page.locator("#id_seat2-points").fill("457")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Before you save the correction")).to_be_visible()
    expect(page.locator("main")).to_contain_text("East, points")
    assert Hanchan.objects.get().version == 1
    page.get_by_label("Why is the game corrected?").fill("columns swapped")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("main")).to_contain_text("Saved:")
    assert [seat.points for seat in Hanchan.objects.get().seats.all()] == [25_200, 31_100, 45_700, 18_000]


def test_entry_on_a_phone(page: Page, as_role: As, season: Season, players: list[Player]) -> None:
    set_viewport(page, PHONE)
    as_role("scorer")
    page.goto(ADD)
    type_table(page, "387", "315", "310", "12")
    page.get_by_role("button", name="Change sign").nth(3).click()
    expect(page.locator("#id_seat3-points")).to_have_value("-12")
    expect(page.locator("#note3")).to_contain_text("reads −1200")
    page.get_by_role("button", name="One more").first.click()
    expect(page.locator("#id_seat0-chombo")).to_have_value("1")
    assert_fits(page)
    box = page.get_by_role("button", name="Save", exact=True).bounding_box()
    assert box is not None
    assert box["height"] >= 44


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, (1440, 900)])
def test_the_entry_page_has_no_barrier(
    page: Page,
    as_role: As,
    season: Season,
    players: list[Player],
    theme: Theme,
    size: tuple[int, int],
    complaints: list[str],
) -> None:
    set_theme(page, theme)
    set_viewport(page, size)
    as_role("referee")
    page.goto(ADD)
    type_table(page, "387", "315", "276", "211")
    expect(page.locator("#check")).to_contain_text("1100 points short")
    found = Axe().run(page).response["violations"]
    complaints.clear()  # axe itself tries inline styles, which our policy refuses
    assert [(rule["id"], rule["impact"]) for rule in found if rule["impact"] in ("serious", "critical")] == []
