"""Amounts as they are typed into forms: uma, oka, chombo, penalties, start points. Pure.

A number below 1000 (ignoring its sign) means thousands and may have decimals (`20`, `7.5`, `7,5`). A number from 1000
on means game points. The four uma are read in one unit, that of the largest. Scores have a shorthand of their own
(`shorthand`). Files, workbooks, JSON and commands hold game points, and this module never reads them.

An amount that can be read may still be unlikely: `unlikely` and `unlikely_penalty` find what the user should confirm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ratings.mahjong.problems import Phrase, Problem, Refused, Term, gettext_noop
from ratings.mahjong.problems import grouped as words
from ratings.mahjong.rulesets import PARAMETERS, Parameter, Rules
from ratings.mahjong.rulesets.parameters import FourNumbers, FourNumbersByCount, Number
from ratings.mahjong.shorthand import MINUS_SIGNS, SPACES

_ = gettext_noop

POINTS_FROM = 1000  # ignoring the sign; a smaller number means thousands
STEP = 100
SHARE = 4 * STEP  # an oka comes from four players in whole hundreds
NUMBER = re.compile(r"[0-9]{1,9}(?:[.,][0-9]{1,6})?|[.,][0-9]{1,6}", re.ASCII)
_SIGN = rf"[{re.escape(MINUS_SIGNS)}+]?"
POINT_ONLY = re.compile(rf"{_SIGN}[0-9]+(?:\.[0-9]+)?")
POINT_OR_COMMA = re.compile(rf"{_SIGN}[0-9]+(?:[.,][0-9]+)?")
ROW_SIGNS = " \t\u00a0:,;/|"
ROW_EXAMPLE = "1: 12 -1 -3 -8"
FULL_WIDTH = {ord("０") + digit: str(digit) for digit in range(10)} | {ord("．"): ".", ord("，"): ",", ord("＋"): "+"}


# --- reading ----------------------------------------------------------------------------------------------


def read_amount(text: str) -> int:
    """Return the game points that the text means; refuse a text that is not a number or not whole hundreds."""
    return read_amounts([text])[0]


def read_amounts(texts: Sequence[str]) -> list[int]:
    """Read several amounts in one unit, that of the largest (ignoring signs)."""
    numbers = [_number(text) for text in texts]
    unit = 1 if any(abs(number) >= POINTS_FROM for number in numbers) else 1000
    return [_whole(text, number * unit) for text, number in zip(texts, numbers, strict=True)]


def _number(text: str) -> Decimal:
    typed = SPACES.sub("", text.translate(FULL_WIDTH))
    minus = typed[:1] != "" and typed[0] in MINUS_SIGNS
    digits = typed[1:] if minus or typed.startswith("+") else typed
    if not NUMBER.fullmatch(digits):
        message = _("“%(text)s” is not an amount. Enter thousands, such as 20 or 7.5, or points, such as 20000.")
        raise Refused(Problem(message, {"text": text.strip()[:30]}, code="unreadable"))
    number = Decimal(digits.replace(",", "."))
    return -number if minus and number else number


def _whole(text: str, points: Decimal) -> int:
    if points % STEP:
        message = _("“%(text)s” is read as %(points)s points. Enter whole hundreds of points, such as 7500 or 7.5.")
        exact = f"{points.normalize():f}".replace("-", "−")
        raise Refused(Problem(message, {"text": text.strip()[:30], "points": exact}, code="not_hundreds"))
    return int(points)


def read_row(line: str) -> tuple[int, list[int]]:
    """Read a row of a floating uma: a number of seats and four amounts, separated by blanks or `ROW_SIGNS`.

    A comma between digits is a decimal sign only if the row cannot be read otherwise.
    """
    for pattern in (POINT_ONLY, POINT_OR_COMMA):
        found = pattern.findall(line.translate(FULL_WIDTH))
        rest = pattern.sub("", line.translate(FULL_WIDTH))
        if len(found) == 5 and not rest.strip(ROW_SIGNS) and re.fullmatch(r"[0-9]{1,3}", found[0]):
            return int(found[0]), read_amounts(found[1:])
    message = _("“%(line)s” is not a number of seats and four amounts, such as %(example)s.")
    raise Refused(Problem(message, {"line": line.strip()[:60], "example": ROW_EXAMPLE}, code="bad_row"))


# --- writing ----------------------------------------------------------------------------------------------


def write_amount(points: int) -> str:
    """Write an amount for a field that `read_amount` reads: 20 000 is `20000`, and 500 is `0.5`."""
    return write_amounts([points])[0]


def write_amounts(amounts: Sequence[int]) -> list[str]:
    """Write several amounts for fields that are read together: all as points, or all as thousands."""
    if any(abs(points) >= POINTS_FROM for points in amounts):
        return [str(points) for points in amounts]
    return [f"{Decimal(points) / 1000:f}" for points in amounts]


def write_row(count: int, uma: Sequence[int]) -> str:
    return f"{count}: {' '.join(write_amounts(uma))}"


def reading(*amounts: int) -> Phrase:
    """Say how amounts were read, to be shown beside the field."""
    return Phrase(_("%(amounts)s points"), {"amounts": " / ".join(words(points) for points in amounts)})


# --- oka --------------------------------------------------------------------------------------------------


def target_for(start: int, oka: int) -> int:
    """Return the target points for a club that gives its oka instead: the start plus a quarter of the oka."""
    if oka % SHARE:
        message = _("An oka of %(oka)s points cannot be shared by four. Enter a multiple of %(share)s points.")
        raise Refused(Problem(message, {"oka": words(oka), "share": SHARE}, code="oka_share"))
    return start + oka // 4


# --- unlikely ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Likely:
    """The sizes between which an amount is accepted without asking. With `zero`, 0 is accepted too."""

    low: int = 0
    high: int = 100_000
    zero: bool = True

    def __contains__(self, points: int) -> bool:
        return (self.zero and not points) or self.low <= abs(points) <= self.high


OTHER = Likely()
FINE = Likely(low=1000)  # a chombo, a penalty, an oka
PARAMETER = {
    "start_points": Likely(low=10_000, zero=False),
    "target_points": Likely(high=500_000),  # the oka that follows from it is checked instead
    "chombo_penalty": FINE,
    "late_per_minute": Likely(high=10_000),
}
OKA = _("Oka")
PENALTY = _("Penalty")


def is_amount(parameter: Parameter) -> bool:
    """Whether the parameter is typed as an amount; a choice between amounts is not."""
    return parameter.unit == "points" and isinstance(parameter.kind, Number | FourNumbers | FourNumbersByCount)


def unlikely(rules: Rules) -> list[Problem]:
    """Return the amounts that are allowed but were probably typed in another unit than they were read in."""
    found = []
    for parameter in filter(is_amount, PARAMETERS.values()):
        likely = PARAMETER.get(parameter.name, OTHER)
        for amounts in _amounts(parameter, getattr(rules, parameter.name)):
            if any(points not in likely for points in amounts):
                found.append(_unlikely(parameter.label, amounts, parameter.name))
    if rules.oka not in FINE:
        found.append(_unlikely(OKA, (rules.oka,), "target_points"))
    return found


def unlikely_penalty(points: int) -> list[Problem]:
    return [] if points in FINE else [_unlikely(PENALTY, (points,))]


def _amounts(parameter: Parameter, value: object) -> Iterator[Sequence[int]]:
    """Yield the amounts that are typed together: one amount, the four uma, or several rows of four."""
    if isinstance(value, int):
        yield (value,)
    elif isinstance(value, tuple) and isinstance(parameter.kind, FourNumbersByCount):
        yield from (uma for _count, uma in value)
    elif isinstance(value, tuple):
        yield value


def _unlikely(label: str, amounts: Sequence[int], parameter: str | None = None) -> Problem:
    params = {"label": Term(label), "reading": reading(*amounts)}
    return Problem(_("%(label)s: %(reading)s."), params, code="unlikely", parameter=parameter)
