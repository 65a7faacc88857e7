"""Write rows to a workbook or a CSV file that is safe to open in a spreadsheet.

The module decides what a file looks like: real numbers and dates, a frozen header row, signs on results. It does not
know what the rows mean: a page passes columns and one iterator of rows, the same for every format. Text that a
spreadsheet would read as a formula is neutralised; numbers never are.
"""

from __future__ import annotations

import csv
import datetime
import errno
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from lxml.etree import SerialisationError
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

Cell = str | int | Fraction | datetime.date | datetime.datetime | datetime.time | None
FORMATS = ("xlsx", "csv")
TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}
BOM = "\ufeff"  # tells Excel that the letters are UTF-8
# Text that a spreadsheet may read as a formula: also after blanks or zero-width characters, also with the full-width
# signs of a Japanese keyboard, and also if the text already begins with the apostrophe that `neutral` adds.
_NO_WIDTH = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_FORMULA = re.compile(rf"'*(?:[\s{_NO_WIDTH}]*[=+\-@＝＋－＠﹦﹢﹣﹫\t\r]|[\t\r\n])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NOT_IN_A_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")
MINUS = '"\u2212"'


class Kind(Enum):
    """What a column holds; the value is the number format of a workbook."""

    TEXT = "@"
    COUNT = "0"
    POINTS = f"#,##0;{MINUS}#,##0"
    RESULT = f"+0.0;{MINUS}0.0;0.0"  # game points, written in thousands
    RATING = f"0.0;{MINUS}0.0"  # thousandths
    PLACE = "0.00"
    DATE = "yyyy-mm-dd"
    TIME = "yyyy-mm-dd hh:mm"
    CLOCK = "hh:mm"  # a time of day
    MOMENT = "yyyy-mm-dd hh:mm:ss"
    DAY = "dd.mm.yyyy"  # as federations write dates
    WEIGHT = "0.0"


_THOUSANDTHS = (Kind.RESULT, Kind.RATING)


@dataclass(frozen=True)
class ExportColumn:
    head: str
    kind: Kind = Kind.TEXT
    width: int = 0  # in letters; 0 means: as wide as its kind needs


def neutral(text: str) -> str:
    """Text that no spreadsheet reads as a formula, without the control characters that a workbook must not hold."""
    text = _CONTROLS.sub("", text)
    return f"'{text}" if _FORMULA.match(text) else text


def original(text: str) -> str:
    """The text that `neutral` was given. Used to read our own files: it removes the apostrophe again."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def plain(value: Cell, kind: Kind) -> str | int | float | datetime.date | datetime.datetime | datetime.time | None:
    """A cell as a program reads it. Numbers are in the unit that is shown; fractions have six decimals."""
    if value is None or isinstance(value, datetime.date | datetime.time):
        return value
    if isinstance(value, str):
        return neutral(value)
    if kind in _THOUSANDTHS:
        return value / 1000 if isinstance(value, int) else float(round(value / 1000, 6))
    return value if isinstance(value, int) else float(round(value, 6))


def sheet_title(text: str) -> str:
    """The text, cut to what Excel allows as the name of a sheet."""
    return _NOT_IN_A_SHEET_NAME.sub(" ", _CONTROLS.sub("", text)).strip("' ")[:31].rstrip("' ") or "1"


@contextmanager
def on_its_way(book: Workbook) -> Iterator[None]:
    """Remove the temporary files of a book if writing it fails.

    Rows wait in temporary files until the book is saved. If the disk is full, an OSError is raised, as for any other
    file.
    """
    try:
        yield
    except BaseException as error:
        for sheet in book.worksheets:
            _throw_away(getattr(sheet, "_writer", None))
        if isinstance(error, SerialisationError):
            number = getattr(errno, str(error).removeprefix("IO_"), errno.EIO)  # lxml says IO_ENOSPC
            raise OSError(number, os.strerror(number)) from error
        raise


def _throw_away(writer: Any) -> None:
    """Do what openpyxl does after saving a sheet. It has no public way to discard a sheet."""
    if writer is not None:
        with suppress(SerialisationError):
            writer.xf.close()
        with suppress(FileNotFoundError, ValueError):
            writer.cleanup()


def workbook(title: str, columns: Sequence[ExportColumn], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A workbook with one sheet. For several sheets see `clubsite.workbooks`."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(sheet_title(title))
    sheet.freeze_panes = "A2"
    for index, column in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(index)].width = column.width or _width(column)
    file = io.BytesIO()
    with on_its_way(book):
        sheet.append([_head(sheet, column) for column in columns])
        for row in rows:
            cells = ((plain(value, column.kind), column.kind) for column, value in _paired(columns, row))
            sheet.append([_cell(sheet, value, kind) for value, kind in cells])
        book.save(file)
    return file.getvalue()


def _paired(columns: Sequence[ExportColumn], row: Sequence[Cell]) -> Iterator[tuple[ExportColumn, Cell]]:
    return zip(columns, row, strict=True)


def _width(column: ExportColumn) -> int:
    least = {Kind.TEXT: 24, Kind.DATE: 12, Kind.TIME: 18, Kind.MOMENT: 20, Kind.DAY: 12}.get(column.kind, 9)
    return max(least, len(column.head) + 2)


def _head(sheet: Any, column: ExportColumn) -> Any:
    cell = WriteOnlyCell(sheet, neutral(column.head))
    cell.font = Font(bold=True)
    if column.kind is not Kind.TEXT:
        cell.alignment = Alignment(horizontal="right")
    return cell


def _cell(sheet: Any, value: Any, kind: Kind) -> Any:
    if value is None or isinstance(value, str):
        return value
    cell = WriteOnlyCell(sheet, value)
    cell.number_format = kind.value
    return cell


def csv_file(columns: Sequence[ExportColumn], rows: Iterable[Sequence[Cell]]) -> bytes:
    """RFC 4180 with a byte order mark; numbers with a point and a plain minus, dates as YYYY-MM-DD."""
    file = io.StringIO(newline="")
    file.write(BOM)
    write = csv.writer(file)
    write.writerow([neutral(column.head) for column in columns])
    for row in rows:
        write.writerow([_text(plain(value, column.kind)) for column, value in _paired(columns, row)])
    return file.getvalue().encode()


def _text(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return value


def response(
    wanted: str, name: str, title: str, columns: Sequence[ExportColumn], rows: Iterable[Sequence[Cell]]
) -> HttpResponse:
    """The file as a download. `name` has no extension; `wanted` is one of FORMATS."""
    body = workbook(title, columns, rows) if wanted == "xlsx" else csv_file(columns, rows)
    answer = HttpResponse(body, content_type=TYPES[wanted])
    answer["Content-Disposition"] = f'attachment; filename="{name}.{wanted}"'
    answer["Cache-Control"] = "private, no-store"  # the names in it depend on the reader
    return answer
