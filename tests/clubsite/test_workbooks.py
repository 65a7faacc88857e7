"""Every workbook of several sheets, whatever its subject: all look the same, and texts can be read back unchanged."""

from __future__ import annotations

import datetime
from io import BytesIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook

from clubsite.countries import THREE_LETTERS, three_letters
from clubsite.export import ExportColumn, Kind, neutral, original
from clubsite.workbooks import CellFormula, Frame, Value, WorkbookSheet, fitting, reference, write

FRAME = Frame(
    "season",
    "Furiten – Spring",
    "Furiten & friends",
    "Spring",
    "Furiten rated, version 2",
    "Written",
    "Page %(page)s of %(pages)s",
)

# What people are called: Cyrillic, Polish, Japanese, Hebrew and Arabic letters, and what a spreadsheet would compute.
LETTERS = st.one_of(
    st.characters(min_codepoint=0x0400, max_codepoint=0x045F),
    st.sampled_from("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ' -.#"),
    st.characters(min_codepoint=0x3041, max_codepoint=0x3096),
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5),
    st.characters(min_codepoint=0x05D0, max_codepoint=0x05EA),
    st.characters(min_codepoint=0x0627, max_codepoint=0x064A),
    st.sampled_from("=+-@"),
)
NAMES = st.text(LETTERS, min_size=1, max_size=30)


def book_of(*sheets: WorkbookSheet) -> Any:
    file = BytesIO()
    write(file, FRAME, sheets)
    return load_workbook(file)


def column_of(*texts: str) -> list[Any]:
    book = book_of(
        WorkbookSheet(
            "Names",
            [ExportColumn("Name"), ExportColumn("Sum", Kind.COUNT)],
            [[text, 1] for text in texts],
            name="names",
        )
    )
    return [cell for (cell,) in book["Names"].iter_rows(min_row=2, max_col=1)]


@given(st.lists(NAMES, min_size=1, max_size=8))
@example(["=1+1", "'=1+1", "''-x", "#N/A", "#REF!", "@home", "  +3"])
@example(["Дмитрий", "Małgorzata Szczęsna", "佐藤 健", "שרה לוי", "محمد"])
def test_names_come_back_as_they_were(names: list[str]) -> None:
    cells = column_of(*names)

    assert [original(cell.value) for cell in cells] == names
    assert {cell.data_type for cell in cells} == {"s"}  # neither a formula nor an error


@given(st.text(LETTERS, max_size=12))
def test_the_mark_comes_off_exactly_once(text: str) -> None:
    assert original(neutral(text)) == text


@pytest.mark.parametrize("text", ["=SUM(A1)", "+1", "-1", "@x", "\t=1", " =1", "'=1", "''+1"])
def test_a_text_like_a_formula_is_marked(text: str) -> None:
    assert neutral(text) == f"'{text}"


def test_numbers_dates_and_times_are_true() -> None:
    columns = [
        ExportColumn("Points", Kind.POINTS),
        ExportColumn("Result", Kind.RESULT),
        ExportColumn("Day", Kind.DATE),
        ExportColumn("Time", Kind.CLOCK),
    ]
    row: list[Value] = [-1200, -12_345, datetime.date(2026, 4, 16), datetime.time(20, 30)]

    sheet = book_of(WorkbookSheet("Games", columns, [row]))["Games"]

    points, result, day, clock = sheet[2]
    assert (points.value, result.value) == (-1200, -12.345)
    assert result.number_format == '+0.0;"−"0.0;0.0'
    assert (day.value, day.is_date) == (datetime.datetime(2026, 4, 16), True)
    assert clock.value == datetime.time(20, 30)


def test_a_sheet_is_ready_for_screen_and_paper() -> None:
    columns = [ExportColumn("No.", Kind.COUNT), ExportColumn("Name", width=30), ExportColumn("Total", Kind.RESULT)]
    book = book_of(WorkbookSheet("Standings", columns, [[1, "Ken", 1000]], name="standings", frozen_columns=2))
    sheet = book["Standings"]

    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref == "A1:C2"
    assert sheet.column_dimensions["B"].width == 30
    assert (sheet.page_setup.orientation, int(sheet.page_setup.paperSize)) == ("landscape", 9)
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.print_title_rows, sheet.print_title_cols) == ("$1:$1", "$A:$B")
    assert sheet.oddHeader.left.text == "Furiten && friends"
    assert sheet.oddHeader.right.text == "Furiten rated, version 2"
    assert sheet.oddFooter.right.text == "Page &P of &N"
    assert sheet["A1"].font.bold


def test_programs_find_a_sheet_by_its_name_whatever_its_title() -> None:
    book = book_of(WorkbookSheet("Таблица: 1/2", [ExportColumn("No.", Kind.COUNT)], [[1], [2]], name="standings"))

    assert book.sheetnames == ["Таблица  1 2"]
    assert book.defined_names["umaoka_standings"].attr_text == "'Таблица  1 2'!$A$1:$A$3"
    assert book.properties.keywords == "umaoka season 1"


def test_a_formula_of_ours_stays_one() -> None:
    sheet = book_of(WorkbookSheet("Check", [ExportColumn("Sum", Kind.COUNT)], [[CellFormula("1+1")]]))["Check"]

    assert (sheet["A2"].data_type, sheet["A2"].value) == ("f", "=1+1")


def test_wide_letters_get_room() -> None:
    assert fitting(["佐藤 健一郎さん"], least=1) > fitting(["Kenichiro"], least=1)
    assert reference("It's") == "'It''s'!"


def test_every_country_has_three_letters_of_its_own() -> None:
    assert len(THREE_LETTERS) == len(set(THREE_LETTERS.values())) == 249
    assert [three_letters(code) for code in ("BY", "PL", "DE", "GB", "JP", "XX", "")] == [
        "BLR",
        "POL",
        "DEU",
        "GBR",
        "JPN",
        "",
        "",
    ]


def test_a_long_raw_text_ends_where_its_cell_ends() -> None:
    """The row does not grow, and in print the text stays within the table, so that the page is not shrunk to fit it."""
    paper = book_of(
        WorkbookSheet("Rules", [ExportColumn("Rule"), ExportColumn("Value", width=32)], [["a", "x" * 900]], clipped=[1])
    )["Rules"]

    assert paper["B2"].value == "x" * 900
    assert (paper["B2"].alignment.wrap_text, paper.row_dimensions[2].height) == (True, 15)
    assert paper.print_area == "'Rules'!$A$1:$B$2"


def test_a_column_is_at_least_as_wide_as_the_longest_word_of_its_head() -> None:
    paper = book_of(WorkbookSheet("Seats", [ExportColumn("E Substitute", width=5), ExportColumn("Player")], []))[
        "Seats"
    ]

    assert paper.column_dimensions["A"].width >= len("Substitute") + 4
