"""Cells, headings and names as a file has them; pure but for the workbooks that are really written and opened."""

from __future__ import annotations

import datetime
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from clubsite.export import neutral
from ratings.imports import values
from ratings.imports.columns import Layout, guessed_layout, heads_of, read_layout, recognise
from ratings.imports.game_rows import FORMS, Reading, digest, read_games
from ratings.imports.limits import ReadingBudget
from ratings.imports.names import distance, spelled
from ratings.imports.read import open_book, open_file
from ratings.imports.sheets import FileSheet, letter
from ratings.imports.values import unmarked
from ratings.mahjong.problems import Refused
from tests.ratings.files import LONG, WIDE, csv, saved, wide, xlsx

DAY = datetime.date(2026, 4, 16)
WIDE_FORM, LONG_FORM = (form.key for form in FORMS)


def sheet_of(content: bytes, name: str = "old.xlsx") -> FileSheet:
    return open_book(content, name, ReadingBudget(time.monotonic)).sheets[0]


def reading(content: bytes, name: str = "old.xlsx", unit: str = "points", day: datetime.date | None = None) -> Reading:
    sheet = sheet_of(content, name)
    rows = list(sheet.rows())
    found = recognise(heads_of(rows[0].cells), FORMS)
    assert found is not None
    return read_games(sheet, Layout(*found, unit=unit, head_row=rows[0].number), at_noon, day)


def at_noon(day: datetime.date, at: datetime.time | None) -> datetime.datetime:
    return datetime.datetime.combine(day, at or datetime.time(12), datetime.UTC)


# --- cells ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "unit", "points"),
    [
        (31_100, "points", 31_100),
        (311, "points", 311),  # no shorthand: the unit of the column decides
        (311, "hundreds", 31_100),
        (31.1, "thousands", 31_100),
        (31.099999999999998, "thousands", 31_100),
        ("31,1", "thousands", 31_100),
        ("31.1", "thousands", 31_100),
        ("△12", "thousands", -12_000),
        ("▲1200", "points", -1_200),
        ("−12.5", "thousands", -12_500),
        ("31,100", "points", 31_100),
        ("31 100", "points", 31_100),
        ("３１１００", "points", 31_100),
        ("31,100", "thousands", 31_100),
        (-0.0, "points", 0),
    ],
)
def test_the_unit_of_the_column_decides(cell: Any, unit: str, points: int) -> None:
    assert values.read_number(cell, unit).value == points


@pytest.mark.parametrize("cell", ["many", "", "1e9", "12,34,56", True, DAY, float("nan"), "--5", "5-"])
def test_text_is_no_number(cell: Any) -> None:
    with pytest.raises(Refused):
        values.read_number(cell)


def test_parts_of_a_point_ask_for_the_unit() -> None:
    with pytest.raises(Refused, match="unit of the column"):
        values.read_number(31.1)


@given(points=st.integers(-200_000, 200_000).map(lambda n: n * 100), unit=st.sampled_from(sorted(values.UNITS)))
def test_whatever_a_spreadsheet_shows_in_a_unit_is_read_back(points: int, unit: str) -> None:
    assert values.read_number(points / values.UNITS[unit], unit).value == points
    comma = f"{abs(points) / values.UNITS[unit]:.1f}".replace(".", ",")
    assert values.read_number(("△" if points < 0 else "") + comma, unit).value == points


@pytest.mark.parametrize(
    "cell",
    [
        *("2026-04-16", "16.04.2026", "16. 4. 2026", "2026/4/16", "2026年4月16日", DAY, "16/04/2026", "04/16/2026"),
        *("16.04.26", "16.4.26", "16. 4. 26", "16.04.26."),
    ],
)
def test_dates_are_read_as_people_write_them(cell: Any) -> None:
    assert values.read_date(cell) == DAY


@pytest.mark.parametrize("cell", ["03/04/2026", "2026-13-01", "31.02.2026", "31.02.26", "1.1.026", "Thursday", 46128])
def test_a_doubtful_date_is_refused(cell: Any) -> None:
    with pytest.raises(Refused):
        values.read_date(cell)


@pytest.mark.parametrize("cell", ["15/09/26", "26-09-15", "05/06/07"])
def test_a_short_year_between_strokes_may_be_anywhere(cell: str) -> None:
    with pytest.raises(Refused, match="may be two dates"):
        values.read_date(cell)


@pytest.mark.parametrize("words", ["E S W N", "East South West North", "東 南 西 北", "в ю з с", "Ton Nan Sha Pei"])
def test_winds_have_many_names(words: str) -> None:
    assert [values.read_wind(word) for word in words.split()] == [0, 1, 2, 3]


def test_columns_are_named_as_in_a_spreadsheet() -> None:
    assert [letter(index) for index in (0, 25, 26, 63, 701, 702)] == ["A", "Z", "AA", "BL", "ZZ", "AAA"]


# --- headings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "form"),
    [
        (WIDE, WIDE_FORM),
        (LONG, LONG_FORM),
        (["east", "east points", "south", "south points", "west", "west points", "north", "north points"], WIDE_FORM),
        (["Player E", "Points E", "Player S", "Points S", "Player W", "Points W", "Player N", "Points N"], WIDE_FORM),
        (["Дата", "Стол", "Игрок", "Ветер", "Очки"], LONG_FORM),
        (["Дата", "Стіл", "Гравець", "Вітер", "Очки"], LONG_FORM),
        (["Data", "Stół", "Gracz", "Wiatr", "Punkty"], LONG_FORM),
        (["Дата", "Восток", "Очки", "Юг", "Очки", "Запад", "Очки", "Север", "Очки", "Риичи-палочки"], WIDE_FORM),
        (["Дата", "Схід", "Очки", "Південь", "Очки", "Захід", "Очки", "Північ", "Очки", "Палички"], WIDE_FORM),
        (["Data", "Wschód", "Punkty", "Południe", "Punkty", "Zachód", "Punkty", "Północ", "Punkty"], WIDE_FORM),
        (["E Player", "E Points (thousands)", "S", "S pts", "W", "W score", "N", "N points"], WIDE_FORM),
    ],
)
def test_known_headings_are_recognised(heads: list[str], form: str) -> None:
    found = recognise(heads, FORMS)

    assert found is not None
    assert found[0] == form


def test_points_after_a_player_are_those_of_the_player() -> None:
    found = recognise(["Дата", "Схід", "Очки", "Південь", "Очки", "Захід", "Очки", "Північ", "Очки"], FORMS)

    assert found is not None
    assert {key: found[1][key] for key in ("date", "e_points", "s_points", "w_points", "n_points")} == {
        "date": 0,
        "e_points": 2,
        "s_points": 4,
        "w_points": 6,
        "n_points": 8,
    }


def test_columns_are_guessed_as_far_as_they_are_known() -> None:
    book = open_file(csv(["Дата", "Стіл", "Хто", "Очки"], ["15.09.26", "1", "Марта", "31100"]), "old.csv")

    guessed = guessed_layout(book, FORMS)

    assert (guessed.form, dict(guessed.columns)) == (LONG_FORM, {"date": 0, "table": 1, "points": 3})


def test_headings_that_say_too_little_are_not_guessed() -> None:
    assert recognise(["Name", "Total", "Games"], FORMS) is None


def test_a_layout_can_be_kept() -> None:
    layout = Layout(WIDE_FORM, {"date": 0, "e_player": 3}, "thousands", True, "Games", 2, ("Date", "x"))

    assert read_layout(layout.write()) == layout


# --- what spreadsheets hide -------------------------------------------------------------------------------


def book_with(change: Any) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (WIDE, wide(DAY, list("ABCD"), [25_000] * 4), wide(DAY, list("ABCD"), [25_000] * 4, game=2)):
        sheet.append(row)
    change(sheet)
    return saved(book)


def test_merged_cells_below_the_headings_are_refused_with_their_place() -> None:
    found = reading(book_with(lambda sheet: sheet.merge_cells("A2:A3"))).findings

    assert "row 2, column A: Cells are merged" in found.wrong[0].sentence()


def test_hidden_rows_and_columns_are_read_and_told() -> None:
    def hide(sheet: Any) -> None:
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["E"].hidden = True

    found = reading(book_with(hide))

    assert len(found.games) == 2
    assert [note.sentence() for note in found.findings.notes] == [
        "Sheet “Sheet”, row 3: The row is hidden; it is read like the others.",
        "Sheet “Sheet”, row 1, column E: The column is hidden; it is read like the others.",
    ]


def test_a_formula_that_was_never_computed_is_told() -> None:
    def formula(sheet: Any) -> None:
        sheet["E2"] = "=20000+5000"

    found = reading(book_with(formula))

    assert len(found.games) == 1
    assert [problem.code for problem in found.findings.wrong] == ["no_value"]
    assert "row 2, column E" in found.findings.wrong[0].sentence()


def test_rows_that_are_no_games_are_passed_over() -> None:
    content = xlsx(["Furiten 2019"], WIDE, [], ["spring"], wide(DAY, list("ABCD"), [25_000] * 4), ["", "", "sum"])
    sheet = sheet_of(content)
    found = recognise(heads_of(list(sheet.rows())[1].cells), FORMS)
    assert found is not None

    assert len(read_games(sheet, Layout(*found, head_row=2), at_noon).games) == 1


def test_a_table_of_three_rows_is_told() -> None:
    rows = [[1, 1, name, wind, 25_000, ""] for name, wind in zip("ABC", "ESW", strict=True)]

    found = reading(csv(LONG, *rows), "r.csv", day=DAY)

    assert [problem.code for problem in found.findings.wrong] == ["not_four"]


def test_two_of_one_wind_are_told() -> None:
    rows = [[1, 1, name, wind, 25_000, ""] for name, wind in zip("ABCD", "ESSN", strict=True)]

    assert [p.code for p in reading(csv(LONG, *rows), "r.csv", day=DAY).findings.wrong] == ["wind_twice"]


# --- names in any script ----------------------------------------------------------------------------------

ALPHABETS = ["абвгдеёжзіїўшщьюя", "aąbcćdeęłńóśźż", "佐藤健鈴木一郎さくら", "אבגדהוזח", "ابتثجحخد", "=+-@'"]
NAMES = st.sampled_from(ALPHABETS).flatmap(
    lambda letters: st.text(letters + " ", min_size=1, max_size=20).map(lambda name: f"x{name}".strip())
)
STARTED = st.sampled_from(ALPHABETS).flatmap(
    lambda letters: st.text(letters, min_size=1, max_size=20).map(lambda name: f"{name}x")
)


@settings(max_examples=60)
@given(names=st.lists(st.one_of(NAMES, STARTED), min_size=4, max_size=4, unique_by=lambda name: name.casefold()))
def test_names_of_any_script_come_through_both_kinds_of_files(names: list[str]) -> None:
    row = wide("2026-04-16", [neutral(name) for name in names], [25_000] * 4)

    for content, kind in ((xlsx(WIDE, row), "old.xlsx"), (csv(WIDE, row, sign=";"), "old.csv")):
        found = reading(content, kind)
        assert [seat.player for seat in found.games[0].sheet.seats] == [values.read_text(name) for name in names]


@given(text=st.text(max_size=40).filter(lambda text: "\0" not in text))
def test_the_mark_of_an_export_is_taken_off_again(text: str) -> None:
    marked = neutral(text)

    assert unmarked(marked) == (marked[1:] if marked.startswith("'") and neutral(marked[1:]) != marked[1:] else marked)
    if not text.startswith("'"):
        assert unmarked(marked) == neutral(text).removeprefix("'")


def test_the_same_game_has_the_same_digest_wherever_it_stands() -> None:
    row = wide(DAY, list("ABCD"), [25_000] * 4)
    one, other = reading(xlsx(WIDE, row)), reading(xlsx(WIDE, wide(DAY, list("WXYZ"), [25_000] * 4), row))

    assert digest(one.games[0], one.names) == digest(other.games[1], other.names)
    assert digest(other.games[0], other.names) != digest(other.games[1], other.names)


@pytest.mark.parametrize(
    ("one", "other", "errors"),
    [
        ("sokolov", "sokolov", 0),
        ("sokolov", "sokolow", 1),
        ("sokolov", "soklov", 1),
        ("ab", "ba", 1),
        ("abc", "xyz", 3),
    ],
)
def test_typing_errors_are_counted(one: str, other: str, errors: int) -> None:
    assert distance(one, other, 3) == errors


def test_scripts_and_the_order_of_words_do_not_matter_for_suggestions() -> None:
    assert spelled("Соколов Дмитрий") == spelled("Dmitrii Sokolov")
