"""The rule sets a club can start from, with the numbers of RULES §1 and §2.

A preset is copied by value, never referred to. Notes say where a number is our reading of a silent source;
they stand under the parameter on the rules page, beside where the source states it (`sources`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ratings.problems import gettext_noop
from ratings.rulesets import sources
from ratings.rulesets.rules import Rules
from ratings.rulesets.variations import Range, Ranges

_ = gettext_noop

OUR_READING = _("The source is silent or unclear here: this is our reading, and a club may change it.")
SECONDARY = _("Known from secondary sources only.")
NET_OF_START = _("Not printed in the source. Results are counted from the start, so any start gives the same results.")
FOR_TOURNAMENTS = _("The source states it for tournaments; we use it in the club too.")
NOTHING_VANISHES = _("The source says that points neither appear nor vanish, hence first place takes them.")
JPML_UMA = _("12/−1/−3/−8 when exactly one seat is at or above the start, 8/3/1/−12 when exactly three are.")
OWN_TABLE = _("One han with 20 fu is printed as 800 and 1200 in this club's own table; the formula gives 700 and 1000.")
RED_BY_AGREEMENT = _("By agreement of the players.")
EAST_BY_AGREEMENT = _("An East round alone by agreement.")
FOUR_REDS = _("Two in circles, one each in bamboo and characters.")
NO_COUNTED = _("No counted yakuman. Known from secondary sources only.")
MANGAN_AT_THE_TABLE = _("A mangan is paid at the table instead.")
MANGAN_SHARED_OUT = _("The source names a mangan but not who gets how much of it: this is our reading.")
BEGUN_MINUTE = _("That a begun minute counts is our reading.")
OKA_RANGE = _("How far a free game may vary it is our reading of an unclear sentence.")
AT_MOST_32000 = _("The source also says that no hand pays more than 32 000.")


@dataclass(frozen=True)
class Preset:
    key: str
    name: str
    source: str
    rules: Rules
    notes: Mapping[str, str] = field(default_factory=dict)  # parameter -> what a reader must know
    paragraphs: Mapping[str, str] = field(default_factory=dict)  # parameter -> where the source states it
    ranges: Ranges = field(default_factory=dict)  # what may vary from game to game


FURITEN = Preset(
    key="furiten",
    name="Furiten",
    source=_("Rules of the Furiten club"),
    rules=Rules(
        start_points=30_000,
        target_points=30_000,
        uma=(9_000, 3_000, -3_000, -9_000),
        ties="split",
        leftover_sticks="lost",
        rounding_unit=100,
        rounding_mode="half_away",
        balance="none",
        chombo_penalty=20_000,
        late_per_minute=0,
        late_max_minutes=None,
        late_applies="net",
        substitute_points=0,
        substitute_uma=-9_000,
        winning_fu="closed_ron_plus_10",
        tsumo_fu="not_pinfu_not_rinshan",
        open_pinfu_fu=False,
        double_wind_pair_fu=4,
        kiriage=False,
        thirteen_han="yakuman",
        double_yakuman=(),
        yakuman_add_up=False,
        printed_values=((1, 20, 800, 1200),),
        renhou="five_han",
        nagashi_mangan="none",
        red_fives=3,
        open_tanyao=False,
        open_riichi=False,
        minimum_han=1,
        five_honba_minimum="none",
        extra_yaku=(),
        several_rons="nearest",
        triple_ron_aborts=True,
        pao=("daisangen", "daisuushi", "suukantsu"),
        rinshan_after_open_kan="feeder",
        chombo_payment=True,
        kuikae="not_closing",
        ends_early="below_zero",
        leading_dealer_ends=False,
        honba_after_noten_dealer="plus_one",
        length="hanchan",
    ),
    notes={
        "ties": OUR_READING,
        "leftover_sticks": OUR_READING,
        "chombo_penalty": OUR_READING,
        "substitute_points": OUR_READING,
        "substitute_uma": OUR_READING,
        "chombo_payment": MANGAN_SHARED_OUT,
        "leading_dealer_ends": OUR_READING,
        "printed_values": OWN_TABLE,
        "target_points": OKA_RANGE,
    },
    paragraphs=sources.FURITEN,
    ranges={
        "minimum_han": Range(low=1, high=3),
        "red_fives": Range(values=(0, 3, 4)),
        "open_tanyao": Range(values=(True, False)),
        "kuikae": Range(values=("free", "not_taken", "not_closing")),
        "five_honba_minimum": Range(values=("none", "two_han")),
        "open_riichi": Range(values=(True, False)),
        "start_points": Range(low=25_000, high=50_000),
        "uma": Range(),
        "target_points": Range(low=25_000, high=50_000, at_least="start_points"),
        "leading_dealer_ends": Range(values=(True, False)),
    },
)

EMA_2012 = Preset(
    key="ema-2012",
    name="EMA 2012",
    source=_("European Mahjong Association, riichi rules 2008 and 2012"),
    rules=Rules(
        start_points=30_000,
        target_points=30_000,
        uma=(30_000, 10_000, -10_000, -30_000),
        ties="split",
        leftover_sticks="winner",
        rounding_unit=100,
        rounding_mode="half_away",
        balance="none",
        chombo_penalty=0,
        late_per_minute=1_000,
        late_max_minutes=10,
        late_applies="net",
        substitute_points=0,
        substitute_uma=-30_000,
        winning_fu="closed_ron_30",
        tsumo_fu="not_pinfu",
        open_pinfu_fu=True,
        double_wind_pair_fu=4,
        kiriage=False,
        thirteen_han="yakuman",
        double_yakuman=("big_four_winds",),
        yakuman_add_up=False,
        renhou="yakuman",
        nagashi_mangan="closed",
        nagashi_takes_bets=True,
        nagashi_dealer_passes=False,
        red_fives=3,
        open_tanyao=False,
        open_riichi=False,
        minimum_han=1,
        five_honba_minimum="two_han",
        extra_yaku=(),
        several_rons="all",
        triple_ron_aborts=False,
        pao=("daisangen", "daisuushi"),
        rinshan_after_open_kan="shared",
        chombo_payment=True,
        kuikae="free",
        ends_early="never",
        leading_dealer_ends=False,
        honba_after_noten_dealer="plus_one",
        length="hanchan",
        session_minutes=90,
        warning_minutes=15,
        at_signal="one_more",
        end_signal=False,
    ),
    notes={
        "start_points": NET_OF_START,
        "target_points": NET_OF_START,
        "double_wind_pair_fu": OUR_READING,
        "chombo_penalty": MANGAN_AT_THE_TABLE,
        "late_per_minute": BEGUN_MINUTE,
    },
    paragraphs=sources.EMA_2012,
)

BASIC = Preset(
    key="basic",
    name="Basic",
    source=_("Base riichi rules after the JPML"),
    rules=Rules(
        start_points=30_000,
        target_points=30_000,
        uma=(0, 0, 0, 0),
        ties="split",
        leftover_sticks="winner",
        rounding_unit=100,
        rounding_mode="half_away",
        balance="none",
        chombo_penalty=0,
        late_per_minute=0,
        late_max_minutes=None,
        late_applies="net",
        substitute_points=0,
        substitute_uma=0,
        winning_fu="closed_ron_plus_10",
        tsumo_fu="not_pinfu_not_rinshan",
        open_pinfu_fu=False,
        double_wind_pair_fu=4,
        minimum_han=1,
        triple_ron_aborts=True,
        chombo_payment=True,
        kuikae="not_closing",
        ends_early="zero",
        leading_dealer_ends=False,
        honba_after_noten_dealer="plus_one",
        length="hanchan",
    ),
    notes={
        "ties": OUR_READING,
        "leftover_sticks": NOTHING_VANISHES,
        "chombo_penalty": MANGAN_AT_THE_TABLE,
        "chombo_payment": MANGAN_SHARED_OUT,
        "substitute_points": OUR_READING,
        "substitute_uma": OUR_READING,
        "red_fives": RED_BY_AGREEMENT,
        "ends_early": OUR_READING,
        "length": EAST_BY_AGREEMENT,
    },
    paragraphs=sources.BASIC,
)

PHOENIX = Preset(
    key="phoenix",
    name="Phoenix",
    source=_("Club and tournament rules of Phoenix, Arkhangelsk"),
    rules=Rules(
        start_points=25_000,
        target_points=25_000,
        uma=(7_000, 3_000, -3_000, -7_000),
        ties="seat",
        leftover_sticks="winner",
        rounding_unit=1_000,
        rounding_mode="up",
        balance="none",
        chombo_penalty=0,
        late_per_minute=0,
        late_max_minutes=None,
        late_applies="net",
        substitute_points=0,
        substitute_uma=-7_000,
        winning_fu="closed_ron_30",
        tsumo_fu="not_pinfu",
        open_pinfu_fu=True,
        double_wind_pair_fu=2,
        kiriage=False,
        thirteen_han="yakuman",
        double_yakuman=("big_four_winds", "suuankou_tanki", "thirteen_wait", "nine_wait"),
        yakuman_add_up=False,
        renhou="none",
        nagashi_mangan="any",
        nagashi_takes_bets=False,
        nagashi_dealer_passes=True,
        red_fives=4,
        open_tanyao=False,
        open_riichi=False,
        minimum_han=1,
        five_honba_minimum="two_yaku",
        extra_yaku=("sanrenkou", "daisharin"),
        several_rons="nearest",
        triple_ron_aborts=True,
        pao=("daisangen", "shousuushi", "daisuushi", "suukantsu"),
        rinshan_after_open_kan="shared",
        chombo_payment=True,
        kuikae="free",
        ends_early="zero",
        leading_dealer_ends=True,
        honba_after_noten_dealer="kept",
        length="hanchan",
    ),
    notes={
        "uma": FOR_TOURNAMENTS,
        "leftover_sticks": NOTHING_VANISHES,
        "chombo_penalty": MANGAN_AT_THE_TABLE,
        "substitute_points": OUR_READING,
        "substitute_uma": OUR_READING,
        "double_wind_pair_fu": OUR_READING,
        "double_yakuman": AT_MOST_32000,
        "yakuman_add_up": OUR_READING,
        "nagashi_takes_bets": OUR_READING,
        "red_fives": FOUR_REDS,
        "open_tanyao": OUR_READING,
        "ends_early": OUR_READING,
    },
    paragraphs=sources.PHOENIX,
)

# Of the rest only what follows is known; what no source states stays "not stated".
_INTERNATIONAL = Rules(
    start_points=30_000,
    target_points=30_000,
    uma=(15_000, 5_000, -5_000, -15_000),
    ties="split",
    leftover_sticks="winner",
    rounding_unit=100,
    rounding_mode="half_away",
    balance="none",
    chombo_penalty=20_000,
    late_per_minute=0,
    late_max_minutes=None,
    late_applies="net",
    substitute_points=-15_000,
    substitute_uma=-15_000,
)

EMA_2016 = Preset(
    key="ema-2016",
    name="EMA 2016",
    source=_("European Mahjong Association, riichi rules 2016"),
    rules=replace(_INTERNATIONAL, late_per_minute=1_000, late_max_minutes=10, thirteen_han="sanbaiman"),
    notes={"late_per_minute": SECONDARY, "late_max_minutes": SECONDARY, "thirteen_han": SECONDARY},
)

WRC = Preset(
    key="wrc",
    name="WRC",
    source=_("World Riichi Championship"),
    rules=replace(_INTERNATIONAL, leftover_sticks="lost", kiriage=True, ends_early="never"),
    notes={"leftover_sticks": SECONDARY, "kiriage": SECONDARY, "ends_early": SECONDARY},
)

JPML_A = Preset(
    key="jpml-a",
    name="JPML A",
    source=_("Japan Professional Mahjong League, A rules"),
    rules=replace(
        _INTERNATIONAL,
        uma=(8_000, 4_000, -4_000, -8_000),
        floating_uma=((1, (12_000, -1_000, -3_000, -8_000)), (3, (8_000, 3_000, 1_000, -12_000))),
        leftover_sticks="lost",
        substitute_points=0,
        substitute_uma=-8_000,
        thirteen_han="sanbaiman",
    ),
    notes={
        "floating_uma": JPML_UMA,
        "chombo_penalty": SECONDARY,
        "substitute_points": OUR_READING,
        "substitute_uma": OUR_READING,
        "thirteen_han": NO_COUNTED,
    },
)

M_LEAGUE = Preset(
    key="m-league",
    name="M-League",
    source=_("M-League"),
    rules=replace(
        _INTERNATIONAL,
        start_points=25_000,
        uma=(30_000, 10_000, -10_000, -30_000),
        substitute_points=0,
        substitute_uma=-30_000,
        kiriage=True,
        ends_early="never",
    ),
    notes={
        "substitute_points": OUR_READING,
        "substitute_uma": OUR_READING,
        "kiriage": SECONDARY,
        "ends_early": SECONDARY,
    },
)

TENHOU = Preset(
    key="tenhou",
    name="Tenhou",
    source=_("Tenhou ranked games"),
    rules=replace(
        _INTERNATIONAL,
        start_points=25_000,
        uma=(20_000, 10_000, -10_000, -20_000),
        ties="seat",
        rounding_unit=1_000,
        balance="first",
        chombo_penalty=0,
        substitute_points=0,
        substitute_uma=-20_000,
        ends_early="below_zero",
    ),
    notes={"substitute_points": OUR_READING, "substitute_uma": OUR_READING, "ends_early": SECONDARY},
)

PRESETS: dict[str, Preset] = {
    preset.key: preset for preset in (FURITEN, EMA_2012, PHOENIX, BASIC, EMA_2016, WRC, JPML_A, M_LEAGUE, TENHOU)
}
