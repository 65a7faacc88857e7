"""Read, write and change the JSON of a rule set, and find what is unusual about it.

If JSON was written before a parameter existed, the parameter is always read as "not stated".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.rulesets.parameters import Parameter
from ratings.mahjong.rulesets.rules import PARAMETERS, SCORING, Rules

_ = gettext_noop


def read(data: Mapping[str, Any]) -> Rules:
    """Read the rules in a JSON object. Scoring parameters without a default are required, others may be missing."""
    problems = _unknown(data)
    values: dict[str, Any] = {}
    for name, parameter in PARAMETERS.items():
        if name in data:
            value, problem = _read_one(parameter, data[name])
            values[name] = value
            problems += problem
        elif parameter.group == SCORING and parameter.default is None:
            problems.append(_missing(parameter))
    if problems:
        raise Refused(*problems)
    return Rules(**values)


def write(rules: Rules) -> dict[str, Any]:
    """Return the rules as a JSON object with every parameter."""
    return {name: parameter.write(getattr(rules, name)) for name, parameter in PARAMETERS.items()}


def change(rules: Rules, data: Mapping[str, Any]) -> Rules:
    """Return the same rules with some parameters replaced by JSON values."""
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
    """Return what is unusual about these rules: it is allowed, but should be mentioned before they are saved."""
    found = []
    tables = [rules.uma, *(uma for _count, uma in rules.floating_uma or ())]
    if any(sum(uma) for uma in tables):
        found.append(Problem(_("The uma does not sum to zero."), code="uma_sum", parameter="uma"))
    if any(list(uma) != sorted(uma, reverse=True) for uma in tables):
        found.append(Problem(_("The uma does not fall from place to place."), code="uma_order", parameter="uma"))
    if set(rules.double_yakuman or ()) & set(rules.one_and_half_yakuman or ()):
        found.append(
            Problem(
                _("A yakuman is named both as double and as one and a half; it is paid as it is entered."),
                code="yakuman_twice",
                parameter="one_and_half_yakuman",
            )
        )
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
