"""From a stored file to what it says: opened, its layout found or remembered, its rows read."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from django.utils import timezone

from ratings.imports import files, layouts
from ratings.imports.books import Book, Row, Sheet
from ratings.imports.games import Reading, read_games
from ratings.imports.layouts import GAMES, Layout
from ratings.imports.limits import DEFAULT, Budget, Limits
from ratings.imports.lists import ListReading, read_people
from ratings.imports.own import is_own, read_own
from ratings.imports.values import POINTS, UNITS
from ratings.models import Club, ImportMapping
from ratings.problems import Problem, Refused, gettext_noop
from ratings.scoring import STICK

_ = gettext_noop

Clock = Callable[[], float]
NEW = "new"  # a name that is nobody's yet
TRIED_ROWS = 200  # for the unit
ANY_DAY = datetime.date(2000, 1, 1)
NOON = datetime.time(12)


@dataclass
class Choices:
    """What people decided about a file; kept as JSON beside it."""

    layout: Layout | None = None
    unit: str = ""
    day: datetime.date | None = None  # of games without a date
    names: dict[str, int | str] = field(default_factory=dict)  # key in the file -> player, or NEW

    def write(self) -> dict[str, Any]:
        return {
            "layout": self.layout.write() if self.layout else None,
            "unit": self.unit,
            "day": self.day.isoformat() if self.day else None,
            "names": self.names,
        }


def read_choices(data: Mapping[str, Any]) -> Choices:
    return Choices(
        layout=layouts.read_layout(data["layout"]) if data.get("layout") else None,
        unit=data.get("unit") or "",
        day=datetime.date.fromisoformat(data["day"]) if data.get("day") else None,
        names=dict(data.get("names") or {}),
    )


def open_file(content: bytes, name: str, limits: Limits = DEFAULT, clock: Clock = time.monotonic) -> Book:
    """`clock` is looked at every few hundred rows, also later when they are read."""
    return files.open_book(content, name, Budget(clock, limits))


def first_rows(sheet: Sheet, count: int = layouts.SEARCHED_ROWS) -> list[Row]:
    return list(islice(sheet.rows(), count))


def find_layout(club: Club, book: Book, forms: Sequence[str] = GAMES) -> Layout | None:
    """Headings this club mapped before, else headings we know; visible sheets first."""
    remembered = dict(ImportMapping.objects.filter(club=club).values_list("heads", "layout"))
    for sheet in sorted(book.sheets, key=lambda sheet: sheet.hidden):
        for row in first_rows(sheet):
            heads = layouts.heads_of(row.cells)
            known = remembered.get(layouts.digest_of(heads, forms[0]))
            if known:
                return replace(layouts.read_layout(known), sheet=sheet.title, head_row=row.number, heads=heads)
            found = layouts.recognise(heads, forms)
            if found:
                unit = layouts.unit_in(heads)
                return Layout(*found, unit or POINTS, unit is not None, sheet.title, row.number, heads)
    return None


def heads_to_map(book: Book, sheet_title: str = "") -> tuple[Sheet, Row] | None:
    """The row that looks most like headings: the first with the most texts."""
    chosen = [sheet for sheet in book.sheets if sheet.title == sheet_title] or list(book.sheets)
    best: tuple[int, Sheet, Row] | None = None
    for sheet in chosen:
        for row in first_rows(sheet):
            texts = sum(isinstance(cell, str) and not cell.strip()[:1].isdigit() for cell in row.cells)
            if best is None or texts > best[0]:
                best = texts, sheet, row
    return best[1:] if best else None


def remember(club: Club, layout: Layout) -> None:
    ImportMapping.objects.update_or_create(club=club, heads=layout.digest, defaults={"layout": layout.write()})


def read_file(book: Book, layout: Layout | None, club: Club, day: datetime.date | None) -> Reading:
    if is_own(book):
        return read_own(book)
    if layout is None:
        raise unknown_columns()
    return read_games(_sheet(book, layout), layout, partial(_moment, club.zone), day)


def _moment(zone: datetime.tzinfo, day: datetime.date, at: datetime.time | None) -> datetime.datetime:
    """A game without a time was played at noon, or today at midnight while it is not yet noon."""
    if at:
        return datetime.datetime.combine(day, at, zone).astimezone(datetime.UTC)
    noon = datetime.datetime.combine(day, NOON, zone).astimezone(datetime.UTC)
    if day == timezone.localdate(timezone=zone) and noon > timezone.now():
        return datetime.datetime.combine(day, datetime.time(), zone).astimezone(datetime.UTC)
    return noon


def read_list(book: Book, layout: Layout | None) -> ListReading:
    if layout is None:
        raise unknown_columns()
    return read_people(_sheet(book, layout), layout)


def unknown_columns() -> Refused:
    return Refused(Problem(_("The columns were not recognised. Say which column holds what."), code="unknown_columns"))


def _sheet(book: Book, layout: Layout) -> Sheet:
    return next((sheet for sheet in book.sheets if sheet.title == layout.sheet), book.sheets[0])


def settle_unit(book: Book, layout: Layout, full_sum: int) -> Layout:
    """Nobody said the unit: the one in which most of the first tables have the right sum; else points."""
    sheet = _sheet(book, layout)

    def some() -> Iterator[Row]:
        return islice(sheet.rows(), layout.head_row + TRIED_ROWS)

    def right(unit: str) -> int:
        moment = partial(_moment, datetime.UTC)  # only the points matter here, not when they were made
        read = read_games(replace(sheet, rows=some), replace(layout, unit=unit), moment, ANY_DAY)
        tables = (game.sheet.as_table() for game in read.games)
        sums = (sum(seat.points for seat in table.seats) + STICK * table.sticks_left for table in tables)
        return sum(found == full_sum for found in sums)

    return replace(layout, unit=max(UNITS, key=right))
