"""Exported files are opened by a program: numbers are numbers, dates are dates, and nothing is a formula."""

from __future__ import annotations

import csv
import datetime
import io
from fractions import Fraction
from typing import Any

import openpyxl
import pytest

from clubsite import export
from clubsite.export import ExportColumn, Kind

DANGEROUS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1+1", '=HYPERLINK("http://x")']
DANGEROUS += ["＝1+1", "＋1", "－1", "＠SUM(1)", "\u200b=1+1", "\ufeff=1+1", " \u2060+1", "\u202e=1"]
COLUMNS = [
    ExportColumn("Player", width=30),
    ExportColumn("Total", Kind.RESULT),
    ExportColumn("Average place", Kind.PLACE),
    ExportColumn("Games", Kind.COUNT),
    ExportColumn("Rating", Kind.RATING),
    ExportColumn("Points", Kind.POINTS),
    ExportColumn("Day", Kind.DATE),
    ExportColumn("Played", Kind.TIME),
]
EVENING = datetime.datetime(2026, 4, 16, 19, 30)
ROW = ["佐藤 健", -12_300, Fraction(7, 3), 6, 1_512_400, -1200, datetime.date(2026, 4, 16), EVENING]


def opened(columns: list[ExportColumn], *rows: list[Any], title: str = "Spring") -> Any:
    return openpyxl.load_workbook(io.BytesIO(export.workbook(title, columns, rows))).worksheets[0]


def read_csv(columns: list[ExportColumn], *rows: list[Any]) -> list[list[str]]:
    text = export.csv_file(columns, rows).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_a_workbook_holds_true_numbers_and_dates_in_the_units_that_are_shown() -> None:
    cells = opened(COLUMNS, ROW)[2]

    assert [cell.value for cell in cells] == [
        "佐藤 健",
        -12.3,
        2.333333,
        6,
        1512.4,
        -1200,
        datetime.datetime(2026, 4, 16),
        EVENING,
    ]
    assert [cell.data_type for cell in cells] == ["s", "n", "n", "n", "n", "n", "d", "d"]


def test_results_carry_their_sign_with_one_decimal() -> None:
    cell = opened(COLUMNS, ROW)["B2"]

    assert cell.number_format == '+0.0;"−"0.0;0.0'


def test_the_head_is_frozen_and_columns_are_wide_enough_for_it() -> None:
    sheet = opened(COLUMNS, ROW)

    assert sheet.freeze_panes == "A2"
    assert sheet.column_dimensions["A"].width == 30
    assert sheet.column_dimensions["C"].width >= len("Average place")
    assert [cell.value for cell in sheet[1]] == [column.head for column in COLUMNS]


def test_a_missing_value_is_an_empty_cell() -> None:
    assert opened(COLUMNS, [None] * 8)["B2"].value is None
    assert read_csv(COLUMNS, [None] * 8)[1] == [""] * 8


@pytest.mark.parametrize("text", DANGEROUS, ids=repr)
def test_text_that_a_spreadsheet_would_calculate_is_neutralised_in_a_workbook(text: str) -> None:
    cell = opened([ExportColumn("Name")], [text])["A2"]

    assert cell.data_type == "s"
    assert cell.value.startswith("'")


@pytest.mark.parametrize("text", DANGEROUS, ids=repr)
def test_text_that_a_spreadsheet_would_calculate_is_neutralised_in_csv(text: str) -> None:
    assert read_csv([ExportColumn("Name")], [text])[1][0] == f"'{text}"


def test_a_head_is_text_too() -> None:
    assert opened([ExportColumn("=1+1")], ["x"])["A1"].value == "'=1+1"
    assert read_csv([ExportColumn("=1+1")], ["x"])[0] == ["'=1+1"]


@pytest.mark.parametrize("text", ["Łukasz Żurawski", "−5", "O'Neil", "a-b", "x=1", "Дмитрий"])
def test_harmless_text_is_left_as_it_is(text: str) -> None:
    assert opened([ExportColumn("Name")], [text])["A2"].value == text
    assert read_csv([ExportColumn("Name")], [text])[1] == [text]


def test_numbers_are_never_neutralised() -> None:
    assert opened([ExportColumn("Total", Kind.RESULT)], [-12_300])["A2"].value == -12.3
    assert read_csv([ExportColumn("Total", Kind.RESULT)], [-12_300])[1] == ["-12.3"]


def test_every_digit_that_is_kept_is_exported() -> None:
    assert read_csv([ExportColumn("Total", Kind.RESULT)], [12_345], [0])[1:] == [["12.345"], ["0.0"]]


def test_control_characters_do_not_break_a_workbook() -> None:
    assert opened([ExportColumn("Name")], ["Ken\x00\x0b"])["A2"].value == "Ken"


def test_csv_says_that_it_is_utf8_and_ends_lines_as_rfc_4180_wants() -> None:
    body = export.csv_file([ExportColumn("Name"), ExportColumn("Why")], [["佐藤", 'a "b", c\nd']])

    assert body.startswith(b"\xef\xbb\xbf")
    assert body.decode("utf-8-sig") == 'Name,Why\r\n佐藤,"a ""b"", c\nd"\r\n'


def test_csv_dates_are_iso() -> None:
    assert read_csv(COLUMNS, ROW)[1][-2:] == ["2026-04-16", "2026-04-16 19:30"]


@pytest.mark.parametrize("title", ["a/b:c*d?e[f]g\\h", "x" * 60, "", "'quoted'", "\x00"])
def test_any_title_makes_a_sheet_that_opens(title: str) -> None:
    assert 1 <= len(opened([ExportColumn("Name")], ["x"], title=title).title) <= 31


@pytest.mark.parametrize("wanted", export.FORMATS)
def test_the_download_is_named_and_kept_by_nobody(wanted: str) -> None:
    answer = export.response(wanted, "furiten-spring", "Spring", [ExportColumn("Name")], [["x"]])

    assert answer["Content-Disposition"] == f'attachment; filename="furiten-spring.{wanted}"'
    assert answer["Content-Type"] == export.TYPES[wanted]
    assert "no-store" in answer["Cache-Control"]


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        export.csv_file([ExportColumn("Name")], [["x", "y"]])
