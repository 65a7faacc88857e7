"""A table's sheet in the event's own words: as it stands, or as it is most likely to be."""

from __future__ import annotations

from collections.abc import Iterable

from ratings import scoring
from ratings.models import Hanchan, Seat
from tournaments.models import Entry, PlannedSeat, Round, Table
from tournaments.services.tables import SeatFacts, TableFacts

SUBSTITUTED = (scoring.FROM_START, scoring.MID_GAME)


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

    Whoever fills up is a substitute from the start, and what was told at the desk counts. Else, where somebody took
    over in the round before, mid-game or not, the same substitute is expected again, now from the start; likewise for
    whoever has left the event before this round.
    """
    before = _substituted_before(table.round)
    return [_expected(seat, table.round, before) for seat in _planned(table)]


def _expected(seat: PlannedSeat, round_: Round, before: dict[int, Entry | None]) -> SeatFacts:
    entry, late = seat.entry, seat.late_minutes
    if seat.substitute:
        return SeatFacts(entry, 0, late_minutes=late, substitute=seat.substitute, played_by=seat.played_by)
    if entry.is_substitute:
        return SeatFacts(entry, 0, late_minutes=late, substitute=scoring.FROM_START)
    if entry.pk in before:
        return SeatFacts(entry, 0, substitute=scoring.FROM_START, played_by=before[entry.pk])
    gone = entry.has_left_before(round_.stage, round_.number)
    return SeatFacts(entry, 0, late_minutes=late, substitute=scoring.FROM_START if gone else scoring.NONE)


def _entries(table: Table) -> list[Entry]:
    return list(Entry.objects.filter(tournament=table.round.stage.tournament_id).select_related("player"))


def _planned(table: Table) -> list[PlannedSeat]:
    return list(table.seats.select_related("entry__player", "played_by__player").order_by("wind"))


def _substituted_before(round_: Round) -> dict[int, Entry | None]:
    """Entries for whom somebody played in the round before, and who: by the sheets, and where one is missing by what
    was told at the desk. Whoever fills up a table is nobody's substitute.
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


def expected_in_round(round_: Round, tables: Iterable[Table]) -> dict[int, list[SeatFacts]]:
    """`expected_seats` for many tables of one round, by table number; the tables' planned seats are at hand."""
    before = _substituted_before(round_)
    return {table.number: [_expected(seat, round_, before) for seat in table.seats.all()] for table in tables}
