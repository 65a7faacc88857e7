"""The rule sets of online platforms, for their logs and for clubs that play by them (RULES §1, HANDS §5)."""

from __future__ import annotations

from dataclasses import replace

from ratings.mahjong.problems import gettext_noop
from ratings.mahjong.rulesets.options import ABORTIVE_DRAWS
from ratings.mahjong.rulesets.presets.preset import (
    INTERNATIONAL,
    MEASURED,
    ONE_SOURCE,
    OUR_READING,
    SECONDARY,
    Preset,
    about,
)

_ = gettext_noop

SOME_NEVER = _("Measured on real games. Some tournament lobbies play without repeats.")
EAST_TOO = _("Measured on real games. There are games of the East round alone as well.")
WIN_MEASURED = _("The win is measured on real games, tenpai known from secondary sources.")
HONBA_BY_LIABLE = _("Measured on real games for tsumo, known from secondary sources for ron.")
UNROUNDED_SINCE_2023 = _("Measured on real games up to 2021. Games of 2023 have results that are not rounded.")
OTHER_ROOMS = _("In ranked rooms; other rooms have their own.")

_PLATFORM = replace(
    INTERNATIONAL,
    start_points=25_000,
    ties="seat",
    chombo_penalty=0,
    substitute_points=0,
    kiriage=False,
    thirteen_han="yakuman",
    yakuman_add_up=True,
    nagashi_mangan="any",
    nagashi_takes_bets=False,
    nagashi_counts_as="draw",
    nagashi_dealer_passes=False,
    several_rons="all",
    several_rons_honba="first",
    several_rons_bets="first",
    abortive_draws=tuple(code for code, _label in ABORTIVE_DRAWS),
    ronned_riichi="returned",
    riichi_below_1000=False,
    pao=("daisangen", "daisuushi"),
    pao_honba="liable",
    rinshan_after_open_kan="shared",
    length="hanchan",
    dealer_stays="win_or_tenpai",
    honba_after_noten_dealer="plus_one",
    ends_early="below_zero",
    leading_dealer_ends=True,
    extra_round="target",
    extra_target=30_000,
    extra_ends="dealer_passes",
)

TENHOU = Preset(
    key="tenhou",
    name="Tenhou",
    source=_("Tenhou ranked games"),
    rules=replace(
        _PLATFORM,
        uma=(20_000, 10_000, -10_000, -20_000),
        rounding_unit=1_000,
        rounding_mode="half_up",
        balance="first",
        substitute_uma=-20_000,
        open_pinfu_fu=True,
        double_yakuman=(),
        minimum_han=1,
        five_honba_minimum="none",
        triple_ron_aborts=True,
        pao_covers="hand",
        leading_dealer_on="win_or_tenpai",
        leading_dealer_choice=False,
    ),
    notes={
        **about(OUR_READING, "substitute_points", "substitute_uma", "open_pinfu_fu", "minimum_han"),
        **about(OUR_READING, "five_honba_minimum", "nagashi_dealer_passes"),
        **about(MEASURED, "kiriage", "double_yakuman", "yakuman_add_up"),
        **about(MEASURED, "nagashi_mangan", "nagashi_counts_as", "nagashi_takes_bets"),
        **about(MEASURED, "several_rons", "several_rons_honba", "several_rons_bets"),
        **about(MEASURED, "triple_ron_aborts", "abortive_draws", "ronned_riichi", "pao", "leftover_sticks"),
        **about(MEASURED, "honba_after_noten_dealer", "ends_early", "leading_dealer_ends", "leading_dealer_choice"),
        **about(MEASURED, "extra_round", "extra_target"),
        **about(SECONDARY, "thirteen_han", "riichi_below_1000", "pao_covers", "rinshan_after_open_kan", "extra_ends"),
        "rounding_mode": UNROUNDED_SINCE_2023,
        "pao_honba": HONBA_BY_LIABLE,
        "dealer_stays": SOME_NEVER,
        "length": EAST_TOO,
        "leading_dealer_on": WIN_MEASURED,
    },
)

# Not offered to clubs: used only to read the logs of this platform.
MAHJONG_SOUL = Preset(
    key="mahjong-soul",
    name="Mahjong Soul",
    source=_("Mahjong Soul ranked games"),
    rules=replace(
        _PLATFORM,
        target_points=25_000,
        rounding_unit=1,
        substitute_uma=-15_000,
        double_yakuman=("big_four_winds", "suuankou_tanki", "thirteen_wait", "nine_wait"),
        triple_ron_aborts=False,
        pao_covers="yakuman",
    ),
    notes={
        **about(OUR_READING, "substitute_points", "substitute_uma", "thirteen_han", "abortive_draws"),
        **about(OUR_READING, "riichi_below_1000", "pao", "rinshan_after_open_kan", "length", "extra_round"),
        **about(OUR_READING, "extra_target", "extra_ends", "leading_dealer_ends", "leftover_sticks"),
        **about(MEASURED, "kiriage", "nagashi_mangan", "nagashi_counts_as", "nagashi_takes_bets", "several_rons"),
        **about(MEASURED, "ronned_riichi", "dealer_stays", "honba_after_noten_dealer", "ends_early"),
        **about(SECONDARY, "double_yakuman", "yakuman_add_up", "triple_ron_aborts"),
        **about(ONE_SOURCE, "several_rons_honba", "several_rons_bets", "pao_covers", "pao_honba"),
        "uma": OTHER_ROOMS,
    },
)
