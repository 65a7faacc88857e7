"""Write a workbook of several sheets, for the screen and for paper.

The module decides how it looks (frozen heads, filters, formats, widths, print titles, A4 landscape, header and footer
of each page) and how programs find its data (defined names, a document property). It does not know what the rows mean.
Rows are streamed: however long a sheet is, only one row of it is in memory.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, Any, NamedTuple

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.properties import PageSetupProperties

from clubsite.export import Cell, ExportColumn, Kind, neutral, on_its_way, plain, sheet_title

OK = "OK"
A4 = 9
WIDEST = 60
_FELT, _IVORY, _LINE = "123A2E", "FBF6E9", "DDD4BF"
_HEAD_FONT = Font(name="Calibri", size=11, bold=True, color=_IVORY)  # as in the body; else some use a serif
_HEAD_FILL = PatternFill("solid", fgColor=_FELT)
_HEAD_RULE = Border(bottom=Side("thin", color=_LINE))
_TITLE_FONT = Font(name="Calibri", bold=True, size=13, color=_FELT)
_WIDTHS = {Kind.TEXT: 16, Kind.DATE: 11, Kind.DAY: 11, Kind.TIME: 17, Kind.MOMENT: 19, Kind.POINTS: 10}
_SMALLEST = 7
_LINE_HEIGHT = 15


class CellFormula(NamedTuple):
    """A live formula of our own, without its equals sign. It is never made from text that a user typed."""

    text: str


Value = Cell | CellFormula


@dataclass(frozen=True)
class Frame:
    """What is the same on every sheet: the properties of the book, and the header and footer of each printed page."""

    kind: str  # such as "season"; programs recognise the book by it
    title: str
    left: str
    centre: str
    right: str
    foot: str
    page: str  # in the reader's language, with %(page)s and %(pages)s
    creator: str = "Umaoka"
    version: int = 1


@dataclass(frozen=True)
class WorkbookSheet:
    """A sheet. Programs find it by `name`. `above` are lines over the head, `verdicts` columns that should say OK."""

    title: str
    columns: Sequence[ExportColumn]
    rows: Iterable[Sequence[Value]]
    name: str = ""
    frozen_columns: int = 0
    filtered: bool = True
    above: Sequence[Sequence[Value]] = ()
    parts: Sequence[int] = ()  # first columns, from 0, of parts printed on separate pages
    verdicts: Sequence[int] = field(default_factory=tuple)
    clipped: Sequence[int] = ()  # columns of long raw texts, which must not extend beyond the table

    @property
    def head_row(self) -> int:
        return len(self.above) + 1

    @property
    def last_column(self) -> str:
        return get_column_letter(len(self.columns))


def reference(title: str) -> str:
    """How a formula refers to the sheet with this title."""
    return f"{quote_sheetname(sheet_title(title))}!"


def fitting(texts: Iterable[str], head: str = "", least: int = 10) -> int:
    """The width a column needs for these texts. Chinese and Japanese letters count twice."""
    return min(WIDEST, max([least, len(head) + 3, *(_room(text) + 2 for text in texts)]))


def _room(text: str) -> int:
    return sum(2 if letter >= "\u1100" else 1 for letter in text)


def write(file: IO[bytes], frame: Frame, sheets: Iterable[WorkbookSheet]) -> None:
    """Write the book. `sheets` may be a generator that needs data collected while the sheet before was written."""
    book = Workbook(write_only=True)
    book.properties.creator = frame.creator
    book.properties.title = frame.title
    book.properties.keywords = f"umaoka {frame.kind} {frame.version}"
    book.calculation.fullCalcOnLoad = True
    with on_its_way(book):
        for sheet in sheets:
            _write_sheet(book, frame, sheet)
        book.save(file)


def _write_sheet(book: Workbook, frame: Frame, sheet: WorkbookSheet) -> None:
    paper = book.create_sheet(sheet_title(sheet.title))
    _lay_out(paper, sheet)
    _print(paper, frame, sheet)
    for line in sheet.above:
        paper.append([_title_cell(paper, value) for value in line])
    paper.row_dimensions[sheet.head_row].height = 32
    paper.append([_head_cell(paper, sheet, index) for index in range(len(sheet.columns))])
    last = sheet.head_row + _write_rows(paper, sheet)
    area = f"$A${sheet.head_row}:${sheet.last_column}${last}"
    if sheet.filtered:
        paper.auto_filter.ref = area.replace("$", "")
    for index in sheet.verdicts:
        letter = get_column_letter(index + 1)
        wrong = CellIsRule(
            "notEqual", [f'"{OK}"'], font=Font(bold=True, color="FFFFFF"), fill=PatternFill(bgColor="A63A2B")
        )
        wrong.stopIfTrue = True
        cells = f"{letter}{sheet.head_row + 1}:{letter}{max(last, sheet.head_row + 1)}"
        blank = CellIsRule("equal", ['""'], stopIfTrue=True)  # columns may differ in length
        paper.conditional_formatting.add(cells, blank)
        paper.conditional_formatting.add(cells, wrong)
    paper.print_area = _print_areas(sheet, last)
    if sheet.name:
        place = f"{quote_sheetname(paper.title)}!{area}"
        book.defined_names[f"umaoka_{sheet.name}"] = DefinedName(f"umaoka_{sheet.name}", attr_text=place)
    paper.close()


def _print_areas(sheet: WorkbookSheet, last: int) -> list[str]:
    """The areas to print: only the table. Text that extends beyond it would shrink every page to a few millimetres."""
    if not sheet.parts:
        return [f"A1:{sheet.last_column}{last}"]
    ends = [*sheet.parts[1:], len(sheet.columns)]
    return [
        f"{get_column_letter(first + 1)}{sheet.head_row}:{get_column_letter(end)}{last}"
        for first, end in zip(sheet.parts, ends, strict=True)
    ]


def _write_rows(paper: Any, sheet: WorkbookSheet) -> int:
    """Write the rows and return their number. Cells are reused for each row: a row is on disk before the next one."""
    kinds = [column.kind for column in sheet.columns]
    cells = [_pattern(paper, sheet, index) for index in range(len(kinds))]
    count = 0
    for row in sheet.rows:
        filled = [_filled(cell, value, kind) for cell, value, kind in zip(cells, row, kinds, strict=True)]
        if sheet.clipped:
            _clip(paper, sheet, cells, filled, sheet.head_row + count + 1)
        paper.append(filled)
        count += 1
    return count


def _clip(paper: Any, sheet: WorkbookSheet, cells: list[Any], filled: list[Any], row: int) -> None:
    """Cut long texts at the edge of their cells: the text may wrap, but the height of the row is fixed."""
    paper.row_dimensions[row].height = _LINE_HEIGHT
    for index in sheet.clipped:
        if type(filled[index]) is str:
            cells[index].value, cells[index].data_type = filled[index], "s"
            filled[index] = cells[index]


def _pattern(paper: Any, sheet: WorkbookSheet, index: int) -> Any:
    """A cell with the format of its column."""
    kind = sheet.columns[index].kind
    cell: Any = WriteOnlyCell(paper)
    if kind is not Kind.TEXT:
        cell.number_format = kind.value
    if index in sheet.verdicts:
        cell.alignment = Alignment(horizontal="center")
    elif index in sheet.clipped:
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    elif _before_text(sheet, index):
        cell.alignment = Alignment(horizontal="right", indent=1)
    return cell


def _before_text(sheet: WorkbookSheet, index: int) -> bool:
    """Whether a number would touch the text in the next column."""
    kinds = [column.kind for column in sheet.columns[index : index + 2]]
    return len(kinds) == 2 and kinds[0] is not Kind.TEXT and kinds[1] is Kind.TEXT


def _filled(cell: Any, value: Value, kind: Kind) -> Any:
    if value is None or value == "":
        return None
    if type(value) is str:
        text = _neutral(value)
        if text[:1] != "#":
            return text  # openpyxl writes plain text three times as fast as a cell
        cell.value = text
        cell.data_type = "s"  # "#N/A" may be a player's name
        return cell
    if type(value) is CellFormula:
        cell.value = f"={value.text}"
        return cell
    cell.value = plain(value, kind)  # type: ignore[arg-type]
    return cell


_neutral = lru_cache(maxsize=20_000)(neutral)  # the same names appear in many games


def _head_cell(paper: Any, sheet: WorkbookSheet, index: int) -> Any:
    column = sheet.columns[index]
    cell: Any = WriteOnlyCell(paper, neutral(column.head))
    cell.font, cell.fill, cell.border = _HEAD_FONT, _HEAD_FILL, _HEAD_RULE
    side = "center" if index in sheet.verdicts else "left" if column.kind is Kind.TEXT else "right"
    indent = int(_before_text(sheet, index) and side == "right")
    cell.alignment = Alignment(horizontal=side, vertical="center", wrap_text=True, indent=indent)
    return cell


def _title_cell(paper: Any, value: Value) -> Any:
    if value is None:
        return None
    cell: Any = WriteOnlyCell(paper)
    cell.value = f"={value.text}" if isinstance(value, CellFormula) else plain(value, Kind.TEXT)
    cell.font = _TITLE_FONT
    return cell


def _lay_out(paper: Any, sheet: WorkbookSheet) -> None:
    paper.freeze_panes = f"{get_column_letter(sheet.frozen_columns + 1)}{sheet.head_row + 1}"
    paper.sheet_view.zoomScale = 100
    for index, column in enumerate(sheet.columns, 1):
        least = _WIDTHS.get(column.kind, _SMALLEST)
        longest_word = max((len(word) for word in column.head.split()), default=0)  # heads wrap between words
        beside_text = _before_text(sheet, index - 1)  # its head is indented
        width = max(column.width or least, longest_word + 4 + beside_text if column.head else 0)
        paper.column_dimensions[get_column_letter(index)].width = width


def _print(paper: Any, frame: Frame, sheet: WorkbookSheet) -> None:
    paper.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    paper.page_setup.orientation = "landscape"
    paper.page_setup.paperSize = A4
    paper.page_setup.fitToWidth = 1
    paper.page_setup.fitToHeight = 0
    paper.page_margins.left = paper.page_margins.right = 0.4
    paper.print_title_rows = f"{sheet.head_row}:{sheet.head_row}"
    if sheet.frozen_columns:
        paper.print_title_cols = f"A:{get_column_letter(sheet.frozen_columns)}"
    paper.oddHeader.left.text = _printed(frame.left)
    paper.oddHeader.center.text = _printed(f"{frame.centre} – {sheet.title}")
    paper.oddHeader.right.text = _printed(frame.right)
    paper.oddFooter.left.text = _printed(frame.foot)
    paper.oddFooter.right.text = frame.page % {"page": "&P", "pages": "&N"}


def _printed(text: str) -> str:
    """Text for a page header, where & begins a code. A header has room for 255 letters in all."""
    return neutral(text)[:70].replace("&", "&&")


def local(moment: datetime.datetime, zone: datetime.tzinfo) -> datetime.datetime:
    """The local time in a zone, to the second. Workbooks have no time zones."""
    return moment.astimezone(zone).replace(tzinfo=None, microsecond=0)
