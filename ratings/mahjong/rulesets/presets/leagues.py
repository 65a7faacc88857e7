"""The rule sets of Japanese leagues, from secondary sources (RULES §1, HANDS §5)."""

from __future__ import annotations

from dataclasses import replace

from ratings.mahjong.problems import gettext_noop
from ratings.mahjong.rulesets.presets.preset import INTERNATIONAL, ONE_SOURCE, OUR_READING, SECONDARY, Preset, about

_ = gettext_noop

JPML_UMA = _("12/−1/−3/−8 when exactly one seat is at or above the start, 8/3/1/−12 when exactly three are.")
NO_COUNTED = _("No counted yakuman. Known from secondary sources only.")
UNSURE_ABORTS = _("Sources disagree: one says there are none, another that there are.")
PARLOUR_MANGAN = _("Known from secondary sources only; one parlour writes a mangan.")

JPML_A = Preset(
    key="jpml-a",
    name="JPML A",
    source=_("Japan Professional Mahjong League, A rules"),
    rules=replace(
        INTERNATIONAL,
        uma=(8_000, 4_000, -4_000, -8_000),
        floating_uma=((1, (12_000, -1_000, -3_000, -8_000)), (3, (8_000, 3_000, 1_000, -12_000))),
        leftover_sticks="lost",
        substitute_points=0,
        substitute_uma=-8_000,
        kiriage=False,
        thirteen_han="sanbaiman",
        nagashi_mangan="none",
        several_rons="nearest",
        pao=("daisangen", "daisuushi", "suukantsu"),
        rinshan_after_open_kan="shared",
        chombo_payment=False,
        length="hanchan",
        dealer_stays="win_or_tenpai",
        ends_early="never",
        leading_dealer_ends=False,
        extra_round="none",
        at_signal="finish",
    ),
    notes={
        **about(OUR_READING, "substitute_points", "substitute_uma", "length", "extra_round"),
        **about(SECONDARY, "chombo_penalty", "leftover_sticks", "several_rons", "leading_dealer_ends"),
        **about(ONE_SOURCE, "kiriage", "nagashi_mangan", "pao", "rinshan_after_open_kan", "chombo_payment"),
        **about(ONE_SOURCE, "dealer_stays", "ends_early", "at_signal"),
        "floating_uma": JPML_UMA,
        "thirteen_han": NO_COUNTED,
        "abortive_draws": UNSURE_ABORTS,
    },
)

M_LEAGUE = Preset(
    key="m-league",
    name="M-League",
    source=_("M-League"),
    rules=replace(
        INTERNATIONAL,
        start_points=25_000,
        uma=(30_000, 10_000, -10_000, -30_000),
        substitute_points=0,
        substitute_uma=-30_000,
        kiriage=True,
        thirteen_han="sanbaiman",
        double_yakuman=(),
        yakuman_add_up=True,
        several_rons="nearest",
        triple_ron_aborts=False,
        abortive_draws=(),
        riichi_below_1000=True,
        pao=("daisangen", "daisuushi", "suukantsu"),
        chombo_payment=False,
        length="hanchan",
        dealer_stays="win_or_tenpai",
        ends_early="never",
        leading_dealer_ends=False,
        extra_round="none",
    ),
    notes={
        **about(OUR_READING, "substitute_points", "substitute_uma", "length", "extra_round"),
        **about(SECONDARY, "kiriage", "several_rons", "triple_ron_aborts", "abortive_draws", "pao"),
        **about(SECONDARY, "dealer_stays", "ends_early", "leading_dealer_ends"),
        **about(ONE_SOURCE, "leftover_sticks", "thirteen_han", "double_yakuman", "yakuman_add_up"),
        **about(ONE_SOURCE, "riichi_below_1000"),
        "chombo_payment": PARLOUR_MANGAN,
    },
)
