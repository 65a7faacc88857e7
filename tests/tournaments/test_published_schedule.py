"""An event whose whole schedule is published on the first morning: pages go by played rounds, not published ones."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.pages import tight
from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Table
from tournaments.queries.schedules import Drawing, certificate_of, draw, seating_request, swap_cost
from tournaments.queries.standings import as_json
from tournaments.services.entries import enter, set_status
from tournaments.services.events import StagePlan, change_event
from tournaments.services.rounds import confirm_round, start_clock, unseat_round
from tournaments.services.rulings import disqualify, withdraw
from tournaments.services.schedules import publish_round, store_drawing
from tournaments.services.sheets import expected_seats
from tournaments.services.tables import check_table, record_table

pytestmark = pytest.mark.django_db
EVENT = "/tournaments/open/"
RULINGS = f"{EVENT}manage/rulings/"
PUBLIC = ("", "standings/", "screen/", "me/9/", "print/standings/", "rounds/")


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """Nine players, four published rounds: number 9 has a bye in all but the last round, number 1 in the last."""
    hall = Hall(9, [StagePlan("Main", 4, top=4), StagePlan("Final", 1)], odd="byes")
    for number in (1, 2, 3):
        hall.seat(number, (1, 2, 3, 4), (5, 6, 7, 8), byes=[9])
    hall.seat(4, (9, 2, 3, 4), (5, 6, 7, 8), byes=[1])
    return hall


@pytest.fixture
def referee(hall: Hall) -> Client:
    return client_of(hall.tournament.club, "referee")


def play(hall: Hall, round_number: int, tables: int = 2) -> None:
    """Enters FALLING at the first tables of a published round; with both, the round is confirmed."""
    for number in range(1, tables + 1):
        table = hall.table(number, round_number)
        check_table(record_table(table, hall.sheet(table)))
    if tables == Table.objects.filter(round=hall.round(round_number)).count():
        confirm_round(hall.round(round_number))


def proposed(client: Client, path: str) -> str:
    """The round a form offers."""
    page = client.get(f"{RULINGS}{path}").text
    found = re.search(r'<option value="(\d+\.\d+)" selected>', page)
    return found.group(1) if found else ""


class TestThePages:
    def test_before_the_first_result_nothing_stands(self, hall: Hall, client: Client) -> None:
        for path in PUBLIC:
            assert "tandings after round" not in client.get(f"{EVENT}{path}").text, path
        assert "No one is ranked yet" in client.get(f"{EVENT}standings/").text
        assert "rank " not in client.get(f"{EVENT}me/9/").text

    @pytest.mark.parametrize("tables", [1, 2])
    def test_they_speak_of_the_last_round_with_results(self, hall: Hall, client: Client, tables: int) -> None:
        play(hall, 1)
        play(hall, 2, tables)

        assert "Standings after round 2 of 4" in client.get(f"{EVENT}standings/").text
        assert "Standings after round 2" in client.get(f"{EVENT}screen/").text
        assert "tandings after round 2 of 4" in client.get(f"{EVENT}print/standings/").text
        assert "rank 5 of 9" in client.get(f"{EVENT}me/9/").text
        for path in PUBLIC:
            assert "tandings after round 4" not in client.get(f"{EVENT}{path}").text, path

    def test_what_is_needed_is_reckoned_with_the_rounds_still_to_play(self, hall: Hall, client: Client) -> None:
        for number in (1, 2, 3):
            play(hall, number)

        assert "What is still needed in the last round" in client.get(f"{EVENT}standings/").text
        assert "in the last round" in client.get(f"{EVENT}me/2/").text

    def test_a_cut_is_not_decided_while_a_table_of_the_last_round_is_missing(self, hall: Hall, client: Client) -> None:
        for number in (1, 2, 3):
            play(hall, number)
        play(hall, 4, tables=1)
        page = client.get(f"{EVENT}standings/").text

        assert "What is still needed in the last round" in page
        assert page.count(">safe<") < 4

    def test_the_lists_of_events_name_the_round_being_played(self, hall: Hall, client: Client) -> None:
        hall.tournament.starts_on = hall.tournament.ends_on = hall.tournament.today()
        change_event(hall.tournament)
        assert "round 1 of 5" in client.get("/tournaments/").text
        play(hall, 1)
        assert "round 2 of 5" in client.get("/tournaments/").text

    def test_absences_of_rounds_to_come_are_no_rulings_yet(self, hall: Hall, client: Client) -> None:
        other = Hall(8, [StagePlan("Main", 2)], slug="other", club=hall.tournament.club)
        withdraw(other[8], other.stage(), 0, keep_results=True, reason="ill")
        other.seat(1, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        other.seat(2, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        assert ">absence<" not in tight(client.get("/tournaments/other/rulings/").text)
        record_table(other.table(), other.sheet(other.table()))
        assert client.get("/tournaments/other/rulings/").text.count(">absence<") == 4


class TestWhoeverNeverPlayed:
    def test_an_entry_after_the_end_moves_nobody(self, hall: Hall, client: Client) -> None:
        for number in (1, 2, 3, 4):
            play(hall, number)
        before = as_json(hall.tournament)
        late = enter(hall.tournament, Hall(1, slug="later", club=hall.tournament.club).players[0])

        assert late.status == Entry.Status.REGISTERED
        assert as_json(hall.tournament) == before
        assert "<b>9</b> players" in client.get(EVENT).text


class TestRulings:
    def test_before_the_first_round_they_count_from_the_start(self, hall: Hall, referee: Client) -> None:
        assert [proposed(referee, path) for path in ("penalty/", "disqualify/")] == ["1.0"] * 2
        assert proposed(referee, "absent/") == "1.1"

    def test_they_propose_the_round_being_played(self, hall: Hall, referee: Client) -> None:
        play(hall, 1)
        play(hall, 2, tables=1)

        paths = ("penalty/", "withdraw/", "disqualify/", "absent/")
        assert [proposed(referee, path) for path in paths] == ["1.2"] * 4

    def test_between_two_rounds_it_is_the_last_one_and_an_absence_is_of_the_next(
        self, hall: Hall, referee: Client
    ) -> None:
        play(hall, 1)
        assert [proposed(referee, path) for path in ("penalty/", "absent/")] == ["1.1", "1.2"]
        start_clock(hall.round(2))
        assert proposed(referee, "penalty/") == "1.2"

    def test_what_the_preview_shows_stands_on_the_public_page_afterwards(self, hall: Hall, referee: Client) -> None:
        play(hall, 1)
        play(hall, 2, tables=1)
        data = {"entry": "1", "points": "12000", "where": "total", "moment": "1.2", "reason": "phone"}

        shown = referee.post(f"{RULINGS}penalty/", data).text
        assert "+90.0" in shown
        assert "+78.0" in shown
        referee.post(f"{RULINGS}penalty/", {**data, "confirm": "1"})
        assert "+78.0" in Client().get(f"{EVENT}standings/").text

    def test_what_counts_later_is_said_to(self, hall: Hall, referee: Client) -> None:
        play(hall, 1)
        data = {"entry": "1", "points": "12000", "where": "total", "moment": "1.3", "reason": "phone"}

        shown = referee.post(f"{RULINGS}penalty/", data).text
        assert "The standings after round 1, which everybody sees now, stay as they are." in shown
        assert "counts from the first result of round 3 on" in shown
        referee.post(f"{RULINGS}penalty/", {**data, "confirm": "1"})
        assert hall.totals()[1] == 45_000
        assert "+33.0" not in Client().get(EVENT).text  # nor on the overview

    def test_whoever_leaves_after_a_round_still_plays_it(self, hall: Hall) -> None:
        play(hall, 1)
        start_clock(hall.round(2))
        disqualify(hall[1], hall.stage(), 2, reason="marked tiles")

        assert [seat.played.substitute for seat in expected_seats(hall.table(1, 2))] == ["none"] * 4
        assert [seat.played.substitute for seat in expected_seats(hall.table(1, 3))] == ["from_start", *["none"] * 3]


class TestWhatToDoNext:
    def test_only_the_next_round_waits_for_its_tables(self, hall: Hall) -> None:
        hall_page = f"{EVENT}manage/"
        admin = client_of(hall.tournament.club, "admin")
        assert admin.get(hall_page).text.count("tables missing in round") == 1
        play(hall, 1)
        play(hall, 2, tables=1)
        text = admin.get(hall_page).text
        assert "1 table missing in round 2." in text.lower()
        assert "missing in round 3" not in text

    def test_whoever_is_not_checked_in_is_asked_for_until_play_begins(self, hall: Hall) -> None:
        set_status(hall[1], Entry.Status.REGISTERED)
        admin = client_of(hall.tournament.club, "admin")
        assert "1 of 9 players is not checked in." in admin.get(f"{EVENT}manage/").text
        start_clock(hall.round(1))
        assert "not checked in" not in admin.get(f"{EVENT}manage/").text


class TestTheCertificate:
    def test_it_is_shown_while_its_rounds_are_drawn_that_way(self) -> None:
        hall = Hall()
        store_drawing(draw(seating_request(hall.stage(), Drawing()), stop=lambda: True))
        for number in (1, 2, 3):
            publish_round(hall.round(number))
        admin = client_of(hall.tournament.club, "admin")
        caption = "<caption>How good the schedule is</caption>"
        assert caption in tight(admin.get(f"{EVENT}manage/schedule/").text)

        unseat_round(hall.round(3), reason="it is drawn by rank")
        assert caption not in tight(admin.get(f"{EVENT}manage/schedule/").text)

    def test_the_cost_of_a_swap_counts_as_the_certificate_does(self) -> None:
        hall = Hall(10)
        for _each in range(2):
            hall.add_substitute()
        store_drawing(draw(seating_request(hall.stage(), Drawing()), stop=lambda: True))
        kept = certificate_of(hall.stage())
        assert kept is not None
        figures = kept["figures"]
        before = swap_cost(hall.round(3), hall[1], hall[2]).before

        assert before["excess"].value == figures["excess"]["value"]
        assert before["table_repeats"].value == figures["table_repeats"]["value"]
        assert before["max_meetings"].value == figures["max_meetings"]["value"]
