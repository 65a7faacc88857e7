"""The presets against RULES: every number of the table of §1 and the table rules of §2, typed in from there."""

import json
from typing import Any

import pytest

from ratings.rulesets import PARAMETERS, PRESETS, SCORING_PARAMETERS, read, write
from ratings.rulesets.presets import (
    FOR_TOURNAMENTS,
    MANGAN_SHARED_OUT,
    NET_OF_START,
    NOTHING_VANISHES,
    OUR_READING,
    SECONDARY,
)

NINE = ("furiten", "ema-2012", "phoenix", "basic", "ema-2016", "wrc", "jpml-a", "m-league", "tenhou")
PRIMARY = ("furiten", "ema-2012", "phoenix", "basic")

# RULES §1, the table of parameters: one line a row, one value a preset in the order of NINE.
SECTION_1: dict[str, tuple[Any, ...]] = {
    "start_points": (30000, 30000, 25000, 30000, 30000, 30000, 30000, 25000, 25000),
    "target_points": (30000, 30000, 25000, 30000, 30000, 30000, 30000, 30000, 30000),
    "uma": (
        (9000, 3000, -3000, -9000),
        (30000, 10000, -10000, -30000),
        (7000, 3000, -3000, -7000),
        (0, 0, 0, 0),
        (15000, 5000, -5000, -15000),
        (15000, 5000, -5000, -15000),
        (8000, 4000, -4000, -8000),
        (30000, 10000, -10000, -30000),
        (20000, 10000, -10000, -20000),
    ),
    "floating_uma": (
        *(None,) * 6,
        ((1, (12000, -1000, -3000, -8000)), (3, (8000, 3000, 1000, -12000))),
        None,
        None,
    ),
    "ties": ("split", "split", "seat", "split", "split", "split", "split", "split", "seat"),
    "leftover_sticks": ("lost", "winner", "winner", "winner", "winner", "lost", "lost", "winner", "winner"),
    "rounding_unit": (100, 100, 1000, 100, 100, 100, 100, 100, 1000),
    "rounding_mode": ("half_away", "half_away", "up", *("half_away",) * 6),
    "balance": (*("none",) * 8, "first"),
    "chombo_penalty": (20000, 0, 0, 0, 20000, 20000, 20000, 20000, 0),
    "late_per_minute": (0, 1000, 0, 0, 1000, 0, 0, 0, 0),
    "late_max_minutes": (None, 10, None, None, 10, None, None, None, None),
    "late_applies": ("net",) * 9,
    "substitute_points": (0, 0, 0, 0, -15000, -15000, 0, 0, 0),
    "substitute_uma": (-9000, -30000, -7000, 0, -15000, -15000, -8000, -30000, -20000),
}

# RULES §2, the table rules of the four primary documents, in the order furiten, ema-2012, phoenix, basic.
# What the table leaves out with a dash is None, "not stated".
SECTION_2: dict[str, tuple[Any, ...]] = {
    "winning_fu": ("closed_ron_plus_10", "closed_ron_30", "closed_ron_30", "closed_ron_plus_10"),
    "tsumo_fu": ("not_pinfu_not_rinshan", "not_pinfu", "not_pinfu", "not_pinfu_not_rinshan"),
    "open_pinfu_fu": (False, True, True, False),
    "double_wind_pair_fu": (4, 4, 2, 4),
    "kiriage": (False, False, False, None),
    "thirteen_han": ("yakuman", "yakuman", "yakuman", None),
    "double_yakuman": (
        (),
        ("big_four_winds",),
        ("big_four_winds", "suuankou_tanki", "thirteen_wait", "nine_wait"),
        None,
    ),
    "yakuman_add_up": (False, False, False, None),
    "printed_values": (((1, 20, 800, 1200),), (), (), ()),
    "renhou": ("five_han", "yakuman", "none", None),
    "nagashi_mangan": ("none", "closed", "any", None),
    "nagashi_takes_bets": (None, True, False, None),
    "nagashi_dealer_passes": (None, False, True, None),
    "red_fives": (3, 3, 4, None),
    "open_tanyao": (False, False, False, None),
    "open_riichi": (False, False, False, None),
    "minimum_han": (1, 1, 1, 1),
    "five_honba_minimum": ("none", "two_han", "two_yaku", None),
    "extra_yaku": ((), (), ("sanrenkou", "daisharin"), None),
    "several_rons": ("nearest", "all", "nearest", None),
    "triple_ron_aborts": (True, False, True, True),
    "pao": (
        ("daisangen", "daisuushi", "suukantsu"),
        ("daisangen", "daisuushi"),
        ("daisangen", "shousuushi", "daisuushi", "suukantsu"),
        None,
    ),
    "rinshan_after_open_kan": ("feeder", "shared", "shared", None),
    "chombo_payment": (True, True, True, True),
    "kuikae": ("not_closing", "free", "free", "not_closing"),
    "ends_early": ("below_zero", "never", "zero", "zero"),
    "leading_dealer_ends": (False, False, True, False),
    "honba_after_noten_dealer": ("plus_one", "plus_one", "kept", "plus_one"),
    "length": ("hanchan", "hanchan", "hanchan", "hanchan"),
    "session_minutes": (None, 90, None, None),
    "warning_minutes": (None, 15, None, None),
    "at_signal": (None, "one_more", None, None),
    "end_signal": (None, False, None, None),
}

# RULES §2: all that is known of the other five beyond §1.
KNOWN_OF_OTHERS: dict[str, dict[str, Any]] = {
    "ema-2016": {"thirteen_han": "sanbaiman"},
    "wrc": {"kiriage": True, "ends_early": "never"},
    "jpml-a": {"thirteen_han": "sanbaiman"},
    "m-league": {"kiriage": True, "ends_early": "never"},
    "tenhou": {"ends_early": "below_zero"},
}


def cells(table: dict[str, tuple[Any, ...]], keys: tuple[str, ...]) -> list[Any]:
    return [
        pytest.param(key, name, value, id=f"{key}-{name}")
        for name, row in table.items()
        for key, value in zip(keys, row, strict=True)
    ]


def test_there_are_nine_presets_under_their_own_keys() -> None:
    assert tuple(PRESETS) == NINE
    assert all(preset.key == key for key, preset in PRESETS.items())


def test_the_tables_here_cover_every_parameter() -> None:
    assert tuple(SECTION_1) == SCORING_PARAMETERS
    assert SECTION_1.keys() | SECTION_2.keys() == PARAMETERS.keys()


@pytest.mark.parametrize(("key", "name", "value"), cells(SECTION_1, NINE))
def test_scoring_parameter_is_what_section_1_says(key: str, name: str, value: Any) -> None:
    assert getattr(PRESETS[key].rules, name) == value


@pytest.mark.parametrize(("key", "name", "value"), cells(SECTION_2, PRIMARY))
def test_table_rule_is_what_section_2_says(key: str, name: str, value: Any) -> None:
    stated = getattr(PRESETS[key].rules, name)
    assert stated == value
    assert type(stated) is type(value)


@pytest.mark.parametrize("key", KNOWN_OF_OTHERS)
def test_of_the_other_five_nothing_more_is_claimed_than_is_known(key: str) -> None:
    rules = PRESETS[key].rules
    stated = {name: getattr(rules, name) for name in SECTION_2 if getattr(rules, name) not in (None, ())}
    assert stated == KNOWN_OF_OTHERS[key]


@pytest.mark.parametrize("key", NINE)
def test_a_preset_survives_its_json_file(key: str) -> None:
    rules = PRESETS[key].rules
    assert read(json.loads(json.dumps(write(rules)))) == rules


@pytest.mark.parametrize("key", NINE)
def test_notes_and_paragraphs_are_about_parameters(key: str) -> None:
    preset = PRESETS[key]
    assert preset.notes.keys() | preset.paragraphs.keys() | preset.ranges.keys() <= PARAMETERS.keys()


# Where RULES marks a value of the primary documents as its own reading of a silent source (footnote 3).
OUR_READINGS = {
    "furiten": {"ties", "leftover_sticks", "chombo_penalty", "substitute_points", "substitute_uma"}
    | {"leading_dealer_ends"},
    "ema-2012": {"double_wind_pair_fu"},
    "phoenix": {"substitute_points", "substitute_uma", "double_wind_pair_fu", "yakuman_add_up", "open_tanyao"}
    | {"ends_early", "nagashi_takes_bets"},
    "basic": {"ties", "substitute_points", "substitute_uma", "ends_early"},
    "jpml-a": {"substitute_points", "substitute_uma"},
    "m-league": {"substitute_points", "substitute_uma"},
    "tenhou": {"substitute_points", "substitute_uma"},
    "ema-2016": set(),
    "wrc": set(),
}


@pytest.mark.parametrize("key", NINE)
def test_what_is_our_reading_says_so(key: str) -> None:
    noted = {name for name, note in PRESETS[key].notes.items() if note == OUR_READING}
    assert noted == OUR_READINGS[key]


def test_other_footnotes_of_the_rules_stand_as_notes() -> None:
    assert PRESETS["ema-2012"].notes["start_points"] == NET_OF_START
    assert PRESETS["phoenix"].notes["uma"] == FOR_TOURNAMENTS
    for key in ("phoenix", "basic"):
        assert PRESETS[key].notes["leftover_sticks"] == NOTHING_VANISHES
    for key in ("furiten", "basic"):
        assert PRESETS[key].notes["chombo_payment"] == MANGAN_SHARED_OUT
    assert PRESETS["wrc"].notes["leftover_sticks"] == SECONDARY
    assert PRESETS["jpml-a"].notes["chombo_penalty"] == SECONDARY
    assert PRESETS["ema-2016"].notes["late_per_minute"] == SECONDARY


@pytest.mark.parametrize("key", PRIMARY)
def test_a_stated_table_rule_has_a_paragraph_or_rests_on_the_rules_alone(key: str) -> None:
    """RULES decides these without a passage to point at."""
    silent = {
        "phoenix": {"rinshan_after_open_kan"},
        "basic": {"leading_dealer_ends"},
    }
    preset = PRESETS[key]
    stated = {name for name in SECTION_2 if getattr(preset.rules, name) not in (None, ()) or name in preset.paragraphs}
    assert stated - preset.paragraphs.keys() == silent.get(key, set())


@pytest.mark.parametrize(
    ("key", "name", "paragraph"),
    [
        ("furiten", "start_points", "§2.4"),
        ("furiten", "uma", "§13.4"),
        ("ema-2012", "uma", "§3.6.1"),
        ("ema-2012", "late_per_minute", "§5.6"),
        ("ema-2012", "session_minutes", "§5.8"),
        ("phoenix", "several_rons", "Declaring sets"),
        ("basic", "start_points", "Equipment"),
    ],
)
def test_a_paragraph_is_where_the_document_has_it(key: str, name: str, paragraph: str) -> None:
    assert PRESETS[key].paragraphs[name] == paragraph


def test_secondary_presets_cite_no_paragraphs() -> None:
    assert not any(PRESETS[key].paragraphs for key in NINE if key not in PRIMARY)
