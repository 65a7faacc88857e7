"""Lists: a column is one declaration of heading, cell, order and file, and whatever shows a list reads it.

django-tables2 names the columns, puts them in sequence and reads the order asked for in the address. Rows are drawn
here: a cell is a small function of the page and the row, and drawing a row of django-tables2 takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import django_tables2 as tables
from django.http import QueryDict
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString
from django_tables2.data import TableListData

from clubsite import export

SORT = "sort"
PAGE = "page"
PER_PAGE = 100


class Cell(NamedTuple):
    """A cell that differs from others of its column by more than its text."""

    text: str  # escaped unless it is marked as safe, as in a template
    css: str = ""  # classes besides those of the column
    label: str = ""  # words before and after the text where rows fold on a phone
    unit: str = ""


Page = Any  # what the functions of a list need to know besides the row: names, addresses, the language of numbers
Row = Any
Draw = Callable[[Row], str | Cell]


class ExportField(NamedTuple):
    """A column of a file."""

    heading: str
    value: Callable[[Page, Row], export.Cell]
    kind: export.Kind = export.Kind.TEXT
    width: int = 0  # in letters; 0: as its kind needs


class Column(tables.Column):
    """One column of a list.

    `cell` draws it on the page, `value` is what a file holds, `key` is what rows are sorted by. A column without one of
    them is not on the page, not in files, or cannot be sorted by.
    """

    def __init__(
        self,
        heading: Any,
        *,
        css: str = "",
        cell_css: str | None = None,  # where cells have other classes than the head
        cell: Callable[[Page, Row], str | Cell] | None = None,
        value: Callable[[Page, Row], export.Cell] | None = None,
        key: Callable[[Page, Row], Any] | None = None,
        label: Any = None,  # the heading where there is more room: in files
        kind: export.Kind = export.Kind.TEXT,
        width: int = 0,
        most_first: bool = False,  # which end of it readers want to see first
        is_spoken: bool = False,  # the heading is for screen readers only
        is_row_head: bool = False,
        shown: Callable[[Page], bool] | None = None,  # on which pages it is drawn; without it on all
        orderable: bool | None = None,
    ) -> None:
        orderable = key is not None if orderable is None else orderable
        super().__init__(heading, initial_sort_descending=most_first, orderable=orderable)
        self.css, self.cell_css = css, css if cell_css is None else cell_css
        self.cell, self.key, self.shown = cell, key, shown
        self.label = heading if label is None else label
        self._value, self._kind, self._width = value, kind, width
        self.is_spoken, self.is_row_head = is_spoken, is_row_head

    def heading_on(self, page: Page) -> str:
        return str(self.verbose_name)

    def is_on(self, page: Page) -> bool:
        return self.cell is not None and (self.shown is None or self.shown(page))

    def on(self, page: Page) -> Draw:
        """The function that draws a cell of this page. A column with many cells finds here what they all share."""
        assert self.cell is not None
        return partial(self.cell, page)

    def fields(self) -> list[ExportField]:
        """What the column is in a file: nothing, one column, or several."""
        return [] if self._value is None else [ExportField(str(self.label), self._value, self._kind, self._width)]

    def in_order(self, rows: list[Row], page: Page, descending: bool) -> list[Row]:
        assert self.key is not None
        return sorted(rows, key=partial(self.key, page), reverse=descending)


class SortedRows(TableListData):
    """The rows of a list, sorted by the keys of its columns. `page` is what those are called with."""

    def __init__(self, rows: Iterable[Row], page: Page) -> None:
        super().__init__(list(rows))
        self.page = page

    def order_by(self, aliases: Iterable[str]) -> None:
        for alias in reversed(tuple(aliases)):
            column = self.table.columns[alias.removeprefix("-")].column
            self.data = self.sort(column, descending=alias.startswith("-"))

    def sort(self, column: Column, *, descending: bool) -> list[Row]:
        return column.in_order(self.data, self.page, descending)


class ListTable(tables.Table):
    """A list as its columns declare it: the head and the rows of a page, the columns and the rows of a file."""

    folds = True  # rows become blocks on a phone, after which only roles say that this is a table

    class Meta:
        order_by_field = SORT

    def heads(
        self, page: Page, query: QueryDict | None = None, standard: str = "", *, on_paper: bool = False
    ) -> SafeString:
        """The head cells. `standard` is how rows are sorted when no order was asked for, such as `-total`."""
        order = tuple(self.order_by or ()) or (standard,)
        here = escape(_address(query, SORT, PAGE, "export")) if query is not None else ""  # from the first page on
        cells = []
        for bound in self._shown(page):
            column, text = bound.column, str(escape(bound.column.heading_on(page)))
            attributes = f' class="{column.css}"' if column.css else ""
            if column.is_spoken and not on_paper:
                text = f'<span class="spoken">{text}</span>'
            alias = next((alias for alias in order if alias.removeprefix("-") == bound.name), "")
            if alias:
                attributes += f' aria-sort="{"descending" if alias.startswith("-") else "ascending"}"'
            if bound.orderable:
                text = f'<a href="{here}{SORT}={next_order(bound, alias)}">{text}</a>'
            cells.append(f'<th{self._role("columnheader")} scope="col"{attributes}>{text}</th>')
        return SafeString("".join(cells))

    def rows_on(self, page: Page, rows: Iterable[Row]) -> SafeString:
        draw, start = self.row_on(page), f"<tr{self._role('row')}>"
        return SafeString("".join([f"{start}{draw(row)}</tr>" for row in rows]))

    def row_on(self, page: Page) -> Callable[[Row], str]:
        """The function that draws the cells of one row."""
        cells = [self._cell(bound.column, page) for bound in self._shown(page)]
        return lambda row: "".join([cell(row) for cell in cells])

    def width_on(self, page: Page) -> int:
        return len(self._shown(page))

    def file_columns(self) -> list[export.ExportColumn]:
        return [export.ExportColumn(field.heading, field.kind, field.width) for field in self._fields()]

    def file_rows(self, page: Page, rows: Iterable[Row]) -> Iterator[list[export.Cell]]:
        values = [partial(field.value, page) for field in self._fields()]
        for row in rows:
            yield [value(row) for value in values]

    def _shown(self, page: Page) -> list[Any]:
        return [bound for bound in self.columns if bound.column.is_on(page)]

    def _fields(self) -> list[ExportField]:
        return [field for bound in self.columns for field in bound.column.fields()]

    def _role(self, role: str) -> str:
        return f' role="{role}"' if self.folds else ""

    def _cell(self, column: Column, page: Page) -> Callable[[Row], str]:
        """Draws a cell with its element; most cells of a column begin with one of a few tags, which are kept."""
        draw, tag, role = column.on(page), "td", self._role("cell")
        if column.is_row_head:
            tag, role = "th", f'{self._role("rowheader")} scope="row"'
        starts: dict[tuple[str, ...], str] = {}

        def start_of(css: str, label: str, unit: str) -> str:
            classes = " ".join(filter(None, (column.cell_css, css)))
            given = {"class": classes, "data-l": label, "data-u": unit}
            attributes = "".join(f' {name}="{escape(value)}"' for name, value in given.items() if value)
            return starts.setdefault((css, label, unit), f"<{tag}{role}{attributes}>")

        plain, end = start_of("", "", ""), f"</{tag}>"

        def drawn(row: Row) -> str:
            found = draw(row)
            if isinstance(found, Cell):
                start, text = starts.get(found[1:]) or start_of(*found[1:]), found.text
            else:
                start, text = plain, found
            return start + conditional_escape(text) + end

        return drawn


def wanted_order(parameters: QueryDict) -> list[str]:
    """What a list is to be sorted by. A name with a dot is no column of ours, and django-tables2 warns about it."""
    return [name for name in parameters.getlist(SORT) if "." not in name]


def next_order(bound: Any, current: str) -> str:
    """What a click on the head asks for: the better end first, and the other way round the second time."""
    if current:
        return bound.name if current.startswith("-") else f"-{bound.name}"
    return f"-{bound.name}" if bound.column.initial_sort_descending else str(bound.name)


def _address(query: QueryDict, *without: str) -> str:
    """This page without some of its parameters, ready for one more."""
    kept = [(name, value) for name, values in query.lists() for value in values if name not in without]
    return f"?{urlencode(kept)}&" if kept else "?"


def kept_parameters(query: QueryDict, names: Iterable[str]) -> str:
    """These parameters of the page, to be added to another address that has some already."""
    given = [(name, query[name]) for name in names if query.get(name)]
    return "&" + urlencode(given) if given else ""


def export_addresses(query: QueryDict) -> dict[str, str]:
    """The same list as a file: same filters, same order, all pages."""
    return {wanted: f"{_address(query, PAGE, 'export')}export={wanted}" for wanted in export.FORMATS}
