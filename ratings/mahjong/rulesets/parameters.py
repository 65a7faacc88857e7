"""The kinds of parameters of a rule set: how each is stored and checked, and which values it allows.

A kind knows JSON and plain Python values. It does not know which parameters exist (`rules`), nor how they
look on a form or a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.mahjong.problems import Phrase, Problem, Term, gettext_noop

_ = gettext_noop

NOT_STATED = _("not stated")


@dataclass(frozen=True)
class ParameterKind:
    """How a parameter's value is written in JSON and which values it may have. `optional` allows None."""

    optional: bool = False
    none_label: str = NOT_STATED

    def read(self, value: Any) -> Any:
        """Return the Python value of a JSON value; raise ValueError if the JSON value is not allowed."""
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        return value

    def wanted(self) -> Phrase:
        """Return what is allowed, for the message that refuses a value."""
        raise NotImplementedError


def is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Number(ParameterKind):
    low: int = -1_000_000
    high: int = 1_000_000
    step: int = 1

    def read(self, value: Any) -> int:
        if not is_integer(value) or not self.low <= value <= self.high or value % self.step:
            raise ValueError
        return int(value)

    def wanted(self) -> Phrase:
        if self.step == 1:
            return Phrase(_("a whole number from %(low)s to %(high)s"), {"low": self.low, "high": self.high})
        return Phrase(
            _("a multiple of %(step)s from %(low)s to %(high)s"),
            {"low": self.low, "high": self.high, "step": self.step},
        )


@dataclass(frozen=True)
class Choice(ParameterKind):
    """One of a few values, each with a label."""

    options: tuple[tuple[Any, str], ...] = ()

    def read(self, value: Any) -> Any:
        for option, _label in self.options:
            if option == value and type(option) is type(value):
                return option
        raise ValueError

    def wanted(self) -> Phrase:
        return Phrase(_("one of %(options)s"), {"options": ", ".join(str(option) for option, _label in self.options)})

    def label(self, value: Any) -> str:
        return str(dict(self.options)[value])


@dataclass(frozen=True)
class Flag(ParameterKind):
    yes: str = _("yes")
    no: str = _("no")

    def read(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    def wanted(self) -> Phrase:
        return Phrase(_("true or false"), {})


@dataclass(frozen=True)
class Several(ParameterKind):
    """Any selection of a few values, in the order of their declaration."""

    options: tuple[tuple[str, str], ...] = ()
    empty_label: str = _("none")

    def read(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError
        known = [option for option, _label in self.options]
        if any(item not in known for item in value) or len(set(value)) != len(value):
            raise ValueError
        return tuple(option for option in known if option in value)

    def write(self, value: Any) -> Any:
        return None if value is None else list(value)

    def wanted(self) -> Phrase:
        return Phrase(_("a list out of %(options)s"), {"options": ", ".join(option for option, _label in self.options)})


Uma = tuple[int, int, int, int]
UMA_LIMIT = 1_000_000


def read_uma(value: Any) -> Uma:
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise ValueError
    if not all(is_integer(number) and abs(number) <= UMA_LIMIT for number in value):
        raise ValueError
    first, second, third, fourth = value
    return first, second, third, fourth


@dataclass(frozen=True)
class FourNumbers(ParameterKind):
    """One amount for each place, first to fourth."""

    def read(self, value: Any) -> Uma:
        return read_uma(value)

    def write(self, value: Any) -> Any:
        return None if value is None else list(value)

    def wanted(self) -> Phrase:
        return Phrase(_("four whole numbers, for first to fourth place"), {})


FloatingUma = tuple[tuple[int, Uma], ...]


@dataclass(frozen=True)
class FourNumbersByCount(ParameterKind):
    """Four amounts for each of some counts of seats at or above the start; an object in JSON."""

    def read(self, value: Any) -> FloatingUma:
        if not isinstance(value, Mapping):
            raise ValueError
        table = {}
        for count, uma in value.items():
            if str(count) not in ("0", "1", "2", "3", "4"):
                raise ValueError
            table[int(count)] = read_uma(uma)
        return tuple(sorted(table.items()))

    def write(self, value: Any) -> Any:
        return None if value is None else {str(count): list(uma) for count, uma in value}

    def wanted(self) -> Phrase:
        return Phrase(_("an object from a count of seats (0 to 4) to four whole numbers"), {})


HandValue = tuple[int, int, int, int]


@dataclass(frozen=True)
class HandValues(ParameterKind):
    """Printed hand values that differ from the formula: han, fu, non-dealer's ron, dealer's ron."""

    def read(self, value: Any) -> tuple[HandValue, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ValueError
        rows = []
        for row in value:
            if not isinstance(row, list | tuple) or len(row) != 4 or not all(is_integer(n) and n > 0 for n in row):
                raise ValueError
            han, fu, ron, dealer_ron = row
            if ron % 100 or dealer_ron % 100:
                raise ValueError
            rows.append((han, fu, ron, dealer_ron))
        return tuple(rows)

    def write(self, value: Any) -> Any:
        return [list(row) for row in value]

    def wanted(self) -> Phrase:
        return Phrase(_("a list of [han, fu, ron, dealer's ron]"), {})


@dataclass(frozen=True)
class Parameter:
    """One parameter, declared once; forms, pages, files and checks are all derived from it."""

    name: str
    kind: ParameterKind
    label: str
    group: str
    help_text: str = ""
    unit: str = ""  # "points", "minutes", "han", "fu" or nothing
    source: str = ""  # the section of RULES that describes it
    default: Any = None  # the value used if it is not stated, or a function that computes it from the rules
    moot: Callable[[Any], bool] | None = None  # whether another rule makes this one irrelevant

    def taken(self, rules: Any) -> Any:
        """Return the value used if these rules do not state the parameter; None if there is no default."""
        return self.default(rules) if callable(self.default) else self.default

    def is_moot(self, rules: Any) -> bool:
        """Whether the parameter does not matter under these rules."""
        return self.moot is not None and self.moot(rules.applied)

    def read(self, value: Any) -> Any:
        """Return the Python value of a JSON value; raise ValueError if the JSON value is not allowed."""
        if value is None and self.kind.optional:
            return None
        return self.kind.read(value)

    def write(self, value: Any) -> Any:
        return None if value is None else self.kind.write(value)

    def problem(self, value: object) -> Problem:
        return Problem(
            _("%(label)s (%(name)s) is %(value)s; it must be %(wanted)s."),
            {
                "label": Term(self.label),
                "name": self.name,
                "value": _shown(value),
                "wanted": self.kind.wanted(),
            },
            code="bad_parameter",
            parameter=self.name,
        )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
