"""The elements of an explanation: sentences with figures, amounts and rows, and winds or names for the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ratings.mahjong.problems import Phrase, Term, gettext_noop
from ratings.mahjong.scoring import WINDS, Exact

_ = gettext_noop

# How a figure is written: points of a game (41 200), a result in thousands (+11.2), a place (1st).
POINTS, RESULT, PLACE = "points", "result", "place"


@dataclass(frozen=True)
class Figure:
    """A number in a sentence, and how to write it."""

    value: Exact
    kind: str = POINTS

    def __str__(self) -> str:
        return str(self.value)


class Step(NamedTuple):
    """One sentence about a seat; the amounts of all its steps add up to its total."""

    code: str
    phrase: Phrase
    amount: Exact = 0


class Line(NamedTuple):
    """One line of the account of the sum."""

    amount: Exact
    phrase: Phrase


class ExplainedRow(NamedTuple):
    """One step for all four seats. `total` is None if a sum has no meaning (places)."""

    code: str
    label: str
    note: Phrase
    values: tuple[Exact, ...]
    total: Exact | None
    kind: str = RESULT

    @property
    def is_outcome(self) -> bool:
        """Whether this row is the final result."""
        return self.code == "total"

    @property
    def holds_places(self) -> bool:
        return self.kind == PLACE

    @property
    def holds_points(self) -> bool:
        return self.kind == POINTS


def points(value: Exact) -> Figure:
    return Figure(value, POINTS)


def result(value: Exact) -> Figure:
    return Figure(value, RESULT)


def place(value: int) -> Figure:
    return Figure(value, PLACE)


def winds(seats: Sequence[int]) -> Phrase:
    """Return the seats as a list of winds: East, South and North."""
    names = [Term(WINDS[index]) for index in seats]
    messages = ("%(a)s", _("%(a)s and %(b)s"), _("%(a)s, %(b)s and %(c)s"), _("%(a)s, %(b)s, %(c)s and %(d)s"))
    return Phrase(messages[len(names) - 1], dict(zip("abcd", names, strict=False)))


Said = TypeVar("Said", Step, Line)


def named(said: Sequence[Said], names: Sequence[str]) -> tuple[Said, ...]:
    """Return the sentences with names instead of winds; `names` are in the order entered, East to North."""
    return tuple(each._replace(phrase=_named(each.phrase, names)) for each in said)


def _named(phrase: Phrase, names: Sequence[str]) -> Phrase:
    return Phrase(phrase.message, {key: _filling(value, names) for key, value in phrase.params.items()})


def _filling(value: object, names: Sequence[str]) -> object:
    if isinstance(value, Term) and value in WINDS:
        return names[WINDS.index(value)]
    return _named(value, names) if type(value) is Phrase else value
