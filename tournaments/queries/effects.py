"""What a decision would do to the standings. This is only computed, never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import Sheet
from ratings.models import Adjustment
from tournaments.models import Entry, Table
from tournaments.queries.standings import StageView
from tournaments.standings import ranking


@dataclass(frozen=True)
class Shift:
    """One entry before and after. A rank is None if the entry is not in the table yet or was taken out."""

    entry: Entry
    rank_before: int | None
    rank_after: int | None
    total_before: int | None
    total_after: int | None

    @property
    def up(self) -> int | None:
        if self.rank_before is None or self.rank_after is None:
            return None
        return self.rank_before - self.rank_after


def compare(before: StageView, after: StageView, at: int | None = None) -> list[Shift]:
    """All entries whose rank or total changes, in the order of the new standings.

    The standings are compared as the public sees them now; with `at`, as they will be once that round has its first
    result.
    """
    old, new = _rows(before, at), _rows(after, at)
    shifts = [
        Shift(
            before.entries[number],
            *(rows[number][0] if number in rows else None for rows in (old, new)),
            *(rows[number][1] if number in rows else None for rows in (old, new)),
        )
        for number in old.keys() | new.keys()
        if old.get(number) != new.get(number)
    ]
    return sorted(shifts, key=lambda s: (s.rank_after is None, s.rank_after or 0, s.entry.number))


def _rows(view: StageView, at: int | None) -> dict[int, tuple[int | None, int]]:
    """Rank and total by entry. Substitutes have a total but no rank."""
    if at is None:
        table = view.at_end()
    else:
        played = replace(view.scores, confirmed=view.scores.confirmed | {at})
        table = replace(view, scores=played).after(at)
    return {row.entry: (row.rank, row.total) for row in table.rows} | {
        tally.entry: (None, tally.total) for tally in table.outside
    }


# --- decisions ----------------------------------------------------------------------------------------------


def with_points(view: StageView, entry: Entry, round_number: int, kind: str, points: int) -> StageView:
    """The view with one more result without a game: a penalty, an absence or a bye."""
    extra = ranking.Extra(entry.number, round_number, kind, points)
    return _with_extras(view, [*view.scores.extras, extra])


def without(view: StageView, given: Adjustment) -> StageView:
    """The view without an adjustment that would be revoked."""
    number = next((n for n, entry in view.entries.items() if entry.player_id == given.player_id), 0)
    extras = list(view.scores.extras)
    gone = ranking.Extra(number, given.round or 0, given.kind, given.points)
    if gone in extras:
        extras.remove(gone)
    return _with_extras(view, extras)


def _with_extras(view: StageView, extras: Sequence[ranking.Extra]) -> StageView:
    return replace(view, scores=replace(view.scores, extras=extras))


def with_departure(view: StageView, entry: Entry, departure: ranking.Departure | None) -> StageView:
    """The view with an entry that leaves the event after a round, or is back if `departure` is None."""
    contestants = [replace(one, left=departure) if one.number == entry.number else one for one in view.contestants]
    return replace(view, contestants=contestants)


def with_fixed_result(view: StageView, entry: Entry, table: Table, points: int) -> StageView:
    """The view with a substituted seat at a table whose other results are not known yet."""
    seat = ranking.SeatScore(entry.number, table.round.number, table.number, points, 4, 8, own=False)
    seats = sorted([*view.scores.seats, seat], key=lambda one: one.round)
    return replace(view, scores=replace(view.scores, seats=seats))


def with_sheet(view: StageView, table: Table, sheet: Sheet[int], results: Sequence[scoring.SeatResult]) -> StageView:
    """The view with another result at a table, or with its first result."""
    numbers = {entry.player_id: number for number, entry in view.entries.items()}
    twice = scoring.places_twice([result.place for result in results])
    here = (table.round.number, table.number)
    others = [seat for seat in view.scores.seats if (seat.round, seat.table) != here]
    new = [
        ranking.SeatScore(
            numbers[seat.player],
            *here,
            result.total,
            result.place,
            place_twice,
            own=seat.played.substitute == scoring.NONE,
            chombo=seat.played.chombo,
            penalty=seat.played.penalty,
            corrected=table.has_result,
        )
        for seat, result, place_twice in zip(sheet.seats, results, twice, strict=True)
        if seat.player in numbers
    ]
    seats = sorted([*others, *new], key=lambda seat: seat.round)
    return replace(view, scores=replace(view.scores, seats=seats))
