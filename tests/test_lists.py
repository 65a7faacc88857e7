"""A column of a list is one declaration, and the page, the order and the file all read it."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import override

import ratings.tables
import tournaments.tables
from clubsite.export import Kind
from clubsite.tables import Cell, Column, ListTable, SortedRows, wanted_order
from ratings.mahjong.standings import METRICS
from ratings.tables.club_players import ClubPlayersTable
from ratings.tables.games import GamesTable
from ratings.tables.leaderboard import BoardTable, MetricColumn, UnrankedTable
from ratings.tables.ledger import LedgerTable
from ratings.workbooks.standings import SheetTable
from tournaments.tables.final import FinalTable
from tournaments.tables.standings import RoundColumn, StandingsTable
from tournaments.tables.wall import WallTable

LISTS: dict[str, type[ListTable]] = {
    "leaderboard": BoardTable,
    "under the minimum": UnrankedTable,
    "games": GamesTable,
    "ledger": LedgerTable,
    "players of a club": ClubPlayersTable,
    "standings of an event": StandingsTable,
    "final ranking": FinalTable,
    "wall": WallTable,
    "sheet of standings": SheetTable,
}


def extra(table: type[ListTable]) -> list[tuple[str, Column]]:
    """Columns that come with the season or the event."""
    if table in (BoardTable, SheetTable):
        return [(key, MetricColumn(metric)) for key, metric in METRICS.items()]
    return [("round_1", RoundColumn(1, "phone-1"))] if table is StandingsTable else []


def columns() -> Iterator[Any]:
    for name, table in LISTS.items():
        for key, column in [*table.base_columns.items(), *extra(table)]:
            yield pytest.param(column, id=f"{name}: {key}")


def modules() -> Iterator[Path]:
    for package in (ratings.tables, tournaments.tables):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            yield Path(str(importlib.import_module(found.name).__file__))


def subclasses(table: type[ListTable]) -> Iterator[type[ListTable]]:
    for found in table.__subclasses__():
        yield found
        yield from subclasses(found)


def test_no_list_is_left_out_here() -> None:
    ours = {found for found in subclasses(ListTable) if not found.__module__.startswith("tests.")}
    assert ours == set(LISTS.values())


@pytest.mark.parametrize("column", list(columns()))
def test_a_column_says_what_it_is_on_the_page_or_in_files(column: Column) -> None:
    drawn = column.cell is not None or type(column).on is not Column.on
    assert drawn or column.fields()
    assert all(field.heading for field in column.fields())


@pytest.mark.parametrize("column", list(columns()))
def test_a_column_that_can_be_sorted_by_says_by_what(column: Column) -> None:
    by_itself = column.key is not None or type(column).in_order is not Column.in_order
    assert by_itself or not column.orderable


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("table", list(LISTS.values()), ids=list(LISTS))
def test_the_heads_of_pages_and_files_are_those_of_the_columns(table: type[ListTable], language: str) -> None:
    with override(language):
        made = table([], extra_columns=extra(table))
        declared = [field.heading for bound in made.columns for field in bound.column.fields()]
        single = [bound.column for bound in made.columns if len(bound.column.fields()) == 1]

        assert [column.head for column in made.file_columns()] == declared
        assert len(set(declared)) == len(declared)
        for column in single:
            assert column.fields()[0].heading.casefold() == str(column.label).casefold()


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: "/".join(module.parts[-3:]))
def test_no_list_draws_heads_or_cells_of_its_own(module: Path) -> None:
    """Only a row that spans the whole table may have its own cell."""
    assert not re.findall(r"<t[dh]\b(?![^>]*colspan)", module.read_text())


# --- a list with three columns ------------------------------------------------------------------------------


class FruitTable(ListTable):
    name = Column(
        "Name",
        css="name-cell",
        is_row_head=True,
        cell=lambda _page, row: row[0],
        value=lambda _page, row: row[0],
        key=lambda _page, row: row[0],
    )
    pieces = Column(
        "Pieces",
        label="How many pieces",
        css="numeric",
        cell=lambda page, row: Cell(f"{row[1]}", "few" if row[1] < page else "", label="pieces"),
        value=lambda _page, row: row[1],
        key=lambda _page, row: row[1],
        kind=Kind.COUNT,
        most_first=True,
        width=7,
    )
    rare = Column("Rare", cell=lambda page, row: "yes" if row[1] < page else "", shown=lambda page: page > 1)


FRUIT = [("apple", 3), ("<pear>", 1), ("quince", 2)]
FEW = 2


def fruit(query: str = "", page: int = FEW) -> FruitTable:
    return FruitTable(SortedRows(FRUIT, page), order_by=wanted_order(QueryDict(query)))


def test_a_column_gives_its_head_a_link_that_sorts_by_it() -> None:
    heads = fruit().heads(FEW, QueryDict("q=a&page=2"), "name")

    assert heads == (
        '<th role="columnheader" scope="col" class="name-cell" aria-sort="ascending">'
        '<a href="?q=a&amp;sort=-name">Name</a></th>'
        '<th role="columnheader" scope="col" class="numeric"><a href="?q=a&amp;sort=-pieces">Pieces</a></th>'
        '<th role="columnheader" scope="col">Rare</th>'
    )


def test_a_column_draws_its_cells_escaped_and_with_the_classes_of_the_column() -> None:
    assert fruit().rows_on(FEW, FRUIT[1:2]) == (
        '<tr role="row"><th role="rowheader" scope="row" class="name-cell">&lt;pear&gt;</th>'
        '<td role="cell" class="numeric few" data-l="pieces">1</td><td role="cell">yes</td></tr>'
    )


def test_a_column_is_drawn_only_where_it_is_shown() -> None:
    assert (fruit().width_on(2), fruit().width_on(1)) == (3, 2)
    assert "Rare" not in fruit().heads(1)
    assert fruit().rows_on(1, FRUIT).count("<td") == 3


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["apple", "<pear>", "quince"]),
        ("sort=name", ["<pear>", "apple", "quince"]),
        ("sort=-pieces", ["apple", "quince", "<pear>"]),
        ("sort=rare", ["apple", "<pear>", "quince"]),
        ("sort=weight", ["apple", "<pear>", "quince"]),
        ("sort=name.length", ["apple", "<pear>", "quince"]),
    ],
)
def test_rows_are_sorted_by_what_the_column_says(query: str, names: list[str]) -> None:
    assert [row[0] for row in fruit(query).data] == names


def test_a_column_with_a_value_is_in_files() -> None:
    table = fruit("sort=-pieces")

    assert [(column.head, column.kind, column.width) for column in table.file_columns()] == [
        ("Name", Kind.TEXT, 0),
        ("How many pieces", Kind.COUNT, 7),
    ]
    assert list(table.file_rows(FEW, table.data)) == [["apple", 3], ["quince", 2], ["<pear>", 1]]
