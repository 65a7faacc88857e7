"""A table's sheet in the event's own words: as it stands, or as it is most likely to be."""

from __future__ import annotations

from collections.abc import Iterable

from ratings import scoring
from ratings.models import Seat
from tournaments.models import Entry, PlannedSeat, Round, Table
from tournaments.services.tables import SeatFacts, TableFacts


def facts_of(table: Table) -> TableFacts:
    """What was entered for a table, for a form that corrects it; the table must have a hanchan."""
    hanchan = table.hanchan
    assert hanchan is not None
    people = {entry.player_id: entry for entry in _entries(table)}
    seats = tuple(
        SeatFacts(
            people[seat.player_id],
            seat.points,
            seat.chombo,
            seat.late_minutes,
            seat.penalty,
            seat.substitute,
            people.get(seat.played_by_id) if seat.played_by_id else None,
        )
        for seat in hanchan.seats.all()
    )
    return TableFacts(seats, hanchan.sticks_left, hanchan.override, hanchan.comment)


def expected_seats(table: Table) -> list[SeatFacts]:
    """The planned seats as a form should offer them, all with 0 points.

    Whoever fills up is a substitute from the start. Where somebody took over in the round before, mid-game or not,
    the same substitute is expected again, now from the start; likewise for whoever has left the event.
    """
    people = {entry.player_id: entry for entry in _entries(table)}
    before = {seat.player_id: seat for seat in _round_before(table.round)}
    return [_expected(seat.entry, before.get(seat.entry.player_id), people) for seat in _planned(table)]


def _expected(entry: Entry, before: Seat | None, people: dict[int, Entry]) -> SeatFacts:
    if entry.is_substitute:
        return SeatFacts(entry, 0, substitute=scoring.FROM_START)
    if before is not None and before.is_substituted:
        substitute = people.get(before.played_by_id) if before.played_by_id else None
        return SeatFacts(entry, 0, substitute=scoring.FROM_START, played_by=substitute)
    return SeatFacts(entry, 0, substitute=scoring.FROM_START if entry.has_left else scoring.NONE)


def _entries(table: Table) -> list[Entry]:
    return list(Entry.objects.filter(tournament=table.round.stage.tournament_id).select_related("player"))


def _planned(table: Table) -> list[PlannedSeat]:
    return list(table.seats.select_related("entry__player").order_by("wind"))


def _round_before(round_: Round) -> list[Seat]:
    tables = Table.objects.filter(round__stage=round_.stage_id, round__number=round_.number - 1)
    return list(Seat.objects.filter(hanchan__event_table__in=tables, counts=True))


def expected_in_round(round_: Round, tables: Iterable[Table]) -> dict[int, list[SeatFacts]]:
    """`expected_seats` for many tables of one round, by table number; the tables' planned seats are at hand."""
    entries = Entry.objects.filter(tournament=round_.stage.tournament_id).select_related("player")
    people = {entry.player_id: entry for entry in entries}
    before = {seat.player_id: seat for seat in _round_before(round_)}
    return {
        table.number: [_expected(seat.entry, before.get(seat.entry.player_id), people) for seat in table.seats.all()]
        for table in tables
    }
