"""Which column of a sheet holds what. Pure.

Each kind of column is declared once. In a file it is recognised by its heading, or a user chooses it on a page.

An `ImportColumn` has a label, the headings by which it is recognised, a function that reads its cells and the name of
the field that they fill. A `RowForm` is a way in which rows are laid out, made of such columns. A `Layout` says which
columns of one sheet they are. It is plain data, so that it can be stored and used for the next file with the same
headings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ratings.imports.read import first_rows
from ratings.imports.sheets import Book, FileRow, FileSheet, Findings, Place
from ratings.imports.values import HUNDREDS, POINTS, THOUSANDS, UNITS, FileLine, read_text
from ratings.mahjong.names import folded
from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop


@dataclass(frozen=True)
class ImportColumn:
    """What a column of a file can hold."""

    key: str  # in stored layouts
    label: str  # on the page that asks what the columns are
    headings: tuple[str, ...]  # by which it is recognised, in any language
    read: Callable[[FileLine, str], Any]  # reads a cell of a row by its key; without a cell, the value for "not given"
    into: str = ""  # the field of a game, seat or person that it fills; empty if its form uses it otherwise


@dataclass(frozen=True)
class Layout:
    form: str
    columns: Mapping[str, int]  # what -> column, from 0
    unit: str = POINTS
    unit_said: bool = False  # a heading or a person gave the unit; it is not assumed
    sheet: str = ""
    head_row: int = 1
    heads: tuple[str, ...] = field(default=())

    def write(self) -> dict[str, Any]:
        return {**vars(self), "columns": dict(self.columns), "heads": list(self.heads)}

    def sheet_of(self, book: Book) -> FileSheet:
        return next((sheet for sheet in book.sheets if sheet.title == self.sheet), book.sheets[0])


def read_layout(data: Mapping[str, Any]) -> Layout:
    return replace(Layout(**{**data, "heads": tuple(data["heads"])}), columns=dict(data["columns"]))


class RowForm:
    """A way in which the rows of a sheet are laid out."""

    key: str  # in stored layouts
    labels: Mapping[str, tuple[str, ...]]  # every possible key of a column -> its label, in parts that are joined
    remembered_as = ""  # games and a list of people may have the same headings; each is remembered separately

    def key_of(self, heading: str) -> str | None:
        """What the column with this heading holds."""
        raise NotImplementedError

    def keys_of(self, heads: Sequence[str]) -> list[str | None]:
        """What the columns with these headings hold."""
        return [self.key_of(plain(head)) if head else None for head in heads]

    def missing(self, columns: Mapping[str, int]) -> list[str]:
        """The keys that the form needs and that have no column."""
        raise NotImplementedError

    def lacking(self, keys: list[str]) -> Problem:
        return Problem(_("Select the columns for: %(what)s."), {"what": ", ".join(keys)}, code="columns_missing")

    def check(self, layout: Layout) -> list[Problem]:
        problems = [self.lacking(keys)] if (keys := self.missing(layout.columns)) else []
        used = list(layout.columns.values())
        if len(used) != len(set(used)):
            problems.append(Problem(_("A column can hold one thing only; one is selected twice."), code="column_twice"))
        if layout.unit not in UNITS:
            problems.append(Problem(_("The unit must be points, hundreds or thousands."), code="bad_unit"))
        return problems

    def digest(self, heads: Sequence[str]) -> str:
        """The key under which the columns of these headings are remembered. It is stored and must not change."""
        before = [self.remembered_as] if self.remembered_as else []
        return hashlib.sha256("\x1f".join([*before, *(plain(head) for head in heads)]).encode()).hexdigest()


def plain(head: str) -> str:
    words = re.sub(r"\(.*?\)|\[.*?\]", " ", folded(head))
    return " ".join(re.sub(r"[^\w№]+", " ", words).split())


def by_heading(columns: Iterable[ImportColumn]) -> dict[str, str]:
    return {plain(word): column.key for column in columns for word in column.headings}


def heads_of(cells: Iterable[Any]) -> tuple[str, ...]:
    return tuple(read_text(cell)[:60] for cell in cells)


def recognise(heads: Sequence[str], forms: Sequence[RowForm]) -> tuple[str, dict[str, int]] | None:
    """The form and the columns of a sheet with these headings; None if the headings are not known."""
    for form in forms:
        columns = _columns(heads, form)
        if not form.missing(columns):
            return form.key, columns
    return None


def _columns(heads: Sequence[str], form: RowForm) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, key in enumerate(form.keys_of(heads)):
        if key:
            columns.setdefault(key, index)
    return columns


def find_layout(book: Book, forms: Sequence[RowForm], remembered: Mapping[str, Any]) -> Layout | None:
    """The layout, from headings mapped before (`remembered`, by digest) or from known ones; visible sheets first."""
    for sheet in sorted(book.sheets, key=lambda sheet: sheet.hidden):
        for row in first_rows(sheet):
            heads = heads_of(row.cells)
            if known := remembered.get(forms[0].digest(heads)):
                return replace(read_layout(known), sheet=sheet.title, head_row=row.number, heads=heads)
            if found := recognise(heads, forms):
                unit = _unit_in(heads)
                return Layout(*found, unit or POINTS, unit is not None, sheet.title, row.number, heads)
    return None


def guessed_layout(book: Book, forms: Sequence[RowForm]) -> Layout:
    """What can be told of the row that looks most like headings: the first row with the most texts.

    It is the form of which the most columns are known; without any, the first form.
    """
    best: tuple[int, FileSheet, FileRow] | None = None
    for sheet in book.sheets:
        for row in first_rows(sheet):
            texts = sum(isinstance(cell, str) and not cell.strip()[:1].isdigit() for cell in row.cells)
            if best is None or texts > best[0]:
                best = texts, sheet, row
    if best is None:
        return Layout(forms[0].key, {})
    _texts, sheet, row = best
    heads = heads_of(row.cells)
    columns = {form.key: _columns(heads, form) for form in forms}
    likely = max(columns, key=lambda key: len(columns[key]))
    return Layout(likely, columns[likely], sheet=sheet.title, head_row=row.number, heads=heads)


def _unit_in(heads: Iterable[str]) -> str | None:
    """The unit that the headings themselves name, as in “E points (thousands)”."""
    together = folded(" ".join(heads))
    if re.search(r"thousand|\bk\b|тыс|tys", together):
        return THOUSANDS
    return HUNDREDS if re.search(r"hundred|сот|setk", together) else None


def lines(sheet: FileSheet, layout: Layout, findings: Findings) -> Iterator[FileLine]:
    """The rows below the headings, but those that the user left out, which are counted.

    What is unusual about the sheet is added to the findings first.
    """
    for line in all_lines(sheet, layout, findings):
        if line.is_left_out:
            findings.left_out.add(line.row.number)
        else:
            yield line


def all_lines(sheet: FileSheet, layout: Layout, findings: Findings) -> Iterator[FileLine]:
    """The same with the rows left out, for rows that belong together."""
    _tell_oddities(sheet, layout, findings)
    for row in sheet.rows():
        if row.number > layout.head_row:
            yield FileLine(sheet, row, layout.columns, findings, layout.unit)


def _tell_oddities(sheet: FileSheet, layout: Layout, findings: Findings) -> None:
    """Refuse merged cells below the headings: they hide what belongs to which game. Hidden cells are read and noted."""
    used = set(layout.columns.values())
    for place in sheet.oddities.merged:
        if (place.row or 0) > layout.head_row:
            problem = Problem(_("Cells are merged. Unmerge them and fill in every cell."), code="merged")
            findings.refuse(Place(sheet.title, place.row, place.column), problem)
    for row in sheet.oddities.hidden_rows:
        if row > layout.head_row:
            findings.note(Place(sheet.title, row), _("The row is hidden; it is read like the others."))
    for first, last in sheet.oddities.hidden_columns:
        for column in sorted(used & set(range(first, min(last, 1000) + 1))):
            findings.note(
                Place(sheet.title, layout.head_row, column), _("The column is hidden; it is read like the others.")
            )
    if sheet.hidden:
        findings.note(Place(sheet.title), _("The sheet is hidden; it is read all the same."))
