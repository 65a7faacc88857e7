"""Opens a file. Its content decides which kind of spreadsheet it is; the ending of its name must agree.

A workbook is read by `xlsx`; CSV is read here. CSV is UTF-8 or UTF-16. Its delimiter is the comma, semicolon or tab
that splits the first rows most evenly.
"""

from __future__ import annotations

import codecs
import csv
import io
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from ratings.imports import xlsx
from ratings.imports.limits import AT_ONCE, DEFAULT, Limits, ReadingBudget, refuse
from ratings.imports.sheets import Book, FileRow, FileSheet
from ratings.mahjong.problems import gettext_noop

_ = gettext_noop

Clock = Callable[[], float]

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENDINGS = (".xlsx", ".csv")
DELIMITERS = ",;\t"
LOOKED_AT = 20  # rows, to find the delimiter
SEARCHED_ROWS = 25  # to find the headings


def open_file(content: bytes, name: str, limits: Limits = DEFAULT, clock: Clock = time.monotonic) -> Book:
    """Open a file. `clock` is called every few hundred rows, also later when the rows are read."""
    return open_book(content, name, ReadingBudget(clock, limits))


def open_book(content: bytes, name: str, budget: ReadingBudget) -> Book:
    """The sheets of a file. Refuses, with a message, a file that is not a spreadsheet or passes a limit."""
    zipped = check_kind(content, name, budget)
    return xlsx.read(content, name, budget) if zipped else _read_csv(content, name, budget)


def is_large(content: bytes) -> bool:
    """Whether reading takes too long for a page, judged only by size.

    For a workbook these are the sizes that it declares; more than it declares is never unpacked.
    """
    if content.startswith(ZIP):
        return xlsx.unpacked_size(content) > AT_ONCE.unpacked_bytes
    return len(content) > AT_ONCE.file_bytes


def check_kind(content: bytes, name: str, budget: ReadingBudget) -> bool:
    """Whether it is a workbook; otherwise it is CSV. Refuses a file that is neither, or larger than the limits."""
    budget.check_size(len(content))
    shown = name[-80:]
    ending = "." + name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if ending not in ENDINGS:
        raise refuse(_("“%(name)s” is neither .xlsx nor .csv. Save it as one of these."), "wrong_ending", name=shown)
    if content.startswith(OLE):
        raise refuse(
            _("“%(name)s” is protected by a password or an old .xls. Save it as .xlsx without a password."),
            "password",
            name=shown,
        )
    zipped = content.startswith(ZIP)
    if zipped and ending == ".csv":
        raise refuse(_("“%(name)s” is called .csv but is a workbook. Rename it to .xlsx."), "wrong_ending", name=shown)
    if not zipped and ending == ".xlsx":
        raise refuse(
            _("“%(name)s” is called .xlsx but is not a workbook. Open it in a spreadsheet and save it as .xlsx."),
            "wrong_ending",
            name=shown,
        )
    if zipped:
        xlsx.check_sizes(content, name, budget)
    return zipped


def first_rows(sheet: FileSheet) -> list[FileRow]:
    """The rows in which headings are searched."""
    return list(islice(sheet.rows(), SEARCHED_ROWS))


# --- CSV --------------------------------------------------------------------------------------------------


def _read_csv(content: bytes, name: str, budget: ReadingBudget) -> Book:
    text = _decoded(content, name)
    if "\0" in text:
        raise refuse(_("“%(name)s” is not a text file. Save the sheet as CSV UTF-8 or as .xlsx."), "no_text", name=name)
    delimiter = _delimiter(text)

    def rows() -> Iterator[FileRow]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        number = 0
        try:
            for number, cells in enumerate(reader, 1):
                budget.count_row(number, len(cells))
                budget.check_columns(number, len(cells))
                if any(cell.strip() for cell in cells):
                    yield FileRow(number, tuple(cell if cell.strip() else None for cell in cells))
        except csv.Error as error:
            raise refuse(
                _("Row %(row)s cannot be read as CSV. Save the sheet again as CSV UTF-8 or as .xlsx."),
                "bad_csv",
                row=number + 1,
            ) from error

    return Book((FileSheet(name.rsplit(".", 1)[0][:31] or "CSV", rows),))


def _decoded(content: bytes, name: str) -> str:
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse(
            _("“%(name)s” is not UTF-8, so its characters cannot be read. Save the sheet as CSV UTF-8 or as .xlsx."),
            "not_utf8",
            name=name,
        ) from error


def _delimiter(text: str) -> str:
    """The delimiter that splits the most rows into the same number of cells, counted outside quotes.

    A comma may be a decimal sign, so it loses a tie.
    """
    lines = [dict.fromkeys(DELIMITERS, 0)]
    quoted = False
    for character in text[:20_000]:
        if character == '"':
            quoted = not quoted
        elif not quoted and character in DELIMITERS:
            lines[-1][character] += 1
        elif not quoted and character == "\n":
            if len(lines) == LOOKED_AT:
                break
            lines.append(dict.fromkeys(DELIMITERS, 0))

    def parted(sign: str) -> tuple[int, bool]:
        counts = Counter(line[sign] for line in lines if line[sign])
        return max(counts.values(), default=0), sign != ","

    return max(";\t,", key=parted)
