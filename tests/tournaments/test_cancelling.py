"""A cancellation before the first round leaves no trace in the event, and can be taken back; event.md A3."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from ratings.mahjong.problems import Refused
from ratings.models import Adjustment
from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall
from tournaments.models import Entry, PlannedSeat, Round, Ruling
from tournaments.queries.cancelling import may_cancel
from tournaments.queries.eventfiles import read_event
from tournaments.queries.mers import mers_report
from tournaments.services.cancelling import SeatsOfEntry, cancel, take_back_cancellation
from tournaments.services.entries import enter, set_status
from tournaments.services.events import StagePlan
from tournaments.services.rounds import start_clock
from tournaments.services.rulings import mark_absent, reinstate, withdraw
from tournaments.services.tables import check_table, record_table
from tournaments.standings.eventfile import write

pytestmark = pytest.mark.django_db
TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))
EVENT = "/tournaments/open/"
NOTHING = SeatsOfEntry()


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """Eight players, three rounds, all published, and a substitute."""
    hall = Hall()
    hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
    for number in (1, 2, 3):
        hall.seat(number, *TABLES)
    return hall


@pytest.fixture
def published(hall: Hall) -> Hall:
    return hall


@pytest.fixture
def admin(published: Hall) -> Client:
    return client_of(published.tournament.club, "admin")


def seats(hall: Hall, number: int) -> int:
    return PlannedSeat.objects.filter(entry=hall[number]).count()


def post(client: Client, number: int, **data: Any) -> Any:
    return client.post(f"{EVENT}manage/entries/{number}/cancel/", data)


class TestBeforeTheDraw:
    def test_it_leaves_no_ruling_no_absence_and_no_place_in_the_ranking(self, client: Client) -> None:
        hall = Hall(9)
        cancel(hall[9], NOTHING, reason="e-mail of Tuesday")
        for number in (1, 2, 3):
            hall.play(number, *TABLES)

        assert hall[9].status == Entry.Status.CANCELLED
        assert not Ruling.objects.exists()
        assert not Adjustment.objects.exists()
        assert set(hall.totals()) == set(range(1, 9))
        assert mers_report(hall.tournament).players == 8
        name = hall[9].player.native_name
        for path in ("", "standings/", "rulings/", "me/", "print/standings/"):
            assert name not in client.get(f"{EVENT}{path}").text, path
        assert client.get(f"{EVENT}me/9/").status_code == 404

    def test_it_is_in_no_event_file(self) -> None:
        hall = Hall(9)
        cancel(hall[9], NOTHING)
        hall.play(1, *TABLES)

        entries = write(read_event(hall.tournament).event)["entries"]
        assert [entry["number"] for entry in entries] == list(range(1, 9))

    def test_rounds_drawn_with_it_are_drawn_again(self) -> None:
        hall = Hall()
        hall.seat(1, *TABLES)
        Round.objects.update(state=Round.State.PLANNED)

        assert [round_.number for round_ in cancel(hall[1], NOTHING)] == [1]
        assert not PlannedSeat.objects.exists()

    def test_it_frees_a_place_and_can_be_taken_back(self) -> None:
        hall = Hall(2, capacity=2)
        cancel(hall[1], NOTHING, reason="ill")
        late = enter(hall.tournament, Hall(1, slug="other", club=hall.tournament.club).players[0])
        assert late.status == Entry.Status.REGISTERED
        assert take_back_cancellation(hall[1]).status == Entry.Status.WAITING  # the place is taken

        cancel(hall[2], NOTHING)
        assert take_back_cancellation(hall[2]).status == Entry.Status.REGISTERED
        assert hall[2].reason == ""

    def test_whoever_cancelled_is_not_entered_twice_nor_checked_in(self) -> None:
        hall = Hall(1)
        cancel(hall[1], NOTHING)

        with pytest.raises(Refused, match="has cancelled"):
            enter(hall.tournament, hall[1].player)
        with pytest.raises(Refused, match="cannot become"):
            set_status(hall[1], Entry.Status.CHECKED_IN)
        with pytest.raises(Refused, match="not entered"):
            cancel(hall[1], NOTHING)

    def test_a_substitute_cancels_and_comes_back_as_one(self) -> None:
        hall = Hall(1)
        cancel(hall.add_substitute(), NOTHING)
        assert take_back_cancellation(hall[2]).status == Entry.Status.SUBSTITUTE
        with pytest.raises(Refused, match="not cancelled"):
            take_back_cancellation(hall[2])


class TestAPublishedSchedule:
    def test_the_page_shows_the_seats_and_asks_who_takes_them(self, published: Hall, admin: Client) -> None:
        page = admin.get(f"{EVENT}manage/entries/3/cancel/").text
        assert "Round 1, table 1" in page
        assert "Round 3, table 1" in page
        assert "9 Substitute" in page

        answer = post(admin, 3)
        assert answer.status_code == 422
        assert "Select who takes the seats" in answer.text
        assert published[3].status == Entry.Status.CHECKED_IN

    def test_a_substitute_takes_every_seat_outside_the_ranking(self, published: Hall, admin: Client) -> None:
        assert post(admin, 3, seats="9", reason="broke a leg").status_code == 302

        assert published[3].status == Entry.Status.CANCELLED
        assert (seats(published, 3), seats(published, 9)) == (0, 3)
        assert published[9].substitute_kind == Entry.SubstituteKind.PERMANENT
        assert not Ruling.objects.exists()
        table = published.table()
        check_table(record_table(table, published.sheet(table)))
        assert set(published.totals()) == {1, 2, 4}
        assert "broke a leg" not in Client().get(f"{EVENT}rulings/").text

    def test_somebody_from_the_waiting_list_gets_the_place(self, published: Hall, admin: Client) -> None:
        player = Hall(1, slug="other", club=published.tournament.club).players[0]
        enter(published.tournament, player, status=Entry.Status.WAITING)

        post(admin, 3, seats="10")
        assert (published[10].status, seats(published, 10)) == (Entry.Status.REGISTERED, 3)

    def test_or_the_rounds_are_drawn_again(self, published: Hall, admin: Client) -> None:
        answer = post(admin, 3, seats="draw")

        assert answer.url.endswith("/schedule/")
        assert set(Round.objects.values_list("state", flat=True)) == {Round.State.PLANNED}
        assert published[3].status == Entry.Status.CANCELLED

    def test_absences_and_byes_that_were_written_go_with_it(self) -> None:
        hall = Hall()
        hall.seat(1, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        cancel(hall[5], NOTHING)
        record_table(hall.table(), hall.sheet(hall.table()))

        assert 5 not in hall.totals()
        assert 6 in hall.totals()

    def test_once_a_round_has_begun_it_is_a_withdrawal(self, published: Hall, admin: Client) -> None:
        start_clock(published.round(1))

        assert not may_cancel(published[3])
        assert post(admin, 3, seats="9").status_code == 302
        assert published[3].status == Entry.Status.CHECKED_IN
        with pytest.raises(Refused, match="has begun"):
            cancel(published[3], NOTHING)

    def test_the_form_of_withdrawals_says_so_before(self, published: Hall) -> None:
        referee = client_of(published.tournament.club, "referee")
        data = {"entry": "3", "moment": "1.0", "results": "keep", "reason": "ill"}
        answer = referee.post(f"{EVENT}manage/rulings/withdraw/", data)

        assert answer.status_code == 422
        assert "Before the first round an entry is cancelled" in answer.text

    def test_taken_back_it_is_said_which_seats_are_missing(self, published: Hall, admin: Client) -> None:
        post(admin, 3, seats="9")
        assert "Take back the cancellation" in admin.get(f"{EVENT}manage/entries/3/").text
        page = admin.post(f"{EVENT}manage/entries/3/restore/", follow=True).text

        assert "has no seat in rounds 1, 2, 3" in page
        assert published[3].status == Entry.Status.REGISTERED


class TestPlaysAgain:
    def test_absences_of_rounds_not_yet_played_are_taken_back(self) -> None:
        hall = Hall(8, [StagePlan("Main", 4)])
        hall.play(1, *TABLES)
        withdraw(hall[8], hall.stage(), 1, keep_results=True, reason="train")
        hall.seat(2, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        hall.seat(3, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        hall.seat(4, (1, 2, 3, 4), absent=[5, 6, 7])
        mark_absent(hall.round(4), hall[8])
        record_table(hall.table(1, 2), hall.sheet(hall.table(1, 2)))

        reinstate(hall[8], reason="missed the train")

        rows = Adjustment.objects.filter(player=hall[8].player, revoked_at=None)
        assert list(rows.values_list("round", flat=True)) == [2]
        assert hall.totals()[8] == -45_000 - 30_000
