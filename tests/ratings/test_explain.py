"""Every number can be explained: sentences for each seat, and an account of the sum that always adds up."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.explain import Explanation, example_table, explain
from ratings.mahjong.rulesets import PRESETS, Rules
from ratings.mahjong.scoring import SUBSTITUTES, Seat, Table, check, score, work_out
from tests.ratings.examples import EXAMPLES

FURITEN, EMA, TENHOU, M_LEAGUE, JPML = (
    PRESETS[key].rules for key in ("furiten", "ema-2012", "tenhou", "m-league", "jpml-a")
)


def told(table: Table, rules: Rules) -> Explanation:
    return explain(table, rules, work_out(table, rules))


def four(*points: int, sticks: int = 0, override: str = "", **of_east: Any) -> Table:
    east, *others = points
    return Table((Seat(east, **of_east), *(Seat(p) for p in others)), sticks, override)


def said(explanation: Explanation, seat: int) -> dict[str, str]:
    return {step.code: step.phrase.sentence() for step in explanation.seats[seat]}


def lines(explanation: Explanation) -> dict[str, int | Fraction]:
    return {line.phrase.sentence(): line.amount for line in explanation.account}


class TestSentences:
    def test_every_step_that_applies_has_a_sentence(self) -> None:
        explanation = told(four(41_200, 27_600, 18_900, 12_300), M_LEAGUE)

        assert [step.phrase.sentence() for step in explanation.seats[0]] == [
            "Ended with 41200 points.",
            "Took 1 place.",
            "41200 − 30000 target = 11200.",
            "Uma for 1 place: 30000.",
            "Oka, the 5000 each player put in: 20000.",
            "Result: 61200.",
        ]

    def test_tied_seats_are_named_and_share_the_uma(self) -> None:
        explanation = told(four(35_000, 35_000, 30_000, 20_000), FURITEN)

        assert said(explanation, 0)["place"] == "Level with South: they share 1 place."
        assert said(explanation, 1)["uma"] == "Uma, the mean of 1 to 2 place: 6000."

    def test_a_tie_decided_by_seat_says_so(self) -> None:
        explanation = told(four(30_000, 30_000, 25_000, 15_000), TENHOU)

        assert said(explanation, 1)["place"] == (
            "Level with East; the seat nearer to the first dealer is higher: 2 place."
        )

    def test_lateness_and_a_penalty_are_taken_off_before_the_place(self) -> None:
        explanation = told(four(39_000, 37_000, 28_000, 16_000, late_minutes=3, penalty=8_000), EMA)

        words = said(explanation, 0)
        assert list(words)[:5] == ["points", "late_net", "penalty", "net", "place"]
        assert words["late_net"] == "Minutes late: 3, at 1000 points each: 3000 are taken off and go to no one."
        assert words["net"] == "That leaves 28000."
        assert words["place"] == "Level with West: they share 2 place."

    def test_a_chombo_says_what_each_costs(self) -> None:
        explanation = told(four(45_000, 30_000, 25_000, 20_000, chombo=2), FURITEN)

        assert said(explanation, 0)["chombo"] == "Chombo: 2, at -20000 each: -40000."

    def test_a_chombo_paid_at_the_table_costs_nothing_more(self) -> None:
        explanation = told(four(45_000, 30_000, 25_000, 20_000, chombo=1), EMA)

        assert said(explanation, 0)["chombo"] == "Chombo: 1; by these rules nothing is taken off the result."

    def test_a_floating_uma_says_what_decided_it(self) -> None:
        explanation = told(four(50_000, 25_000, 24_000, 21_000), JPML)

        assert said(explanation, 0)["uma"] == (
            "Seats at or above 30000: 1, which decides the uma. Uma for 1 place: 12000."
        )

    def test_rounding_and_who_takes_the_difference(self) -> None:
        explanation = told(four(41_400, 27_400, 18_400, 12_800), TENHOU)

        words = said(explanation, 0)
        assert words["rounding"] == "51400 is rounded to 51000."
        assert words["balance"] == "First place takes what rounding added or removed: 1000."

    def test_a_substituted_seat_is_fixed_whatever_happened(self) -> None:
        explanation = told(
            four(45_000, 30_000, 25_000, 20_000, substitute="from_start", late_minutes=15, chombo=1), EMA
        )

        words = said(explanation, 0)
        assert words["base"].startswith("A substitute played from the start: the result is fixed")
        assert words["late"] == "Minutes late: 15, kept as the reason and not taken off."
        assert words["chombo"] == "Chombo: 1, recorded; on a substituted seat it changes nothing."

    def test_a_mid_game_substitute_is_below_all_others(self) -> None:
        explanation = told(four(45_000, 30_000, 25_000, 20_000, substitute="mid_game"), EMA)

        assert said(explanation, 0)["place"].endswith("below all others: 4 place.")


class TestAccount:
    def test_a_full_table_sums_to_nought(self) -> None:
        explanation = told(four(45_000, 30_000, 25_000, 20_000), EMA)

        assert lines(explanation) == {"base, uma and oka of a full table of 120000": 0}

    def test_a_lost_stick_and_a_chombo_are_missing_in_the_sum(self) -> None:
        explanation = told(four(44_000, 30_000, 25_000, 20_000, sticks=1, chombo=1), FURITEN)

        assert explanation.total == -21_000
        assert lines(explanation)["riichi sticks left on the table: 1; by these rules no one gets them"] == -1_000
        assert lines(explanation)["chombo of East, given to no one"] == -20_000

    def test_sticks_that_first_place_takes_change_nothing(self) -> None:
        explanation = told(four(44_000, 30_000, 25_000, 20_000, sticks=1), EMA)

        assert lines(explanation)["riichi sticks left on the table: 1; first place takes them"] == 0

    def test_what_tied_firsts_cannot_share_stays_on_the_table(self) -> None:
        table = Table((Seat(33_000), Seat(33_000), Seat(33_000), Seat(20_000)), 1)

        explanation = told(table, EMA)

        assert explanation.account[1].amount == -100

    def test_a_wrong_sum_is_named_with_its_reason(self) -> None:
        explanation = told(four(44_000, 30_000, 25_000, 20_000, override="a stick was lost"), EMA)

        assert lines(explanation)["points missing on the table, recorded all the same: “a stick was lost”"] == -1_000

    def test_lateness_and_penalties_off_the_result_are_lines_of_their_own(self) -> None:
        seats = (Seat(45_000, late_minutes=2), Seat(30_000), Seat(25_000, penalty=8_000), Seat(20_000))
        explanation = told(Table(seats), PRESETS["ema-2025"].rules)
        found = {line.phrase.sentence(): line.amount for line in explanation.account}
        assert found["lateness of East, off the result"] == -2_000
        assert found["penalty of West, off the result"] == -8_000
        assert "net" not in {row.code for row in explanation.rows}
        words = {step.code: step.phrase.sentence() for step in explanation.seats[2]}
        assert list(words) == ["points", "place", "base", "uma", "penalty", "total"]
        assert words["penalty"] == "A penalty, taken off the result: -8000."

    def test_lateness_and_penalties_go_to_nobody(self) -> None:
        seats = (Seat(45_000, late_minutes=2), Seat(30_000, late_minutes=1), Seat(25_000, penalty=8_000), Seat(20_000))

        found = lines(told(Table(seats), EMA))

        assert found["lateness of East and South, given to no one"] == -3_000
        assert found["penalty of West, given to no one"] == -8_000

    def test_a_uma_that_does_not_sum_to_nought_is_pointed_out(self) -> None:
        generous = replace(EMA, uma=(30_000, 10_000, 0, -30_000))

        found = lines(told(four(45_000, 30_000, 25_000, 20_000), generous))

        assert found["uma, which in these rules gives more or less than it takes"] == 10_000

    def test_a_substitute_takes_what_the_seat_played_for_out_of_the_sum(self) -> None:
        explanation = told(four(44_000, 30_000, 25_000, 20_000, sticks=1, substitute="from_start"), EMA)

        # base +14.0, uma +30.0 and the stick +1.0 go to no player; −30.0 is recorded.
        assert lines(explanation)["East had a substitute: -30000 is recorded instead of 45000"] == -75_000


class TestRows:
    def test_rows_that_say_nothing_are_left_out(self) -> None:
        explanation = told(four(45_000, 30_000, 25_000, 20_000), EMA)

        assert [row.code for row in explanation.rows] == ["points", "place", "base", "uma", "total"]

    def test_every_step_can_have_a_row(self) -> None:
        rules = replace(TENHOU, late_per_minute=1_000, late_applies="total", chombo_penalty=20_000)
        seats = (Seat(41_400, penalty=100), Seat(27_400, late_minutes=1), Seat(18_400, chombo=1), Seat(11_800))

        explanation = told(Table(seats, 1), rules)

        assert [row.code for row in explanation.rows] == [
            *("points", "net", "place", "base", "sticks", "uma", "oka"),
            *("rounding", "balance", "chombo", "late", "total"),
        ]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"RULES-4: {e['ruleset']}: {e['title']}")
def test_official_examples_are_explained_to_the_point(example: dict[str, Any]) -> None:
    seats = tuple(Seat(**seat) for seat in example["table"]["seats"])
    explanation = told(Table(seats, example["table"]["sticks_left"]), PRESETS[example["ruleset"]].rules)

    assert [sum(step.amount for step in steps) for steps in explanation.seats] == example["totals"]
    assert sum(line.amount for line in explanation.account) == sum(example["totals"])


# Few different scores, so that ties of every kind turn up.
few = st.sampled_from([-1_200, 20_000, 29_900, 30_000, 33_300, 41_700])
seats = st.builds(
    Seat,
    few,
    chombo=st.integers(0, 2),
    late_minutes=st.integers(0, 10),
    penalty=st.sampled_from([0, 0, 100, 3_300, 8_000]),
    substitute=st.sampled_from([*SUBSTITUTES, "none", "none"]),
)
tables = st.builds(Table, st.tuples(seats, seats, seats, seats), st.integers(0, 5), st.just("counted twice"))
umas = st.tuples(*[st.integers(-50_000, 50_000)] * 4)
any_rules = st.builds(
    replace,
    st.sampled_from([preset.rules for preset in PRESETS.values()]),
    start_points=st.sampled_from([25_000, 30_000]),
    target_points=st.sampled_from([25_000, 30_000, 32_000]),
    uma=umas | st.just((0, 0, 0, 0)),
    floating_uma=st.none() | st.lists(st.tuples(st.integers(0, 4), umas), unique_by=lambda row: row[0]).map(tuple),
    ties=st.sampled_from(["split", "seat"]),
    leftover_sticks=st.sampled_from(["winner", "lost"]),
    rounding_unit=st.sampled_from([1, 100, 500, 1000]),
    rounding_mode=st.sampled_from(["up", "down", "toward_zero", "half_away", "half_up", "half_even"]),
    balance=st.sampled_from(["none", "first"]),
    chombo_penalty=st.sampled_from([0, 20_000]),
    late_per_minute=st.sampled_from([0, 1_000]),
    late_applies=st.sampled_from(["net", "total"]),
    penalty_applies=st.sampled_from(["net", "total", None]),
    substitute_points=st.integers(-20_000, 20_000),
    substitute_uma=st.integers(-20_000, 20_000),
)


class TestAnyTable:
    @given(tables, any_rules)
    def test_the_account_adds_up_to_the_sum_of_the_results(self, table: Table, rules: Rules) -> None:
        explanation = told(table, rules)

        assert explanation.total == sum(result.total for result in score(table, rules))
        assert sum(line.amount for line in explanation.account) == explanation.total

    @given(tables, any_rules)
    def test_the_steps_of_a_seat_add_up_to_its_total(self, table: Table, rules: Rules) -> None:
        results = score(table, rules)

        for steps, result in zip(told(table, rules).seats, results, strict=True):
            assert sum(step.amount for step in steps) == result.total

    @given(tables, any_rules)
    def test_the_rows_between_place_and_result_add_up_seat_by_seat(self, table: Table, rules: Rules) -> None:
        explanation = told(table, rules)

        rows = {row.code: row for row in explanation.rows}
        parts = [row for row in explanation.rows if row.code not in ("points", "net", "place", "total")]
        for seat in range(4):
            assert sum(row.values[seat] for row in parts) == rows["total"].values[seat]
        assert sum(row.total or 0 for row in parts) == explanation.total

    @given(tables, any_rules)
    def test_every_phrase_can_be_said(self, table: Table, rules: Rules) -> None:
        explanation = told(table, rules)

        phrases = [step.phrase for steps in explanation.seats for step in steps]
        phrases += [line.phrase for line in explanation.account] + [row.note for row in explanation.rows]
        assert all(phrase.sentence() for phrase in phrases)


@pytest.mark.parametrize("key", PRESETS)
def test_the_worked_example_is_a_table_that_can_be_played(key: str) -> None:
    rules = PRESETS[key].rules

    assert check(example_table(rules), rules) == []
    codes = {row.code for row in told(example_table(rules), rules).rows}
    assert "sticks" in codes
    assert ("chombo" in codes) == (rules.chombo_penalty > 0)
    assert ("net" in codes) == (rules.late_per_minute > 0 and rules.late_applies == "net")
    assert ("late" in codes) == (rules.late_per_minute > 0 and rules.late_applies == "total")
