"""CSV → one sheet. UTF-8 or UTF-16; comma, semicolon or tab, whichever parts the first rows alike."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator

from ratings.imports.books import Book, Row, Sheet
from ratings.imports.limits import Budget, refuse
from ratings.problems import gettext_noop

_ = gettext_noop

DELIMITERS = ",;\t"
LOOKED_AT = 20  # rows, for the delimiter


def read(content: bytes, name: str, budget: Budget) -> Book:
    text = _decoded(content, name)
    if "\0" in text:
        raise refuse(_("“%(name)s” is no text file. Save the sheet as CSV UTF-8 or as .xlsx."), "no_text", name=name)
    delimiter = _delimiter(text)

    def rows() -> Iterator[Row]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        number = 0
        try:
            for number, cells in enumerate(reader, 1):
                budget.count_row(number, len(cells))
                if len(cells) > budget.limits.columns:
                    raise refuse(
                        _("Row %(row)s has more than %(most)s columns."),
                        "too_many_columns",
                        row=number,
                        most=budget.limits.columns,
                    )
                if any(cell.strip() for cell in cells):
                    yield Row(number, tuple(cell if cell.strip() else None for cell in cells))
        except csv.Error as error:
            raise refuse(
                _("Row %(row)s cannot be read as CSV. Save the sheet again as CSV UTF-8 or as .xlsx."),
                "bad_csv",
                row=number + 1,
            ) from error

    return Book((Sheet(name.rsplit(".", 1)[0][:31] or "CSV", rows),))


def _decoded(content: bytes, name: str) -> str:
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse(
            _("“%(name)s” is not UTF-8, so its letters cannot be told. Save the sheet as CSV UTF-8 or as .xlsx."),
            "not_utf8",
            name=name,
        ) from error


def _delimiter(text: str) -> str:
    """The sign that parts the most rows into the same number of cells, counted outside of quotes.

    A comma may be a decimal sign and loses a tie.
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
