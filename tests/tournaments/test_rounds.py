"""A round's way from planned to confirmed, the results of its tables, and its clock."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet
from ratings.mahjong.problems import Refused
from ratings.models import Adjustment, HanchanEvent, Standing
from ratings.services.hanchans import Conflict, SubmittedBefore
from tests.cast import make_club, make_rule_set, make_user
from tests.tournaments.hall import FALLING, Hall
from tournaments.models import Entry, PlannedSeat, Round, Ruling
from tournaments.queries.rounds import current_round, seats_of, to_seat, unaccounted
from tournaments.services.events import StagePlan, plan_rounds
from tournaments.services.rounds import (
    add_time,
    confirm_round,
    pause_clock,
    start_clock,
    swap_seats,
    unconfirm_round,
    unseat_round,
)
from tournaments.services.rulings import mark_absent, withdraw
from tournaments.services.sheets import expected_seats, sheet_at
from tournaments.services.tables import (
    check_table,
    correct_table,
    record_table,
    void_table,
)

pytestmark = pytest.mark.django_db


class TestSeating:
    def test_publishes_who_sits_where(self, hall: Hall) -> None:
        round_ = hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        assert round_.state == Round.State.SEATED
        seats = PlannedSeat.objects.filter(round=round_).order_by("table__number", "wind")
        assert list(seats.values_list("table__number", "entry__number")) == [
            (1, 1), (1, 2), (1, 3), (1, 4), (2, 5), (2, 6), (2, 7), (2, 8)
        ]  # fmt: skip

    def test_seats_nobody_twice(self, hall: Hall) -> None:
        with pytest.raises(Refused, match=r"1 .* is in round 1 twice: table 1, East and table 2, West"):
            hall.seat(1, [1, 2, 3, 4], [5, 6, 1, 8])

        assert not PlannedSeat.objects.exists()

    def test_has_four_seats_a_table(self, hall: Hall) -> None:
        with pytest.raises(Refused, match="Table 2 of round 1 has 3 seats"):
            hall.seat(1, [1, 2, 3, 4], [5, 6, 7])

    def test_what_is_published_stands(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        with pytest.raises(Refused, match="Round 1 is published"):
            hall.seat(1, [5, 2, 3, 4], [1, 6, 7, 8])

    def test_records_each_who_misses_the_round_once(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], absent=[5, 6], byes=[7, 8])

        kinds = Adjustment.objects.order_by("pk").values_list("kind", "points", "round")
        assert list(kinds) == [("absence", -30_000, 1)] * 2 + [("bye", 0, 1)] * 2
        with pytest.raises(Refused, match=r"is recorded for 5 .* already"):
            mark_absent(hall.round(), hall[5])
        with pytest.raises(Refused, match="sits at table 1 in round 1"):
            mark_absent(hall.round(), hall[1])

    def test_absences_count_as_games_and_byes_do_not(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], absent=[5], byes=[6])

        assert Standing.objects.get(player=hall[5].player).games == 1
        assert Standing.objects.get(player=hall[6].player).games == 0

    def test_can_be_taken_back_until_there_is_a_result(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], absent=[5, 6, 7, 8])

        unseat_round(hall.round(), reason="5 is here after all")

        assert hall.round().state == Round.State.PLANNED
        assert hall.totals(1) == {}
        assert not Adjustment.objects.filter(revoked_at=None).exists()
        log = Ruling.objects.get()
        assert (log.kind, log.reason, log.details) == ("reseated", "5 is here after all", {"seats": [[1, 2, 3, 4]]})
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        with pytest.raises(Refused, match="has results"):
            unseat_round(hall.round(), reason="again")

    def test_two_can_change_places(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        swap_seats(hall.round(), hall[1], hall[6], reason="brothers")

        assert [seat.entry.number for seat in hall.table(1).seats.all()] == [6, 2, 3, 4]
        assert [seat.entry.number for seat in hall.table(2).seats.all()] == [5, 1, 7, 8]
        assert Ruling.objects.get().details["seats"] == [[1, 2, 3, 4], [5, 6, 7, 8]]

    def test_somebody_without_a_seat_can_take_one(self, hall: Hall) -> None:
        substitute = hall.add_substitute()
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        swap_seats(hall.round(), hall[1], substitute)

        assert [seat.entry.number for seat in hall.table(1).seats.all()] == [9, 2, 3, 4]
        assert unaccounted(hall.round()) == [hall[1]]

    def test_a_table_with_a_result_stays(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        with pytest.raises(Refused, match="has no seat that could be changed"):
            swap_seats(hall.round(), hall[1], hall[6])

    def test_whoever_left_is_to_be_recorded_as_absent_unless_the_name_goes(self, hall: Hall) -> None:
        withdraw(hall[7], hall.stage(), 0, keep_results=False, reason="ill")
        withdraw(hall[8], hall.stage(), 0, keep_results=True, reason="tired")

        playing, absent = to_seat(hall.round())

        assert [entry.number for entry in playing] == [1, 2, 3, 4, 5, 6]
        assert [entry.number for entry in absent] == [8]


class TestATablesResult:
    def test_goes_to_the_entries_players(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        table = record_table(hall.table(), hall.sheet(hall.table()))

        assert table.hanchan is not None
        assert table.hanchan.season == hall.stage().season
        assert [seat.result for seat in table.hanchan.seats.all()] == [45_000, 15_000, -15_000, -45_000]
        assert hall.round().state == Round.State.PLAYING
        assert [table.number for table in hall.round().tables.all() if not table.has_result] == [2]

    def test_lies_on_a_day_of_the_event(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        table = record_table(hall.table(), hall.sheet(hall.table()))

        assert table.hanchan is not None
        assert table.hanchan.played_on == hall.tournament.ends_on

    def test_is_of_the_four_who_are_planned_in_any_winds(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        sheet = hall.sheet(hall.table())

        record_table(hall.table(), replace(sheet, seats=sheet.seats[::-1]))
        with pytest.raises(Refused, match="These are not the four of table 2"):
            record_table(hall.table(2), sheet)

    def test_a_wrong_sum_is_refused_and_nothing_is_kept(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        with pytest.raises(Refused, match="100 are missing"):
            record_table(hall.table(), hall.sheet(hall.table(), (45_000, 35_000, 25_000, 14_900)))

        assert hall.table().hanchan is None

    def test_a_second_result_is_refused_and_the_same_form_twice_is_one(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        key = uuid.uuid4()
        record_table(hall.table(), hall.sheet(hall.table()), submit_key=key)

        with pytest.raises(SubmittedBefore) as raised:
            record_table(hall.table(), hall.sheet(hall.table()), submit_key=key)
        assert raised.value.same
        with pytest.raises(Refused, match="has a result already"):
            record_table(hall.table(), hall.sheet(hall.table()), submit_key=uuid.uuid4())

    def test_a_draft_is_no_result_until_a_scorer_takes_it_over(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        record_table(hall.table(), hall.sheet(hall.table(), (1000, 2000, 3000, 4000)), draft=True)
        assert hall.table().has_draft
        assert hall.totals() == {}

        record_table(hall.table(), hall.sheet(hall.table()))

        assert hall.table().has_result
        assert hall.totals()[1] == 45_000

    def test_whoever_fills_up_is_a_substitute_from_the_start_and_unranked(self, hall: Hall) -> None:
        substitute = hall.add_substitute()
        hall.seat(1, [1, 2, 3, substitute.number], [5, 6, 7, 8], absent=[4])

        table = record_table(hall.table(), hall.sheet(hall.table()))

        assert table.hanchan is not None
        seat = table.hanchan.seats.get(player=substitute.player)
        assert (seat.substitute, seat.result) == ("from_start", -30_000)
        assert substitute.number not in hall.ranks()

    def test_an_absent_players_seat_is_played_by_somebody(self, hall: Hall) -> None:
        helper = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        away = {"substitute": scoring.FROM_START, "played_by": helper, "late_minutes": 15}

        table = record_table(hall.table(), hall.sheet(hall.table(), east=away))

        assert table.hanchan is not None
        east = table.hanchan.seats.get(wind=0)
        assert (east.player, east.played_by, east.result) == (hall[1].player, helper.player, -30_000)

    def test_nobody_plays_at_two_tables(self, hall: Hall) -> None:
        helper = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        away = {"substitute": scoring.FROM_START, "played_by": helper}
        record_table(hall.table(1), hall.sheet(hall.table(1), east=away))

        with pytest.raises(Refused, match="plays at table 1 in this round already"):
            record_table(hall.table(2), hall.sheet(hall.table(2), east=away))
        with pytest.raises(Refused, match="plays at table 1 in this round already"):
            record_table(hall.table(2), hall.sheet(hall.table(2), east={**away, "played_by": hall[2]}))

    def test_whoever_took_over_mid_game_is_expected_from_the_start_in_the_next_round(self, hall: Hall) -> None:
        helper = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 6, 3, 8], [5, 2, 7, 4])
        ill = {"substitute": scoring.MID_GAME, "played_by": helper}
        record_table(hall.table(1), hall.sheet(hall.table(1), east=ill))

        first, *others = expected_seats(hall.table(1, 2))

        assert first == SeatSheet(hall[1], scoring.Seat(0, substitute=scoring.FROM_START), helper)
        assert [seat.played.substitute for seat in others] == [scoring.NONE] * 3


class TestACorrection:
    def test_moves_standings_of_a_confirmed_round_and_leaves_pairings(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 6, 3, 8], [5, 2, 7, 4])
        referee = make_user("referee", hall.tournament.club, "referee")
        facts = hall.sheet(hall.table(), (35_000, 45_000, 25_000, 15_000))
        played_at = sheet_at(hall.table()).played_at

        correct_table(hall.table(), facts, version=1, by=referee, reason="lines swapped")

        assert (hall.totals(1)[1], hall.totals(1)[2]) == (15_000, 45_000)
        assert hall.round(1).state == Round.State.CONFIRMED
        assert hall.table().checked_by == referee
        assert [seat.entry.number for seat in hall.table(1, 2).seats.all()] == [1, 6, 3, 8]
        assert HanchanEvent.objects.get(action="corrected").reason == "lines swapped"
        assert sheet_at(hall.table()) == replace(facts, played_at=played_at)

    def test_needs_a_reason_a_result_and_the_newest_version(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        facts = hall.sheet(hall.table())
        with pytest.raises(Refused, match="has no result yet"):
            correct_table(hall.table(), facts, version=1, reason="why")
        record_table(hall.table(), facts)
        with pytest.raises(Refused, match="Enter why"):
            correct_table(hall.table(), facts, version=1, reason=" ")
        with pytest.raises(Conflict):
            correct_table(hall.table(), facts, version=9, reason="why")

    def test_a_voided_result_makes_room_for_another(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        record_table(hall.table(), hall.sheet(hall.table()))

        void_table(hall.table(), reason="wrong table")

        assert hall.totals() == {}
        record_table(hall.table(), hall.sheet(hall.table(), FALLING[::-1]))
        assert hall.totals()[1] == -45_000


class TestConfirming:
    def test_needs_every_table_in_and_checked(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        record_table(hall.table(1), hall.sheet(hall.table(1)))
        with pytest.raises(Refused, match="Tables without a result: 2"):
            confirm_round(hall.round())
        record_table(hall.table(2), hall.sheet(hall.table(2)))
        check_table(hall.table(2))
        with pytest.raises(Refused, match="Tables not checked yet: 1"):
            confirm_round(hall.round())
        check_table(hall.table(1))

        assert confirm_round(hall.round()).state == Round.State.CONFIRMED

    def test_needs_a_record_of_everybody(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], absent=[5, 6], byes=[7])
        check_table(record_table(hall.table(), hall.sheet(hall.table())))

        with pytest.raises(Refused, match="Without a seat, an absence or a bye in round 1: 8 "):
            confirm_round(hall.round())

        mark_absent(hall.round(), hall[8])
        assert confirm_round(hall.round()).state == Round.State.CONFIRMED

    def test_closes_the_round_for_entry(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        with pytest.raises(Refused, match="Round 1 is confirmed"):
            void_table(hall.table(), reason="oops")

    def test_can_be_taken_back_with_a_reason_that_is_kept(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        with pytest.raises(Refused, match="Enter why"):
            unconfirm_round(hall.round(), reason="")

        unconfirm_round(hall.round(), reason="table 2 was played twice")

        assert hall.round().state == Round.State.PLAYING
        assert Ruling.objects.get(kind="unconfirmed").reason == "table 2 was played twice"

    def test_every_write_outdates_the_pages_of_the_stage(self, hall: Hall) -> None:
        before = hall.stage().season.revision
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        confirmed = hall.stage().season.revision
        unconfirm_round(hall.round(), reason="why not")

        assert before < confirmed < hall.stage().season.revision


class TestTheClock:
    def test_runs_pauses_and_goes_on(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        round_ = start_clock(hall.round())
        assert round_.running_since is not None
        later = round_.running_since + datetime.timedelta(minutes=20)
        assert round_.remaining(later) == datetime.timedelta(minutes=70)
        Round.objects.filter(pk=round_.pk).update(running_since=timezone.now() - datetime.timedelta(minutes=20))

        paused = pause_clock(hall.round())

        assert paused.elapsed_seconds // 60 == 20
        assert paused.remaining(timezone.now()) == paused.remaining(later)
        assert start_clock(hall.round()).started_at == round_.started_at

    def test_has_extra_time_for_all_and_for_one_table(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        add_time(hall.round(), 300)
        add_time(hall.round(), 60, table=hall.table(2))

        assert hall.round().length() == datetime.timedelta(minutes=95)
        assert hall.round().length(hall.table(2)) == datetime.timedelta(minutes=96)

    def test_belongs_to_a_round_that_is_seated_and_not_confirmed(self, hall: Hall) -> None:
        with pytest.raises(Refused, match="Only a round that is seated"):
            start_clock(hall.round())


class TestWhatPagesAsk:
    def test_the_hall_is_busy_with_the_first_round_that_is_not_confirmed(self, hall: Hall) -> None:
        assert current_round(hall.tournament) is None
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        assert current_round(hall.tournament) == hall.round(1)
        hall.seat(2, [1, 6, 3, 8], [5, 2, 7, 4])
        hall.seat(3, [1, 2, 7, 8], [5, 6, 3, 4])
        assert current_round(hall.tournament) == hall.round(2)

    def test_a_player_finds_the_own_seats(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 6, 3, 8], [5, 2, 7, 4])

        found = seats_of(hall[2])

        assert [(seat.round.number, seat.table.number, seat.wind) for seat in found] == [(1, 1, 1), (2, 2, 1)]
        assert [mate.entry.number for mate in found[1].table.seats.all()] == [5, 2, 7, 4]

    def test_planned_rounds_can_be_added_and_taken_away_until_they_are_published(self, hall: Hall) -> None:
        hall.seat(2, [1, 6, 3, 8], [5, 2, 7, 4])

        assert plan_rounds(hall.stage(), 5).rounds.count() == 5
        assert plan_rounds(hall.stage(), 2).rounds.count() == 2
        with pytest.raises(Refused, match="Round 2 is published already"):
            plan_rounds(hall.stage(), 1)

    def test_confirming_a_late_round_costs_no_more_queries_than_an_early_one(self, hall: Hall) -> None:
        counts = []
        for number in (1, 2, 3):
            hall.seat(number, [1, 2, 3, 4], [5, 6, 7, 8])
            for table in hall.round(number).tables.all():
                check_table(record_table(table, hall.sheet(table)))
            with CaptureQueriesContext(connection) as captured:
                confirm_round(hall.round(number))
            counts.append(len(captured))
        assert len(set(counts)) == 1


def test_a_stage_of_its_own_rules_is_scored_by_them() -> None:
    club = make_club()
    hall = Hall(club=club, stages=[StagePlan("Main", 1, rule_set=make_rule_set(club, "wrc"))])
    hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

    assert hall.totals()[1] == 30_000  # 45000 − 30000 + 15000
