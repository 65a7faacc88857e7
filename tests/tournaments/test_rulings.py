"""What goes wrong at an event: penalties, departures, the cut, and the log of it all."""

from __future__ import annotations

import pytest

from ratings.mahjong.problems import Refused
from ratings.models import Adjustment, Season
from ratings.services.anonymising import anonymise
from ratings.services.merging import merge_players, preview_merge, undo_merge
from tests.cast import make_players, make_user
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Stage
from tournaments.queries.log import referees_log
from tournaments.queries.mers import mers_report
from tournaments.queries.standings import as_json, final_ranking, standings_after, view_event, view_stage
from tournaments.services.entries import admit_waiting, check_in, enter, remove_entry, set_status
from tournaments.services.events import StagePlan, set_results_hidden
from tournaments.services.rounds import unconfirm_round
from tournaments.services.rulings import (
    disqualify,
    give_penalty,
    reinstate,
    revoke_penalty,
    take_back,
    withdraw,
)
from tournaments.services.stages import finish_event, open_next_stage, propose_cut
from tournaments.services.tables import correct_table, record_table, void_table
from tournaments.standings.prospects import Mark

pytestmark = pytest.mark.django_db

TWO_STAGES = (StagePlan("Qualifying", 2, top=4, totals="halve"), StagePlan("Final", 1))


class TestPenalties:
    def test_count_from_their_round_on_until_they_are_revoked(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.play(2, [1, 6, 3, 8], [5, 2, 7, 4])

        given = give_penalty(hall.stage(), hall[1], 12_000, "left the hall", after_round=2)

        assert (hall.totals(1)[1], hall.totals(2)[1]) == (45_000, 78_000)
        revoke_penalty(hall.stage(), given, reason="it was somebody else")
        assert hall.totals(2)[1] == 90_000

    def test_a_warning_costs_nothing_and_is_kept(self, hall: Hall) -> None:

        given = give_penalty(hall.stage(), hall[1], 0, "talked", after_round=1)

        assert (given.kind, given.points) == (Adjustment.Kind.WARNING, 0)

    def test_say_why_and_are_positive(self, hall: Hall) -> None:
        with pytest.raises(Refused, match="needs a reason"):
            give_penalty(hall.stage(), hall[1], 100, " ", after_round=1)
        with pytest.raises(Refused, match="positive number"):
            give_penalty(hall.stage(), hall[1], -100, "why", after_round=1)


class TestLeaving:
    def test_the_disqualified_stay_last_and_can_be_reinstated(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        disqualify(hall[1], hall.stage(), 1, reason="peeked")

        assert hall.ranks()[1] == 8
        assert hall.totals()[1] == 45_000
        reinstate(hall[1], reason="it was a mirror")
        assert hall.ranks()[1] == 1
        assert hall[1].status == Entry.Status.CHECKED_IN

    def test_a_name_taken_out_lowers_the_number_of_players(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        withdraw(hall[8], hall.stage(), 1, keep_results=False, reason="ill")

        assert len(hall.ranks()) == 7
        assert mers_report(hall.tournament).players == 7

    def test_somebody_absent_who_comes_after_all_gets_the_record_back(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], absent=[5, 6, 7, 8])

        take_back(hall.round(), hall[5], reason="was in the hall")
        record_table(hall.table(), hall.sheet(hall.table()))

        assert set(hall.totals()) == {1, 2, 3, 4, 6, 7, 8}

    def test_whoever_has_not_left_cannot_be_reinstated(self, hall: Hall) -> None:
        with pytest.raises(Refused, match="has not left"):
            reinstate(hall[1], reason="?")


class TestTheCut:
    def played(self) -> Hall:
        """After two rounds: 1 and 5 have +90000, 2 and 6 +30000, 3 and 7 −30000, 4 and 8 −90000."""
        hall = Hall(stages=TWO_STAGES)
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.play(2, [1, 6, 3, 8], [5, 2, 7, 4])
        return hall

    def test_takes_the_first_four_with_halved_totals(self) -> None:
        hall = self.played()
        give_penalty(hall.stage(), hall[2], 300, "late", after_round=2)

        final = open_next_stage(hall.stage())

        assert hall.totals(0, stage=2) == {1: 45_000, 5: 45_000, 6: 15_000, 2: 14_900}
        assert not Stage.objects.get(pk=hall.stage().pk).is_open
        assert final.is_open

    def test_needs_every_round_confirmed(self) -> None:
        hall = self.played()
        unconfirm_round(hall.round(2), reason="a sheet is missing")

        with pytest.raises(Refused, match="Rounds not confirmed yet: 2"):
            open_next_stage(hall.stage())

    def test_a_tie_across_the_cut_is_for_the_organiser(self) -> None:
        hall = Hall(stages=[StagePlan("Qualifying", 1, top=3), StagePlan("Final", 1)])
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        with pytest.raises(Refused, match=r"Equal at the cut in everything: 2 .*, 6 .*"):
            open_next_stage(hall.stage())

        open_next_stage(hall.stage(), qualified=[hall[1], hall[5], hall[6]])

        assert sorted(hall.totals(0, stage=2)) == [1, 5, 6]

    def test_whoever_has_left_gives_the_place_to_the_next(self) -> None:
        hall = self.played()
        withdraw(hall[1], hall.stage(), 2, keep_results=True, reason="train")

        through, tied = propose_cut(hall.stage())

        assert [entry.number for entry in through] == [5, 2, 6, 3]
        assert [entry.number for entry in tied] == [3, 7]

    def test_a_correction_in_the_stage_before_moves_what_was_carried(self) -> None:
        hall = self.played()
        open_next_stage(hall.stage())
        hall.play(1, [1, 5, 6, 2], stage=2)
        before = hall.totals(1, stage=2)
        table = hall.table(1, 2)

        correct_table(table, hall.sheet(table, (35_000, 45_000, 25_000, 15_000)), version=1, reason="lines swapped")

        after = hall.totals(1, stage=2)
        assert (after[1] - before[1], after[6] - before[6]) == (-15_000, 15_000)
        assert sorted(after) == [1, 2, 5, 6]

    def test_a_table_entered_anew_in_the_stage_before_moves_it_too(self) -> None:
        hall = self.played()
        open_next_stage(hall.stage())
        unconfirm_round(hall.round(2), reason="wrong sheet")

        void_table(hall.table(1, 2), reason="wrong sheet")
        assert hall.totals(0, stage=2)[1] == 22_500
        record_table(hall.table(1, 2), hall.sheet(hall.table(1, 2), (15_000, 25_000, 35_000, 45_000)))
        assert hall.totals(0, stage=2)[1] == 0

    def test_the_final_ranking_puts_finalists_first(self) -> None:
        hall = self.played()
        open_next_stage(hall.stage())
        hall.play(1, [6, 2, 5, 1], stage=2)
        finish_event(hall.tournament)

        found = final_ranking(view_event(hall.tournament))

        # 6: 15000 + 45000, 2 and 5: 15000 + 15000 and 45000 − 15000, where 2 placed better; 1: 45000 − 45000
        assert [(row.rank, row.entry) for row in found[:4]] == [(1, 6), (2, 2), (3, 5), (4, 1)]
        assert [row.rank for row in found[4:]] == [5, 5, 7, 7]
        assert hall.tournament.finished_at is not None

    def test_marks_towards_it_come_with_the_standings(self) -> None:
        hall = self.played()

        decided = {one.entry: one.mark for one in view_stage(hall.stage()).prospects(2)}

        assert [entry for entry, mark in decided.items() if mark == Mark.CLINCHED] == [1, 5, 2, 6]
        assert {one.mark for one in view_stage(hall.stage()).prospects(1)} == {Mark.OPEN}


class TestTheLog:
    def test_lists_every_ruling_in_order_of_the_rounds(self, hall: Hall) -> None:
        referee = make_user("referee", hall.tournament.club, "referee")
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        table = hall.table()
        facts = hall.sheet(table, east={"chombo": 1}, south={"late_minutes": 2, "penalty": 1000})
        correct_table(table, facts, version=1, by=referee, reason="chombo forgotten")
        hall.play(2, [1, 6, 3, 8], absent=[2, 4, 5, 7])
        give_penalty(hall.stage(), hall[3], 5000, "argued", after_round=1, by=referee)
        disqualify(hall[4], hall.stage(), 2, reason="cheated", by=referee)

        lines = referees_log(hall.tournament)

        assert [(line.round, line.kind, line.entry.number if line.entry else None) for line in lines] == [
            (1, "chombo", 1),
            (1, "late", 2),
            (1, "fine", 2),
            (1, "penalty", 3),
            (1, "corrected", None),
            (2, "absence", 2),
            (2, "absence", 4),
            (2, "absence", 5),
            (2, "absence", 7),
            (2, "disqualified", 4),
        ]
        assert lines[4].reason == "chombo forgotten"
        assert lines[3].by == referee

    def test_says_what_was_taken_back(self, hall: Hall) -> None:
        given = give_penalty(hall.stage(), hall[3], 5000, "argued", after_round=1)
        revoke_penalty(hall.stage(), given, reason="was right")

        assert [line.revoked for line in referees_log(hall.tournament)] == ["was right"]


class TestEntries:
    def test_whoever_comes_when_the_places_are_taken_waits(self) -> None:
        hall = Hall(players=2, capacity=3)
        third, fourth = (enter(hall.tournament, player) for player in make_players(2))

        assert (third.status, fourth.status) == (Entry.Status.REGISTERED, Entry.Status.WAITING)
        assert fourth.number not in hall.ranks()
        withdraw(third, hall.stage(), 0, keep_results=False, reason="ill")
        assert admit_waiting(hall.tournament) == [fourth]
        assert hall[4].status == Entry.Status.REGISTERED

    def test_nobody_is_entered_twice_and_no_number_is(self) -> None:
        hall = Hall(players=2)
        with pytest.raises(Refused, match="is entered already"):
            enter(hall.tournament, hall.players[0])
        with pytest.raises(Refused, match="Number 2 is taken"):
            enter(hall.tournament, make_players(1)[0], number=2)

    def test_country_and_number_are_the_players_unless_said(self) -> None:
        hall = Hall(players=0)
        player = make_players(1)[0]

        assert enter(hall.tournament, player).country == "BY"
        assert enter(hall.tournament, make_players(1)[0], country="PL").country == "PL"

    def test_check_in_and_its_limits(self) -> None:
        hall = Hall(players=1)
        entry = set_status(hall[1], Entry.Status.CONFIRMED)
        assert entry.checked_in_at is None
        assert check_in(entry).checked_in_at is not None
        disqualify(hall[1], hall.stage(), 0, reason="cheated")
        with pytest.raises(Refused, match="cannot become"):
            check_in(hall[1])

    def test_an_entry_with_a_part_in_the_event_stays(self, hall: Hall) -> None:
        remove_entry(hall[8])
        hall.seat(1, [1, 2, 3, 4], absent=[5])
        for number in (1, 5):
            with pytest.raises(Refused, match="has a part in the event"):
                remove_entry(hall[number])

    def test_an_entry_moves_along_when_players_are_merged_and_back(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        double = make_players(1)[0]
        old = hall[1].player

        merge = merge_players(old, double)
        assert hall[1].player == double
        assert hall.totals()[1] == 45_000
        undo_merge(merge)
        assert hall[1].player == old
        assert hall.totals()[1] == 45_000

    def test_two_of_one_event_are_not_merged(self, hall: Hall) -> None:

        problems = preview_merge(hall[1].player, hall[2].player).objections

        assert [problem.code for problem in problems] == ["both_entered"]

    def test_anonymising_forgets_what_an_entry_tells(self) -> None:
        hall = Hall(players=0)
        entry = enter(hall.tournament, make_players(1)[0], team="Reds", ema_number="04010000")

        anonymise(entry.player)

        assert (hall[1].team, hall[1].country, hall[1].ema_number) == ("", "", "")
        assert set(Entry.history.values_list("team", "ema_number")) == {("", "")}


class TestWhoSees:
    def test_hidden_until_the_ceremony_hides_every_season_of_the_event(self) -> None:
        hall = Hall(stages=TWO_STAGES)

        set_results_hidden(hall.tournament, True)
        assert set(Season.objects.values_list("results_public", flat=True)) == {False}
        set_results_hidden(hall.tournament, False)
        assert set(Season.objects.values_list("results_public", flat=True)) == {True}

    def test_a_hidden_event_has_no_public_results(self) -> None:
        Hall(is_public=False)

        assert not Season.objects.get().results_public


class TestReads:
    def test_the_standings_of_a_stage_cost_three_queries(self, django_assert_num_queries: object, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        stage = hall.stage()

        with django_assert_num_queries(3):  # type: ignore[operator]
            rows = standings_after(stage).rows
            assert [row.tally.by_round for row in rows[:1]] == [{1: 45_000}]

    def test_the_json_shows_confirmed_rounds_only(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 6, 3, 8], [5, 2, 7, 4])

        assert [after["round"] for after in as_json(hall.tournament)["stages"][0]["after"]] == [1]

    def test_a_corrected_round_is_marked(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        table = hall.table()
        correct_table(table, hall.sheet(table, (35_000, 45_000, 25_000, 15_000)), version=1, reason="swapped")

        marked = {row.entry for row in standings_after(hall.stage()).rows if row.tally.corrected}

        assert marked == {1, 2, 3, 4}

    def test_the_weight_for_the_european_ranking(self, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        report = mers_report(hall.tournament)

        assert (report.days, report.players, report.countries, report.weight) == (2, 8, 6, 2.5)
        assert [(row.place, row.points) for row in report.rows[:3]] == [(1, 1000), (1, 1000), (3, 714)]

    def test_substitutes_who_played_are_participants_where_the_event_says_so(self) -> None:
        """Six players and two who fill up; the last is 6th of 6, or of 8: 1000 × 2 / 7 = 285.7."""
        hall = Hall(6, reports_to_mers=True)
        for kind in ("permanent", "permanent", "occasional"):
            hall.add_substitute(kind)
        hall.play(1, [1, 2, 3, 7], [8, 4, 5, 6])

        found = []
        for hall.tournament.count_substitutes in (False, True):
            report = mers_report(hall.tournament)
            found.append((report.players, report.substitutes, len(report.rows), report.rows[-1].points))

        assert found == [(6, 0, 6, 0), (8, 2, 6, 286)]

    def test_at_most_three_substitutes_are_participants(self) -> None:
        """Three fill up, and one more plays for somebody."""
        hall = Hall(5, count_substitutes=True)
        for kind in ("permanent", "permanent", "permanent", "occasional"):
            hall.add_substitute(kind)
        hall.seat(1, [1, 2, 3, 6], [4, 5, 7, 8])
        stands_in = {"substitute": "from_start", "played_by": hall[9]}
        record_table(hall.table(1), hall.sheet(hall.table(1), east=stands_in))
        record_table(hall.table(2), hall.sheet(hall.table(2)))

        assert mers_report(hall.tournament).players == 8
