"""RULES §1 step by step: official examples, each rule by itself, and what must hold for any table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.rulesets import PRESETS, Rules
from ratings.mahjong.scoring import Seat, Table, check, deduction, round_to, score, work_out
from tests.ratings.examples import EXAMPLES

FURITEN, EMA, PHOENIX, TENHOU = (PRESETS[key].rules for key in ("furiten", "ema-2012", "phoenix", "tenhou"))


def table(*points: int, sticks: int = 0, **of_east: Any) -> Table:
    east, *others = points
    return Table((Seat(east, **of_east), *(Seat(p) for p in others)), sticks)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"RULES-4: {e['ruleset']}: {e['title']}")
def test_official_example(example: dict[str, Any]) -> None:
    seats = tuple(Seat(**seat) for seat in example["table"]["seats"])
    given_table = Table(seats, example["table"]["sticks_left"])
    rules = PRESETS[example["ruleset"]].rules
    assert check(given_table, rules) == []
    results = score(given_table, rules)
    assert [result.place for result in results] == example["places"]
    assert [result.total for result in results] == example["totals"]


class TestCheck:
    def test_a_wrong_sum_is_refused_with_the_difference(self) -> None:
        (problem,) = check(table(45_200, 31_100, 25_700, 17_000), FURITEN)
        assert problem.code == "wrong_sum"
        assert problem.sentence() == ("The points sum to 119\xa0000 instead of 120\xa0000: 1000 are missing.")

    def test_too_many_points_are_named_as_such(self) -> None:
        (problem,) = check(table(45_200, 31_100, 25_700, 18_100), FURITEN)
        assert problem.sentence().endswith("100 are too many.")

    def test_sticks_on_the_table_count_in_the_sum(self) -> None:
        assert check(table(40_000, 33_000, 28_000, 17_000, sticks=2), FURITEN) == []

    def test_a_written_reason_lets_a_wrong_sum_pass(self) -> None:
        wrong = table(45_200, 31_100, 25_700, 17_000)._replace(override="a stick fell under the table")
        assert check(wrong, FURITEN) == []

    def test_a_written_reason_lets_nothing_else_pass(self) -> None:
        odd = Table((Seat(45_250), Seat(31_100), Seat(25_700), Seat(17_000)), 0, "whatever")
        assert [(p.code, p.seat) for p in check(odd, FURITEN)] == [("not_hundreds", 0)]

    @pytest.mark.parametrize("field", ["chombo", "late_minutes", "penalty"])
    def test_negative_counts_are_refused(self, field: str) -> None:
        problems = check(table(45_200, 31_100, 25_700, 18_000, **{field: -100}), EMA)
        assert [(p.code, p.seat) for p in problems] == [("negative", 0)]

    def test_negative_sticks_are_refused(self) -> None:
        assert [p.code for p in check(table(45_200, 32_100, 25_700, 18_000, sticks=-1), EMA)] == ["negative"]

    def test_lateness_beyond_the_maximum_needs_a_substitute(self) -> None:
        (problem,) = check(table(30_000, 30_000, 30_000, 30_000, late_minutes=11), EMA)
        assert (problem.code, problem.seat) == ("too_late", 0)
        assert check(table(30_000, 30_000, 30_000, 30_000, late_minutes=10), EMA) == []
        assert check(table(30_000, 30_000, 30_000, 30_000, late_minutes=99, substitute="from_start"), EMA) == []

    @pytest.mark.parametrize("count", [3, 5])
    def test_only_four_can_sit_at_a_table(self, count: int) -> None:
        (problem,) = check(Table(tuple(Seat(30_000) for _ in range(count))), FURITEN)
        assert problem.code == "not_four"

    def test_an_unknown_kind_of_substitute_is_refused(self) -> None:
        problems = check(table(30_000, 30_000, 30_000, 30_000, substitute="sometimes"), EMA)
        assert [p.code for p in problems] == ["bad_substitute"]


class TestRounding:
    MODES = ("up", "down", "toward_zero", "half_away", "half_up", "half_even", "five_down_six_up")

    def test_minus_33500_by_thousands(self) -> None:
        rounded = [round_to(-33_500, 1000, mode) for mode in self.MODES]
        assert rounded == [-33_000, -34_000, -33_000, -34_000, -33_000, -34_000, -33_000]  # RULES §1 step 8

    def test_half_up_takes_halves_towards_plus_infinity_and_the_rest_to_the_nearest(self) -> None:
        values = [33_500, 33_400, 33_600, -33_500, -33_400, -33_600]
        assert [round_to(v, 1000, "half_up") for v in values] == [34_000, 33_000, 34_000, -33_000, -33_000, -34_000]

    @pytest.mark.parametrize("mode", MODES)
    def test_whole_units_stay(self, mode: str) -> None:
        assert [round_to(n, 1000, mode) for n in (-2000, 0, 7000)] == [-2000, 0, 7000]

    def test_five_down_six_up_goes_by_magnitude(self) -> None:
        values = [12_500, 12_599, 12_600, -12_599, -12_600]
        assert [round_to(v, 1000, "five_down_six_up") for v in values] == [12_000, 12_000, 13_000, -12_000, -13_000]

    def test_fractions_stay_exact_until_rounded(self) -> None:
        assert round_to(Fraction(-7000, 3), 100, "half_away") == -2300
        assert round_to(Fraction(100, 2), 100, "half_away") == 100


class TestPlaces:
    def test_tied_seats_share_the_best_place(self) -> None:
        results = score(table(30_000, 30_000, 30_000, 30_000), FURITEN)
        assert [r.place for r in results] == [1, 1, 1, 1]

    def test_by_seat_the_one_nearer_to_the_first_dealer_is_higher(self) -> None:
        results = score(table(20_000, 30_000, 30_000, 20_000), PHOENIX)
        assert [r.place for r in results] == [3, 1, 2, 4]

    def test_mid_game_substitutes_stand_below_everybody_in_order_of_points(self) -> None:
        seats = (Seat(50_000, substitute="mid_game"), Seat(40_000, substitute="mid_game"), Seat(20_000), Seat(10_000))
        assert [r.place for r in score(Table(seats), EMA)] == [3, 4, 1, 2]

    def test_a_mid_game_substitute_never_ties_with_another_seat(self) -> None:
        seats = (Seat(30_000, substitute="mid_game"), Seat(30_000), Seat(30_000), Seat(30_000))
        results = score(Table(seats), EMA)
        assert [r.place for r in results] == [4, 1, 1, 1]
        assert [r.uma for r in results[1:]] == [10_000] * 3

    def test_two_mid_game_substitutes_may_tie_with_each_other(self) -> None:
        seats = (Seat(30_000, substitute="mid_game"), Seat(30_000, substitute="mid_game"), Seat(40_000), Seat(20_000))
        assert [r.place for r in score(Table(seats), EMA)] == [3, 3, 1, 2]


class TestSteps:
    def test_a_share_of_the_uma_is_exact(self) -> None:
        thirds = replace(FURITEN, uma=(10_000, 5_000, -8_000, -7_000))
        results = score(table(32_000, 32_000, 32_000, 24_000), thirds)
        assert results[0].uma == Fraction(7000, 3)
        assert results[0].total == 4_300
        assert results[0].rounding == 4_300 - 2_000 - Fraction(7000, 3)

    def test_a_remainder_of_shared_sticks_stays_unclaimed(self) -> None:
        results = score(table(30_000, 30_000, 30_000, 29_000, sticks=1), EMA)
        assert [r.sticks for r in results] == [300, 300, 300, 0]

    def test_sticks_do_not_change_places(self) -> None:
        results = score(table(30_000, 29_900, 30_100, 29_000, sticks=1), EMA)
        assert [r.place for r in results] == [2, 3, 1, 4]

    def test_a_substitutes_share_of_oka_sticks_and_uma_goes_to_nobody(self) -> None:
        rules = replace(EMA, start_points=25_000)
        seats = (Seat(39_500, substitute="from_start"), Seat(39_500), Seat(10_000), Seat(10_000))
        results = score(Table(seats, 1), rules)
        assert (results[0].oka, results[0].sticks, results[0].total) == (0, 0, -30_000)
        assert (results[1].oka, results[1].sticks, results[1].uma) == (10_000, 500, 20_000)

    def test_lateness_may_be_taken_off_the_result_instead(self) -> None:
        rules = replace(EMA, late_applies="total")
        results = score(table(39_000, 37_000, 28_000, 16_000, late_minutes=3), rules)
        assert (results[0].place, results[0].net, results[0].late) == (1, 39_000, -3_000)
        assert results[0].total == 9_000 + 30_000 - 3_000

    def test_a_penalty_may_be_taken_off_the_result_instead(self) -> None:
        rules = replace(EMA, penalty_applies="total")
        results = score(table(34_000, 33_000, 29_000, 24_000, penalty=8_000), rules)
        assert [r.place for r in results] == [1, 2, 3, 4]
        assert (results[0].net, results[0].base, results[0].penalty) == (34_000, 4_000, -8_000)
        assert results[0].total == 4_000 + 30_000 - 8_000

    @pytest.mark.parametrize("applies", ["net", None])
    def test_a_penalty_changes_places_where_the_rules_say_so_or_nothing(self, applies: str | None) -> None:
        results = score(table(34_000, 33_000, 29_000, 24_000, penalty=8_000), replace(EMA, penalty_applies=applies))
        assert [r.place for r in results] == [3, 1, 2, 4]
        assert (results[0].net, results[0].penalty) == (26_000, 0)

    def test_a_penalty_off_the_result_changes_nothing_on_a_substituted_seat(self) -> None:
        rules = replace(EMA, penalty_applies="total")
        seats = (Seat(37_500, penalty=1000, substitute="from_start"), *(Seat(27_500),) * 3)
        first = score(Table(seats), rules)[0]
        assert (first.net, first.penalty, first.total) == (37_500, 0, -30_000)

    @pytest.mark.parametrize("applies", ["net", "total"])
    def test_lateness_of_a_substituted_seat_is_not_deducted_but_its_penalty_is(self, applies: str) -> None:
        rules = replace(EMA, late_applies=applies)
        seats = (Seat(37_500, late_minutes=20, penalty=1000, substitute="from_start"), *(Seat(27_500),) * 3)
        results = score(Table(seats), rules)
        assert (results[0].net, results[0].place, results[0].total) == (36_500, 1, -30_000)
        assert results[0].late == 0

    def test_first_place_takes_the_rounding_difference(self) -> None:
        results = score(table(41_300, 30_400, 20_600, 7_700), TENHOU)
        assert [r.total for r in results] == [51_000, 10_000, -19_000, -42_000]
        assert sum(r.total for r in results) == 0

    def test_nothing_is_balanced_when_a_substitute_sat_there(self) -> None:
        seats = (Seat(41_300), Seat(30_400), Seat(20_600), Seat(7_700, substitute="from_start"))
        assert all(r.balance == 0 for r in score(Table(seats), TENHOU))

    def test_of_tied_firsts_the_one_nearest_to_the_first_dealer_balances(self) -> None:
        rules = replace(TENHOU, ties="split")
        results = score(table(20_400, 33_300, 33_300, 13_000), rules)
        assert [bool(r.balance) for r in results].count(True) <= 1
        assert results[2].balance == 0

    def test_floating_uma_counts_seats_before_sticks(self) -> None:
        rules = replace(PRESETS["jpml-a"].rules, leftover_sticks="winner")
        results = score(table(29_900, 29_800, 29_700, 29_600, sticks=1), rules)
        assert [r.uma for r in results] == [8_000, 4_000, -4_000, -8_000]

    def test_floating_uma_counts_after_deductions(self) -> None:
        rules = PRESETS["jpml-a"].rules
        results = score(table(30_000, 45_000, 25_000, 20_000, penalty=1000), rules)
        assert [r.uma for r in results] == [-1_000, 12_000, -3_000, -8_000]


hundreds = st.integers(-500, 1500).map(lambda n: n * 100)
seats = st.builds(
    Seat,
    points=hundreds,
    chombo=st.integers(0, 3),
    late_minutes=st.integers(0, 10),
    penalty=st.integers(0, 120).map(lambda n: n * 100),
    substitute=st.sampled_from(["none", "none", "none", "from_start", "mid_game"]),
)
tables = st.builds(Table, st.tuples(seats, seats, seats, seats), st.integers(0, 4), st.just("any"))
umas = st.tuples(*[st.integers(-50_000, 50_000)] * 4)
any_rules = st.builds(
    lambda base, **changed: replace(base, **changed),
    st.sampled_from([preset.rules for preset in PRESETS.values()]),
    target_points=st.sampled_from([25_000, 30_000]),
    uma=umas,
    floating_uma=st.none() | st.just(((1, (12_000, -1_000, -3_000, -8_000)),)),
    ties=st.sampled_from(["split", "seat"]),
    leftover_sticks=st.sampled_from(["winner", "lost"]),
    rounding_unit=st.sampled_from([1, 100, 500, 1000]),
    rounding_mode=st.sampled_from(TestRounding.MODES),
    balance=st.sampled_from(["none", "first"]),
    late_applies=st.sampled_from(["net", "total"]),
    penalty_applies=st.sampled_from(["net", "total", None]),
)


class TestWorking:
    """The values that the steps used are returned with the results."""

    def test_tied_firsts_share_uma_and_sticks_in_whole_hundreds(self) -> None:
        working = work_out(table(30_000, 30_000, 30_000, 29_000, sticks=1), EMA)
        assert (working.firsts, working.sticks) == ([0, 1, 2], 300)
        assert working.uma == [10_000, 10_000, 10_000, -30_000]  # EMA 2012: 30, 10, −10, −30
        assert working.uma_table == EMA.uma

    def test_sticks_that_are_lost_go_to_nobody(self) -> None:
        rules = replace(EMA, leftover_sticks="lost")
        assert work_out(table(40_000, 30_000, 25_000, 23_000, sticks=2), rules).sticks == 0

    def test_floating_uma_says_by_how_many_it_was_chosen(self) -> None:
        alone = (12_000, -1_000, -3_000, -8_000)
        rules = replace(EMA, floating_uma=((1, alone),))
        working = work_out(table(60_000, 25_000, 20_000, 15_000), rules)
        assert (working.uma_table, working.above_start) == (alone, 1)
        working = work_out(table(40_000, 35_000, 25_000, 20_000), rules)
        assert (working.uma_table, working.above_start) == (EMA.uma, 2)
        assert work_out(table(40_000, 35_000, 25_000, 20_000), EMA).above_start is None

    def test_a_substituted_seat_shows_what_its_place_was_worth(self) -> None:
        working = work_out(table(45_000, 30_000, 25_000, 20_000, substitute="from_start", late_minutes=5), EMA)
        assert (working.firsts, working.uma[0], working.late[0]) == ([0], EMA.uma[0], 0)

    @given(tables, any_rules)
    def test_what_was_taken_before_placing_is_not_in_the_net(self, any_table: Table, rules: Rules) -> None:
        working = work_out(any_table, rules)
        for i, (seat, result) in enumerate(zip(any_table.seats, working.results, strict=True)):
            assert result.net == seat.points - working.late[i] - working.penalties[i]

    @given(tables, any_rules)
    def test_a_deduction_is_taken_either_before_placing_or_off_the_result(self, any_table: Table, rules: Rules) -> None:
        working = work_out(any_table, rules)
        for i, (seat, result) in enumerate(zip(any_table.seats, working.results, strict=True)):
            if seat.substitute == "none":
                before = working.late[i] + working.penalties[i]
                assert deduction(seat, rules) == before - result.late - result.penalty


class TestInvariants:
    @given(tables, any_rules)
    def test_the_total_is_the_sum_of_its_steps(self, any_table: Table, rules: Rules) -> None:
        for result in score(any_table, rules):
            assert result.total == sum(result[2:11])
            assert isinstance(result.total, int)
            assert isinstance(result.place, int)

    @given(tables, any_rules)
    def test_a_substituted_seat_has_the_fixed_result(self, any_table: Table, rules: Rules) -> None:
        for seat, result in zip(any_table.seats, score(any_table, rules), strict=True):
            if seat.substitute != "none":
                assert result.total == rules.substitute_points + rules.substitute_uma

    @given(tables, any_rules, st.permutations(range(4)))
    def test_the_order_of_seats_does_not_matter_when_ties_split(
        self, any_table: Table, rules: Rules, order: list[int]
    ) -> None:
        rules = replace(rules, ties="split", balance="none")
        straight = score(any_table, rules)
        shuffled = score(any_table._replace(seats=tuple(any_table.seats[i] for i in order)), rules)
        assert [straight[i] for i in order] == list(shuffled)

    @given(tables, any_rules)
    def test_places_are_those_of_the_net_points(self, any_table: Table, rules: Rules) -> None:
        results = score(any_table, replace(rules, ties="split"))
        strength = [(s.substitute != "mid_game", r.net) for s, r in zip(any_table.seats, results, strict=True)]
        assert [r.place for r in results] == [1 + sum(other > own for other in strength) for own in strength]

    @given(tables, any_rules)
    def test_ties_by_seat_give_four_places(self, any_table: Table, rules: Rules) -> None:
        results = score(any_table, replace(rules, ties="seat"))
        assert sorted(r.place for r in results) == [1, 2, 3, 4]

    @given(st.tuples(hundreds, hundreds, hundreds, hundreds), any_rules)
    def test_exact_results_of_four_players_keep_every_point(
        self, points: tuple[int, int, int, int], rules: Rules
    ) -> None:
        rules = replace(rules, rounding_unit=1, floating_uma=None, balance="first", leftover_sticks="lost")
        results = score(Table(tuple(Seat(p) for p in points)), rules)
        exact = sum(points) - 4 * rules.target_points + sum(rules.uma) + rules.oka
        assert sum(r.total for r in results) == exact

    def test_every_order_of_a_plain_table_gives_the_same_results(self) -> None:
        points = (45_200, 31_100, 25_700, 18_000)
        wanted = dict(zip(points, (24_200, 4_100, -7_300, -21_000), strict=True))
        for order in permutations(points):
            assert [r.total for r in score(table(*order), FURITEN)] == [wanted[p] for p in order]
