"""A spreadsheet as the rest of the import sees it: sheets of rows, read lazily, whatever the file was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ratings.imports.places import Place


class Row(NamedTuple):
    number: int  # from 1, as the spreadsheet shows it
    cells: tuple[Any, ...]


@dataclass
class Oddities:
    """What a sheet has that a reader of values alone would miss."""

    merged: list[Place] = field(default_factory=list)  # the first cell of each
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)  # first, last; from 0
    no_values: set[tuple[int, int]] = field(default_factory=set)  # formulas never computed: row, column from 0


@dataclass(frozen=True)
class Sheet:
    title: str
    rows: Callable[[], Iterator[Row]]  # rows with something in them; can be asked again
    oddities: Oddities = field(default_factory=Oddities)
    hidden: bool = False


@dataclass(frozen=True)
class Book:
    sheets: tuple[Sheet, ...]
    keywords: str = ""
    named: Mapping[str, str] = field(default_factory=dict)  # defined name -> title of its sheet

    def sheet_named(self, name: str) -> Sheet | None:
        return next((sheet for sheet in self.sheets if sheet.title == self.named.get(name)), None)
