"""Amounts as users type them and as fields hold them: read, refused, written, and questioned if they are unlikely."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.amounts import (
    PARAMETER,
    is_amount,
    read_amount,
    read_amounts,
    read_row,
    reading,
    target_for,
    unlikely,
    unlikely_penalty,
    write_amount,
    write_amounts,
    write_row,
)
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PARAMETERS, PRESETS

AMOUNTS = st.integers(-10_000, 10_000).map(lambda hundreds: hundreds * 100)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("20", 20_000),
        ("7.5", 7_500),
        ("7,5", 7_500),
        ("0.5", 500),
        (",5", 500),
        ("999.9", 999_900),
        ("1000", 1_000),
        ("8000", 8_000),
        ("20 000", 20_000),
        ("20\N{NO-BREAK SPACE}000", 20_000),
        ("20.000", 20_000),
        ("-20", -20_000),
        ("−20", -20_000),
        ("–7,5", -7_500),
        ("△15", -15_000),
        ("- 15 000", -15_000),
        ("+30", 30_000),
        ("２０", 20_000),
        ("0", 0),
        ("-0", 0),
        ("0.0", 0),
        (" 25000 ", 25_000),
    ],
)
def test_an_amount_is_read_as_it_is_meant(typed: str, points: int) -> None:
    assert read_amount(typed) == points


@pytest.mark.parametrize("typed", ["", "-", "many", "4²", "1.2.3", "20k", "1e4", "٣", "①", "--5", "9" * 5_000, "."])
def test_what_is_no_number_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match=r"is not an amount\. Enter thousands, such as 20 or 7\.5") as refused:
        read_amount(typed)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("typed", "read_as"), [("7.55", "7550"), ("30050", "30050"), ("1000.5", "1000.5"), ("-.02", "−20")]
)
def test_what_is_no_whole_hundred_is_refused_with_what_was_read(typed: str, read_as: str) -> None:
    with pytest.raises(Refused, match="whole hundreds") as refused:
        read_amount(typed)
    assert f"is read as {read_as} points" in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "uma"),
    [
        ("20 10 -10 -20", [20_000, 10_000, -10_000, -20_000]),
        ("7.5 2.5 −2.5 −7.5", [7_500, 2_500, -2_500, -7_500]),
        ("9000 500 -500 -9000", [9_000, 500, -500, -9_000]),
        ("0 0 0 -1000", [0, 0, 0, -1_000]),
        ("0 0 0 0", [0, 0, 0, 0]),
    ],
)
def test_the_four_uma_are_read_in_the_unit_of_the_largest(typed: str, uma: list[int]) -> None:
    assert read_amounts(typed.split()) == uma


def test_two_units_in_one_uma_are_refused() -> None:
    with pytest.raises(Refused, match="“5” is read as 5 points"):
        read_amounts(["15000", "5", "-5", "-15000"])


@given(AMOUNTS)
def test_a_stored_amount_shown_in_a_field_is_read_as_the_same(points: int) -> None:
    assert read_amount(write_amount(points)) == points


@given(st.lists(AMOUNTS, min_size=4, max_size=4))
def test_a_stored_uma_shown_in_its_fields_is_read_as_the_same(uma: list[int]) -> None:
    assert read_amounts(write_amounts(uma)) == uma


@given(st.lists(st.integers(-9, 9).map(lambda hundreds: hundreds * 100), min_size=4, max_size=4))
def test_so_is_an_uma_of_hundreds(uma: list[int]) -> None:
    assert read_amounts(write_amounts(uma)) == uma


@pytest.mark.parametrize(
    "typed",
    ["1: 12 -1 -3 -8", "1: 12000, -1000, −3000, –8000", "1 12/△1/△3/△8", "1: 12,-1,-3,-8", "1: 12,0 -1,0 -3,0 -8,0"],
)
def test_a_row_of_a_floating_uma_is_read_as_people_write_it(typed: str) -> None:
    assert read_row(typed) == (1, [12_000, -1_000, -3_000, -8_000])


def test_a_decimal_comma_is_told_from_one_between_numbers() -> None:
    assert read_row("3: 7,5 2,5 -2,5 -7,5") == (3, [7_500, 2_500, -2_500, -7_500])


@pytest.mark.parametrize(
    "typed", ["1: 12 -1", "one: 1 2 3 4", "-1: 1 2 3 4", "1.5: 1 2 3 4", "1: 1 2 3 4 5", "1: 1 2 x 4"]
)
def test_a_row_that_is_none_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="is not a number of seats and four amounts"):
        read_row(typed)


@given(st.integers(0, 4), st.lists(AMOUNTS, min_size=4, max_size=4))
def test_a_stored_row_is_read_as_the_same(count: int, uma: list[int]) -> None:
    assert read_row(write_row(count, uma)) == (count, uma)


def test_the_reading_is_in_the_words_of_the_product() -> None:
    assert reading(20_000).sentence() == "20\N{NO-BREAK SPACE}000 points"
    assert reading(9_000, -9_000).sentence() == "9000 / −9000 points"


def test_an_oka_gives_the_target_a_quarter_above_the_start() -> None:
    assert target_for(25_000, 20_000) == 30_000
    assert target_for(30_000, 0) == 30_000
    with pytest.raises(Refused, match="cannot be shared by four"):
        target_for(25_000, 500)


# --- unlikely -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", PRESETS)
def test_no_preset_is_asked_about(key: str) -> None:
    assert unlikely(PRESETS[key].rules) == []


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"uma": (150_000, 0, 0, -150_000)}, "Uma: 150 000 / 0 / 0 / −150 000 points."),
        ({"floating_uma": ((1, (120_000, 0, 0, 0)),)}, "Floating uma: 120 000 / 0 / 0 / 0 points."),
        ({"chombo_penalty": 500}, "Chombo: 500 points."),
        ({"chombo_penalty": 300_000}, "Chombo: 300 000 points."),
        ({"start_points": 9_900, "target_points": 9_900}, "Start points: 9900 points."),
        ({"start_points": 250_000, "target_points": 250_000}, "Start points: 250 000 points."),
        ({"target_points": 30_200}, "Oka: 800 points."),
        ({"target_points": 60_000}, "Oka: 120 000 points."),
        ({"target_points": 4_900}, "Oka: −100 400 points."),
        ({"late_per_minute": 100_000}, "Late, each minute: 100 000 points."),
        ({"substitute_points": -150_000}, "Substituted seat: base: −150 000 points."),
    ],
)
def test_unlikely_amounts_of_a_rule_set_are_named_with_their_reading(changed: dict[str, Any], sentence: str) -> None:
    rules = replace(PRESETS["furiten"].rules, **changed)

    assert [problem.sentence().replace("\N{NO-BREAK SPACE}", " ") for problem in unlikely(rules)] == [sentence]


@pytest.mark.parametrize(
    ("points", "asked"), [(0, False), (1_000, False), (100_000, False), (900, True), (100_100, True)]
)
def test_an_unlikely_penalty_is_asked_about(points: int, asked: bool) -> None:
    assert bool(unlikely_penalty(points)) is asked


def test_what_is_judged_by_name_is_an_amount() -> None:
    assert all(is_amount(PARAMETERS[name]) for name in PARAMETER)
