"""Where the four source documents state the values of the presets: parameter -> paragraph.

Documents with numbered paragraphs are cited by number, others by the subject of the passage. A parameter that is
missing here is not stated by its source; the preset's notes say what follows from that.
"""

from __future__ import annotations

from collections.abc import Mapping

from ratings.mahjong.problems import gettext_noop

_ = gettext_noop

_TABLES = _("Appendix Б, payment tables")
_YAKU = _("Appendix В, list of yaku")
_VARIATIONS = _("Appendix Г, permitted variations")

FURITEN: Mapping[str, str] = {
    "start_points": "§2.4",
    "target_points": "§13.3",
    "uma": "§13.4",
    "leftover_sticks": "§3.11",
    "rounding_unit": "§13.2",
    "chombo_penalty": "§7.2",
    "winning_fu": "§12.4",
    "tsumo_fu": "§12.4",
    "open_pinfu_fu": "§12.4",
    "double_wind_pair_fu": "§12.4",
    "kiriage": _TABLES,
    "thirteen_han": _TABLES,
    "double_yakuman": _YAKU,
    "yakuman_add_up": "§12.2",
    "printed_values": _TABLES,
    "renhou": _YAKU,
    "nagashi_mangan": _YAKU,
    "red_fives": "§9.5",
    "open_tanyao": _YAKU,
    "open_riichi": _VARIATIONS,
    "minimum_han": "§10.3",
    "five_honba_minimum": _VARIATIONS,
    "extra_yaku": _YAKU,
    "several_rons": "§10.4",
    "triple_ron_aborts": "§5.5",
    "pao": "§8.1, §8.2",
    "rinshan_after_open_kan": "§2.18",
    "chombo_payment": "§7.2",
    "kuikae": "§2.13, §2.14",
    "ends_early": "§2.2",
    "leading_dealer_ends": _VARIATIONS,
    "honba_after_noten_dealer": "§5.3",
    "length": "§2.2",
    "abortive_draws": "§5.5",
    "riichi_below_1000": "§3.1",
    "pao_honba": "§8.1",
    "dealer_stays": "§5.2",
    "leading_dealer_choice": _VARIATIONS,
    "extra_round": "§2.2",
}

_SCORE_TABLES = _("Score tables at the end")

EMA_2012: Mapping[str, str] = {
    "uma": "§3.6.1",
    "ties": "§3.6.1",
    "leftover_sticks": "§3.6",
    "chombo_penalty": "§3.4.6",
    "late_per_minute": "§5.6",
    "late_max_minutes": "§5.6",
    "late_applies": "§5.6",
    "substitute_points": "§5.7",
    "substitute_uma": "§5.7",
    "winning_fu": "§4.1.1",
    "tsumo_fu": "§4.1.1",
    "open_pinfu_fu": "§4.1.1",
    "double_wind_pair_fu": "§4.1.1",
    "kiriage": _SCORE_TABLES,
    "thirteen_han": _SCORE_TABLES,
    "double_yakuman": "§4.2.5",
    "yakuman_add_up": "§4.2",
    "renhou": "§4.2.5",
    "nagashi_mangan": "§4.2.4",
    "nagashi_takes_bets": "§4.2.4",
    "nagashi_dealer_passes": "§3.4.12",
    "red_fives": "§1.1",
    "open_tanyao": "§4.2.1",
    "open_riichi": "§4.2",
    "minimum_han": "§3.3.10",
    "five_honba_minimum": "§3.4.11",
    "extra_yaku": "§4.2",
    "several_rons": "§3.4.9, §4.1",
    "triple_ron_aborts": "§3.4.3",
    "pao": "§3.3.6",
    "rinshan_after_open_kan": "§4.2.1",
    "chombo_payment": "§3.4.6",
    "kuikae": _("Preface"),
    "ends_early": "§3.5",
    "leading_dealer_ends": "§3.5",
    "honba_after_noten_dealer": "§3.4.2",
    "length": "§3.1",
    "session_minutes": "§5.8",
    "warning_minutes": "§5.8",
    "at_signal": "§5.8",
    "end_signal": "§5.8",
    "several_rons_honba": "§4.1",
    "several_rons_bets": "§4.1",
    "abortive_draws": "§3.4.3",
    "ronned_riichi": "§3.3.12",
    "riichi_below_1000": "§3.3.12",
    "pao_honba": "§3.3.6",
    "nagashi_counts_as": "§3.4.12",
    "dealer_stays": "§3.4.12",
    "extra_round": "§3.1",
    "chombo_after_signal": "§5.8",
    "hand_begins": "§5.8",
}

_AIM = _("The aim of the game")
_SETS = _("Declaring sets")
_WORTH = _("What a hand is worth")
_TOURNAMENT = _("What a hand is worth, results in tournaments")
_DRAWS = _("A drawn hand")
_PENALTIES = _("Penalties")
_YAKU_LIST = _("List of yaku")
_RIICHI = _("Riichi")
_YAKUMAN_LIST = _("List of yaku, yakuman")

PHOENIX: Mapping[str, str] = {
    "start_points": _AIM,
    "target_points": _TOURNAMENT,
    "uma": _TOURNAMENT,
    "ties": _TOURNAMENT,
    "leftover_sticks": _AIM,
    "rounding_unit": _TOURNAMENT,
    "rounding_mode": _TOURNAMENT,
    "chombo_penalty": _PENALTIES,
    "winning_fu": _WORTH,
    "tsumo_fu": _WORTH,
    "open_pinfu_fu": _WORTH,
    "double_wind_pair_fu": _WORTH,
    "kiriage": _WORTH,
    "thirteen_han": _YAKUMAN_LIST,
    "double_yakuman": _YAKUMAN_LIST,
    "yakuman_add_up": _("Yakuman"),
    "renhou": _YAKUMAN_LIST,
    "nagashi_mangan": _YAKU_LIST,
    "nagashi_takes_bets": _YAKU_LIST,
    "nagashi_dealer_passes": _YAKU_LIST,
    "red_fives": _("Dora"),
    "open_tanyao": _YAKU_LIST,
    "open_riichi": _YAKU_LIST,
    "minimum_han": _("What a yaku is"),
    "five_honba_minimum": _DRAWS,
    "extra_yaku": _YAKU_LIST,
    "several_rons": _SETS,
    "triple_ron_aborts": _DRAWS,
    "pao": _YAKUMAN_LIST,
    "chombo_payment": _PENALTIES,
    "kuikae": _SETS,
    "ends_early": _AIM,
    "leading_dealer_ends": _DRAWS,
    "honba_after_noten_dealer": _DRAWS,
    "length": _("Preparation"),
    "abortive_draws": _DRAWS,
    "ronned_riichi": _RIICHI,
    "riichi_below_1000": _RIICHI,
    "nagashi_counts_as": _YAKU_LIST,
    "dealer_stays": _DRAWS,
    "leading_dealer_on": _DRAWS,
    "leading_dealer_choice": _DRAWS,
    "extra_round": _("Preparation"),
}

_EQUIPMENT = _("Equipment")
_COURSE = _("The course of the game")
_COUNTING = _("Counting points")
_WINS_AND_DRAWS = _("Wins, draws and redeals")

BASIC: Mapping[str, str] = {
    "start_points": _EQUIPMENT,
    "leftover_sticks": _EQUIPMENT,
    "chombo_penalty": _("Breaches of the rules"),
    "winning_fu": _COUNTING,
    "tsumo_fu": _COUNTING,
    "open_pinfu_fu": _COUNTING,
    "double_wind_pair_fu": _COUNTING,
    "red_fives": _("Dora"),
    "minimum_han": _("Yaku and han"),
    "triple_ron_aborts": _WINS_AND_DRAWS,
    "chombo_payment": _("Breaches of the rules"),
    "kuikae": _("Declaring open sets"),
    "ends_early": _COURSE,
    "honba_after_noten_dealer": _WINS_AND_DRAWS,
    "length": _COURSE,
    "abortive_draws": _WINS_AND_DRAWS,
    "dealer_stays": _WINS_AND_DRAWS,
    "extra_round": _COURSE,
}
