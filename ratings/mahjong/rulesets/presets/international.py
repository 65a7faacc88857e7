"""The rule sets of the European association and the world championship (RULES §1 and §2, HANDS §5)."""

from __future__ import annotations

from dataclasses import replace

from ratings.mahjong.problems import gettext_noop
from ratings.mahjong.rulesets.presets.preset import (
    EXCERPTS,
    INTERNATIONAL,
    ONE_SOURCE,
    OUR_READING,
    SECONDARY,
    Preset,
    about,
)

_ = gettext_noop

AFTER_UMA = "§3.7, §7.2–7.5"
FINES = _(
    "Misconduct costs 8000 or 12 000, serious misconduct 12 000 to 48 000, a wrong last-hand sheet that mattered 8000, "
    "a wrong or unsigned score sheet 2000."
)
SHARED_BY_TIED_FIRSTS = _("Tied firsts share them and fractions are dropped. That we drop below 100 is our reading.")
BORROWS = _("A player with too few points borrows. This is our reading.")
CHOMBO_OUTSIDE_TOURNAMENTS = _("In tournaments. Elsewhere the same booklet has a mangan backwards and no penalty.")
CHANGED_IN_2025 = _("The 2025 booklet names it as changed since.")
UNSURE_STICKS = _("Sources disagree: one gives them to first place, another to no one.")
UNSURE_END = _("Sources disagree: one says never, another below zero.")
CHOMBO_SINCE_2015 = _("Replayed by the rule book of 2015; a newer edition seems to count it.")

EMA_2025 = Preset(
    key="ema-2025",
    name="EMA 2025",
    source=_("European Mahjong Association, riichi rules 2025"),
    rules=replace(
        INTERNATIONAL,
        late_per_minute=1_000,
        late_max_minutes=10,
        late_applies="total",
        penalty_applies="total",
        winning_fu="closed_ron_plus_10",
        tsumo_fu="not_pinfu",
        open_pinfu_fu=True,
        double_wind_pair_fu=2,
        kiriage=True,
        thirteen_han="sanbaiman",
        double_yakuman=(),
        yakuman_add_up=False,
        renhou="five_han",
        nagashi_mangan="none",
        red_fives=0,
        open_tanyao=True,
        open_riichi=False,
        minimum_han=1,
        five_honba_minimum="none",
        extra_yaku=(),
        several_rons="all",
        several_rons_honba="each",
        several_rons_bets="own_back",
        triple_ron_aborts=False,
        abortive_draws=(),
        ronned_riichi="returned",
        riichi_below_1000=True,
        pao=("daisangen", "daisuushi"),
        pao_covers="hand",
        pao_honba="discarder",
        rinshan_after_open_kan="shared",
        chombo_payment=False,
        kuikae="not_closing",
        length="hanchan",
        dealer_stays="win_or_tenpai",
        honba_after_noten_dealer="plus_one",
        ends_early="never",
        leading_dealer_ends=False,
        extra_round="none",
        session_minutes=90,
        warning_minutes=15,
        at_signal="one_more",
        end_signal=False,
        chombo_after_signal="counts",
        hand_begins="previous_end",
    ),
    notes={
        **about(OUR_READING, "rounding_unit", "rounding_mode", "open_riichi"),
        "leftover_sticks": SHARED_BY_TIED_FIRSTS,
        "penalty_applies": FINES,
        "riichi_below_1000": BORROWS,
        "chombo_payment": CHOMBO_OUTSIDE_TOURNAMENTS,
    },
    paragraphs=about(AFTER_UMA, "chombo_penalty", "late_applies", "penalty_applies"),
)

EMA_2016 = Preset(
    key="ema-2016",
    name="EMA 2016",
    source=_("European Mahjong Association, riichi rules 2016"),
    rules=replace(
        INTERNATIONAL,
        late_per_minute=1_000,
        late_max_minutes=10,
        double_wind_pair_fu=4,
        thirteen_han="sanbaiman",
        double_yakuman=(),
        yakuman_add_up=False,
        renhou="five_han",
        nagashi_mangan="none",
        red_fives=0,
        open_tanyao=True,
        five_honba_minimum="none",
        several_rons="all",
        several_rons_honba="each",
        several_rons_bets="own_back",
        triple_ron_aborts=False,
        abortive_draws=(),
        ronned_riichi="returned",
        riichi_below_1000=True,
        pao=("daisangen", "daisuushi"),
        pao_covers="hand",
        pao_honba="discarder",
        rinshan_after_open_kan="shared",
        chombo_payment=False,
        length="hanchan",
        dealer_stays="win_or_tenpai",
        honba_after_noten_dealer="plus_one",
        ends_early="never",
        leading_dealer_ends=False,
        extra_round="none",
        session_minutes=90,
        warning_minutes=15,
        at_signal="one_more",
        chombo_after_signal="replayed",
        hand_begins="dice",
    ),
    notes={
        **about(OUR_READING, "ronned_riichi", "riichi_below_1000", "pao_covers", "pao_honba", "rinshan_after_open_kan"),
        **about(EXCERPTS, "several_rons", "triple_ron_aborts", "abortive_draws", "honba_after_noten_dealer"),
        **about(EXCERPTS, "double_wind_pair_fu", "double_yakuman", "yakuman_add_up"),
        **about(SECONDARY, "late_per_minute", "late_max_minutes", "thirteen_han", "several_rons_honba"),
        **about(SECONDARY, "several_rons_bets", "pao", "chombo_payment", "dealer_stays", "length", "extra_round"),
        **about(ONE_SOURCE, "leftover_sticks", "red_fives", "open_tanyao", "renhou", "nagashi_mangan"),
        **about(ONE_SOURCE, "five_honba_minimum", "ends_early", "leading_dealer_ends"),
        **about(ONE_SOURCE, "session_minutes", "warning_minutes", "at_signal"),
        **about(CHANGED_IN_2025, "chombo_after_signal", "hand_begins"),
    },
)

WRC = Preset(
    key="wrc",
    name="WRC",
    source=_("World Riichi Championship"),
    rules=replace(
        INTERNATIONAL,
        leftover_sticks="lost",
        kiriage=True,
        thirteen_han="sanbaiman",
        double_yakuman=(),
        yakuman_add_up=False,
        nagashi_mangan="none",
        several_rons="nearest",
        triple_ron_aborts=False,
        abortive_draws=(),
        pao=("daisangen", "daisuushi"),
        rinshan_after_open_kan="shared",
        chombo_payment=False,
        length="hanchan",
        dealer_stays="win_or_tenpai",
        honba_after_noten_dealer="plus_one",
        ends_early="never",
        leading_dealer_ends=False,
        extra_round="none",
        at_signal="finish",
    ),
    notes={
        **about(EXCERPTS, "several_rons", "triple_ron_aborts", "abortive_draws", "rinshan_after_open_kan"),
        **about(EXCERPTS, "dealer_stays", "honba_after_noten_dealer", "length", "extra_round", "leading_dealer_ends"),
        **about(SECONDARY, "kiriage", "thirteen_han", "chombo_payment"),
        **about(ONE_SOURCE, "double_yakuman", "yakuman_add_up", "nagashi_mangan", "pao", "at_signal"),
        "leftover_sticks": UNSURE_STICKS,
        "ends_early": UNSURE_END,
        "chombo_after_signal": CHOMBO_SINCE_2015,
    },
)
