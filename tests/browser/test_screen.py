"""The hall in a real browser: the wall screen updates itself, all clocks agree, a table's phone hands in a draft."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PHONE, PROJECTOR, Theme, assert_accessible, assert_fits, set_theme, set_viewport
from tests.cast import make_user
from tests.tournaments.hall import Hall
from tournaments.queries.tokens import token_of
from tournaments.services.rounds import add_time, pause_clock, start_clock
from tournaments.services.tables import record_table

EVENT = "/tournaments/open/"
SignIn = Callable[[User], None]


@pytest.fixture
def hall(live_server: LiveServer) -> Hall:
    """Eight players by EMA rules; round 1 is played, round 2 seated."""
    hall = Hall()
    hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
    hall.seat(2, [1, 5, 2, 6], [3, 7, 4, 8])
    return hall


def seconds_on(page: Page) -> int:
    """What the clock shows."""
    shown = page.locator("[data-part=time]").inner_text()
    minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", shown).groups()  # type: ignore[union-attr]
    return 60 * int(minutes) + int(seconds)


class TestTheWall:
    def test_it_shows_a_result_soon_after_it_is_saved_without_a_reload(self, page: Page, hall: Hall) -> None:
        set_viewport(page, PROJECTOR)
        page.goto(f"{EVENT}screen/")
        expect(page.get_by_role("heading", name="Round 2: your table")).to_be_visible()
        page.evaluate("window.notReloaded = true")

        for number in (1, 2):
            table = hall.table(number, 2)
            record_table(table, hall.sheet(table))

        expect(page.get_by_role("heading", name="Standings after round 2")).to_be_visible()
        expect(page.locator(".slide:visible td.total").first).to_have_text("+90.0")
        assert page.evaluate("window.notReloaded")

    def test_pages_follow_each_other(self, page: Page, hall: Hall) -> None:
        set_viewport(page, PROJECTOR)
        page.goto(f"{EVENT}screen/")
        expect(page.locator(".sticks i")).to_have_count(2)

        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("heading", name="Standings after round 1")).to_be_visible()
        expect(page.get_by_role("heading", name="Round 2: your table")).to_be_hidden()
        # and by itself back to the first
        expect(page.get_by_role("heading", name="Round 2: your table")).to_be_visible(timeout=20_000)

    def test_a_lost_connection_is_said_and_survived(self, page: Page, complaints: list[str], hall: Hall) -> None:
        set_viewport(page, PROJECTOR)
        start_clock(hall.round(2))
        page.goto(f"{EVENT}screen/")
        expect(page.locator("[data-part=label]")).to_have_text("Round 2 ends in")
        updated = page.locator("[data-part=updated]").inner_text()

        page.context.set_offline(True)
        expect(page.get_by_text("No connection.")).to_be_visible()
        left = seconds_on(page)
        page.wait_for_function("was => document.querySelector('[data-part=time]').textContent !== was", arg=clock(left))

        page.context.set_offline(False)
        expect(page.get_by_text("No connection.")).to_be_hidden()
        expect(page.locator("[data-part=updated]")).not_to_have_text(updated)
        complaints.clear()  # the browser itself reports what it could not fetch

    def test_names_are_large_and_nothing_is_cut_off(self, page: Page, hall: Hall) -> None:
        set_viewport(page, PROJECTOR)
        page.goto(f"{EVENT}screen/")
        size = page.locator(".wall-table li").first.evaluate(
            "element => parseFloat(getComputedStyle(element).fontSize)"
        )
        cut_off = page.evaluate(
            "[...document.querySelectorAll('.tb')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
        )

        assert size >= 38
        assert cut_off == 0

    def test_it_passes_axe(self, page: Page, complaints: list[str], hall: Hall) -> None:
        set_viewport(page, PROJECTOR)
        page.goto(f"{EVENT}screen/")
        expect(page.locator(".sticks i")).to_have_count(2)

        assert_accessible(page, complaints)


def clock(seconds: int) -> str:
    return f"{seconds // 60:02}:{seconds % 60:02}"


class TestTheClock:
    def test_two_browsers_five_minutes_apart_show_the_same_time(
        self, browser: Browser, live_server: LiveServer, hall: Hall
    ) -> None:
        start_clock(hall.round(2))
        now = datetime.datetime.now(datetime.UTC)
        pages = []
        for minutes in (0, 5):
            context = browser.new_context(base_url=live_server.url)
            page = context.new_page()
            page.clock.install(time=now + datetime.timedelta(minutes=minutes))
            page.goto(f"{EVENT}clock/")
            expect(page.locator("[data-part=label]")).to_have_text("Round 2 ends in")
            expect(page.locator("[data-clock]")).to_have_attribute("data-state", "running")
            pages.append(page)
        dates = [page.evaluate("Date.now()") for page in pages]
        first, second, first_again = seconds_on(pages[0]), seconds_on(pages[1]), seconds_on(pages[0])
        for page in pages:
            page.context.close()

        assert dates[1] - dates[0] > 4 * 60_000
        assert first_again - 1 <= second <= first + 1
        assert 85 * 60 < first <= 90 * 60

    def test_a_pause_and_extra_time_reach_every_device(self, page: Page, hall: Hall) -> None:
        start_clock(hall.round(2))
        page.goto(f"{EVENT}clock/")
        expect(page.locator("[data-part=label]")).to_have_text("Round 2 ends in")
        pause_clock(hall.round(2))
        add_time(hall.round(2), 600)
        add_time(hall.round(2), 120, table=hall.table(2, 2))

        expect(page.locator("[data-part=label]")).to_have_text("Round 2 is paused")
        expect(page.locator("[data-part=tables]")).to_have_text("Table 2: 2 minutes more")
        assert seconds_on(page) > 95 * 60

    def test_staff_start_and_pause_it_by_button(self, page: Page, hall: Hall, sign_in: SignIn) -> None:
        sign_in(make_user("scorer", hall.tournament.club))
        page.goto(f"{EVENT}clock/")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        assert hall.round(2).is_running

        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
        assert not hall.round(2).is_running

    def test_the_signal_comes_when_the_rules_say_and_tells_what_to_do(self, page: Page, hall: Hall) -> None:
        """The round has fifteen minutes and three seconds; the signal is due when fifteen are left."""
        add_time(hall.round(2), -75 * 60 + 3)
        page.goto(f"{EVENT}clock/")
        page.get_by_role("button", name="Sound on").click()
        expect(page.get_by_role("button", name="Sound is on")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-clock]")).to_have_attribute("data-state", "waiting")
        start_clock(hall.round(2))

        expect(page.locator("[data-clock]")).to_have_attribute("data-signal", str(15 * 60_000))
        expect(page.get_by_text("The signal was given: finish the hand, then one more.")).to_be_visible()

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_it_passes_axe(self, page: Page, complaints: list[str], hall: Hall, sign_in: SignIn, theme: Theme) -> None:
        sign_in(make_user("scorer", hall.tournament.club))
        set_theme(page, theme)
        set_viewport(page, PHONE)
        page.goto(f"{EVENT}clock/")

        assert_accessible(page, complaints)


class TestThePhone:
    def test_two_taps_lead_to_ones_own_table(self, page: Page, hall: Hall) -> None:
        set_viewport(page, PHONE)
        page.goto(f"{EVENT}me/")
        page.get_by_label("Your name or number").fill("satō")
        expect(page.locator(".names li")).to_have_count(1)
        page.locator(".names a").click()

        expect(page.locator(".nowcard")).to_contain_text("Table 2")
        expect(page.locator(".nowcard")).to_contain_text("East")

    def test_a_tables_draft_is_typed_checked_and_handed_in(self, page: Page, hall: Hall) -> None:
        set_viewport(page, PHONE)
        page.goto(f"{EVENT}table/{token_of(hall.table(1, 2))}/")
        fields = page.locator(".seatline .join input")
        for index, typed in enumerate(("450", "350", "250", "160")):
            fields.nth(index).fill(typed)
        expect(page.locator("#check")).to_contain_text("+1000")
        assert_fits(page)

        fields.nth(3).fill("150")
        expect(page.locator("#check")).to_contain_text("The sum is right")
        page.get_by_role("button", name="Hand in the draft").click()

        expect(page.get_by_text("Handed in. A scorer looks at it and confirms")).to_be_visible()
        assert hall.table(1, 2).has_draft
        assert hall.totals(2)[1] == 45_000

    def test_the_sign_has_a_button_and_chombo_a_field(self, page: Page, hall: Hall) -> None:
        set_viewport(page, PHONE)
        page.goto(f"/tournaments/open/table/{token_of(hall.table(1, 2))}/")
        for wind, typed in enumerate(("620", "350", "250")):
            page.locator(f"#id_seat{wind}-points").fill(typed)
        page.locator("#id_seat3-points").fill("20")
        page.locator("[data-sign=id_seat3-points]").click()
        expect(page.locator("#id_seat3-points")).to_have_value("-20")
        expect(page.locator("#check")).to_contain_text("The sum is right")
        page.locator("#id_seat3-chombo").fill("1")
        page.get_by_role("button", name="Hand in the draft").click()
        expect(page.get_by_text("Handed in.")).to_be_visible()
        hanchan = hall.table(1, 2).hanchan
        assert hanchan is not None
        seat = hanchan.seats.get(wind=3)
        assert (seat.points, seat.chombo) == (-2000, 1)

    def test_a_scorer_confirms_what_the_table_sent(self, page: Page, hall: Hall, sign_in: SignIn) -> None:
        page.goto(f"{EVENT}table/{token_of(hall.table(1, 2))}/")
        for index, typed in enumerate(("460", "340", "250", "150")):
            page.locator(".seatline .join input").nth(index).fill(typed)
        page.get_by_role("button", name="Hand in the draft").click()
        expect(page.get_by_text("Handed in.")).to_be_visible()

        sign_in(make_user("scorer", hall.tournament.club))
        page.goto(f"{EVENT}manage/rounds/1/2/1/")
        expect(page.get_by_text("draft from the table")).to_be_visible()
        page.get_by_role("button", name="Confirm table 1").click()
        expect(page.locator("main")).to_contain_text("Table 1:")
        page.goto(f"{EVENT}table/{token_of(hall.table(1, 2))}/")

        expect(page.get_by_text("The result of table 1, round 2 is in")).to_be_visible()
        assert hall.table(1, 2).has_result
        assert hall.totals(2)[1] == 45_000 + 46_000

    @pytest.mark.parametrize("theme", ["light", "dark"])
    @pytest.mark.parametrize("place", ["me/", "me/1/", "table/"])
    def test_its_pages_pass_axe(self, page: Page, complaints: list[str], hall: Hall, place: str, theme: Theme) -> None:
        set_theme(page, theme)
        set_viewport(page, PHONE)
        page.goto(EVENT + (f"table/{token_of(hall.table(1, 2))}/" if place == "table/" else place))

        assert_accessible(page, complaints)
