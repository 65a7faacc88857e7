"""What the page of an event shows: its rounds and their progress, who takes part, and the next seats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q

from clubsite.numbers import MISSING
from ratings.models import Hanchan
from tournaments.models import Entry, Round, Table, Tournament
from tournaments.queries.rounds import rounds_of, tables_of


@dataclass(frozen=True)
class RoundLine:
    """A round, its number of tables, and how many of them have a result."""

    round: Round
    tables: int
    results: int

    @property
    def missing(self) -> int:
        return self.tables - self.results

    @property
    def progress(self) -> str:
        """Tables with a result, as in `3 / 6`; a dash while there are no tables."""
        return f"{self.results} / {self.tables}" if self.tables else MISSING


def round_lines(tournament: Tournament) -> list[RoundLine]:
    """Every round of every stage in order; one query."""
    rounds = rounds_of(tournament).annotate(
        all_tables=Count("tables"),
        with_result=Count("tables", filter=Q(tables__hanchan__status=Hanchan.Status.FINAL)),
    )
    return [RoundLine(round_, round_.all_tables, round_.with_result) for round_ in rounds]


def round_now(lines: Iterable[RoundLine]) -> RoundLine | None:
    """The first published round that is not confirmed."""
    published = (line for line in lines if line.round.is_published)
    return next((line for line in published if line.round.state != Round.State.CONFIRMED), None)


@dataclass(frozen=True)
class EventField:
    """The entries of an event: those who play or played, substitutes, and those who wait for a place.

    Cancelled entries are not included.
    """

    players: list[Entry]
    substitutes: list[Entry]
    waiting: list[Entry]

    @property
    def places_taken(self) -> int:
        """The number of places taken. Entries that left have given their place back."""
        return sum(entry.status in Entry.PLAYING for entry in self.players)

    @property
    def teams(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in self.players:
            if entry.team:
                found.setdefault(entry.team, []).append(entry)
        return dict(sorted(found.items()))

    @property
    def countries(self) -> int:
        return len({entry.country for entry in self.players} - {""})


def field_of(entries: Iterable[Entry]) -> EventField:
    players, substitutes, waiting = [], [], []
    for entry in entries:
        if entry.status == Entry.Status.CANCELLED:
            continue
        if entry.is_substitute:
            substitutes.append(entry)
        elif entry.status == Entry.Status.WAITING:
            waiting.append(entry)
        else:
            players.append(entry)
    return EventField(players, substitutes, waiting)


@dataclass(frozen=True)
class SeatedRound:
    line: RoundLine
    tables: list[Table]


def seated_rounds(tournament: Tournament, lines: Iterable[RoundLine]) -> list[SeatedRound]:
    """The published rounds, newest first, with their seats; the number of queries does not depend on their number."""
    tables: dict[int, list[Table]] = {}
    published = Round.objects.filter(stage__tournament=tournament).exclude(state=Round.State.PLANNED)
    for table in tables_of(published):
        tables.setdefault(table.round_id, []).append(table)
    return [SeatedRound(line, tables.get(line.round.pk, [])) for line in reversed([*lines]) if line.round.is_published]
