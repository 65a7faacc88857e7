"""An event of 22 players in a real browser, its whole schedule published on the first morning.

There is a cancellation, a no-show, an illness, a disqualification and a penalty; after the end one player registers and
another is entered. After each of these, every page that names a round, a rank or a number of players is read again.
"""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.cast import make_user
from tests.pages import tight
from tests.tournaments.hall import FALLING, Hall
from tournaments.models import Entry, Registration, Table
from tournaments.queries.schedules import Drawing, draw, seating_request
from tournaments.services.events import StagePlan
from tournaments.services.rounds import confirm_round
from tournaments.services.schedules import store_drawing
from tournaments.services.sheets import expected_seats
from tournaments.services.tables import check_table, new_sheet, record_table

EVENT = "/tournaments/open/"
MANAGE = f"{EVENT}manage/"
PLAYERS, ROUNDS = 22, 4
CANCELLED, NO_SHOW, ILL, DISQUALIFIED = 5, 7, 9, 11
STANDS_IN, PLAYS_FOR_OTHERS = 25, 26  # occasional substitutes; 23 and 24 fill up the tables


class Visitor:
    """A reader without an account who opens all public pages of the event."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def read(self, path: str = "") -> str:
        self.page.goto(f"{EVENT}{path}")
        return self.page.locator("body").inner_text()

    def sees_nothing_played(self, players: int) -> None:
        for path in ("", "standings/", "screen/", "me/1/", "print/standings/"):
            assert "standings after round" not in self.read(path).lower(), path
        assert f"{players} players of 22 places" in " ".join(self.read().split())
        assert "No one is ranked yet" in self.read("standings/")
        assert re.search(r"rank \d", self.read("me/1/")) is None

    def sees(self, after: int, players: int) -> list[list[str]]:
        """All pages agree on the round and on how many are ranked; returns the rows of the standings."""
        assert f"{players} players" in self.read()
        assert "of 22 places" not in self.read()
        assert f"rank {self._rank_of(1)} of {players}" in self.read("me/1/")
        wall = self.page.goto(f"{EVENT}screen/slides/")
        assert wall is not None
        shown = tight(wall.text())
        assert f"Standings after round {after}<" in shown
        assert f"of {players}</span>" in shown
        for path in ("standings/", "print/standings/"):
            assert f"standings after round {after} of {ROUNDS}" in self.read(path).lower(), path
            assert self.page.locator("table").first.locator("tbody tr").count() == players, path
        return self.standings()

    def standings(self) -> list[list[str]]:
        self.page.goto(f"{EVENT}standings/")
        rows = self.page.locator("table.standings").first.locator("tbody tr").all()
        return [row.locator("td, th").all_inner_texts() for row in rows]

    def _rank_of(self, number: int) -> str:
        name = Entry.objects.select_related("player").get(tournament__slug="open", number=number).player.native_name
        return next(row[0].strip() for row in self.standings() if name in row[2])


@pytest.fixture
def hall(live_server: LiveServer) -> Hall:
    """22 players, two substitutes who fill up the tables, two occasional substitutes; four rounds are drawn."""
    today = datetime.date.today()
    hall = Hall(
        PLAYERS,
        [StagePlan("Main", ROUNDS)],
        capacity=PLAYERS,
        registration_open=True,
        reports_to_mers=True,
        starts_on=today,
        ends_on=today,
        city="Kraków",
        country="PL",
    )
    for number, player in enumerate(hall.players, 1):  # no name is part of another
        player.native_name = f"Player {number:02}"
        player.save()
    for kind in ("permanent", "permanent", "occasional", "occasional"):
        hall.add_substitute(kind)
    store_drawing(draw(seating_request(hall.stage(), Drawing()), stop=lambda: True))
    return hall


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer) -> Iterator[Visitor]:
    context = browser.new_context(base_url=live_server.url, viewport={"width": 1280, "height": 800})
    yield Visitor(context.new_page())
    context.close()


def name_of(hall: Hall, number: int) -> str:
    return hall[number].player.native_name


def play(hall: Hall, round_number: int, *, tables: range = range(1, 7)) -> None:
    """The scorers type FALLING at these tables, with the substitutes the form expects."""
    for number in tables:
        table = hall.table(number, round_number)
        if not table.has_result:
            expected = expected_seats(table)
            seats = [seat.changed(points=points) for seat, points in zip(expected, FALLING, strict=True)]
            table = record_table(table, new_sheet(table, seats))
        check_table(table)
    if not Table.objects.filter(round=hall.round(round_number), hanchan=None).exists():
        confirm_round(hall.round(round_number))


def type_first_table(page: Page, round_number: int) -> None:
    page.goto(f"{MANAGE}rounds/1/{round_number}/")
    for wind, points in enumerate(("45000", "35000", "25000", "15000")):
        page.locator(f"#id_t1-seat{wind}-points").fill(points)
    expect(page.locator("#t1-check")).to_contain_text("The sum is right")
    page.locator("#t1 form button.main").click()
    expect(page.locator("main")).to_contain_text("Table 1:")


def tell_the_desk(page: Page, round_number: int, entry: int, what: str, played_by: int | None = None) -> str:
    """Show the effect, then save it; return what was shown."""
    page.goto(f"{MANAGE}rounds/1/{round_number}/seat/?entry={entry}")
    page.get_by_label(what).check()
    if played_by:
        page.get_by_label("Who plays instead").select_option(str(played_by))
    return rule(page)


def rule(page: Page) -> str:
    page.get_by_role("button", name="Show the effect").click()
    expect(page.get_by_role("button", name="Confirm ruling")).to_be_visible()
    shown = page.locator("main").inner_text()
    page.get_by_role("button", name="Confirm ruling").click()
    expect(page.get_by_role("button", name="Confirm ruling")).to_have_count(0)
    return shown


def test_a_whole_event_with_everything_published_on_the_first_morning(
    page: Page, hall: Hall, visitor: Visitor, sign_in: Callable[[User], None]
) -> None:
    sign_in(make_user("organiser", hall.tournament.club, "admin"))
    latecomer = open_registration(visitor)
    publish_everything(page, visitor)
    cancel_one(page, hall, visitor)
    play_round_1_with_a_no_show(page, hall, visitor)
    play_round_2_with_an_illness(page, hall, visitor)
    disqualify_one_in_round_3(page, hall, visitor)
    fine_another(page, hall, visitor)
    finish(page, hall, visitor)
    register_after_the_end(latecomer, visitor)
    enter_somebody_after_the_end(page, hall, visitor)


def open_registration(visitor: Visitor) -> Page:
    """A registration form that stays open in a browser while the event is played."""
    assert "Registration is open" in visitor.read()
    latecomer = visitor.page.context.new_page()
    latecomer.goto(f"{EVENT}register/")
    latecomer.get_by_label("Name", exact=True).fill("Far Too Late")
    return latecomer


def register_after_the_end(latecomer: Page, visitor: Visitor) -> None:
    before = visitor.standings(), european_points(visitor)
    latecomer.get_by_role("button", name="Register").click()
    expect(latecomer.locator("main")).to_contain_text("Registration is closed")
    assert (visitor.standings(), european_points(visitor)) == before
    assert not Registration.objects.exists()
    assert not Entry.objects.filter(player__native_name="Far Too Late").exists()


def publish_everything(page: Page, visitor: Visitor) -> None:
    page.goto(f"{MANAGE}schedule/1/1/")
    page.get_by_role("button", name="Publish this and all drawn after it").click()
    expect(page.locator("main")).to_contain_text("6 tables missing in round 1")
    expect(page.locator("main")).not_to_contain_text("missing in round 2")
    visitor.sees_nothing_played(22)
    assert "Registration is open" not in visitor.read()
    assert "Registration is closed" in visitor.read("register/")


def cancel_one(page: Page, hall: Hall, visitor: Visitor) -> None:
    """A player cancels by email in the morning: a substitute takes the seats, and there is no other trace."""
    name = name_of(hall, CANCELLED)
    page.goto(f"{MANAGE}entries/{CANCELLED}/")
    page.get_by_role("link", name="Cancel the entry").click()
    expect(page.locator("main")).to_contain_text("Round 4, table")
    page.get_by_label("Who takes the seats?").select_option(str(STANDS_IN))
    page.get_by_role("button", name="Cancel the entry").click()
    expect(page.locator("main")).to_contain_text(f"The entry of {name} is cancelled.")

    visitor.sees_nothing_played(21)
    assert "No ruling so far" in visitor.read("rulings/")
    for path in ("", "me/", "rounds/", "print/names/"):
        assert name not in visitor.read(path), path


def play_round_1_with_a_no_show(page: Page, hall: Hall, visitor: Visitor) -> None:
    shown = tell_the_desk(page, 1, NO_SHOW, "is not there: a substitute plays from the start", PLAYS_FOR_OTHERS)
    assert "The standings change when the table's result is in." in shown
    visitor.sees_nothing_played(21)

    type_first_table(page, 1)
    assert len(visitor.standings()) < 21  # players without a result are not ranked yet
    play(hall, 1)
    rows = visitor.sees(after=1, players=21)
    assert total_of(hall, rows, NO_SHOW) == "−30.0"
    assert "absence" not in visitor.read("rulings/")


def play_round_2_with_an_illness(page: Page, hall: Hall, visitor: Visitor) -> None:
    tell_the_desk(page, 2, NO_SHOW, "is there after all, or back: plays the seat")
    ill = "fell ill or had to go: a substitute took over mid-game"
    tell_the_desk(page, 2, ILL, ill, PLAYS_FOR_OTHERS)
    visitor.sees(after=1, players=21)  # round 2 has no result yet
    play(hall, 2)
    visitor.sees(after=2, players=21)


def disqualify_one_in_round_3(page: Page, hall: Hall, visitor: Visitor) -> None:
    """Half of the tables have results: the form proposes this round, and shows what the public page will show."""
    play(hall, 3, tables=range(1, 4))
    page.goto(f"{MANAGE}rulings/disqualify/?entry={DISQUALIFIED}")
    expect(page.get_by_label("After round")).to_have_value("1.3")
    page.get_by_label("Why?").fill("marked tiles")
    shown = rule(page)
    assert "is disqualified after round 3" in shown
    assert "counts from" not in shown

    rows = visitor.sees(after=3, players=21)
    assert name_of(hall, DISQUALIFIED) in rows[-1][2]
    assert "disqualified" in rows[-1][2]
    assert "marked tiles" in visitor.read("rulings/")


def fine_another(page: Page, hall: Hall, visitor: Visitor) -> None:
    before = total_of(hall, visitor.standings(), 1)
    page.goto(f"{MANAGE}rulings/penalty/?entry=1")
    expect(page.get_by_label("After round")).to_have_value("1.3")
    page.get_by_label("Points", exact=True).fill("12000")
    page.get_by_label("Why?").fill("phone at the table")
    page.get_by_role("button", name="Show the effect").click()
    own = page.locator(".shifts tbody tr", has_text=name_of(hall, 1))
    expect(own.locator("td").nth(1)).to_have_text(before)
    promised = own.locator("td").nth(2).inner_text()
    page.get_by_role("button", name="Confirm ruling").click()
    expect(page.locator("main")).to_contain_text("points off the total, after round 3")

    assert total_of(hall, visitor.sees(after=3, players=21), 1) == promised
    play(hall, 3)
    visitor.sees(after=3, players=21)


def finish(page: Page, hall: Hall, visitor: Visitor) -> None:
    play(hall, 4)
    rows = visitor.sees(after=4, players=21)
    assert name_of(hall, DISQUALIFIED) in rows[-1][2]
    page.goto(MANAGE)
    page.get_by_role("button", name="Finish the event").click()
    expect(page.get_by_role("button", name="Finish the event")).to_have_count(0)
    assert visitor.sees(after=4, players=21) == rows


def enter_somebody_after_the_end(page: Page, hall: Hall, visitor: Visitor) -> None:
    """The ranking is final: no rank changes, and a player without a game is not counted."""
    before = visitor.standings(), ema_file(page), european_points(visitor), visitor.read()
    assert {row[1] for row in before[1]} == {21}
    assert "21 players" in before[3]

    page.goto(f"{MANAGE}entries/add/")
    page.locator("input[name=player]").fill("Too Late")
    page.get_by_label("New player").check()
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator("main")).to_contain_text("Too Late is entered as number 27.")

    assert visitor.standings() == before[0]
    assert ema_file(page) == before[1]
    assert european_points(visitor) == before[2]
    assert "21 players" in visitor.read()
    assert "Too Late" not in visitor.read("standings/")
    assert len(visitor.sees(after=4, players=21)) == 21


def total_of(hall: Hall, rows: list[list[str]], number: int) -> str:
    return next(row[3] for row in rows if name_of(hall, number) in row[2])


def ema_file(page: Page) -> list[tuple[object, ...]]:
    """The rows of the draft of the federation's workbook, without the heading."""
    answer = page.context.request.get(f"{MANAGE}ema/?draft=1")
    sheet = load_workbook(io.BytesIO(answer.body())).worksheets[0]
    return [tuple(cell.value for cell in row) for row in sheet.iter_rows(min_row=2)]


def european_points(visitor: Visitor) -> list[str]:
    visitor.page.goto("/tournaments/european-ranking/")
    rows = visitor.page.locator("table").first.locator("tbody tr")
    assert rows.count() == 21
    return rows.all_inner_texts()
