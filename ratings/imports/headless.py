"""Lists of people without headings: pasted text, and what each column holds, by what is in it. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

from ratings.imports.columns import Layout, RowForm, guessed_layout, heads_of
from ratings.imports.person_rows import read_country, read_ema_number
from ratings.imports.read import first_rows
from ratings.imports.sheets import Book, FileRow, FileSheet
from ratings.mahjong.problems import Refused

# The number or the sign at the beginning of a line of a list: `1.`, `2)`, `-`, `•`.
_BULLET = re.compile(r"^[ \t]*(?:\d{1,4}[.)]|[-–—*•·])[ \t]+")
_RECOGNISED = {"ema_number": read_ema_number, "country": read_country}


def as_file(text: str) -> bytes:
    """Pasted text as the file that the readers of lists understand. Every line stays on its row."""
    return "\n".join(_BULLET.sub("", line) for line in text.splitlines()).encode()


def headless_layout(book: Book, form: RowForm) -> Layout | None:
    """The columns of a list whose first row is a person; None if they cannot be told.

    A single column holds the names. Of several, one must hold them and each of the others EMA numbers or countries.
    """
    sheet, rows = _first_rows(book)
    if sheet is None:
        return None
    cells: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        for index, cell in enumerate(row.cells):
            if cell is not None:
                cells[index].append(cell)
    columns: dict[str, int] = {}
    others = []
    for index in sorted(cells):
        key = _recognised(cells[index]) if len(cells) > 1 else ""
        if key and key not in columns:
            columns[key] = index
        else:
            others.append(index)
    if len(others) != 1:
        return None
    return _layout(form, sheet, rows[0], {"name": others[0], **columns})


def layout_to_ask_about(book: Book, form: RowForm) -> Layout:
    """The row that is shown where a user says what the columns hold: headings, or the first person if it looks so."""
    asked = guessed_layout(book, (form,))
    sheet, rows = _first_rows(book)
    first = sheet is not None and (sheet.title, rows[0].number) == (asked.sheet, asked.head_row)
    return replace(asked, headless=first and not asked.columns and not _is_heading(rows))


def _layout(form: RowForm, sheet: FileSheet, row: FileRow, columns: dict[str, int]) -> Layout:
    heads = heads_of(row.cells)
    return Layout(form.key, columns, sheet=sheet.title, head_row=row.number, heads=heads, headless=True)


def _first_rows(book: Book) -> tuple[FileSheet | None, list[FileRow]]:
    """The first visible sheet that is not empty, and its first rows."""
    for sheet in sorted(book.sheets, key=lambda sheet: sheet.hidden):
        if rows := first_rows(sheet):
            return sheet, rows
    return None, []


def _is_heading(rows: list[FileRow]) -> bool:
    """Whether the first row has a single word above names: cells that all consist of several words."""
    first, below = rows[0], rows[1:]
    for index, head in enumerate(heads_of(first.cells)):
        named = [name for row in below for name in heads_of(row.cells[index : index + 1]) if name]
        if head and " " not in head and named and all(" " in name for name in named):
            return True
    return False


def _recognised(cells: list[Any]) -> str:
    """The column of which every cell can be read as a value; empty if there is none."""
    return next((key for key, read in _RECOGNISED.items() if all(_reads(read, cell) for cell in cells)), "")


def _reads(read: Any, cell: Any) -> bool:
    try:
        read(cell)
    except Refused:
        return False
    return True
