"""The standings of an event as EVENT.md says, on made-up scores without a database."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.problems import Refused
from ratings.mahjong.standings import ABSENCE, BYE, CARRIED, PENALTY
from tests.tournaments.scores import people, seat
from tournaments.standings import ranking
from tournaments.standings.ranking import Contestant, Departure, Extra, RoundMoment

TIE_BREAKS = ("average_place", "best_game")


def order(table: ranking.Standings) -> list[tuple[int, int, int]]:
    return [(row.rank, row.entry, row.total) for row in table.rows]


class TestWhoIsRanked:
    """EVENT.md: a result, an absence or a bye in a played round; a round is played once a table has a result."""

    def test_whoever_has_no_record_is_not_ranked_and_moves_nobody(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 5000), seat(3, 1, -5000, 4)])

        assert order(ranking.standings(people(3), scores, 1, TIE_BREAKS)) == [(1, 1, 5000), (2, 3, -5000)]

    def test_a_penalty_alone_makes_nobody_a_contestant(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 5000)], [Extra(2, 0, PENALTY, -8000)])

        assert order(ranking.standings(people(2), scores, 1, TIE_BREAKS)) == [(1, 1, 5000)]

    @pytest.mark.parametrize("kind", [ABSENCE, BYE])
    def test_absences_and_byes_of_rounds_nobody_has_played_count_for_nothing(self, kind: str) -> None:
        ahead = [Extra(2, number, kind, -30_000) for number in range(1, 9)]
        published = ranking.StageScores(1, (), ahead)
        playing = ranking.StageScores(1, [seat(1, 1, 5000)], ahead)

        assert published.last_round == 0
        assert ranking.standings(people(2), published, 8, TIE_BREAKS).rows == []
        assert playing.last_round == 1
        assert order(ranking.standings(people(2), playing, 8, TIE_BREAKS)) == [(1, 1, 5000), (2, 2, -30_000)]

    def test_a_late_comer_is_ranked_from_the_first_record_on(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 100), seat(1, 2, 100), seat(2, 2, 900)])

        assert [len(ranking.standings(people(2), scores, r, ()).rows) for r in (1, 2)] == [1, 2]

    def test_whoever_reached_a_later_stage_is_ranked_in_it_before_its_first_round(self) -> None:
        carried = [Extra(1, 0, CARRIED, 100), Extra(2, 0, CARRIED, 300)]
        scores = ranking.StageScores(2, (), carried, frozenset({1, 2}))

        assert order(ranking.standings(people(3), scores, 0, ())) == [(1, 2, 300), (2, 1, 100)]


class TestTheOrder:
    def test_total_counts_first(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, -5000, 4), seat(2, 1, 5000, 1)])

        assert order(ranking.standings(people(2), scores, 1, TIE_BREAKS)) == [(1, 2, 5000), (2, 1, -5000)]

    def test_then_the_average_place_where_lower_is_better(self) -> None:
        scores = ranking.StageScores(
            1, [seat(1, 1, 1000, 3), seat(1, 2, 1000, 3, 2), seat(2, 1, 2000, 1, 3), seat(2, 2, 0, 2, 4)]
        )

        assert [row.entry for row in ranking.standings(people(2), scores, 2, TIE_BREAKS).rows] == [2, 1]

    def test_then_the_best_game(self) -> None:
        scores = ranking.StageScores(
            1, [seat(1, 1, 1000, 2), seat(1, 2, 1000, 2, 2), seat(2, 1, 500, 2, 3), seat(2, 2, 1500, 2, 4)]
        )

        assert [row.entry for row in ranking.standings(people(2), scores, 2, TIE_BREAKS).rows] == [2, 1]

    def test_equal_in_all_is_the_same_rank_and_the_next_is_skipped(self) -> None:
        scores = ranking.StageScores(1, [seat(2, 1, 100), seat(3, 1, 100), seat(1, 1, 0)])

        assert order(ranking.standings(people(3), scores, 1, TIE_BREAKS)) == [(1, 2, 100), (1, 3, 100), (3, 1, 0)]

    def test_substituted_seats_count_in_the_total_and_not_in_the_tie_breaks(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 9000, 4, own=False), seat(2, 1, 9000, 2)])

        first, second = ranking.standings(people(2), scores, 1, TIE_BREAKS).rows

        assert (first.entry, second.entry) == (2, 1)
        assert (second.tally.placed, second.tally.best, second.tally.games) == (0, None, 1)

    def test_only_rounds_until_then_count(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 100), seat(1, 2, 900)], [Extra(1, 2, PENALTY, -50)])

        after = [ranking.standings(people(1), scores, r, ()).rows for r in (0, 1, 2)]
        assert [[row.total for row in rows] for rows in after] == [[], [100], [950]]

    def test_absences_are_games_and_byes_are_not(self) -> None:
        extras = [Extra(1, 1, ABSENCE, -30_000), Extra(2, 1, BYE, 0)]
        scores = ranking.StageScores(1, [seat(3, 1, 100)], extras)

        _winner, first, second = ranking.standings(people(3), scores, 1, TIE_BREAKS).rows

        assert (first.entry, first.tally.games, first.tally.by_round) == (2, 0, {})
        assert (second.entry, second.tally.games, second.tally.by_round) == (1, 1, {1: -30_000})

    def test_movement_is_since_the_round_before(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 100), seat(2, 1, 50), seat(1, 2, 0), seat(2, 2, 100)])

        rows = ranking.standings(people(2), scores, 2, (), moves=True).rows

        assert [(row.entry, row.moved) for row in rows] == [(2, 1), (1, -1)]
        assert [row.moved for row in ranking.standings(people(2), scores, 1, (), moves=True).rows] == [None, None]


class TestThoseWhoLeave:
    def test_the_disqualified_are_below_everybody_from_then_on(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 900), seat(2, 1, 100), seat(3, 1, -500)])
        crew = people(3, n1=Departure(RoundMoment(1, 2), disqualified=True))

        assert [row.entry for row in ranking.standings(crew, scores, 1, ()).rows] == [1, 2, 3]
        assert order(ranking.standings(crew, scores, 2, ())) == [(1, 2, 100), (2, 3, -500), (3, 1, 900)]

    def test_a_name_is_taken_out_from_then_on(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 900), seat(2, 1, 100)])
        crew = people(2, n1=Departure(RoundMoment(1, 2), keep_results=False))

        assert [row.entry for row in ranking.standings(crew, scores, 1, ()).rows] == [1, 2]
        assert order(ranking.standings(crew, scores, 2, ())) == [(1, 2, 100)]

    def test_whoever_left_in_one_stage_has_left_in_the_next(self) -> None:
        crew = people(2, n1=Departure(RoundMoment(1, 3), disqualified=True))
        scores = ranking.StageScores(2, (), [Extra(1, 0, CARRIED, 900), Extra(2, 0, CARRIED, 100)], frozenset({1, 2}))

        assert [row.entry for row in ranking.standings(crew, scores, 0, ()).rows] == [2, 1]

    def test_substitutes_stand_outside(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 100), seat(2, 1, -30_000, own=False)])
        crew = [Contestant(1), Contestant(2, ranked=False), Contestant(3, ranked=False)]

        table = ranking.standings(crew, scores, 1, ())

        assert [row.entry for row in table.rows] == [1]
        assert [tally.entry for tally in table.outside] == [2]


class TestHeadToHead:
    def test_whoever_finished_above_the_other_is_first(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 0, 3), seat(2, 1, 0, 2)])

        assert [row.rank for row in ranking.standings(people(2), scores, 1, ("head_to_head",)).rows] == [1, 2]
        assert ranking.standings(people(2), scores, 1, ("head_to_head",)).rows[0].entry == 2

    def test_it_is_silent_unless_all_who_are_tied_have_met(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 0, 3), seat(2, 1, 0, 2), seat(3, 1, 0, 1, table=2)])

        assert [row.rank for row in ranking.standings(people(3), scores, 1, ("head_to_head",)).rows] == [1, 1, 1]

    def test_a_substituted_seat_is_no_meeting(self) -> None:
        scores = ranking.StageScores(1, [seat(1, 1, 0, 3, own=False), seat(2, 1, 0, 2)])

        assert [row.rank for row in ranking.standings(people(2), scores, 1, ("head_to_head",)).rows] == [1, 1]


class TestTheCut:
    @pytest.mark.parametrize(
        ("total", "halved"),
        [(0, 0), (200, 100), (300, 200), (100, 100), (-100, -100), (-300, -200), (-500, -300), (93_900, 47_000)],
    )
    def test_halves_are_rounded_away_from_zero_to_whole_hundreds(self, total: int, halved: int) -> None:
        assert ranking.carried(total, "halve") == halved

    def test_totals_are_carried_or_reset(self) -> None:
        assert (ranking.carried(700, "carry"), ranking.carried(700, "reset")) == (700, 0)

    def test_those_tied_across_the_cut_are_named(self) -> None:
        rows = self.rows(900, 500, 500, 100)

        assert ranking.tied_at_cut(rows, 2) == [2, 3]
        assert ranking.tied_at_cut(rows, 1) == []
        assert ranking.tied_at_cut(rows, 3) == []

    def test_the_line_up_is_the_first_n(self) -> None:
        assert ranking.line_up(self.rows(900, 500, 400, 100), 2, {1}) == [1, 2]

    def test_a_tie_at_the_cut_is_decided_by_who_plays(self) -> None:
        assert ranking.line_up(self.rows(900, 500, 500, 100), 2, {1, 3}) == [1, 3]

    def test_one_who_left_gives_the_place_to_the_next_who_plays(self) -> None:
        rows = self.rows(900, 500, 400, 100)
        rows[1].tally.left = True

        assert ranking.line_up(rows, 2, {1, 3}) == [1, 3]
        assert ranking.line_up(rows, 2, {1, 2}) == [1, 2]

    def test_nobody_else_can_be_in_the_next_stage(self) -> None:
        with pytest.raises(Refused, match="Entry 4 did not reach this stage"):
            ranking.line_up(self.rows(900, 500, 400, 100), 2, {1, 4})

    def rows(self, *totals: int) -> list[ranking.Row]:
        scores = ranking.StageScores(1, [seat(entry, 1, total) for entry, total in enumerate(totals, 1)])
        return ranking.standings(people(len(totals)), scores, 1, ()).rows


class TestTheFinalRanking:
    def stages(self, crew: list[Contestant]) -> list[ranking.Standings]:
        first = ranking.StageScores(1, [seat(n, 1, 1000 - 100 * n) for n in range(1, 6)])
        second = ranking.StageScores(2, [seat(1, 1, -900), seat(2, 1, 0)], (), frozenset({1, 2}))
        return [ranking.standings(crew, first, 1, ()), ranking.standings(crew, second, 1, ())]

    def test_finalists_stand_above_the_rest(self) -> None:
        crew = people(5)

        found = ranking.final_ranking(crew, self.stages(crew))

        assert [(row.rank, row.entry, row.total) for row in found] == [
            (1, 2, 0),
            (2, 1, -900),
            (3, 3, 700),
            (4, 4, 600),
            (5, 5, 500),
        ]

    def test_a_disqualified_finalist_is_last_of_all(self) -> None:
        crew = people(5, n2=Departure(RoundMoment(2, 1), disqualified=True))

        found = ranking.final_ranking(crew, self.stages(crew))

        assert [(row.rank, row.entry) for row in found] == [(1, 1), (2, 3), (3, 4), (4, 5), (5, 2)]

    def test_a_finalist_whose_name_is_taken_out_is_nowhere(self) -> None:
        crew = people(5, n2=Departure(RoundMoment(2, 1), keep_results=False))

        assert [row.entry for row in ranking.final_ranking(crew, self.stages(crew))] == [1, 3, 4, 5]

    def test_shared_ranks_below_the_final_stay_shared(self) -> None:
        crew = people(4)
        first = ranking.StageScores(1, [seat(1, 1, 900), seat(2, 1, 100), seat(3, 1, 100), seat(4, 1, 0)])
        second = ranking.StageScores(2, [seat(1, 1, 0)], (), frozenset({1}))
        stages = [ranking.standings(crew, first, 1, ()), ranking.standings(crew, second, 1, ())]

        assert [row.rank for row in ranking.final_ranking(crew, stages)] == [1, 2, 2, 4]

    @given(st.lists(st.integers(-3, 3), min_size=4, max_size=12), st.integers(1, 4))
    def test_everybody_is_in_it_once_and_ranks_never_fall(self, totals: list[int], top: int) -> None:
        crew = people(len(totals))
        first = ranking.standings(crew, ranking.StageScores(1, [seat(n, 1, t) for n, t in enumerate(totals, 1)]), 1, ())
        through = frozenset(ranking.passes(first.rows, top))
        second = ranking.standings(crew, ranking.StageScores(2, (), (), through), 0, ())

        found = ranking.final_ranking(crew, [first, second])

        assert sorted(row.entry for row in found) == list(range(1, len(totals) + 1))
        assert all(later.rank >= row.rank for row, later in pairwise(found))
        assert all(row.rank <= index for index, row in enumerate(found, 1))


class TestTeams:
    def test_the_sum_of_their_members_ranks_teams(self) -> None:
        crew = [Contestant(1, "Reds"), Contestant(2, "Blues"), Contestant(3, "Reds"), Contestant(4)]
        scores = ranking.StageScores(1, [seat(1, 1, 900), seat(2, 1, 600), seat(3, 1, -400)])

        found = ranking.team_standings(ranking.standings(crew, scores, 1, ()).rows)

        assert [(row.rank, row.team, row.total) for row in found] == [(1, "Blues", 600), (2, "Reds", 500)]
        assert [member.entry for member in found[1].members] == [1, 3]
