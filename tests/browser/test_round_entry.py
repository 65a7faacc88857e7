"""Typing a whole round with the keyboard alone, table after table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PHONE, assert_accessible, assert_fits, set_theme, set_viewport
from tests.cast import make_user
from tests.tournaments.hall import Hall
from tournaments.models import Table

ROUND = "/tournaments/open/manage/rounds/1/1/"


@pytest.fixture
def hall(live_server: LiveServer) -> Hall:
    hall = Hall()
    hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return hall


@pytest.fixture
def signed_in(sign_in: Callable[[User], None], hall: Hall) -> None:
    sign_in(make_user("referee", hall.tournament.club, "referee"))


def type_numbers(page: Page, *numbers: str) -> None:
    """Press Enter after each number; the last Enter saves once the page shows that the sum is right."""
    for number in numbers[:-1]:
        page.keyboard.type(number)
        page.keyboard.press("Enter")
    page.keyboard.type(numbers[-1])


@pytest.mark.usefixtures("signed_in")
def test_a_round_is_typed_without_the_mouse(page: Page, hall: Hall) -> None:
    page.goto(ROUND)
    expect(page.locator("#id_t1-seat0-points")).to_be_focused()
    type_numbers(page, "450", "35.0", "25000", "150")
    expect(page.locator("#t1-check")).to_contain_text("The sum is right")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Table 1: Дмитрий Соколов +45.0")
    expect(page.locator("#id_t2-seat0-points")).to_be_focused()
    type_numbers(page, "300", "300", "300", "290")
    expect(page.locator("#t2-check")).to_contain_text("1000 points short")
    page.keyboard.press("Enter")  # the sum is short: the sticks are asked for
    expect(page.locator("#id_t2-sticks_left")).to_be_focused()
    page.keyboard.type("1")
    expect(page.locator("#t2-check")).to_contain_text("The sum is right")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("0 tables missing")
    assert all(table.has_result for table in Table.objects.select_related("hanchan"))


@pytest.mark.usefixtures("signed_in")
def test_a_wrong_sum_is_seen_and_the_missing_score_offered(page: Page, hall: Hall) -> None:
    page.goto(ROUND)
    type_numbers(page, "450", "350", "250", "")
    page.get_by_role("button", name="North: use 15 000").click()
    expect(page.locator("#id_t1-seat3-points")).to_have_value("15000")
    expect(page.locator("#t1-check")).to_contain_text("The sum is right")
    assert not Table.objects.filter(hanchan__isnull=False).exists()


@pytest.mark.usefixtures("signed_in")
def test_what_lateness_and_a_substitute_do_is_seen_before_saving(page: Page, hall: Hall) -> None:
    hall.add_substitute("occasional")
    page.goto(ROUND)
    type_numbers(page, "450", "350", "250", "150")
    check = page.locator("#t1-check")
    expect(check).to_contain_text("+45.0")
    expect(check).to_contain_text("rank 1")
    first = page.locator("#t1 form fieldset").first
    first.locator("summary").click()
    first.get_by_label("Minutes late").fill("10")
    expect(check).to_contain_text("10 minutes late: −10\N{NO-BREAK SPACE}000 before placing")
    expect(check).to_contain_text("+25.0")
    first.get_by_label("Minutes late").fill("")
    first.get_by_label("Substitute", exact=True).select_option("mid_game")
    first.get_by_label("Who played").select_option("9")
    expect(check).to_contain_text("substitute mid-game: −30.0, below the others")
    expect(check).to_contain_text("+35.0")
    assert not Table.objects.filter(hanchan__isnull=False).exists()


@pytest.mark.usefixtures("signed_in")
def test_what_is_told_at_the_desk_stands_in_the_form(page: Page, hall: Hall) -> None:
    hall.add_substitute("occasional")
    page.goto(ROUND)
    page.get_by_role("link", name="Late or substitute").click()
    page.get_by_label("Player", exact=True).select_option("1")
    page.get_by_label("is not there: a substitute plays from the start").check()
    page.get_by_label("Who plays instead").select_option("9")
    page.get_by_role("button", name="Show the effect").click()
    expect(page.locator("main")).to_contain_text("gets −30.0 for round 1, whatever happens at table 1")
    page.get_by_role("button", name="Confirm ruling").click()
    expect(page.locator("#id_t1-seat0-substitute")).to_have_value("from_start")
    expect(page.locator("#id_t1-seat0-played_by")).to_have_value("9")


@pytest.mark.usefixtures("signed_in")
@pytest.mark.parametrize(
    "path",
    [
        "",
        "entries/",
        "check-in/",
        "schedule/",
        "schedule/1/1/",
        "rounds/1/1/",
        "rounds/1/1/seat/",
        "rounds/times/",
        "rulings/",
        "rulings/penalty/",
        "stages/",
        "stages/1/",
    ],
)
def test_pages_are_accessible_and_fit_a_phone_by_night(
    page: Page, hall: Hall, path: str, complaints: list[str], sign_in: Callable[[User], None]
) -> None:
    sign_in(make_user("admin", hall.tournament.club, "admin"))
    set_viewport(page, PHONE)
    set_theme(page, "dark")
    page.goto(f"/tournaments/open/manage/{path}")
    assert_fits(page)
    assert_accessible(page, complaints)
