"""Data for printing: the seats of one round or of all rounds, by table, by name and by person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tournaments.models import Entry, PlannedSeat, Round, Table, Tournament
from tournaments.queries.rounds import rounds_of, tables_of


def published_rounds(tournament: Tournament) -> list[Round]:
    return list(rounds_of(tournament).exclude(state=Round.State.PLANNED))


def round_asked_for(rounds: Sequence[Round], wanted: str) -> Round | None:
    """The round given as `2-1` (stage, round), otherwise the current one, otherwise the last.

    None before the first round is published.
    """
    for round_ in rounds:
        if f"{round_.stage.number}-{round_.number}" == wanted:
            return round_
    playing = [round_ for round_ in rounds if round_.state != Round.State.CONFIRMED]
    return playing[0] if playing else rounds[-1] if rounds else None


def seats_in(tables: Iterable[Table]) -> list[PlannedSeat]:
    """All seats of the tables, each with its table already loaded."""
    seats = []
    for table in tables:
        for seat in table.seats.all():
            seat.table = table
            seats.append(seat)
    return seats


class OwnSeat(NamedTuple):
    seat: PlannedSeat
    others: list[Entry]


@dataclass
class PaperSchedule:
    """The seats of one entry in order, each with the other players."""

    entry: Entry
    seats: list[OwnSeat] = field(default_factory=list)


def schedules(tournament: Tournament) -> list[PaperSchedule]:
    """The schedules of all entries with a seat, by number; the number of queries does not depend on their number."""
    published = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.PLANNED)
    found: dict[int, PaperSchedule] = {}
    for seat in seats_in(tables_of(published)):
        others = [other.entry for other in seat.table.seats.all() if other.entry_id != seat.entry_id]
        found.setdefault(seat.entry_id, PaperSchedule(seat.entry)).seats.append(OwnSeat(seat, others))
    return sorted(found.values(), key=lambda each: each.entry.number)


def table_numbers(tournament: Tournament) -> int:
    """How many tables there are: those of the hall, those seated, or those that the entries fill, whichever is most."""
    seated = Table.objects.filter(round__stage__tournament=tournament).order_by("-number").first()
    entered = tournament.entries.filter(substitute_kind="", status__in=Entry.PLAYING).count()
    return max(tournament.tables or 0, seated.number if seated else 0, -(-entered // 4), 1)
