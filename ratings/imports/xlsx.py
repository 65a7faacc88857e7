"""Workbooks → sheets of values, always in openpyxl's read-only mode, after every part was scanned once.

The scan makes strange files harmless. Sizes are added up before anything is unpacked. Each XML part is streamed through
a parser that refuses declarations (so no entity is ever expanded). Rows and cells are counted. Merged cells, hidden
rows and columns, and formulas without a value are noted, because read-only mode does not show them.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import Any
from xml.parsers import expat

from openpyxl import load_workbook
from openpyxl.utils.cell import column_index_from_string, coordinate_from_string, range_boundaries

from ratings.imports.limits import MEGA, ReadingBudget, interruption, refuse
from ratings.imports.sheets import Book, FileRow, FileSheet, Oddities, Place
from ratings.mahjong.problems import Refused, gettext_noop

_ = gettext_noop

CHUNK = 1 << 16
AT_ONCE = 500  # rows
KEPT_ODDITIES = 50
KEPT_FORMULAS = 50_000


def read(content: bytes, name: str, budget: ReadingBudget) -> Book:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            scans = _look_through(archive, budget)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about unknown styles and extensions, which do not matter here
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise _unreadable(name)
        return Book(
            tuple(_sheet(sheet, scans, name, budget) for sheet in book.worksheets),
            keywords=(book.properties.keywords or "") if book.properties else "",
            named={key: _title(item.attr_text) for key, item in book.defined_names.items()},
        )
    except Exception as error:  # openpyxl raises many kinds of exceptions for a broken workbook
        if passed := interruption(error):
            raise passed from None
        raise _unreadable(name) from error


def _unreadable(name: str) -> Refused:
    return refuse(
        _("“%(name)s” cannot be read as a workbook: it is damaged. Open it in a spreadsheet and save it again."),
        "damaged",
        name=name,
    )


def _title(reference: str | None) -> str:
    """'Games'!$A$1:$BL$9 → Games."""
    title = (reference or "").rpartition("!")[0]
    return title[1:-1].replace("''", "'") if title.startswith("'") else title


# --- rows -------------------------------------------------------------------------------------------------


def _sheet(sheet: Any, scans: dict[str, Oddities], name: str, budget: ReadingBudget) -> FileSheet:
    path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")

    def rows() -> Iterator[FileRow]:
        sheet.reset_dimensions()  # the size that a file declares for itself may be wrong
        found = enumerate(sheet.iter_rows(values_only=True), 1)
        while True:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    some = list(islice(found, AT_ONCE))
            except Exception as error:
                if passed := interruption(error):
                    raise passed from None
                raise _unreadable(name) from error
            budget.check_time()
            if not some:
                return
            for number, cells in some:
                if any(cell is not None for cell in cells):
                    yield FileRow(number, _short(cells, budget, Place(sheet.title, number)))

    return FileSheet(sheet.title, rows, scans.get(path, Oddities()), hidden=sheet.sheet_state != "visible")


def _short(cells: tuple[Any, ...], budget: ReadingBudget, place: Place) -> tuple[Any, ...]:
    for cell in cells:
        if isinstance(cell, str) and len(cell) > budget.limits.text:
            raise refuse(
                _("A text in row %(row)s of the sheet “%(sheet)s” is longer than %(most)s characters."),
                "long_text",
                row=place.row,
                sheet=place.sheet,
                most=budget.limits.text,
            )
    return cells


# --- the scan ---------------------------------------------------------------------------------------------


def unpacked_size(content: bytes) -> int:
    """The declared size of all parts together, without unpacking them; 0 if the file is not an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return 0


def check_sizes(content: bytes, name: str, budget: ReadingBudget) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_sizes(archive.infolist(), budget)
    except Exception as error:  # the list of parts is damaged
        if passed := interruption(error):
            raise passed from None
        raise _unreadable(name) from error


def _check_sizes(parts: list[zipfile.ZipInfo], budget: ReadingBudget) -> None:
    limits = budget.limits
    unpacked = sum(part.file_size for part in parts)
    if unpacked > limits.unpacked_bytes or len(parts) > limits.parts:
        raise refuse(
            _("Unpacked, the workbook has %(size)s MB; at most %(most)s MB are read. Split it into smaller files."),
            "unpacks_too_big",
            size=unpacked // MEGA,
            most=limits.unpacked_bytes // MEGA,
        )


def _look_through(archive: zipfile.ZipFile, budget: ReadingBudget) -> dict[str, Oddities]:
    parts, limits = archive.infolist(), budget.limits
    _check_sizes(parts, budget)
    scans = {}
    for part in parts:
        if part.flag_bits & 1:
            raise refuse(_("The workbook is protected by a password. Save it without one."), "password")
        if "externallinks/" in part.filename.lower():
            raise refuse(
                _("The workbook draws on other files. Copy the games into a new workbook as values, and import that."),
                "external_links",
            )
        if part.filename.lower().endswith((".xml", ".rels", ".vml")):
            in_rows = "/worksheets/" in part.filename.lower()
            if not in_rows and part.file_size > limits.part_bytes:
                raise refuse(
                    _("“%(part)s” in the workbook has %(size)s MB; at most %(most)s MB are read."),
                    "unpacks_too_big",
                    part=part.filename,
                    size=part.file_size // MEGA,
                    most=limits.part_bytes // MEGA,
                )
            scans[part.filename.lstrip("/")] = _scan(archive, part, budget)
    return scans


def _scan(archive: zipfile.ZipFile, part: zipfile.ZipInfo, budget: ReadingBudget) -> Oddities:
    parser = expat.ParserCreate(namespace_separator=" ")
    seen = _Scanner(part.filename, budget, parser)
    parser.StartDoctypeDeclHandler = seen.declares
    parser.EntityDeclHandler = seen.declares
    parser.StartElementHandler = seen.starts
    parser.EndElementHandler = seen.ends
    with archive.open(part) as stream:
        while chunk := stream.read(CHUNK):
            parser.Parse(chunk)
            budget.check_time()
    parser.Parse(b"", True)
    return seen.oddities


class _Scanner:
    """Collects what is unusual in one part of a workbook while its tags are parsed."""

    def __init__(self, part: str, budget: ReadingBudget, parser: expat.XMLParserType) -> None:
        self.oddities = Oddities()
        self._parser = parser
        self._part, self._budget = part, budget
        self._row = self._column = 0
        self._formula = self._value = False

    def declares(self, *_anything: Any) -> None:
        raise refuse(
            _("“%(part)s” in the workbook declares entities, which no spreadsheet writes. Save the workbook again."),
            "entities",
            part=self._part,
        )

    def starts(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "c":
            self._starts_cell(attributes)
        elif tag == "row":
            self._starts_row(attributes)
        elif tag == "f":
            self._formula = True
        elif tag in ("v", "is") and self._formula:
            self._parser.CharacterDataHandler = self._has_value  # an empty <v> is no value
        elif tag == "mergeCell" and len(self.oddities.merged) < KEPT_ODDITIES:
            left, top, _right, _bottom = range_boundaries(attributes.get("ref", "A1"))
            self.oddities.merged.append(Place("", int(top or 1), int(left or 1) - 1))
        elif tag == "col" and attributes.get("hidden") in ("1", "true"):
            self.oddities.hidden_columns.append((int(attributes["min"]) - 1, int(attributes["max"]) - 1))

    def _starts_row(self, attributes: dict[str, str]) -> None:
        self._row = int(attributes.get("r", self._row + 1))
        self._column = 0
        self._budget.count_row(self._row)
        if attributes.get("hidden") in ("1", "true") and len(self.oddities.hidden_rows) < KEPT_ODDITIES:
            self.oddities.hidden_rows.append(self._row)

    def _starts_cell(self, attributes: dict[str, str]) -> None:
        where = attributes.get("r")
        self._column = column_index_from_string(coordinate_from_string(where)[0]) if where else self._column + 1
        self._formula = self._value = False
        self._parser.CharacterDataHandler = None
        self._budget.count_cell()
        self._budget.check_columns(self._row, self._column)

    def _has_value(self, _text: str) -> None:
        self._value = True
        self._parser.CharacterDataHandler = None

    def ends(self, name: str) -> None:
        empty = name.rpartition(" ")[2] == "c" and self._formula and not self._value
        if empty and len(self.oddities.no_values) < KEPT_FORMULAS:
            self.oddities.no_values.add((self._row, self._column - 1))
