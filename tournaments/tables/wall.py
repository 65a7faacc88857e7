"""The slides of the screen on the wall: seats of the next round by table and by name, then pages of the standings.

The screen is public, so hidden players have no name here, even if staff opened the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite import components
from clubsite.numbers import tone
from clubsite.tables import Cell, Column, ListTable
from ratings.mahjong.sorting import SortKey
from ratings.models import Player
from ratings.tables.names import NameColumn, Names, NamesOnPage
from tournaments.models import Entry, PlannedSeat, Table
from tournaments.queries.overview import RoundLine
from tournaments.queries.standings import StageView
from tournaments.standings import ranking

TABLES, NAMES, ROWS = 6, 20, 10  # on one slide (LOOK: Projector)


@dataclass(frozen=True)
class Slide:
    """`kind` is tables, names or standings; `key` stays the same when its content changes."""

    kind: str
    page: int
    first: int
    last: int
    of: int
    tables: Sequence[Table] = ()
    seats: Sequence[PlannedSeat] = ()
    heads: str = ""
    rows: str = ""

    @property
    def template(self) -> str:
        return f"tournaments/slides/{self.kind}.html"

    @property
    def is_whole(self) -> bool:
        """Whether no other slide shows the rest."""
        return (self.first, self.last) == (1, self.of)

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.page}"


@dataclass(frozen=True)
class WallPage(NamesOnPage):
    view: StageView
    after: int


def _entry(page: WallPage, row: ranking.Row) -> Entry:
    return page.view.entries[row.entry]


def _player(page: WallPage, row: ranking.Row) -> Player:
    return _entry(page, row).player


def _name(page: WallPage, row: ranking.Row) -> SafeString:
    player = _player(page, row)
    return components.player_name(page.names.text(player), country=player.country)


def _country(page: WallPage, row: ranking.Row) -> SafeString:
    country = _entry(page, row).country if page.names.follows(_player(page, row)) else ""
    return format_html('<span class="alt">{}</span>', country)


def _result(page: WallPage, row: ranking.Row) -> Cell:
    result = row.tally.by_round.get(page.after)
    return Cell(page.write.result(result), tone(result))


class LastRoundColumn(Column):
    """The results of the last played round; none before the first."""

    def heading_on(self, page: WallPage) -> str:
        return gettext("Round %(after)s") % {"after": page.after} if page.after else ""


class WallTable(ListTable):
    folds = False

    rank = Column(_("Rank"), is_spoken=True, cell=lambda _page, row: components.rank_tile(row.rank))
    moved = Column(
        _("Moved"),
        cell_css="numeric",
        is_spoken=True,
        cell=lambda page, row: components.movement(row.moved, page.write),
    )
    player = NameColumn(_player, css="", cell=_name)
    country = Column(_("Country"), is_spoken=True, cell=_country)
    round = LastRoundColumn("", css="numeric", cell_css="result", cell=_result)
    total = Column(
        _("Total"),
        css="numeric",
        cell_css="numeric total",
        cell=lambda page, row: Cell(page.write.result(row.total), tone(row.total)),
    )


def seating(tables: Sequence[Table]) -> Iterator[Slide]:
    """Seats by table, after a list by name when there are many tables."""
    if len(tables) > TABLES:
        seats = sorted((seat for table in tables for seat in table.seats.all()), key=_by_name)
        for seat in seats:
            seat.table = next(table for table in tables if table.pk == seat.table_id)
        yield from (Slide("names", *span, seats=seats[span[1] - 1 : span[2]]) for span in _pages(len(seats), NAMES))
    yield from (Slide("tables", *span, tables=tables[span[1] - 1 : span[2]]) for span in _pages(len(tables), TABLES))


def _by_name(seat: PlannedSeat) -> SortKey:
    return Names(False).place(seat.entry.player)


def standings(view: StageView, after: int) -> Iterator[Slide]:
    page = WallPage(Names(False), view, after)
    table, rows = WallTable([]), view.after(after, moves=True).rows
    heads = table.heads(page)
    for span in _pages(len(rows), ROWS):
        yield Slide("standings", *span, heads=heads, rows=table.rows_on(page, rows[span[1] - 1 : span[2]]))


def _pages(count: int, size: int) -> Iterator[tuple[int, int, int, int]]:
    """The number of the page, its first and last row, and the number of rows."""
    for page in range(-(-count // size)):
        yield page + 1, page * size + 1, min(count, (page + 1) * size), count


def round_to_seat(lines: Sequence[RoundLine]) -> RoundLine | None:
    """The round that people look for: the first with an unplayed table, or else the next published round."""
    published = [line for line in lines if line.round.is_published]
    return next((line for line in published if line.missing), None)
