"""The presets against RULES and HANDS: the tables of RULES §1 and §2 and HANDS §5, typed in from there."""

import json
from typing import Any

import pytest

from ratings.mahjong.rulesets import PARAMETERS, PLATFORMS, PRESETS, SCORING_PARAMETERS, read, write
from ratings.mahjong.rulesets.presets.documents import (
    FOR_TOURNAMENTS,
    MANGAN_SHARED_OUT,
    NET_OF_START,
    NOTHING_VANISHES,
)
from ratings.mahjong.rulesets.presets.international import UNSURE_STICKS
from ratings.mahjong.rulesets.presets.preset import EXCERPTS, MEASURED, ONE_SOURCE, OUR_READING, SECONDARY

TEN = ("ema-2025", "furiten", "ema-2012", "phoenix", "basic", "ema-2016", "wrc", "jpml-a", "m-league", "tenhou")
OFFERED = ("ema-2025", "ema-2016", "ema-2012", "wrc", "jpml-a", "m-league", "tenhou", "furiten", "phoenix", "basic")
PRIMARY = ("furiten", "ema-2012", "phoenix", "basic")
EVERY = {**PRESETS, **PLATFORMS}
FOUR_DRAWS = ("nine_terminals", "four_winds", "four_kans", "four_riichi")

# RULES §1, the table of parameters: one line a row, one value a preset in the order of TEN.
SECTION_1: dict[str, tuple[Any, ...]] = {
    "start_points": (30000, 30000, 30000, 25000, 30000, 30000, 30000, 30000, 25000, 25000),
    "target_points": (30000, 30000, 30000, 25000, 30000, 30000, 30000, 30000, 30000, 30000),
    "uma": (
        (15000, 5000, -5000, -15000),
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
        *(None,) * 7,
        ((1, (12000, -1000, -3000, -8000)), (3, (8000, 3000, 1000, -12000))),
        None,
        None,
    ),
    "ties": ("split", "split", "split", "seat", *("split",) * 5, "seat"),
    "leftover_sticks": ("winner", "lost", *("winner",) * 4, "lost", "lost", "winner", "winner"),
    "rounding_unit": (100, 100, 100, 1000, 100, 100, 100, 100, 100, 1000),
    "rounding_mode": (*("half_away",) * 3, "up", *("half_away",) * 5, "half_up"),
    "balance": (*("none",) * 9, "first"),
    "chombo_penalty": (20000, 20000, 0, 0, 0, 20000, 20000, 20000, 20000, 0),
    "late_per_minute": (1000, 0, 1000, 0, 0, 1000, 0, 0, 0, 0),
    "late_max_minutes": (10, None, 10, None, None, 10, None, None, None, None),
    "late_applies": ("total", *("net",) * 9),
    "penalty_applies": ("total", *("net",) * 9),
    "substitute_points": (-15000, 0, 0, 0, 0, -15000, -15000, 0, 0, 0),
    "substitute_uma": (-15000, -9000, -30000, -7000, 0, -15000, -15000, -8000, -30000, -20000),
}

# RULES §2 and HANDS §5, the table rules of the four primary documents: furiten, ema-2012, phoenix, basic.
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
    "one_and_half_yakuman": (None, None, None, None),
    "several_rons_honba": (None, "each", None, None),
    "several_rons_bets": (None, "own_back", None, None),
    "abortive_draws": (FOUR_DRAWS, FOUR_DRAWS, FOUR_DRAWS, FOUR_DRAWS),
    "ronned_riichi": ("returned", "returned", "returned", "returned"),
    "riichi_below_1000": (False, True, False, False),
    "pao_covers": ("hand", "hand", "hand", None),
    "pao_honba": ("discarder", "discarder", "discarder", None),
    "nagashi_counts_as": (None, "win", "draw", None),
    "dealer_stays": ("win_or_tenpai", "win_or_tenpai", "win_or_tenpai", "win_or_tenpai"),
    "leading_dealer_on": (None, None, "win_or_tenpai", None),
    "leading_dealer_choice": (True, None, False, None),  # HANDS §5, footnote 3
    "extra_round": ("none", "none", "none", "none"),
    "extra_target": (None, None, None, None),
    "extra_ends": (None, None, None, None),
    "chombo_after_signal": (None, "replayed", None, None),
    "hand_begins": (None, "dice", None, None),
}

# HANDS §5: all that is known of the others beyond RULES §1. What is not named here is not stated.
HANCHAN = {"length": "hanchan", "extra_round": "none", "dealer_stays": "win_or_tenpai"}
SINGLE = {"double_yakuman": (), "yakuman_add_up": False}
TWO_PAO, THREE_PAO = ("daisangen", "daisuushi"), ("daisangen", "daisuushi", "suukantsu")
EMA_SINCE_2016: dict[str, Any] = {
    **HANCHAN,
    **SINGLE,
    "several_rons": "all",
    "several_rons_honba": "each",
    "several_rons_bets": "own_back",
    "triple_ron_aborts": False,
    "abortive_draws": (),
    "ronned_riichi": "returned",
    "riichi_below_1000": True,
    "pao": TWO_PAO,
    "pao_covers": "hand",
    "pao_honba": "discarder",
    "rinshan_after_open_kan": "shared",
    "nagashi_mangan": "none",
    "chombo_payment": False,
    "at_signal": "one_more",
    "honba_after_noten_dealer": "plus_one",
    "five_honba_minimum": "none",
    "ends_early": "never",
    "leading_dealer_ends": False,
    "thirteen_han": "sanbaiman",
    "red_fives": 0,
    "open_tanyao": True,
    "renhou": "five_han",
    "session_minutes": 90,
    "warning_minutes": 15,
}
ONLINE: dict[str, Any] = {
    "several_rons": "all",
    "several_rons_honba": "first",
    "several_rons_bets": "first",
    "abortive_draws": FOUR_DRAWS,
    "ronned_riichi": "returned",
    "riichi_below_1000": False,
    "pao": TWO_PAO,
    "pao_honba": "liable",
    "rinshan_after_open_kan": "shared",
    "nagashi_mangan": "any",
    "nagashi_counts_as": "draw",
    "nagashi_takes_bets": False,
    "nagashi_dealer_passes": False,
    "dealer_stays": "win_or_tenpai",
    "honba_after_noten_dealer": "plus_one",
    "length": "hanchan",
    "extra_round": "target",
    "extra_target": 30000,
    "extra_ends": "dealer_passes",
    "ends_early": "below_zero",
    "leading_dealer_ends": True,
    "kiriage": False,
    "thirteen_han": "yakuman",
    "yakuman_add_up": True,
}
KNOWN_OF_OTHERS: dict[str, dict[str, Any]] = {
    "ema-2025": {
        **EMA_SINCE_2016,
        "chombo_after_signal": "counts",
        "hand_begins": "previous_end",
        "winning_fu": "closed_ron_plus_10",
        "tsumo_fu": "not_pinfu",
        "open_pinfu_fu": True,
        "double_wind_pair_fu": 2,
        "kiriage": True,
        "open_riichi": False,
        "minimum_han": 1,
        "extra_yaku": (),
        "kuikae": "not_closing",
        "end_signal": False,
    },
    "ema-2016": {
        **EMA_SINCE_2016,
        "chombo_after_signal": "replayed",
        "hand_begins": "dice",
        "double_wind_pair_fu": 4,
    },
    "wrc": {
        **HANCHAN,
        **SINGLE,
        "several_rons": "nearest",
        "triple_ron_aborts": False,
        "abortive_draws": (),
        "pao": TWO_PAO,
        "rinshan_after_open_kan": "shared",
        "nagashi_mangan": "none",
        "chombo_payment": False,
        "at_signal": "finish",
        "honba_after_noten_dealer": "plus_one",
        "ends_early": "never",
        "leading_dealer_ends": False,
        "kiriage": True,
        "thirteen_han": "sanbaiman",
    },
    "jpml-a": {
        **HANCHAN,
        "several_rons": "nearest",
        "pao": THREE_PAO,
        "rinshan_after_open_kan": "shared",
        "nagashi_mangan": "none",
        "chombo_payment": False,
        "at_signal": "finish",
        "ends_early": "never",
        "leading_dealer_ends": False,
        "kiriage": False,
        "thirteen_han": "sanbaiman",
    },
    "m-league": {
        **HANCHAN,
        "several_rons": "nearest",
        "triple_ron_aborts": False,
        "abortive_draws": (),
        "riichi_below_1000": True,
        "pao": THREE_PAO,
        "chombo_payment": False,
        "ends_early": "never",
        "leading_dealer_ends": False,
        "kiriage": True,
        "thirteen_han": "sanbaiman",
        "double_yakuman": (),
        "yakuman_add_up": True,
    },
    "tenhou": {
        **ONLINE,
        "triple_ron_aborts": True,
        "pao_covers": "hand",
        "leading_dealer_on": "win_or_tenpai",
        "leading_dealer_choice": False,
        "double_yakuman": (),
        "open_pinfu_fu": True,  # these three as the worked hands have them
        "minimum_han": 1,
        "five_honba_minimum": "none",
    },
    "mahjong-soul": {
        **ONLINE,
        "triple_ron_aborts": False,
        "pao_covers": "yakuman",
        "double_yakuman": ("big_four_winds", "suuankou_tanki", "thirteen_wait", "nine_wait"),
    },
}


def column(table: dict[str, tuple[Any, ...]], keys: tuple[str, ...], key: str) -> dict[str, Any]:
    """The values of one preset in a table."""
    return {name: dict(zip(keys, row, strict=True))[key] for name, row in table.items()}


def test_there_are_ten_presets_under_their_own_keys_the_rules_in_force_in_europe_first() -> None:
    assert tuple(PRESETS) == OFFERED
    assert all(preset.key == key for key, preset in EVERY.items())


def test_mahjong_soul_is_for_reading_logs_and_not_offered() -> None:
    assert set(PLATFORMS) - set(PRESETS) == {"mahjong-soul"}
    rules = PLATFORMS["mahjong-soul"].rules
    assert (rules.start_points, rules.target_points, rules.uma) == (25000, 25000, (15000, 5000, -5000, -15000))
    assert (rules.rounding_unit, rules.ties, rules.balance, rules.chombo_penalty) == (1, "seat", "none", 0)


def test_the_tables_here_cover_every_parameter() -> None:
    assert tuple(SECTION_1) == SCORING_PARAMETERS
    assert SECTION_1.keys() | SECTION_2.keys() == PARAMETERS.keys()


@pytest.mark.parametrize("key", TEN)
def test_every_scoring_parameter_is_what_section_1_says(key: str) -> None:
    assert {name: getattr(PRESETS[key].rules, name) for name in SECTION_1} == column(SECTION_1, TEN, key)


@pytest.mark.parametrize("key", PRIMARY)
def test_every_table_rule_is_what_section_2_says(key: str) -> None:
    stated = {name: getattr(PRESETS[key].rules, name) for name in SECTION_2}
    said = column(SECTION_2, PRIMARY, key)
    assert stated == said
    assert {name: type(value) for name, value in stated.items()} == {name: type(value) for name, value in said.items()}


@pytest.mark.parametrize("key", KNOWN_OF_OTHERS)
def test_of_the_others_exactly_what_is_known_is_claimed(key: str) -> None:
    rules = EVERY[key].rules
    named = [name for name in SECTION_2 if name != "printed_values"]
    stated = {name: getattr(rules, name) for name in named if getattr(rules, name) is not None}
    assert stated == KNOWN_OF_OTHERS[key]
    assert rules.printed_values == ()


@pytest.mark.parametrize("key", EVERY)
def test_a_preset_survives_its_json_file(key: str) -> None:
    rules = EVERY[key].rules
    assert read(json.loads(json.dumps(write(rules)))) == rules


@pytest.mark.parametrize("key", EVERY)
def test_notes_and_paragraphs_are_about_parameters(key: str) -> None:
    preset = EVERY[key]
    assert preset.notes.keys() | preset.paragraphs.keys() | preset.ranges.keys() <= PARAMETERS.keys()


# Where RULES (footnote 3) and HANDS §5 (?) mark a value as their own reading of a silent source.
SUBSTITUTE = {"substitute_points", "substitute_uma"}
OUR_READINGS = {
    "ema-2025": {"rounding_unit", "rounding_mode", "open_riichi"},
    "furiten": {"ties", "leftover_sticks", "chombo_penalty", "leading_dealer_ends", "pao_covers"}
    | {"ronned_riichi", "riichi_below_1000"}
    | SUBSTITUTE,
    "ema-2012": {"double_wind_pair_fu", "riichi_below_1000", "pao_covers", "leading_dealer_ends"},
    "phoenix": {"double_wind_pair_fu", "yakuman_add_up", "open_tanyao", "ends_early", "nagashi_takes_bets"}
    | {"pao_covers", "pao_honba", "nagashi_counts_as"}
    | SUBSTITUTE,
    "basic": {"ties", "ends_early", "ronned_riichi", "riichi_below_1000", "leading_dealer_ends"} | SUBSTITUTE,
    "ema-2016": {"ronned_riichi", "riichi_below_1000", "pao_covers", "pao_honba", "rinshan_after_open_kan"},
    "wrc": set(),
    "jpml-a": {"length", "extra_round"} | SUBSTITUTE,
    "m-league": {"length", "extra_round"} | SUBSTITUTE,
    # HANDS §5 has no cell for these four.
    "tenhou": {"open_pinfu_fu", "minimum_han", "five_honba_minimum", "nagashi_dealer_passes"} | SUBSTITUTE,
    "mahjong-soul": {"thirteen_han", "abortive_draws", "riichi_below_1000", "pao", "rinshan_after_open_kan"}
    | {"length", "extra_round", "extra_target", "extra_ends", "leading_dealer_ends", "leftover_sticks"}
    | SUBSTITUTE,
}


@pytest.mark.parametrize("key", EVERY)
def test_what_is_our_reading_says_so(key: str) -> None:
    noted = {name for name, note in EVERY[key].notes.items() if note == OUR_READING}
    assert noted == OUR_READINGS[key]


def test_other_footnotes_of_the_rules_stand_as_notes() -> None:
    assert PRESETS["ema-2012"].notes["start_points"] == NET_OF_START
    assert PRESETS["phoenix"].notes["uma"] == FOR_TOURNAMENTS
    for key in ("phoenix", "basic"):
        assert PRESETS[key].notes["leftover_sticks"] == NOTHING_VANISHES
    for key in ("furiten", "basic"):
        assert PRESETS[key].notes["chombo_payment"] == MANGAN_SHARED_OUT
    assert PRESETS["wrc"].notes["leftover_sticks"] == UNSURE_STICKS
    assert PRESETS["jpml-a"].notes["chombo_penalty"] == SECONDARY
    assert PRESETS["ema-2016"].notes["late_per_minute"] == SECONDARY
    assert PRESETS["ema-2016"].notes["several_rons"] == EXCERPTS
    assert PRESETS["m-league"].notes["thirteen_han"] == ONE_SOURCE
    assert PRESETS["tenhou"].notes["several_rons"] == MEASURED


@pytest.mark.parametrize("key", [key for key in KNOWN_OF_OTHERS if key != "ema-2025"])
def test_a_table_rule_without_a_document_says_how_sure_it_is(key: str) -> None:
    assert KNOWN_OF_OTHERS[key].keys() - EVERY[key].notes.keys() <= {"nagashi_dealer_passes"}


@pytest.mark.parametrize("key", PRIMARY)
def test_a_stated_table_rule_has_a_paragraph_or_rests_on_the_rules_alone(key: str) -> None:
    """For these, RULES decides without a passage in the source to cite."""
    silent = {
        "furiten": {"ronned_riichi", "pao_covers"},
        "ema-2012": {"pao_covers"},
        "phoenix": {"rinshan_after_open_kan", "pao_covers", "pao_honba"},
        "basic": {"leading_dealer_ends", "ronned_riichi", "riichi_below_1000"},
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
    assert not any(EVERY[key].paragraphs for key in EVERY if key not in (*PRIMARY, "ema-2025"))
