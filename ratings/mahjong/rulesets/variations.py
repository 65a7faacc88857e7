"""The ranges within which a rule set may vary from game to game, as data.

A rule set that allows variations has a range for each parameter that may differ; all others are fixed.
A game's variation is a JSON object with only the parameters that differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ratings.mahjong.problems import Phrase, Problem, Refused, Term, gettext_noop
from ratings.mahjong.rulesets.parameters import Number, Parameter, is_integer
from ratings.mahjong.rulesets.reading import change
from ratings.mahjong.rulesets.rules import PARAMETERS, Rules

_ = gettext_noop


@dataclass(frozen=True)
class Range:
    """The values that a parameter may have: listed values, numbers from low to high, or anything its kind allows.

    `at_least` names another parameter; this one may not be lower (a target not below the start).
    """

    values: tuple[Any, ...] = ()
    low: int | None = None
    high: int | None = None
    at_least: str = ""

    def admits(self, value: Any) -> bool:
        if self.values:
            return any(value == allowed and type(value) is type(allowed) for allowed in self.values)
        if self.low is None and self.high is None:
            return True
        if value is None:  # "not stated" is not within any bounds
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def phrase(self) -> Phrase:
        if self.values:
            return Phrase(_("one of %(options)s"), {"options": ", ".join(_json_word(v) for v in self.values)})
        if self.low is not None or self.high is not None:
            return Phrase(_("%(low)s to %(high)s"), {"low": self.low, "high": self.high})
        return Phrase(_("anything"))

    def write(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.values:
            data["values"] = [list(value) if isinstance(value, tuple) else value for value in self.values]
        if self.low is not None:
            data["low"] = self.low
        if self.high is not None:
            data["high"] = self.high
        if self.at_least:
            data["at_least"] = self.at_least
        return data


Ranges = Mapping[str, Range]


def _json_word(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def read_ranges(data: Mapping[str, Any]) -> dict[str, Range]:
    """Read the ranges in a JSON object; refuse unknown parameters and ranges that do not fit the parameter."""
    ranges, problems = {}, []
    for name, entry in data.items():
        try:
            ranges[name] = _read_range(PARAMETERS[name], entry)
        except (KeyError, TypeError, ValueError):
            problems.append(
                Problem(_("“%(name)s” is not a range in which a rule can vary."), {"name": name[:60]}, code="bad_range")
            )
    if problems:
        raise Refused(*problems)
    return ranges


def _read_range(parameter: Parameter, entry: Mapping[str, Any]) -> Range:
    if set(entry) - {"values", "low", "high", "at_least"}:
        raise ValueError
    numeric = isinstance(parameter.kind, Number)
    bounds = [entry[key] for key in ("low", "high") if key in entry]
    if bounds and not (numeric and all(is_integer(bound) for bound in bounds)):
        raise ValueError
    floor = entry.get("at_least", "")
    if floor and not (numeric and isinstance(PARAMETERS[floor].kind, Number)):
        raise ValueError
    return Range(
        values=tuple(parameter.read(value) for value in entry.get("values", ())),
        low=entry.get("low"),
        high=entry.get("high"),
        at_least=floor,
    )


def write_ranges(ranges: Ranges) -> dict[str, Any]:
    return {name: allowed.write() for name, allowed in ranges.items()}


def vary(rules: Rules, ranges: Ranges, variation: Mapping[str, Any]) -> Rules:
    """Return the rules of one game; refuse what may not differ, with the parameter and its range in the message."""
    fixed = [name for name in variation if name not in ranges]
    if fixed:
        raise Refused(*[_fixed(name) for name in fixed])
    varied = change(rules, variation)
    problems = [
        _out_of_range(name, ranges[name], variation[name])
        for name in variation
        if not ranges[name].admits(getattr(varied, name))
    ]
    if not problems:  # otherwise a bound that is itself out of range would be reported twice
        problems = [
            _below(name, allowed.at_least, varied)
            for name, allowed in ranges.items()
            if allowed.at_least and _is_below(getattr(varied, name), getattr(varied, allowed.at_least))
        ]
    if problems:
        raise Refused(*problems)
    return varied


def _is_below(value: int | None, floor: int | None) -> bool:
    return value is not None and floor is not None and value < floor


def difference(rules: Rules, varied: Rules) -> dict[str, Any]:
    """Return the variation that turns `rules` into `varied`, as a game stores it."""
    return {p.name: p.write(getattr(varied, p.name)) for p in rules.differences(varied)}


def _fixed(name: str) -> Problem:
    parameter = PARAMETERS.get(name)
    label: str = Term(parameter.label) if parameter else name[:60]
    return Problem(
        _("%(label)s may not differ from game to game in this rule set."),
        {"label": label},
        code="fixed_parameter",
        parameter=name,
    )


def _out_of_range(name: str, allowed: Range, value: object) -> Problem:
    return Problem(
        _("%(label)s: %(value)s is outside what this variation allows, %(range)s."),
        {"label": Term(PARAMETERS[name].label), "value": _json_word(value), "range": allowed.phrase()},
        code="out_of_range",
        parameter=name,
    )


def _below(name: str, floor: str, varied: Rules) -> Problem:
    return Problem(
        _("%(label)s: %(value)s is below %(floor_label)s, %(floor)s; this variation allows %(floor)s or more."),
        {
            "label": Term(PARAMETERS[name].label),
            "value": getattr(varied, name),
            "floor_label": Term(PARAMETERS[floor].label),
            "floor": getattr(varied, floor),
        },
        code="below_other",
        parameter=name,
    )
