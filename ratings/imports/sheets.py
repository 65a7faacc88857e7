"""A spreadsheet as the rest of the import sees it, whatever the file format: sheets of rows, read lazily. Pure.

Every problem found in it has a `Place`, so that the user can find it in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop

MOST_KEPT = 300  # of each kind; the rest is only counted


def letter(index: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    name, number = "", index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


class Place(NamedTuple):
    """A cell, a row or a whole sheet; `column` counts from 0, `row` from 1 as spreadsheets do."""

    sheet: str
    row: int | None = None
    column: int | None = None


def located(problem: Problem, place: Place) -> Problem:
    """The same problem, with its place in the message."""
    params = {"sheet": place.sheet, "row": place.row, "what": problem}
    if place.row is None:
        message = _("Sheet “%(sheet)s”: %(what)s")
    elif place.column is None:
        message = _("Sheet “%(sheet)s”, row %(row)s: %(what)s")
    else:
        message = _("Sheet “%(sheet)s”, row %(row)s, column %(column)s: %(what)s")
        params["column"] = letter(place.column)
    return Problem(message, params, code=problem.code, seat=problem.seat)


@dataclass
class Findings:
    """What is wrong with a file, so that it cannot be imported; and notes about what was read but is unusual."""

    refused: list[tuple[Place, Problem]] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    wrong_count: int = 0
    note_count: int = 0
    left_out: set[int] = field(default_factory=set)  # rows that the user left out

    @property
    def wrong(self) -> list[Problem]:
        """The problems, each with its place in the message."""
        return [located(problem, place) for place, problem in self.refused]

    def refuse(self, place: Place, problem: Problem) -> None:
        self.wrong_count += 1
        if len(self.refused) < MOST_KEPT:
            self.refused.append((place, problem))

    def note(self, place: Place, message: str, **params: object) -> None:
        self.note_count += 1
        if len(self.notes) < MOST_KEPT:
            self.notes.append(located(Problem(message, params, code="note"), place))

    @property
    def rows_left_out(self) -> list[int]:
        return sorted(self.left_out)

    @property
    def more_wrong(self) -> int:
        return self.wrong_count - len(self.refused)

    @property
    def more_notes(self) -> int:
        return self.note_count - len(self.notes)


class FileRow(NamedTuple):
    number: int  # from 1, as the spreadsheet shows it
    cells: tuple[Any, ...]


@dataclass
class Oddities:
    """What a sheet has that reading only the values would miss."""

    merged: list[Place] = field(default_factory=list)  # the first cell of each
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)  # first, last; from 0
    no_values: set[tuple[int, int]] = field(default_factory=set)  # formulas never computed: row from 1, column from 0


@dataclass(frozen=True)
class FileSheet:
    title: str
    rows: Callable[[], Iterator[FileRow]]  # the rows that are not empty; can be called again
    oddities: Oddities = field(default_factory=Oddities)
    hidden: bool = False
    left_out: frozenset[int] = frozenset()  # rows that the user left out


@dataclass(frozen=True)
class Book:
    sheets: tuple[FileSheet, ...]
    keywords: str = ""
    named: Mapping[str, str] = field(default_factory=dict)  # defined name -> title of its sheet

    @property
    def is_our_season(self) -> bool:
        """Whether this site wrote it as the workbook of a season."""
        return self.keywords.startswith("umaoka season")

    def sheet_named(self, name: str) -> FileSheet | None:
        return next((sheet for sheet in self.sheets if sheet.title == self.named.get(name)), None)
