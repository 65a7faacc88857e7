"""Find the rules that an answer depends on although the rule set does not state them.

An answer depends on a default of HANDS §4 if the rules do not state the parameter and another value would give another
answer. This module need not know which rule matters where: it computes the answer again with other values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ratings.mahjong.payments.amounts import COMMON_LIMITS, limits, payment_table
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PARAMETERS, Parameter, Rules
from ratings.mahjong.rulesets.parameters import Choice, Flag, Number, Several

FEW = 10  # try at most this many values; larger ranges are amounts, on which no payment for a hand depends


@dataclass(frozen=True)
class TakenAs:
    """A rule that is not stated, and the value that is used for it."""

    parameter: Parameter
    value: Any


def taken_as(rules: Rules, answer: Callable[[Rules], object]) -> list[TakenAs]:
    """Return the rules that `answer(rules)` depends on and that are not stated, in the order of their declaration."""
    given = _asked(answer, rules)
    return [
        TakenAs(parameter, parameter.taken(rules))
        for parameter in PARAMETERS.values()
        if parameter.default is not None and getattr(rules, parameter.name) is None
        if any(_asked(answer, replace(rules, **{parameter.name: other})) != given for other in _values(parameter))
    ]


@lru_cache(maxsize=256)
def table_taken_as(rules: Rules) -> tuple[TakenAs, ...]:
    """Return the same for the payment table and the limits that every rule set has."""
    return tuple(taken_as(rules, lambda these: (payment_table(these), limits(these)[:COMMON_LIMITS])))


def _asked(answer: Callable[[Rules], object], rules: Rules) -> object:
    """Return the answer, or the codes of the problems if it is refused: a refusal is an answer too."""
    try:
        return answer(rules)
    except Refused as refused:
        return [problem.code for problem in refused.problems]


def _values(parameter: Parameter) -> Iterator[Any]:
    match parameter.kind:
        case Flag():
            yield from (True, False)
        case Choice(options=options):
            yield from (value for value, _label in options)
        case Several(options=options):
            yield from ((), tuple(value for value, _label in options))
        case Number(low=low, high=high) if high - low < FEW:
            yield from range(low, high + 1)
