"""What is typed into a score sheet is never lost: by another table, by the network, by a reload, or by a refusal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Hanchan, Season
from ratings.services.hanchans import record_hanchan
from tests.browser.conftest import LAPTOP, PHONE, PROJECTOR, assert_fits, set_viewport
from tests.cast import THURSDAY, make_players, make_season, make_sheet, make_user
from tests.tournaments.desk import points
from tests.tournaments.hall import Hall
from tournaments.models import Table
from tournaments.queries import tokens

ROUND = "/tournaments/open/manage/rounds/1/1/"
ADD = "/admin/ratings/hanchan/add/"


@pytest.fixture
def hall(live_server: LiveServer) -> Hall:
    hall = Hall()
    hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return hall


@pytest.fixture
def signed_in(sign_in: Callable[[User], None], hall: Hall) -> None:
    sign_in(make_user("referee", hall.tournament.club, "referee"))


def fill(page: Page, table: int, *numbers: str) -> None:
    for wind, number in enumerate(numbers):
        page.locator(f"#id_t{table}-seat{wind}-points").fill(number)


def numbers_in(page: Page, table: int) -> list[str]:
    return [page.locator(f"#id_t{table}-seat{wind}-points").input_value() for wind in range(4)]


@pytest.mark.usefixtures("signed_in")
class TestTheTablesOfARound:
    def test_saving_one_keeps_what_is_typed_in_another(self, page: Page) -> None:
        page.goto(ROUND)
        fill(page, 2, "450", "350", "250", "50")  # 10 000 short: the players are asked to come back
        fill(page, 1, "450", "350", "250", "150")
        expect(page.locator("#t1-check")).to_contain_text("The sum is right")
        page.locator("#t1 button.main").click()
        expect(page.locator("#t1 .seat-list")).to_contain_text("+45.0")
        expect(page.locator("main")).to_contain_text("1 table missing")
        assert numbers_in(page, 2) == ["450", "350", "250", "50"]

    def test_a_save_that_the_network_loses_can_be_repeated(self, page: Page, complaints: list[str]) -> None:
        page.goto(ROUND)
        fill(page, 1, "450", "350", "250", "150")
        expect(page.locator("#t1-check")).to_contain_text("The sum is right")
        page.route("**/rounds/1/1/1/", lambda route: route.abort())
        page.locator("#t1 button.main").click()
        expect(page.locator("#t1")).to_contain_text("The site could not be reached. Nothing is lost")
        assert numbers_in(page, 1) == ["450", "350", "250", "150"]
        expect_only_the_lost_request(complaints)
        page.unroute("**/rounds/1/1/1/")
        page.locator("#t1 button.main").click()
        expect(page.locator("#t1 .seat-list")).to_contain_text("+45.0")
        assert Hanchan.objects.count() == 1

    def test_what_is_typed_survives_a_reload_until_it_is_discarded(self, page: Page) -> None:
        page.goto(ROUND)
        fill(page, 2, "450", "350", "250", "50")
        page.reload()
        assert numbers_in(page, 2) == ["450", "350", "250", "50"]
        expect(page.locator("#t2")).to_contain_text("You typed this before, and it is not saved yet.")
        expect(page.locator("#t2-check")).to_contain_text("10 000 points short")
        page.locator("#t2 [data-discard]").click()
        expect(page.locator("#id_t2-seat0-points")).to_have_value("")
        page.reload()
        assert numbers_in(page, 2) == ["", "", "", ""]

    def test_what_is_saved_is_not_offered_again(self, page: Page, hall: Hall) -> None:
        page.goto(ROUND)
        fill(page, 1, "450", "350", "250", "150")
        expect(page.locator("#t1-check")).to_contain_text("The sum is right")
        page.locator("#t1 button.main").click()
        expect(page.locator("#t1 .seat-list")).to_contain_text("+45.0")
        assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('umaoka.sheet'))") == []

    def test_a_refused_table_stays_in_its_place_with_the_keyboard_at_the_fault(
        self, page: Page, complaints: list[str]
    ) -> None:
        page.goto(ROUND)
        fill(page, 2, "1", "2", "3", "4")
        fill(page, 1, "450", "x", "250", "150")
        page.locator("#t1 button.main").click()
        expect(page.locator("#id_t1-seat1-points")).to_be_focused()
        expect(page.locator("#t1")).to_contain_text("is not a number of points")
        assert numbers_in(page, 1) == ["450", "x", "250", "150"]
        assert numbers_in(page, 2) == ["1", "2", "3", "4"]
        complaints.clear()  # a refused form answers 422, which Chromium reports

    def test_the_result_of_a_phone_appears_without_a_reload(self, page: Page, hall: Hall) -> None:
        page.goto(ROUND)
        page.locator("#id_t2-seat0-points").fill("450")
        hand_in(hall, 1, "450", "350", "250", "150")
        expect(page.locator("#t1")).to_contain_text("draft from the table", timeout=15_000)
        assert numbers_in(page, 1) == ["45000", "35000", "25000", "15000"]
        assert numbers_in(page, 2) == ["450", "", "", ""]
        expect(page.locator("#t1-check .gives")).to_contain_text("+45.0")

    def test_the_result_of_a_phone_appears_where_the_keyboard_waits(self, page: Page, hall: Hall) -> None:
        page.goto(ROUND)
        first = page.locator("#id_t1-seat0-points")
        expect(first).to_be_focused()
        hand_in(hall, 1, "450", "350", "250", "150")
        expect(page.locator("#t1")).to_contain_text("draft from the table", timeout=15_000)
        assert numbers_in(page, 1) == ["45000", "35000", "25000", "15000"]
        expect(first).to_be_focused()
        page.keyboard.type("460")
        expect(first).to_have_value("460")

    def test_what_the_result_of_a_phone_would_give_is_seen_before_it_is_confirmed(self, page: Page, hall: Hall) -> None:
        hand_in(hall, 1, "450", "350", "250", "150")
        checks: list[str] = []
        page.on("request", lambda request: checks.append(request.url) if request.method == "POST" else None)
        page.goto(ROUND)
        gives = page.locator("#t1-check .gives li")
        expect(gives).to_have_count(4)
        expect(gives.first).to_contain_text("1st")
        expect(gives.first).to_contain_text("+45.0")
        expect(gives.first).to_contain_text("rank 1")
        page.wait_for_load_state("networkidle")
        assert [address.rpartition("/rounds/")[2] for address in checks] == ["1/1/1/preview/"]
        assert page.locator("form[data-touched]").count() == 0
        expect(page.locator("#t1 .arrived")).to_be_hidden()

    def test_what_is_typed_over_the_result_of_a_phone_survives_a_reload(self, page: Page, hall: Hall) -> None:
        hand_in(hall, 1, "450", "350", "250", "150")
        page.goto(ROUND)
        expect(page.locator("#t1-check .gives")).to_contain_text("+45.0")
        fill(page, 1, "460", "340", "250", "150")
        expect(page.locator("#t1-check .gives")).to_contain_text("+46.0")
        page.reload()
        assert numbers_in(page, 1) == ["460", "340", "250", "150"]
        expect(page.locator("#t1 .remembered")).to_be_visible()
        expect(page.locator("#t1-check .gives")).to_contain_text("+46.0")
        page.locator("#t1 [data-discard]").click()
        expect(page.locator("#id_t1-seat0-points")).to_have_value("45000")
        expect(page.locator("#t1-check .gives")).to_contain_text("+45.0")

    def test_a_table_on_its_own_page_says_once_what_it_would_give(self, page: Page) -> None:
        page.goto(f"{ROUND}1/")
        fill(page, 1, "450", "350", "250", "150")
        expect(page.locator("#t1-check")).to_contain_text("The sum is right")
        expect(page.locator("#preview")).to_contain_text("+45.0")
        expect(page.locator("#t1-check .gives")).to_have_count(0)

    def test_the_result_of_a_phone_is_shown_beside_what_is_being_typed(self, page: Page, hall: Hall) -> None:
        page.goto(ROUND)
        page.locator("#id_t1-seat0-points").fill("440")
        hand_in(hall, 1, "450", "350", "250", "150")
        expect(page.locator("#t1 .arrived")).to_contain_text("The table sent this result", timeout=15_000)
        expect(page.locator("#t1 .arrived")).to_contain_text("45 000")
        assert numbers_in(page, 1) == ["440", "", "", ""]

    def test_two_phones_that_differ_are_both_shown(self, page: Page, hall: Hall) -> None:
        hand_in(hall, 1, "450", "350", "250", "150")
        hand_in(hall, 1, "460", "340", "250", "150")
        page.goto(ROUND)
        expect(page.locator("#t1 .arrived")).to_contain_text("The table sent two different results.")
        expect(page.locator("#t1 .arrived ul").first).to_contain_text("45 000")
        expect(page.locator("#t1 .arrived ul").last).to_contain_text("46 000")
        assert numbers_in(page, 1) == ["46000", "34000", "25000", "15000"]


def test_what_is_typed_on_a_phone_is_checked_again_after_a_reload(page: Page, hall: Hall) -> None:
    set_viewport(page, PHONE)
    page.goto(f"/tournaments/open/table/{tokens.token_of(hall.table(1))}/")
    for wind, number in enumerate(("450", "350", "250", "150")):
        page.locator(f"#id_seat{wind}-points").fill(number)
    expect(page.locator("#check")).to_contain_text("The sum is right")
    page.reload()
    expect(page.locator("#id_seat3-points")).to_have_value("150")
    expect(page.locator("#check")).to_contain_text("The sum is right")


def expect_only_the_lost_request(complaints: list[str]) -> None:
    """The browser reports the request that this test lost on purpose, and nothing else."""
    assert len(complaints) == 1
    assert "net::ERR_FAILED" in complaints.pop()


def across(part: Locator) -> tuple[float, float]:
    """The left edge of a part of the page, and its width."""
    box = part.bounding_box()
    assert box is not None
    return box["x"], box["width"]


def hand_in(hall: Hall, table: int, *typed: str) -> None:
    """Send a result as a phone at the table does."""
    token = tokens.token_of(Table.objects.get(round=hall.round(1), number=table))
    assert Client().post(f"/tournaments/open/table/{token}/", points(*typed)).status_code == 302


class TestTheSheetOfAClub:
    @pytest.fixture
    def season(self, live_server: LiveServer, sign_in: Callable[[User], None]) -> Season:
        season = make_season(starts_on=THURSDAY.date())
        sign_in(make_user("scorer", season.club, "scorer"))
        return season

    def type_game(self, page: Page, names: list[str]) -> None:
        if page.locator("#id_date").is_hidden():  # on a phone
            page.get_by_text("Change", exact=True).click()
        page.locator("#id_date").fill("2026-04-16")
        for wind, (name, number) in enumerate(zip(names, ("452", "311", "257", "180"), strict=True)):
            page.locator(f"#id_seat{wind}-player").fill(name)
            page.locator(f"#id_seat{wind}-points").fill(number)

    def test_it_survives_a_reload_and_a_lost_connection(
        self, page: Page, season: Season, complaints: list[str]
    ) -> None:
        names = [player.native_name for player in make_players()]
        page.goto(ADD)
        self.type_game(page, names)
        page.reload()
        expect(page.locator("#id_seat0-player")).to_have_value(names[0])
        expect(page.locator("#id_seat3-points")).to_have_value("180")
        expect(page.locator(".check-state")).to_contain_text("The sum is right")
        page.route("**/hanchan/add/", lambda route: route.abort())
        page.get_by_role("button", name="Save and next table").click()
        expect(page.locator(".trouble")).to_be_visible()
        expect_only_the_lost_request(complaints)
        page.unroute("**/hanchan/add/")
        page.get_by_role("button", name="Save and next table").click()
        expect(page.locator("main")).to_contain_text("Saved:")
        expect(page.locator("#id_seat0-player")).to_have_value("")
        assert Hanchan.objects.count() == 1

    @pytest.mark.parametrize("size", [PHONE, (1088, 800), LAPTOP, PROJECTOR])
    def test_what_is_said_above_it_takes_a_row_of_its_own(
        self, page: Page, season: Season, complaints: list[str], size: tuple[int, int]
    ) -> None:
        set_viewport(page, size)
        page.goto(ADD)
        sheet, aside = page.locator(".sheet"), page.locator("form.entry > aside")
        before = across(sheet), across(aside)
        names = [player.native_name for player in make_players()]
        self.type_game(page, names)
        page.reload()
        expect(aside).to_contain_text(names[0])  # the live check exchanges it
        said = page.locator(".remembered")
        expect(said).to_be_visible()
        assert (across(sheet), across(aside)) == before
        assert across(said) == across(page.locator("form.entry"))
        assert_fits(page)
        page.route("**/hanchan/add/", lambda route: route.abort())
        page.locator("button[value=next]").click()
        expect(page.locator(".trouble")).to_be_visible()
        assert (across(sheet), across(aside)) == before
        assert across(page.locator(".trouble")) == across(said) == across(page.locator("form.entry"))
        assert_fits(page)
        expect_only_the_lost_request(complaints)

    def test_the_same_table_is_asked_about(self, page: Page, season: Season, complaints: list[str]) -> None:
        players = make_players()
        record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))
        page.goto(ADD)
        self.type_game(page, [player.native_name for player in players])
        page.get_by_role("button", name="Save and open").click()
        expect(page.locator("main")).to_contain_text("Is this the same game again?")
        expect(page.locator("#id_another")).to_be_focused()
        complaints.clear()  # a refused form answers 422, which Chromium reports
        assert Hanchan.objects.count() == 1
        page.locator("#id_another").check()
        page.get_by_role("button", name="Save and open").click()
        expect(page.locator("main")).to_contain_text("Saved:")
        assert Hanchan.objects.count() == 2

    def test_after_a_refusal_the_keyboard_is_at_the_first_wrong_field(
        self, page: Page, season: Season, complaints: list[str]
    ) -> None:
        names = [player.native_name for player in make_players()]
        page.goto(ADD)
        self.type_game(page, names)
        page.locator("#id_seat2-points").fill("many")
        page.get_by_role("button", name="Save and open").click()
        expect(page.locator("#id_seat2-points")).to_be_focused()
        expect(page.locator("#id_seat0-player")).to_have_value(names[0])
        complaints.clear()  # a refused form answers 422, which Chromium reports
