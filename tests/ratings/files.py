"""Spreadsheets for the tests of imports, made as people and programs make them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook

WIDE = ["Date", "Game", "Table", "E Player", "E Points", "S Player", "S Points", "W Player", "W Points"]
WIDE += ["N Player", "N Points", "Sticks"]
LONG = ["Round", "Table", "Player", "Wind", "Points", "Penalties"]


def xlsx(*rows: Sequence[Any], title: str = "Games") -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    return saved(book)


def saved(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def csv(*rows: Sequence[Any], sign: str = ",") -> bytes:
    lines = [sign.join(f'"{cell}"' if sign in str(cell) else str(cell) for cell in row) for row in rows]
    return "\r\n".join(lines).encode()


def wide(day: Any, names: Sequence[str], points: Sequence[Any], game: int = 1, sticks: int = 0) -> list[Any]:
    seats = [cell for pair in zip(names, points, strict=True) for cell in pair]
    return [day, game, 1, *seats, sticks]
