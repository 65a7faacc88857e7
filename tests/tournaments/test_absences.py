"""Each missed round gives exactly one record: a seat's fixed result if a substitute played it, else an adjustment."""

from __future__ import annotations

import pytest

from ratings.mahjong import scoring
from ratings.mahjong.problems import Refused
from ratings.models import Adjustment, Seat
from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Tournament
from tournaments.queries.schedules import Drawing, draw, seating_request
from tournaments.queries.standings import standings_after
from tournaments.seating.ways import RANDOM
from tournaments.services.draw_job import draw_now
from tournaments.services.rounds import confirm_round, swap_seats
from tournaments.services.rulings import disqualify, mark_absent, reinstate, withdraw
from tournaments.services.schedules import publish_round, store_drawing
from tournaments.services.sheets import expected_seats
from tournaments.services.tables import check_table, new_sheet, record_table
from tournaments.standings.ranking import EntryTally

pytestmark = pytest.mark.django_db
TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))
FIXED = -30_000  # by EMA 2012


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    hall = Hall()
    hall.play(1, *TABLES)
    return hall


def records(hall: Hall, number: int, round_number: int) -> list[tuple[str, int]]:
    """Everything that counts for an entry in a round: seats and results without a game."""
    player = hall[number].player
    seats = Seat.objects.filter(player=player, counts=True, hanchan__event_table__round__number=round_number)
    given = Adjustment.objects.filter(player=player, round=round_number, revoked_at=None)
    return [("seat", seat.result or 0) for seat in seats] + [(row.kind, row.points) for row in given]


def tally(hall: Hall, number: int) -> EntryTally:
    rows = standings_after(hall.stage()).rows
    return next(row.tally for row in rows if row.entry == number)


def play_as_expected(hall: Hall, round_number: int) -> None:
    for number in range(1, hall.round(round_number).tables.count() + 1):
        table = hall.table(number, round_number)
        seats = [seat.changed(points=30_000) for seat in expected_seats(table)]
        check_table(record_table(table, new_sheet(table, seats)))
    confirm_round(hall.round(round_number))


def draw_and_publish(hall: Hall, round_number: int, **wishes: object) -> None:
    drawing = Drawing(way=RANDOM.key, **wishes)  # type: ignore[arg-type]
    store_drawing(draw(seating_request(hall.stage(), drawing), stop=lambda: True))
    publish_round(hall.round(round_number))


class TestOneRecord:
    def test_nobody_played_the_seat(self, hall: Hall) -> None:
        hall.play(2, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        assert records(hall, 5, 2) == [("absence", FIXED)]
        assert tally(hall, 5).games == 2
        assert hall.totals()[5] == 45_000 + FIXED

    def test_somebody_played_the_seat(self, hall: Hall) -> None:
        helper = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
        hall.seat(2, *TABLES)
        table = hall.table(1, 2)
        record_table(table, hall.sheet(table, east={"substitute": scoring.FROM_START, "played_by": helper}))
        assert records(hall, 1, 2) == [("seat", FIXED)]
        with pytest.raises(Refused, match="sits at table 1"):
            mark_absent(hall.round(2), hall[1])

    def test_not_twice(self, hall: Hall) -> None:
        hall.seat(2, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        with pytest.raises(Refused, match="recorded for"):
            mark_absent(hall.round(2), hall[5])
        assert records(hall, 5, 2) == [("absence", FIXED)]

    def test_whoever_takes_a_seat_after_all_is_not_absent(self, hall: Hall) -> None:
        hall.seat(2, (1, 2, 3, 4), absent=[5, 6, 7, 8])
        swap_seats(hall.round(2), hall[4], hall[5], reason="came with the next train")
        assert records(hall, 5, 2) == []
        table = hall.table(1, 2)
        check_table(record_table(table, hall.sheet(table)))
        with pytest.raises(Refused, match="Without a seat"):
            confirm_round(hall.round(2))
        mark_absent(hall.round(2), hall[4])
        confirm_round(hall.round(2))
        assert records(hall, 4, 2) == [("absence", FIXED)]


class TestTheDisqualified:
    def test_missed_rounds_are_absences(self, hall: Hall) -> None:
        for _each in range(3):
            hall.add_substitute()
        disqualify(hall[1], hall.stage(), 1, reason="marked tiles")
        draw_and_publish(hall, 2)
        play_as_expected(hall, 2)
        draw_and_publish(hall, 3)
        play_as_expected(hall, 3)
        for number in (2, 3):
            assert records(hall, 1, number) == [("absence", FIXED)]
        assert hall.totals()[1] == 45_000 + 2 * FIXED
        assert hall.ranks()[1] == 8  # last, and stays in the table

    def test_a_published_seat_is_played_by_a_substitute(self, hall: Hall) -> None:
        hall.seat(2, *TABLES)
        disqualify(hall[1], hall.stage(), 1, reason="marked tiles")
        play_as_expected(hall, 2)
        assert records(hall, 1, 2) == [("seat", FIXED)]

    def test_or_somebody_else_gets_the_seat_and_the_absence_is_recorded(self, hall: Hall) -> None:
        filling = hall.add_substitute()
        hall.seat(2, *TABLES)
        disqualify(hall[1], hall.stage(), 1, reason="marked tiles")
        swap_seats(hall.round(2), hall[1], filling)
        play_as_expected(hall, 2)
        assert records(hall, 1, 2) == [("absence", FIXED)]

    def test_reinstated_they_play_again_and_the_absence_stays_until_it_is_taken_back(self, hall: Hall) -> None:
        for _each in range(3):
            hall.add_substitute()
        disqualify(hall[1], hall.stage(), 1, reason="marked tiles")
        draw_and_publish(hall, 2)
        play_as_expected(hall, 2)
        reinstate(hall[1], reason="they were not")
        draw_and_publish(hall, 3)
        play_as_expected(hall, 3)
        assert [records(hall, 1, number) for number in (2, 3)] == [[("absence", FIXED)], [("seat", 0)]]


class TestTheWithdrawn:
    @pytest.mark.parametrize(("keep", "expected"), [(True, [("absence", FIXED)]), (False, [])])
    def test_missed_rounds_count_only_for_a_name_that_stays(
        self, hall: Hall, keep: bool, expected: list[tuple[str, int]]
    ) -> None:
        for number in (1, 2, 3, 4):
            withdraw(hall[number], hall.stage(), 1, keep_results=keep, reason="train")
        draw_and_publish(hall, 2)
        assert hall.round(2).tables.count() == 1  # no substitute is needed once tables can shrink
        play_as_expected(hall, 2)
        assert records(hall, 1, 2) == expected

    def test_somebody_who_left_without_a_record_can_be_marked_absent(self, hall: Hall) -> None:
        """This happens if another player got the seat of a published round before the withdrawal was entered."""
        filling = hall.add_substitute()
        hall.seat(2, *TABLES)
        swap_seats(hall.round(2), hall[1], filling)
        withdraw(hall[1], hall.stage(), 1, keep_results=True, reason="train")
        referee = client_of(hall.tournament.club, "referee")
        data = {"entry": "1", "moment": "1.2", "confirm": "1"}
        assert referee.post("/tournaments/open/manage/rulings/absent/", data).status_code == 302
        assert records(hall, 1, 2) == [("absence", FIXED)]


class TestByes:
    def test_a_bye_is_a_setting_gives_nothing_and_is_no_game(self) -> None:
        hall = Hall(9, odd=Tournament.Odd.BYES)
        draw_now(hall.stage(), Drawing(way=RANDOM.key), 1)
        publish_round(hall.round(1))
        play_as_expected(hall, 1)
        resting = Adjustment.objects.get(kind=Adjustment.Kind.BYE)
        number = Entry.objects.get(player=resting.player).number
        assert records(hall, number, 1) == [("bye", 0)]
        assert (tally(hall, number).games, hall.totals()[number]) == (0, 0)

    def test_without_the_setting_nobody_sits_out(self) -> None:
        hall = Hall(9, odd=Tournament.Odd.REFUSE)
        with pytest.raises(Refused, match="do not fill tables of four"):
            seating_request(hall.stage(), Drawing(way=RANDOM.key))

    def test_somebody_absent_by_wish_gets_the_record_when_the_round_is_published(self) -> None:
        hall = Hall(9)
        draw_and_publish(hall, 1, absent=(9,))
        assert records(hall, 9, 1) == [("absence", FIXED)]
