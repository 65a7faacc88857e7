"""The same explanation for a table whose winds nobody wrote down: seats go by their players' names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ratings.explain.phrases import Line, Step
from ratings.problems import Phrase, Term
from ratings.scoring import WINDS

Said = TypeVar("Said", Step, Line)


def named(said: Sequence[Said], names: Sequence[str]) -> tuple[Said, ...]:
    """Sentences with a name, East to North as entered, wherever they say a wind."""
    return tuple(each._replace(phrase=_named(each.phrase, names)) for each in said)


def _named(phrase: Phrase, names: Sequence[str]) -> Phrase:
    return Phrase(phrase.message, {key: _filling(value, names) for key, value in phrase.params.items()})


def _filling(value: object, names: Sequence[str]) -> object:
    if isinstance(value, Term) and value in WINDS:
        return names[WINDS.index(value)]
    return _named(value, names) if type(value) is Phrase else value
