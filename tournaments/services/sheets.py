"""The sheet of a table in terms of entries: as it was entered, or as it is expected."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.models import Hanchan, Seat
from ratings.services.hanchans import sheet_of
from tournaments.models import Entry, PlannedSeat, Round, Table

SUBSTITUTED = (scoring.FROM_START, scoring.MID_GAME)


def sheet_at(table: Table) -> Sheet[Entry]:
    """The sheet that was entered for a table, draft or result; the table must have a hanchan."""
    assert table.hanchan is not None
    people = {entry.player_id: entry for entry in _entries(table)}
    return sheet_of(table.hanchan).map(people.__getitem__)


def expected_seats(table: Table) -> list[SeatSheet[Entry]]:
    """The planned seats as a form should offer them, all with 0 points.

    An incident reported at the desk counts first. An entry that fills up a table is a substitute from the start. If a
    substitute took over in the round before, mid-game or not, the same substitute is expected again, now from the
    start. An entry that left the event before this round is expected to be substituted from the start too.
    """
    before = _substituted_before(table.round)
    return [_expected(seat, table.round, before) for seat in _planned(table)]


def _expected(seat: PlannedSeat, round_: Round, before: dict[int, Entry | None]) -> SeatSheet[Entry]:
    entry, late = seat.entry, seat.late_minutes
    if seat.substitute:
        return _unplayed(entry, late, seat.substitute, seat.played_by)
    if entry.is_substitute:
        return _unplayed(entry, late, scoring.FROM_START)
    if entry.pk in before:
        return _unplayed(entry, 0, scoring.FROM_START, before[entry.pk])
    gone = entry.has_left_before(round_.stage, round_.number)
    return _unplayed(entry, late, scoring.FROM_START if gone else scoring.NONE)


def _unplayed(entry: Entry, late: int, substitute: str, played_by: Entry | None = None) -> SeatSheet[Entry]:
    return SeatSheet(entry, scoring.Seat(0, late_minutes=late, substitute=substitute), played_by)


def _entries(table: Table) -> list[Entry]:
    return list(Entry.objects.filter(tournament=table.round.stage.tournament_id).select_related("player"))


def _planned(table: Table) -> list[PlannedSeat]:
    return list(table.seats.select_related("entry__player", "played_by__player").order_by("wind"))


def _substituted_before(round_: Round) -> dict[int, Entry | None]:
    """Entries that were substituted in the round before, each with its substitute.

    They are read from the sheets, and where a result is missing, from the reports at the desk. An entry that fills up
    a table plays for no other entry.
    """
    earlier = Round.objects.filter(stage=round_.stage_id, number=round_.number - 1).first()
    if earlier is None:
        return {}
    entries = Entry.objects.filter(tournament=round_.stage.tournament_id).select_related("player")
    people = {entry.player_id: entry for entry in entries}
    planned = earlier.seats.filter(substitute__in=SUBSTITUTED).select_related("played_by__player")
    found = {seat.entry_id: seat.played_by for seat in planned.exclude(table__hanchan__status=Hanchan.Status.FINAL)}
    sheets = Seat.objects.filter(hanchan__event_table__round=earlier, counts=True).exclude(substitute=scoring.NONE)
    for seat in sheets:
        entry = people.get(seat.player_id)
        if entry is not None and not entry.is_substitute:
            found[entry.pk] = people.get(seat.played_by_id) if seat.played_by_id else None
    return found


def expected_in_round(round_: Round, tables: Iterable[Table]) -> dict[int, list[SeatSheet[Entry]]]:
    """`expected_seats` for many tables of one round, by table number; the planned seats should be prefetched."""
    before = _substituted_before(round_)
    return {table.number: [_expected(seat, round_, before) for seat in table.seats.all()] for table in tables}
