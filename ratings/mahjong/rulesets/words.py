"""Rules in plain words, the same on the rules page, in a workbook and beside a form field.

The functions return phrases and never translate them: `words(parameter, value).sentence(gettext)` is a plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ratings.mahjong.problems import Phrase, gettext_noop
from ratings.mahjong.problems import grouped as points
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
    Several,
    Uma,
)
from ratings.mahjong.rulesets.rules import PARAMETERS, Rules
from ratings.mahjong.rulesets.variations import Range

_ = gettext_noop

MINUS = "\N{MINUS SIGN}"

# Units whose text is the same for every number, so that no plural is needed.
_UNITS = {"minutes": _("%(number)s min"), "han": _("%(number)s han"), "fu": _("%(number)s fu")}


@dataclass(frozen=True)
class Joined(Phrase):
    """Parts joined by a separator, each translated separately."""

    parts: tuple[str | Phrase, ...] = ()
    separator: str = ""

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        return self.separator.join(
            part.sentence(translate) if isinstance(part, Phrase) else part for part in self.parts
        )


def joined(parts: Iterable[str | Phrase], separator: str = "") -> Joined:
    return Joined("", {}, tuple(parts), separator)


def words(parameter: Parameter, value: Any) -> Phrase:
    """Return what a parameter's value means. The kind says what None means: not stated, no maximum, none."""
    kind = parameter.kind
    if value is None:
        return Phrase(kind.none_label)
    match kind:
        case Flag():
            return Phrase(kind.yes if value else kind.no)
        case Choice():
            return Phrase(kind.label(value))
        case Several():
            labels = dict(kind.options)
            return joined((Phrase(labels[item]) for item in value), ", ") if value else Phrase(kind.empty_label)
        case FourNumbers():
            return _uma(value)
        case FourNumbersByCount():
            return _floating(value)
        case HandValues():
            return _hand_values(value)
        case Number():
            return _number(value, parameter.unit)
    raise TypeError(f"no words for {parameter.name}")


def difference_words(old: Rules, new: Rules) -> list[tuple[Parameter, Phrase, Phrase]]:
    """Return the parameters in which two rule sets differ, with both values in words."""
    return [
        (parameter, words(parameter, getattr(old, parameter.name)), words(parameter, getattr(new, parameter.name)))
        for parameter in old.differences(new)
    ]


MOOT = Phrase(_("does not matter here"))


def unstated_words(parameter: Parameter, taken: Any) -> Phrase:
    """Return the words for a rule that is not stated although something depends on it."""
    return Phrase(_("not stated, taken as %(value)s"), {"value": words(parameter, taken)})


def range_words(parameter: Parameter, allowed: Range) -> Phrase:
    """Return the values that a parameter may have from game to game."""
    if isinstance(parameter.kind, Flag) and len(allowed.values) != 1:
        within = Phrase(_("yes or no"))
    elif allowed.values:
        separator = ", " if isinstance(parameter.kind, Number) else "; "
        within = joined((words(parameter, value) for value in allowed.values), separator)
    else:
        within = _from_to(parameter, allowed.low, allowed.high)
    if not allowed.at_least:
        return within
    floor = Phrase(PARAMETERS[allowed.at_least].label)
    return Phrase(_("%(range)s, not below “%(label)s”"), {"range": within, "label": floor})


def _from_to(parameter: Parameter, low: int | None, high: int | None) -> Phrase:
    if low is None and high is None:
        return Phrase(_("anything"))
    if high is None:
        return Phrase(_("%(low)s or more"), {"low": words(parameter, low)})
    if low is None:
        return Phrase(_("%(high)s or less"), {"high": words(parameter, high)})
    return Phrase(_("%(low)s to %(high)s"), {"low": points(low), "high": words(parameter, high)})


def _number(value: int, unit: str) -> Phrase:
    number = points(value)
    return Phrase(_UNITS[unit], {"number": number}) if unit in _UNITS else joined([number])


def _uma(uma: Uma) -> Phrase:
    """Write a uma in thousands, first to fourth place."""
    return joined((_thousands(number) for number in uma), " / ")


def _thousands(number: int) -> str | Phrase:
    whole, rest = divmod(abs(number), 1000)
    sign = MINUS if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    # The translation decides the decimal sign.
    return Phrase(_("%(whole)s.%(decimals)s"), {"whole": f"{sign}{whole}", "decimals": f"{rest:03d}".rstrip("0")})


def _floating(table: FloatingUma) -> Phrase:
    cases = (
        Phrase(_("%(uma)s with %(count)s at or above the start"), {"uma": _uma(uma), "count": count})
        for count, uma in table
    )
    return joined(cases, "; ")


def _hand_values(rows: tuple[HandValue, ...]) -> Phrase:
    if not rows:
        return Phrase(_("none"))
    cases = (
        Phrase(
            _("%(han)s han %(fu)s fu: ron %(ron)s, dealer %(dealer_ron)s"),
            {"han": han, "fu": fu, "ron": points(ron), "dealer_ron": points(dealer_ron)},
        )
        for han, fu, ron, dealer_ron in rows
    )
    return joined(cases, "; ")
