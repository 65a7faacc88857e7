"""The slides of the screen on the wall: seats of the next round by table and by name, then pages of the standings.

Whoever stands before the wall is a stranger: hidden players have no name here, whoever opened the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from clubsite import components
from clubsite.numbers import tone, writer
from ratings.tables.names import Names
from tournaments.models import PlannedSeat, Table
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


def seating(tables: Sequence[Table]) -> Iterator[Slide]:
    """By name first when there are too many tables to read at a glance; then table by table."""
    if len(tables) > TABLES:
        seats = sorted((seat for table in tables for seat in table.seats.all()), key=_by_name)
        for seat in seats:
            seat.table = next(table for table in tables if table.pk == seat.table_id)
        yield from (Slide("names", *span, seats=seats[span[1] - 1 : span[2]]) for span in _pages(len(seats), NAMES))
    yield from (Slide("tables", *span, tables=tables[span[1] - 1 : span[2]]) for span in _pages(len(tables), TABLES))


def _by_name(seat: PlannedSeat) -> str:
    return Names(False).text(seat.entry.player).casefold()


def standings(view: StageView, after: int) -> Iterator[Slide]:
    rows = view.after(after, moves=True).rows
    for span in _pages(len(rows), ROWS):
        yield Slide("standings", *span, rows=_rows(view, after, rows[span[1] - 1 : span[2]]))


def _pages(count: int, size: int) -> Iterator[tuple[int, int, int, int]]:
    """Number of the page, its first and its last, of how many."""
    for page in range(-(-count // size)):
        yield page + 1, page * size + 1, min(count, (page + 1) * size), count


def _rows(view: StageView, after: int, rows: Sequence[ranking.Row]) -> SafeString:
    write, names = writer(), Names(False)
    drawn = []
    for row in rows:
        entry, result = view.entries[row.entry], row.tally.by_round.get(after)
        country = escape(entry.country) if names.follows(entry.player) else ""
        name = components.player_name(names.text(entry.player), country=entry.player.country)
        drawn.append(
            f"<tr><td>{components.rank_tile(row.rank)}</td>"
            f'<td class="numeric">{components.movement(row.moved, write)}</td><th scope="row">{name}</th>'
            f'<td><span class="alt">{country}</span></td><td class="result {tone(result)}">{write.result(result)}</td>'
            f'<td class="numeric total {tone(row.total)}">{write.result(row.total)}</td></tr>'
        )
    return SafeString("".join(drawn))


def round_to_seat(lines: Sequence[RoundLine]) -> RoundLine | None:
    """The round people look for: the first with a table still to play; all in, the next one that is published."""
    published = [line for line in lines if line.round.is_published]
    return next((line for line in published if line.missing), None)
