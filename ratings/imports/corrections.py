"""What a user corrected in a file on the page: cells typed again, and rows left out. Pure; the file stays as it is.

The corrections are stored with the choices about the file and applied whenever it is read, so every kind of import
reads corrected rows without knowing of them. `rows_to_correct` gives what the page needs to ask for corrections.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ratings.imports.columns import Layout
from ratings.imports.sheets import Book, FileRow, FileSheet, Findings, Place, letter
from ratings.imports.values import read_text

MOST_ROWS = 20  # with fields on one page; the next rows come when these are right
LONGEST_CELL = 500


@dataclass
class Corrections:
    cells: dict[Place, str] = field(default_factory=dict)  # an empty text empties the cell
    left_out: set[Place] = field(default_factory=set)  # rows

    def __bool__(self) -> bool:
        return bool(self.cells or self.left_out)

    def write(self) -> dict[str, Any]:
        """As plain data, for JSON; without corrections there is nothing."""
        cells = [[place.sheet, place.row, place.column, text] for place, text in sorted(self.cells.items())]
        rows = [[place.sheet, place.row] for place in sorted(self.left_out)]
        return {key: found for key, found in (("cells", cells), ("left_out", rows)) if found}

    def leave_out(self, row: Place) -> None:
        """Leave a row out, with what was typed in it."""
        self.left_out.add(row)
        self.cells = {place: text for place, text in self.cells.items() if place[:2] != row[:2]}

    def apply(self, book: Book) -> Book:
        return replace(book, sheets=tuple(map(self._corrected, book.sheets))) if self else book

    def _corrected(self, sheet: FileSheet) -> FileSheet:
        typed: dict[int, dict[int, str]] = {}
        for place, text in self.cells.items():
            if place.sheet == sheet.title and place.row is not None and place.column is not None:
                typed.setdefault(place.row, {})[place.column] = text

        def rows() -> Iterator[FileRow]:
            for row in sheet.rows():
                yield _with_cells(row, typed[row.number]) if row.number in typed else row

        there = {(row, column) for row, cells in typed.items() for column in cells}
        oddities = replace(sheet.oddities, no_values=sheet.oddities.no_values - there)
        left_out = frozenset(place.row for place in self.left_out if place.sheet == sheet.title and place.row)
        return replace(sheet, rows=rows, oddities=oddities, left_out=left_out)


def read_corrections(data: Mapping[str, Any]) -> Corrections:
    """The corrections in stored choices; those of earlier versions have none."""
    return Corrections(
        {Place(sheet, row, column): text for sheet, row, column, text in data.get("cells", ())},
        {Place(sheet, row) for sheet, row in data.get("left_out", ())},
    )


def _with_cells(row: FileRow, typed: Mapping[int, str]) -> FileRow:
    cells = [*row.cells, *[None] * (max(typed) + 1 - len(row.cells))]
    for column, text in typed.items():
        cells[column] = text or None
    return row._replace(cells=tuple(cells))


# --- for the page -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CellToCorrect:
    column: int
    label: str
    value: str
    is_wrong: bool = False


@dataclass(frozen=True)
class RowToCorrect:
    """A row with a problem, and the cells that a user may type again; without cells it can only be left out."""

    sheet: str
    row: int
    problems: list[str] = field(default_factory=list)
    cells: list[CellToCorrect] = field(default_factory=list)

    @property
    def place(self) -> Place:
        return Place(self.sheet, self.row)


def rows_to_correct(
    sheet: FileSheet,
    layout: Layout,
    findings: Findings,
    together: Mapping[int, list[int]],
    translate: Callable[[str], str],
) -> list[RowToCorrect]:
    """The rows with a problem, in their order. `together`: the rows of a table, by the first of them.

    Merged cells hide what belongs where, so no cell beside them can be corrected: the file must be.
    """
    if any(place.row and place.row > layout.head_row for place in sheet.oddities.merged):
        return []
    said: dict[int, list[str]] = {}
    wrong: set[tuple[int, int | None]] = set()
    for place, problem in findings.refused:
        if place.row is not None:
            said.setdefault(place.row, []).append(problem.sentence(translate))
            wrong.add((place.row, place.column))
    shown = {other for row in sorted(said)[:MOST_ROWS] for other in together.get(row, [row])}
    content = _rows(sheet, shown)
    heads = {index: layout.heads[index] if index < len(layout.heads) else "" for index in layout.columns.values()}

    def cells(row: FileRow) -> list[CellToCorrect]:
        return [
            CellToCorrect(
                column,
                f"{letter(column)}: {head}" if head else letter(column),
                as_typed(row.cells[column]) if column < len(row.cells) else "",
                (row.number, column) in wrong,
            )
            for column, head in sorted(heads.items())
        ]

    return [
        RowToCorrect(sheet.title, row, said.get(row, []), cells(content[row]) if row in content else [])
        for row in sorted(said.keys() | shown)
    ]


def _rows(sheet: FileSheet, wanted: set[int]) -> dict[int, FileRow]:
    found: dict[int, FileRow] = {}
    for row in sheet.rows():
        if row.number in wanted:
            found[row.number] = row
        if len(found) == len(wanted):
            break
    return found


def as_typed(value: Any) -> str:
    """A cell as a person would type it: a date without midnight, a whole number without decimals."""
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return read_text(value)
