"""What is wrong with an input, as data: a sentence with named placeholders, and their values.

The pure modules refuse input with these. They do not translate: forms, views and commands do, with
`sentence`. A value that must be translated itself (a parameter's label, a wind) is a `Term`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


def gettext_noop(text: str) -> str:
    """Mark a text for translation in modules that must not import Django."""
    return text


class Term(str):
    """A value that is a word of the product and not something a user typed."""

    __slots__ = ()


@dataclass(frozen=True)
class Phrase:
    """A text with placeholders; it can itself be the value of a placeholder."""

    message: str
    params: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        return translate(self.message) % {key: _filled(value, translate) for key, value in self.params.items()}


def grouped(number: int) -> str:
    """Write a whole number as on every page: 8000, 38 700, −9000."""
    size = abs(number)
    digits = f"{size:,}".replace(",", "\N{NO-BREAK SPACE}") if size >= 10_000 else f"{size:d}"
    return f"\N{MINUS SIGN}{digits}" if number < 0 else digits


class _Grouped(int):
    """A whole number that `%s` writes as on every page; with `%d` it stays as it is."""

    __slots__ = ()

    def __str__(self) -> str:
        return grouped(self)


def _filled(value: object, translate: Callable[[str], str]) -> object:
    if isinstance(value, Term):
        return translate(value)
    if type(value) is int:
        return _Grouped(value)
    return value.sentence(translate) if isinstance(value, Phrase) else value


@dataclass(frozen=True)
class Problem(Phrase):
    """A whole sentence that says what is wrong; `code` is stable and meant for programs."""

    code: str = ""
    seat: int | None = None  # 0 … 3 for East … North if one seat is wrong
    parameter: str | None = None  # the rule set's parameter that is wrong


class Refused(ValueError):
    """Input that cannot be accepted, with every problem that was found."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(" ".join(problem.sentence() for problem in problems))
        self.problems = problems

    def sentences(self, translate: Callable[[str], str] = str) -> list[str]:
        return [problem.sentence(translate) for problem in self.problems]
