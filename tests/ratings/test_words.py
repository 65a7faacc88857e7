"""Rules in plain words: every parameter of every preset, and the ranges of Furiten's variations."""

from typing import Any

import pytest

from ratings.mahjong.problems import grouped
from ratings.mahjong.rulesets import PARAMETERS, PRESETS, Range
from ratings.mahjong.rulesets.words import range_words, words

NBSP = "\N{NO-BREAK SPACE}"


def text(name: str, value: Any) -> str:
    return words(PARAMETERS[name], value).sentence()


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (100, "100"),
        (8000, "8000"),
        (-9000, "−9000"),
        (10_000, f"10{NBSP}000"),
        (38_700, f"38{NBSP}700"),
        (-120_000, f"−120{NBSP}000"),
        (1_000_000, f"1{NBSP}000{NBSP}000"),
    ],
)
def test_points_are_grouped_from_ten_thousand_on(number: int, shown: str) -> None:
    assert grouped(number) == shown


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("start_points", 30_000, f"30{NBSP}000"),
        ("substitute_uma", -9_000, "−9000"),
        ("uma", (9_000, 3_000, -3_000, -9_000), "9 / 3 / −3 / −9"),
        ("uma", (0, 0, 0, 0), "0 / 0 / 0 / 0"),
        ("uma", (12_500, 50, -50, -12_500), "12.5 / 0.05 / −0.05 / −12.5"),
        ("floating_uma", None, "none"),
        (
            "floating_uma",
            ((1, (12_000, -1_000, -3_000, -8_000)), (3, (8_000, 3_000, 1_000, -12_000))),
            "12 / −1 / −3 / −8 with 1 at or above the start; 8 / 3 / 1 / −12 with 3 at or above the start",
        ),
        ("ties", "split", "share the place and the uma"),
        ("rounding_unit", 1000, "to 1000"),
        ("late_max_minutes", 10, "10 min"),
        ("late_max_minutes", None, "no maximum"),
        ("kiriage", None, "not stated"),
        ("kiriage", True, "yes"),
        ("kiriage", False, "no"),
        ("chombo_payment", True, "a mangan, backwards"),
        ("double_wind_pair_fu", 4, "4 fu"),
        ("minimum_han", 1, "1 han"),
        ("red_fives", 0, "0"),
        ("double_yakuman", (), "none"),
        ("double_yakuman", None, "not stated"),
        ("pao", ("daisangen", "suukantsu"), "big three dragons, four kans"),
        ("printed_values", (), "none"),
        ("printed_values", ((1, 20, 800, 12_000),), f"1 han 20 fu: ron 800, dealer 12{NBSP}000"),
    ],
)
def test_a_value_in_words(name: str, value: Any, shown: str) -> None:
    assert text(name, value) == shown


@pytest.mark.parametrize("key", PRESETS)
def test_every_parameter_of_a_preset_has_words(key: str) -> None:
    shown = {name: text(name, getattr(PRESETS[key].rules, name)) for name in PARAMETERS}

    assert {name: said for name, said in shown.items() if not said or "%(" in said} == {}


def test_words_are_translated_part_by_part() -> None:
    russian = {
        "big three dragons": "дайсанген",
        "four kans": "сууканцу",
        "%(whole)s.%(decimals)s": "%(whole)s,%(decimals)s",
    }

    def translate(message: str) -> str:
        return russian.get(message, message)

    assert words(PARAMETERS["pao"], ("daisangen", "suukantsu")).sentence(translate) == "дайсанген, сууканцу"
    assert words(PARAMETERS["uma"], (1500, 0, 0, -1500)).sentence(translate) == "1,5 / 0 / 0 / −1,5"


def test_nothing_empty_is_ever_translated() -> None:
    """Translating an empty text gives the catalogue's header."""

    def translate(message: str) -> str:
        assert message
        return message

    for name, parameter in PARAMETERS.items():
        for preset in PRESETS.values():
            words(parameter, getattr(preset.rules, name)).sentence(translate)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("minimum_han", "1 to 3 han"),
        ("red_fives", "0, 3, 4"),
        ("open_tanyao", "yes or no"),
        ("kuikae", "any discard; not the tile just taken; not the tile taken nor one closing the set"),
        ("five_honba_minimum", "no other minimum; two han from yaku"),
        ("open_riichi", "yes or no"),
        ("start_points", f"25{NBSP}000 to 50{NBSP}000"),
        ("uma", "anything"),
        ("target_points", f"25{NBSP}000 to 50{NBSP}000, not below “Start points”"),
        ("leading_dealer_ends", "yes or no"),
    ],
)
def test_furitens_variations_in_words(name: str, shown: str) -> None:
    assert range_words(PARAMETERS[name], PRESETS["furiten"].ranges[name]).sentence() == shown


def test_a_range_may_be_open_at_one_end_or_a_single_value() -> None:
    assert range_words(PARAMETERS["open_tanyao"], Range(values=(True,))).sentence() == "yes"
    assert range_words(PARAMETERS["minimum_han"], Range(low=2)).sentence() == "2 han or more"
    assert range_words(PARAMETERS["start_points"], Range(high=30_000)).sentence() == f"30{NBSP}000 or less"
