"""Reading, changing and varying rules: what is refused, and in which words."""

from dataclasses import replace
from typing import Any

import pytest

from ratings.mahjong.problems import Problem, Refused
from ratings.mahjong.rulesets import (
    PRESETS,
    SCORING_PARAMETERS,
    Range,
    change,
    difference,
    read,
    read_ranges,
    remarks,
    vary,
    write,
    write_ranges,
)

FURITEN = PRESETS["furiten"]
EMA_2012 = PRESETS["ema-2012"].rules


def only(refused: pytest.ExceptionInfo[Refused]) -> Problem:
    (problem,) = refused.value.problems
    return problem


# Furiten's ten variations, typed in from RULES §1


TEN: dict[str, tuple[list[Any], list[Any]]] = {
    "minimum_han": ([1, 2, 3], [0, 4]),
    "red_fives": ([0, 3, 4], [1, 2, 5]),
    "open_tanyao": ([True, False], [1, None]),
    "kuikae": (["free", "not_taken", "not_closing"], ["anything"]),
    "five_honba_minimum": (["none", "two_han"], ["two_yaku"]),
    "open_riichi": ([True, False], ["yes"]),
    "start_points": ([25_000, 25_100, 30_000], [24_900, 50_100]),
    "uma": ([[0, 0, 0, 0], [50_000, 1, -3, -9_000]], [[1, 2, 3]]),
    "target_points": ([30_000, 50_000], [29_900, 50_100]),
    "leading_dealer_ends": ([True, False], ["no"]),
}
ALLOWED = [(name, value) for name, (allowed, _refused) in TEN.items() for value in allowed]
REFUSED = [(name, value) for name, (_allowed, refused) in TEN.items() for value in refused]


def test_exactly_ten_parameters_may_vary() -> None:
    assert FURITEN.ranges.keys() == TEN.keys()


@pytest.mark.parametrize(("name", "value"), ALLOWED)
def test_a_permitted_variation_changes_that_and_nothing_else(name: str, value: Any) -> None:
    varied = vary(FURITEN.rules, FURITEN.ranges, {name: value})
    assert write(varied) == {**write(FURITEN.rules), name: value}


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_variation_out_of_its_range_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {name: value})
    assert refused.value.problems[0].parameter == name


@pytest.mark.parametrize("name", sorted(write(FURITEN.rules).keys() - TEN.keys()))
def test_every_other_parameter_is_fixed(name: str) -> None:
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {name: write(FURITEN.rules)[name]})
    assert (only(refused).code, only(refused).parameter) == ("fixed_parameter", name)


def test_the_default_of_each_variation_is_the_rated_rule() -> None:
    defaults = {
        "minimum_han": 1,
        "red_fives": 3,
        "open_tanyao": False,
        "kuikae": "not_closing",
        "five_honba_minimum": "none",
        "open_riichi": False,
        "start_points": 30_000,
        "uma": [9_000, 3_000, -3_000, -9_000],
        "target_points": 30_000,
        "leading_dealer_ends": False,
    }
    assert vary(FURITEN.rules, FURITEN.ranges, defaults) == FURITEN.rules


def test_the_error_names_the_variation_and_its_range() -> None:
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {"start_points": 60_000})
    assert (
        "Start points: 60000 is outside what this variation allows, 25\N{NO-BREAK SPACE}000 to 50\N{NO-BREAK SPACE}000."
        in str(refused.value)
    )
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {"red_fives": 5})
    assert str(refused.value) == "Red fives: 5 is outside what this variation allows, one of 0, 3, 4."
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {"ties": "seat"})
    assert str(refused.value) == "Equal points may not differ from game to game in this rule set."


def test_the_target_may_not_be_below_the_start() -> None:
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {"start_points": 35_000})
    assert (only(refused).code, only(refused).parameter) == ("below_other", "target_points")
    varied = vary(FURITEN.rules, FURITEN.ranges, {"start_points": 35_000, "target_points": 40_000})
    assert varied.oka == 20_000


def test_an_unknown_variation_is_refused_by_its_name() -> None:
    with pytest.raises(Refused) as refused:
        vary(FURITEN.rules, FURITEN.ranges, {"jokers": 4})
    assert "jokers" in str(refused.value)


def test_a_variation_is_what_differs() -> None:
    variation = {"uma": [20_000, 10_000, -10_000, -20_000], "open_tanyao": True}
    varied = vary(FURITEN.rules, FURITEN.ranges, variation)
    assert difference(FURITEN.rules, varied) == variation
    assert difference(FURITEN.rules, FURITEN.rules) == {}


def test_ranges_survive_their_json_file() -> None:
    assert read_ranges(write_ranges(FURITEN.ranges)) == FURITEN.ranges


@pytest.mark.parametrize(
    "data",
    [
        {"jokers": {"low": 1}},
        {"uma": 3},
        {"red_fives": {"low": "1"}},
        {"red_fives": {"low": True}},
        {"red_fives": {"values": 3}},
        {"red_fives": {"most": 3}},
        {"target_points": {"at_least": "jokers"}},
    ],
)
def test_a_range_that_is_none_is_refused_by_its_parameter(data: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        read_ranges(data)
    assert only(refused).code == "bad_range"
    assert next(iter(data)) in str(refused.value)


def test_a_range_without_bounds_admits_anything() -> None:
    assert Range().admits((1, 2, 3, 4))


# Reading and changing


WRONG: list[tuple[str, Any]] = [
    ("start_points", "30000"),
    ("start_points", 30_000.0),
    ("start_points", True),
    ("start_points", 30_050),
    ("start_points", 900),
    ("start_points", None),
    ("uma", [1, 2, 3]),
    ("uma", [1, 2, 3, "4"]),
    ("uma", [1, 2, 3, False]),
    ("uma", "9/3/-3/-9"),
    ("floating_uma", {"5": [0, 0, 0, 0]}),
    ("floating_uma", {"1": [0, 0, 0]}),
    ("floating_uma", [[1, [0, 0, 0, 0]]]),
    ("ties", "none"),
    ("ties", None),
    ("rounding_unit", 10),
    ("rounding_unit", True),
    ("chombo_penalty", -1),
    ("late_max_minutes", -1),
    ("kiriage", "yes"),
    ("kiriage", 1),
    ("double_yakuman", ["tenhou"]),
    ("double_yakuman", ["nine_wait", "nine_wait"]),
    ("double_yakuman", "nine_wait"),
    ("printed_values", [[1, 20, 850, 1200]]),
    ("printed_values", [[1, 20, 800]]),
    ("printed_values", "800"),
    ("red_fives", 13),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused_by_its_parameter(name: str, value: Any) -> None:
    for attempt in (lambda: change(EMA_2012, {name: value}), lambda: read({**write(EMA_2012), name: value})):
        with pytest.raises(Refused) as refused:
            attempt()
        assert (only(refused).code, only(refused).parameter) == ("bad_parameter", name)


def test_the_sentence_says_what_is_wrong_and_what_is_wanted() -> None:
    with pytest.raises(Refused) as refused:
        change(EMA_2012, {"start_points": 30_050})
    assert str(refused.value) == (
        "Start points (start_points) is 30050; it must be a multiple of 100 from 1000 to 500\N{NO-BREAK SPACE}000."
    )


def test_every_wrong_parameter_is_named_at_once() -> None:
    with pytest.raises(Refused) as refused:
        read({**write(EMA_2012), "ties": "x", "jokers": 1, "red_fives": "3"})
    named = {problem.parameter or problem.params["name"] for problem in refused.value.problems}
    assert named == {"ties", "jokers", "red_fives"}


def test_parameters_beyond_scoring_may_be_missing_and_are_then_not_stated() -> None:
    least = read({name: value for name, value in write(EMA_2012).items() if name in SCORING_PARAMETERS})
    assert {
        name: value for name, value in write(least).items() if value is not None and name not in SCORING_PARAMETERS
    } == {"printed_values": []}
    assert all(getattr(least, name) == getattr(EMA_2012, name) for name in SCORING_PARAMETERS)


@pytest.mark.parametrize("name", [name for name in SCORING_PARAMETERS if name != "penalty_applies"])
def test_a_missing_scoring_parameter_is_named(name: str) -> None:
    data = write(EMA_2012)
    del data[name]
    with pytest.raises(Refused) as refused:
        read(data)
    assert str(refused.value) == f"The rule set has no {name}."


def test_a_change_leaves_the_rest_alone() -> None:
    assert change(EMA_2012, {"red_fives": 0}) == replace(EMA_2012, red_fives=0)


# Remarks


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_needs_no_remark(key: str) -> None:
    assert remarks(PRESETS[key].rules) == []


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({"uma": (30_000, 10_000, -10_000, -20_000)}, ["uma_sum"]),
        ({"uma": (10_000, 30_000, -10_000, -30_000)}, ["uma_order"]),
        ({"uma": (1, 2, 3, 4)}, ["uma_sum", "uma_order"]),
        ({"floating_uma": ((2, (0, 0, 0, 1)),)}, ["uma_sum", "uma_order"]),
        ({"target_points": 25_000}, ["negative_oka"]),
    ],
)
def test_unusual_rules_are_remarked_and_not_refused(values: dict[str, Any], codes: list[str]) -> None:
    assert [remark.code for remark in remarks(replace(EMA_2012, **values))] == codes


@pytest.mark.parametrize(
    "ranges",
    [
        {"uma": {"low": 1}},
        {"kuikae": {"low": 1, "high": 3}},
        {"target_points": {"at_least": "uma"}},
        {"red_fives": {"values": ["three"]}},
        {"red_fives": {"values": 3}},
        {"red_fives": [0, 3]},
        {"red_fives": {"low": True}},
        {"dora": {"low": 1}},
    ],
)
def test_a_range_that_does_not_fit_its_parameter_is_refused(ranges: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        read_ranges(ranges)


def test_a_listed_uma_is_recognised() -> None:
    ranges = read_ranges({"uma": {"values": [[0, 0, 0, 0]]}})
    assert vary(FURITEN.rules, ranges, {"uma": [0, 0, 0, 0]}).uma == (0, 0, 0, 0)
    assert write_ranges(ranges) == {"uma": {"values": [[0, 0, 0, 0]]}}


def test_a_number_that_is_not_stated_lies_in_no_range() -> None:
    ranges = read_ranges({"red_fives": {"low": 0, "high": 4}})
    with pytest.raises(Refused):
        vary(FURITEN.rules, ranges, {"red_fives": None})
