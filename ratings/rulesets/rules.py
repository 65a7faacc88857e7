"""Rules: one value of one declared type, and everything that can differ between clubs.

Each field below is a parameter, declared once with its kind, label, help and group. The JSON a club stores
and exchanges, validation, the admin form and the public page are derived from these declarations.
RULES §1 and §2 give the meaning; amounts are game points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ratings.problems import Problem, Refused, gettext_noop
from ratings.rulesets.parameters import (
    Choice,
    Flag,
    FloatingUma,
    FourNumbers,
    FourNumbersByCount,
    HandValue,
    HandValues,
    Kind,
    Number,
    Parameter,
    Several,
    Uma,
)

_ = gettext_noop

SCORING, HANDS, TABLE, SESSION = "scoring", "hands", "table", "session"
GROUPS: dict[str, str] = {
    SCORING: _("From points to a result"),
    HANDS: _("What a hand is worth"),
    TABLE: _("At the table"),
    SESSION: _("The session"),
}


def _parameter(group: str, kind: Kind, label: str, help_text: str = "", unit: str = "", source: str = "") -> Any:
    declared = {"group": group, "kind": kind, "label": label, "help_text": help_text, "unit": unit, "source": source}
    if kind.optional:
        return field(default=None, metadata=declared)
    return field(metadata=declared)


def _scoring(kind: Kind, label: str, help_text: str = "", unit: str = "") -> Any:
    return _parameter(SCORING, kind, label, help_text, unit, source="RULES §1")


def _hands(kind: Kind, label: str, help_text: str = "", unit: str = "") -> Any:
    return _parameter(HANDS, kind, label, help_text, unit, source="RULES §2")


def _table(kind: Kind, label: str, help_text: str = "", unit: str = "") -> Any:
    return _parameter(TABLE, kind, label, help_text, unit, source="RULES §2")


def _session(kind: Kind, label: str, help_text: str = "", unit: str = "") -> Any:
    return _parameter(SESSION, kind, label, help_text, unit, source="RULES §1, conduct")


def _choice(*options: tuple[Any, str]) -> Choice:
    return Choice(options=options)


def _optional(*options: tuple[Any, str]) -> Choice:
    return Choice(optional=True, options=options)


def _selection(*options: tuple[str, str]) -> Several:
    return Several(optional=True, options=options)


YAKUMAN = (
    ("big_four_winds", _("big four winds")),
    ("suuankou_tanki", _("four concealed triplets on a pair wait")),
    ("thirteen_wait", _("thirteen orphans on thirteen tiles")),
    ("nine_wait", _("nine gates on nine tiles")),
)


@dataclass(frozen=True, kw_only=True)
class Rules:
    start_points: int = _scoring(
        Number(low=1000, high=500_000, step=100), _("Start points"), _("What everybody has at the start."), "points"
    )
    target_points: int = _scoring(
        Number(low=0, high=500_000, step=100),
        _("Target points"),
        _("A result is counted from here. Four times its distance to the start is the oka, for first place."),
        "points",
    )
    uma: Uma = _scoring(FourNumbers(), _("Uma"), _("What first to fourth place add to their result."), "points")
    floating_uma: FloatingUma | None = _scoring(
        FourNumbersByCount(optional=True, none_label=_("none")),
        _("Floating uma"),
        _("Another uma when this many seats end at or above the start points."),
        "points",
    )
    ties: str = _scoring(
        _choice(("split", _("share the place and the uma")), ("seat", _("nearer to the first dealer is higher"))),
        _("Equal points"),
    )
    leftover_sticks: str = _scoring(
        _choice(("winner", _("go to first place")), ("lost", _("go to nobody"))),
        _("Riichi sticks left on the table"),
    )
    rounding_unit: int = _scoring(
        _choice((1, _("not rounded")), (100, _("to 100")), (500, _("to 500")), (1000, _("to 1000"))),
        _("Rounding"),
        _("What results are rounded to, after uma and oka."),
        "points",
    )
    rounding_mode: str = _scoring(
        _choice(
            ("up", _("up, negative results too")),
            ("down", _("down, negative results too")),
            ("toward_zero", _("towards zero")),
            ("half_away", _("to the nearest, halves away from zero")),
            ("half_even", _("to the nearest, halves to the even one")),
            ("five_down_six_up", _("five down, six up")),
        ),
        _("Way of rounding"),
    )
    balance: str = _scoring(
        _choice(("none", _("nobody")), ("first", _("first place"))),
        _("Rounding difference"),
        _("Who takes what rounding adds or removes, so that the four results sum up."),
    )
    chombo_penalty: int = _scoring(
        Number(low=0, high=1_000_000), _("Chombo"), _("Taken off for each chombo, after uma and rounding."), "points"
    )
    late_per_minute: int = _scoring(
        Number(low=0, high=100_000, step=100), _("Late, each minute"), _("A begun minute counts."), "points"
    )
    late_max_minutes: int | None = _scoring(
        Number(optional=True, none_label=_("no maximum"), low=0, high=10_000),
        _("Latest arrival"),
        _("Later than this, a substitute plays from the start."),
        "minutes",
    )
    late_applies: str = _scoring(
        _choice(("net", _("before places are decided")), ("total", _("off the result at the end"))),
        _("Lateness is taken"),
    )
    substitute_points: int = _scoring(
        Number(), _("Substituted seat: base"), _("The fixed result of a seat that a substitute played."), "points"
    )
    substitute_uma: int = _scoring(
        Number(), _("Substituted seat: uma"), _("Added to the fixed result of a substituted seat."), "points"
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
    open_pinfu_fu: bool | None = _hands(Flag(optional=True), _("2 fu for an open hand without fu"))
    double_wind_pair_fu: int | None = _hands(
        _optional((2, _("2 fu")), (4, _("4 fu"))), _("Pair of the double wind"), unit="fu"
    )
    kiriage: bool | None = _hands(
        Flag(optional=True), _("Kiriage mangan"), _("4 han 30 fu and 3 han 60 fu are paid as mangan.")
    )
    thirteen_han: str | None = _hands(
        _optional(("yakuman", _("yakuman")), ("sanbaiman", _("sanbaiman"))), _("13 han and more without a yakuman")
    )
    double_yakuman: tuple[str, ...] | None = _hands(_selection(*YAKUMAN), _("Double yakuman"))
    yakuman_add_up: bool | None = _hands(Flag(optional=True), _("Different yakuman add up"))
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
    )
    nagashi_takes_bets: bool | None = _hands(Flag(optional=True), _("Nagashi mangan takes honba and bets"))
    nagashi_dealer_passes: bool | None = _hands(Flag(optional=True), _("The dealer passes after nagashi mangan"))
    red_fives: int | None = _hands(Number(optional=True, low=0, high=12), _("Red fives"))
    open_tanyao: bool | None = _hands(Flag(optional=True), _("Open tanyao"))
    open_riichi: bool | None = _hands(Flag(optional=True), _("Open riichi"))
    minimum_han: int | None = _hands(Number(optional=True, low=1, high=5), _("Minimum han"), unit="han")
    five_honba_minimum: str | None = _hands(
        _optional(("none", _("no other minimum")), ("two_han", _("two han from yaku")), ("two_yaku", _("two yaku"))),
        _("From 5 honba on"),
    )
    extra_yaku: tuple[str, ...] | None = _hands(
        _selection(
            ("sanrenkou", "sanrenkou"),
            ("daisharin", "daisharin"),
            ("sanshoku_shou_doukou", "sanshoku shou doukou"),
            ("suurenkou", "suurenkou"),
            ("isshoku_yonjun", "isshoku yonjun"),
            ("shiisanpuutaa", "shiisanpuutaa"),
            ("eight_honba", _("eight honba")),
        ),
        _("Extra yaku"),
    )

    several_rons: str | None = _table(
        _optional(("nearest", _("only the player next in turn")), ("all", _("all are paid"))), _("Several rons")
    )
    triple_ron_aborts: bool | None = _table(Flag(optional=True), _("Three rons are an abortive draw"))
    pao: tuple[str, ...] | None = _table(
        _selection(
            ("daisangen", _("big three dragons")),
            ("shousuushi", _("little four winds")),
            ("daisuushi", _("big four winds")),
            ("suukantsu", _("four kans")),
        ),
        _("Liability (pao)"),
        _("On tsumo the liable player pays all; on ron half, the discarder the other half and the honba."),
    )
    rinshan_after_open_kan: str | None = _table(
        _optional(("feeder", _("whoever fed the kan pays all")), ("shared", _("shared like any tsumo"))),
        _("Rinshan after an open kan"),
    )
    chombo_payment: bool | None = _table(
        Flag(optional=True, yes=_("a mangan, backwards"), no=_("nothing at the table")),
        _("Chombo at the table"),
        _("A non-dealer pays 4000 to the dealer and 2000 to the others, a dealer 4000 to each; bets go back."),
    )
    kuikae: str | None = _table(
        _optional(
            ("free", _("any discard")),
            ("not_taken", _("not the tile just taken")),
            ("not_closing", _("not the tile taken nor one closing the set")),
        ),
        _("Discard after a call (kuikae)"),
    )
    ends_early: str | None = _table(
        _optional(
            ("never", _("never")), ("below_zero", _("somebody below zero")), ("zero", _("somebody at zero or below"))
        ),
        _("The game ends early"),
    )
    leading_dealer_ends: bool | None = _table(
        Flag(optional=True), _("A leading dealer may end the game in the last hand")
    )
    honba_after_noten_dealer: str | None = _table(
        _optional(("plus_one", _("one more")), ("kept", _("kept"))), _("Honba after a draw with the dealer noten")
    )
    length: str | None = _table(_optional(("hanchan", _("hanchan")), ("east", _("East round only"))), _("Length"))

    session_minutes: int | None = _session(
        Number(optional=True, low=1, high=600), _("Length of a session"), unit="minutes"
    )
    warning_minutes: int | None = _session(
        Number(optional=True, low=0, high=600), _("Signal before the end"), unit="minutes"
    )
    at_signal: str | None = _session(
        _optional(("one_more", _("finish the hand, then one more")), ("finish", _("finish the hand, then stop"))),
        _("At the signal"),
    )
    end_signal: bool | None = _session(Flag(optional=True), _("A signal at the end"))

    @property
    def oka(self) -> int:
        return 4 * (self.target_points - self.start_points)

    @property
    def full_sum(self) -> int:
        return 4 * self.start_points

    @property
    def needs_winds(self) -> bool:
        """Whether a result can depend on who sat where (ties by seat, or a balance on one of tied firsts)."""
        return self.ties == "seat" or self.balance == "first"

    def differences(self, other: Rules) -> list[Parameter]:
        return [p for p in PARAMETERS.values() if getattr(self, p.name) != getattr(other, p.name)]


PARAMETERS: dict[str, Parameter] = {f.name: Parameter(name=f.name, **f.metadata) for f in fields(Rules)}
SCORING_PARAMETERS: tuple[str, ...] = tuple(name for name, p in PARAMETERS.items() if p.group == SCORING)


def read(data: Mapping[str, Any]) -> Rules:
    """The rules in a JSON object. Scoring parameters must all be there, others may be missing."""
    problems = _unknown(data)
    values: dict[str, Any] = {}
    for name, parameter in PARAMETERS.items():
        if name in data:
            value, problem = _read_one(parameter, data[name])
            values[name] = value
            problems += problem
        elif parameter.group == SCORING:
            problems.append(_missing(parameter))
    if problems:
        raise Refused(*problems)
    return Rules(**values)


def write(rules: Rules) -> dict[str, Any]:
    """The rules as a JSON object, every parameter named."""
    return {name: parameter.write(getattr(rules, name)) for name, parameter in PARAMETERS.items()}


def change(rules: Rules, data: Mapping[str, Any]) -> Rules:
    """The same rules with some parameters replaced, from JSON values."""
    problems = _unknown(data)
    values: dict[str, Any] = {}
    for name in (name for name in PARAMETERS if name in data):
        value, problem = _read_one(PARAMETERS[name], data[name])
        values[name] = value
        problems += problem
    if problems:
        raise Refused(*problems)
    return replace(rules, **values)


def remarks(rules: Rules) -> list[Problem]:
    """What is unusual about these rules: allowed, but worth saying before they are saved."""
    found = []
    tables = [rules.uma, *(uma for _count, uma in rules.floating_uma or ())]
    if any(sum(uma) for uma in tables):
        found.append(Problem(_("The uma does not sum to zero."), code="uma_sum", parameter="uma"))
    if any(list(uma) != sorted(uma, reverse=True) for uma in tables):
        found.append(Problem(_("The uma does not fall from place to place."), code="uma_order", parameter="uma"))
    if rules.target_points < rules.start_points:
        found.append(
            Problem(
                _("The target is below the start, so the oka is taken from first place."),
                code="negative_oka",
                parameter="target_points",
            )
        )
    return found


def _read_one(parameter: Parameter, value: Any) -> tuple[Any, list[Problem]]:
    try:
        return parameter.read(value), []
    except ValueError:
        return None, [parameter.problem(value)]


def _missing(parameter: Parameter) -> Problem:
    return Problem(
        _("The rule set has no %(name)s."), {"name": parameter.name}, code="missing_parameter", parameter=parameter.name
    )


def _unknown(data: Mapping[str, Any]) -> list[Problem]:
    names = [str(name) for name in data if name not in PARAMETERS]
    return [
        Problem(_("A rule set has no parameter “%(name)s”."), {"name": name[:60]}, code="unknown_parameter")
        for name in names
    ]
