"""The `Rules` type: everything that can differ between the rules of clubs.

Each field below is a parameter. It is declared once with its kind, label, help and group, and with the value that is
used if a rule set does not state it. The JSON that a club stores and exchanges (`reading`), validation, the admin form
and the public page are derived from these declarations. RULES §1 and §2 and HANDS §4 define the meaning; amounts are
game points.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any

from ratings.mahjong.problems import gettext_noop
from ratings.mahjong.rulesets.options import ABORTIVE_DRAWS, EXTRA_YAKU, PAO, YAKUMAN
from ratings.mahjong.rulesets.parameters import (
    Choice,
    Flag,
    FloatingUma,
    FourNumbers,
    FourNumbersByCount,
    HandValue,
    HandValues,
    Number,
    Parameter,
    ParameterKind,
    Several,
    Uma,
)

_ = gettext_noop

SCORING, HANDS, TABLE, COURSE, SESSION = "scoring", "hands", "table", "course", "session"
GROUPS: dict[str, str] = {
    SCORING: _("From points to a result"),
    HANDS: _("What a hand is worth"),
    TABLE: _("At the table"),
    COURSE: _("How the game goes on and ends"),
    SESSION: _("The session"),
}


def _parameter(group: str, source: str, kind: ParameterKind, label: str, help_text: str = "", **more: Any) -> Any:
    """Declare a parameter. `more` may hold `unit`, `default` (the value if it is not stated) and `moot`."""
    declared = {"group": group, "source": source, "kind": kind, "label": label, "help_text": help_text, **more}
    if kind.optional:
        return field(default=None, metadata=declared)
    return field(metadata=declared)


_scoring = partial(_parameter, SCORING, "RULES §1")
_hands = partial(_parameter, HANDS, "RULES §2")
_table = partial(_parameter, TABLE, "RULES §2")
_course = partial(_parameter, COURSE, "RULES §2")
_session = partial(_parameter, SESSION, "RULES §1, conduct")


def _choice(*options: tuple[Any, str]) -> Choice:
    return Choice(options=options)


def _optional(*options: tuple[Any, str]) -> Choice:
    return Choice(optional=True, options=options)


def _selection(*options: tuple[str, str]) -> Several:
    return Several(optional=True, options=options)


def _no_nagashi(rules: Rules) -> bool:
    return rules.nagashi_mangan == "none"


def _one_winner(rules: Rules) -> bool:
    """Whether honba and bets are never shared by winners. Several nagashi share them as several rons do."""
    return rules.several_rons == "nearest" and (_no_nagashi(rules) or not rules.nagashi_takes_bets)


@dataclass(frozen=True, kw_only=True)
class Rules:
    start_points: int = _scoring(
        Number(low=1000, high=500_000, step=100),
        _("Start points"),
        _("What each player has at the start."),
        unit="points",
    )
    target_points: int = _scoring(
        Number(low=0, high=500_000, step=100),
        _("Target points"),
        _("A result is counted from here. Four times its distance to the start is the oka, for first place."),
        unit="points",
    )
    uma: Uma = _scoring(FourNumbers(), _("Uma"), _("What first to fourth place add to their result."), unit="points")
    floating_uma: FloatingUma | None = _scoring(
        FourNumbersByCount(optional=True, none_label=_("none")),
        _("Floating uma"),
        _("Another uma when this many seats end at or above the start points."),
        unit="points",
    )
    ties: str = _scoring(
        _choice(("split", _("share the place and the uma")), ("seat", _("nearer to the first dealer is higher"))),
        _("Equal points"),
    )
    leftover_sticks: str = _scoring(
        _choice(("winner", _("go to first place")), ("lost", _("go to no one"))),
        _("Riichi sticks left on the table"),
    )
    rounding_unit: int = _scoring(
        _choice((1, _("not rounded")), (100, _("to 100")), (500, _("to 500")), (1000, _("to 1000"))),
        _("Rounding"),
        _("What results are rounded to, after uma and oka."),
        unit="points",
    )
    rounding_mode: str = _scoring(
        _choice(
            ("up", _("up, negative results too")),
            ("down", _("down, negative results too")),
            ("toward_zero", _("towards zero")),
            ("half_away", _("to the nearest, halves away from zero")),
            ("half_up", _("to the nearest, halves up")),
            ("half_even", _("to the nearest, halves to the even one")),
            ("five_down_six_up", _("five down, six up")),
        ),
        _("Way of rounding"),
    )
    balance: str = _scoring(
        _choice(("none", _("no one")), ("first", _("first place"))),
        _("Rounding difference"),
        _("Who takes what rounding adds or removes, so that the four results sum up."),
    )
    chombo_penalty: int = _scoring(
        Number(low=0, high=1_000_000),
        _("Chombo"),
        _("Taken off for each chombo, after uma and rounding."),
        unit="points",
    )
    late_per_minute: int = _scoring(
        Number(low=0, high=100_000, step=100), _("Late, each minute"), _("A begun minute counts."), unit="points"
    )
    late_max_minutes: int | None = _scoring(
        Number(optional=True, none_label=_("no maximum"), low=0, high=10_000),
        _("Latest arrival"),
        _("Later than this, a substitute plays from the start."),
        unit="minutes",
    )
    late_applies: str = _scoring(
        _choice(("net", _("before places are decided")), ("total", _("off the result at the end"))),
        _("Lateness is taken"),
    )
    penalty_applies: str | None = _scoring(
        _optional(("net", _("before places are decided")), ("total", _("off the result at the end"))),
        _("A penalty is taken"),
        default="net",
    )
    substitute_points: int = _scoring(
        Number(), _("Substituted seat: base"), _("The fixed result of a seat that a substitute played."), unit="points"
    )
    substitute_uma: int = _scoring(
        Number(), _("Substituted seat: uma"), _("Added to the fixed result of a substituted seat."), unit="points"
    )

    winning_fu: str | None = _hands(
        _optional(
            ("closed_ron_plus_10", _("20, closed ron 10 more, seven pairs 25")),
            ("closed_ron_30", _("30 for closed ron, else 20, seven pairs 25")),
        ),
        _("Fu for winning"),
    )
    tsumo_fu: str | None = _hands(
        _optional(
            ("not_pinfu", _("2, except with pinfu")),
            ("not_pinfu_not_rinshan", _("2, except with pinfu and after a kan")),
        ),
        _("Fu for tsumo"),
    )
    open_pinfu_fu: bool | None = _hands(Flag(optional=True), _("2 fu for an open hand without fu"), default=True)
    double_wind_pair_fu: int | None = _hands(
        _optional((2, _("2 fu")), (4, _("4 fu"))), _("Pair of the double wind"), unit="fu"
    )
    kiriage: bool | None = _hands(
        Flag(optional=True), _("Kiriage mangan"), _("4 han 30 fu and 3 han 60 fu are paid as mangan."), default=False
    )
    thirteen_han: str | None = _hands(
        _optional(("yakuman", _("yakuman")), ("sanbaiman", _("sanbaiman"))),
        _("13 han and more without a yakuman"),
        default="yakuman",
    )
    double_yakuman: tuple[str, ...] | None = _hands(_selection(*YAKUMAN), _("Double yakuman"))
    one_and_half_yakuman: tuple[str, ...] | None = _hands(
        _selection(*YAKUMAN),
        _("One and a half yakuman"),
        _("Worth 48 000, won by the dealer 72 000."),
        default=(),
    )
    yakuman_add_up: bool | None = _hands(Flag(optional=True), _("Different yakuman add up"), default=True)
    printed_values: tuple[HandValue, ...] = field(
        default=(),
        metadata={
            "group": HANDS,
            "kind": HandValues(),
            "label": _("Printed values that differ from the formula"),
            "help_text": _("Han, fu, ron, dealer's ron, as this club's own table prints them."),
            "unit": "points",
            "source": "RULES §2",
        },
    )
    renhou: str | None = _hands(
        _optional(
            ("none", _("none")),
            ("five_han", _("5 han, nothing added")),
            ("baiman", _("8 han")),
            ("yakuman", _("yakuman")),
        ),
        _("Renhou"),
    )
    nagashi_mangan: str | None = _hands(
        _optional(("none", _("none")), ("closed", _("closed hand only")), ("any", _("open or closed"))),
        _("Nagashi mangan"),
        _("Paid as a mangan tsumo."),
        default="any",
    )
    nagashi_takes_bets: bool | None = _hands(
        Flag(optional=True), _("Nagashi mangan takes honba and bets"), default=False, moot=_no_nagashi
    )
    nagashi_counts_as: str | None = _hands(
        _optional(("draw", _("a draw")), ("win", _("a win"))),
        _("Nagashi mangan counts as"),
        _("Decides whether the dealer stays, and the honba."),
        default="draw",
        moot=_no_nagashi,
    )
    nagashi_dealer_passes: bool | None = _hands(
        Flag(optional=True), _("The dealer passes after nagashi mangan"), default=False, moot=_no_nagashi
    )
    red_fives: int | None = _hands(Number(optional=True, low=0, high=12), _("Red fives"))
    open_tanyao: bool | None = _hands(Flag(optional=True), _("Open tanyao"))
    open_riichi: bool | None = _hands(Flag(optional=True), _("Open riichi"))
    minimum_han: int | None = _hands(Number(optional=True, low=1, high=5), _("Minimum han"), unit="han", default=1)
    five_honba_minimum: str | None = _hands(
        _optional(("none", _("no other minimum")), ("two_han", _("two han from yaku")), ("two_yaku", _("two yaku"))),
        _("From 5 honba on"),
        default="none",
    )
    extra_yaku: tuple[str, ...] | None = _hands(_selection(*EXTRA_YAKU), _("Extra yaku"))

    several_rons: str | None = _table(
        _optional(("nearest", _("only the player next in turn")), ("all", _("all are paid"))), _("Several rons")
    )
    several_rons_honba: str | None = _table(
        _optional(("each", _("every winner")), ("first", _("only the winner next in turn"))),
        _("Honba at several rons go to"),
        default="each",
        moot=_one_winner,
    )
    several_rons_bets: str | None = _table(
        _optional(
            ("own_back", _("each winner gets their bet back, the next in turn takes the rest")),
            ("first", _("the winner next in turn takes all")),
        ),
        _("Bets at several rons"),
        default="own_back",
        moot=_one_winner,
    )
    triple_ron_aborts: bool | None = _table(Flag(optional=True), _("Three rons are an abortive draw"), default=False)
    abortive_draws: tuple[str, ...] | None = _table(
        _selection(*ABORTIVE_DRAWS),
        _("Abortive draws"),
        _("Besides three rons, which are a rule of their own."),
        default=tuple(code for code, _label in ABORTIVE_DRAWS),
    )
    ronned_riichi: str | None = _table(
        _optional(("returned", _("goes back")), ("stays", _("stays on the table"))),
        _("Bet of a riichi whose tile is won"),
        default="returned",
    )
    riichi_below_1000: bool | None = _table(Flag(optional=True), _("Riichi with fewer than 1000 points"), default=True)
    pao: tuple[str, ...] | None = _table(
        _selection(*PAO),
        _("Liability (pao)"),
        _("On tsumo the liable player pays all; on ron half, the discarder the other half."),
        default=tuple(code for code, _label in PAO),
    )
    pao_covers: str | None = _table(
        _optional(("hand", _("the whole hand")), ("yakuman", _("only the yakuman that was fed"))),
        _("The liable player answers for"),
        default="hand",
        moot=lambda rules: rules.pao == (),
    )
    pao_honba: str | None = _table(
        _optional(("discarder", _("the discarder")), ("liable", _("the liable player"))),
        _("At a ron with a liable player the honba are paid by"),
        default="discarder",
        moot=lambda rules: rules.pao == (),
    )
    rinshan_after_open_kan: str | None = _table(
        _optional(("feeder", _("the player who fed the kan pays all")), ("shared", _("shared like any tsumo"))),
        _("Rinshan after an open kan"),
        default="shared",
    )
    chombo_payment: bool | None = _table(
        Flag(optional=True, yes=_("a mangan, backwards"), no=_("nothing at the table")),
        _("Chombo at the table"),
        _("A non-dealer pays 4000 to the dealer and 2000 to the others, a dealer 4000 to each; bets go back."),
        default=lambda rules: rules.chombo_penalty == 0,
    )
    kuikae: str | None = _table(
        _optional(
            ("free", _("any discard")),
            ("not_taken", _("not the tile just taken")),
            ("not_closing", _("not the tile taken nor one closing the set")),
        ),
        _("Discard after a call (kuikae)"),
    )

    length: str | None = _course(
        _optional(("hanchan", _("hanchan")), ("east", _("East round only"))), _("Length"), default="hanchan"
    )
    dealer_stays: str | None = _course(
        _optional(
            ("win_or_tenpai", _("after a win, and after a draw when tenpai")),
            ("win", _("after a win only")),
            ("never", _("never")),
        ),
        _("The dealer stays"),
        default="win_or_tenpai",
    )
    honba_after_noten_dealer: str | None = _course(
        _optional(("plus_one", _("one more")), ("kept", _("kept"))),
        _("Honba after a draw with the dealer noten"),
        default="plus_one",
    )
    ends_early: str | None = _course(
        _optional(
            ("never", _("never")), ("below_zero", _("a player below zero")), ("zero", _("a player at zero or below"))
        ),
        _("The game ends early"),
        default="never",
    )
    leading_dealer_ends: bool | None = _course(
        Flag(optional=True), _("A leading dealer may end the game in the last hand"), default=False
    )
    leading_dealer_on: str | None = _course(
        _optional(("win", _("a win only")), ("win_or_tenpai", _("a win, or a draw when tenpai"))),
        _("A leading dealer ends the game after"),
        default="win_or_tenpai",
        moot=lambda rules: not rules.leading_dealer_ends,
    )
    leading_dealer_choice: bool | None = _course(
        Flag(optional=True, yes=_("the dealer may play on"), no=_("the game ends by itself")),
        _("When a leading dealer could end the game"),
        default=False,
        moot=lambda rules: not rules.leading_dealer_ends,
    )
    extra_round: str | None = _course(
        _optional(("none", _("none")), ("target", _("until a player has enough points"))),
        _("Extra wind round"),
        _("After the last round, while no player has enough points."),
        default="none",
    )
    extra_target: int | None = _course(
        Number(optional=True, low=0, high=500_000, step=100),
        _("Extra round: points to reach"),
        unit="points",
        default=lambda rules: rules.target_points,
        moot=lambda rules: rules.extra_round == "none",
    )
    extra_ends: str | None = _course(
        _optional(
            ("any_hand", _("after any hand with enough points")), ("dealer_passes", _("only when the dealer passes"))
        ),
        _("The extra round ends"),
        default="any_hand",
        moot=lambda rules: rules.extra_round == "none",
    )

    session_minutes: int | None = _session(
        Number(optional=True, low=1, high=600), _("Length of a session"), unit="minutes"
    )
    warning_minutes: int | None = _session(
        Number(optional=True, low=0, high=600), _("Signal before the end"), unit="minutes"
    )
    at_signal: str | None = _session(
        _optional(("one_more", _("finish the hand, then one more")), ("finish", _("finish the hand, then stop"))),
        _("At the signal"),
        default="one_more",
    )
    end_signal: bool | None = _session(Flag(optional=True), _("A signal at the end"))
    chombo_after_signal: str | None = _session(
        _optional(("replayed", _("is replayed")), ("counts", _("counts as a hand"))),
        _("A chombo after the signal"),
        default="replayed",
    )
    hand_begins: str | None = _session(
        _optional(("previous_end", _("when the one before ends")), ("dice", _("when the dice are thrown"))),
        _("A hand begins"),
        default="previous_end",
    )

    @property
    def oka(self) -> int:
        return 4 * (self.target_points - self.start_points)

    @property
    def full_sum(self) -> int:
        return 4 * self.start_points

    @property
    def needs_winds(self) -> bool:
        """Whether a result can depend on the seats (ties by seat, or a balance that goes to one of the tied firsts)."""
        return self.ties == "seat" or self.balance == "first"

    @property
    def penalty_off_result(self) -> bool:
        """Whether a penalty leaves places unchanged; if the rules do not state it, it changes them (HANDS §4)."""
        return self.penalty_applies == "total"

    @cached_property
    def applied(self) -> Rules:
        """The same rules with the defaults of HANDS §4 for everything not stated; payments use these."""
        unstated = {name: p.taken(self) for name, p in PARAMETERS.items() if getattr(self, name) is None}
        return replace(self, **unstated)

    def differences(self, other: Rules) -> list[Parameter]:
        return [p for p in PARAMETERS.values() if getattr(self, p.name) != getattr(other, p.name)]


PARAMETERS: dict[str, Parameter] = {f.name: Parameter(name=f.name, **f.metadata) for f in fields(Rules)}
SCORING_PARAMETERS: tuple[str, ...] = tuple(name for name, p in PARAMETERS.items() if p.group == SCORING)
