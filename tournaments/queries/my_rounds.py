"""The rounds of one entry, as a player looks them up on the phone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clubsite.numbers import writer
from ratings.mahjong.sorting import SortKey, sort_key
from ratings.models import Adjustment, Seat
from tournaments.models import Entry, PlannedSeat, Round, Table
from tournaments.queries.rounds import RECORDS, rounds_of, seats_of


@dataclass(frozen=True)
class OwnRound:
    """A round for one player: a seat at a table, or an absence or bye."""

    round: Round
    seat: PlannedSeat | None = None
    record: str = ""  # absence or bye
    result: int | None = None
    place: int | None = None

    @property
    def table(self) -> Table | None:
        return self.seat.table if self.seat else None

    @property
    def is_bye(self) -> bool:
        return self.record == Adjustment.Kind.BYE

    @property
    def is_now(self) -> bool:
        return self.round.state in (Round.State.SEATED, Round.State.PLAYING)


def own_rounds(entry: Entry) -> list[OwnRound]:
    """Every published round in which the entry has a seat or a record, in order; five queries."""
    seats = {seat.round_id: seat for seat in seats_of(entry)}
    records = {
        (season, number): kind
        for season, number, kind in Adjustment.objects.filter(
            player=entry.player_id, season__stage__tournament=entry.tournament_id, kind__in=RECORDS, revoked_at=None
        ).values_list("season_id", "round", "kind")
    }
    results = {
        hanchan: (result, place)
        for hanchan, result, place in Seat.objects.filter(
            player=entry.player_id, hanchan__event_table__round__stage__tournament=entry.tournament_id, counts=True
        ).values_list("hanchan_id", "result", "place")
    }
    found = []
    for round_ in rounds_of(entry.tournament).exclude(state=Round.State.PLANNED):
        seat = seats.get(round_.pk)
        hanchan = seat.table.hanchan_id if seat else None
        result, place = results.get(hanchan, (None, None)) if hanchan else (None, None)
        record = records.get((round_.stage.season_id, round_.number), "")
        if seat or record:
            found.append(OwnRound(round_, seat, record, result, place))
    return found


def round_now(rounds: Iterable[OwnRound]) -> OwnRound | None:
    """The round to play now: the first that is seated and not confirmed."""
    return next((each for each in rounds if each.is_now), None)


def as_read(rounds: Iterable[OwnRound]) -> list[OwnRound]:
    """Current and coming rounds first, in their order; then past rounds, the latest first."""
    found = list(rounds)
    return [each for each in found if each.is_now] + [each for each in reversed(found) if not each.is_now]


def findable(entry: Entry) -> str:
    """The text in which an entry is searched, in lower case."""
    player = entry.player
    named = f"{player.public_name} {player.public_latin}" if not player.is_hidden else ""
    return f"{entry.number} {named}".casefold()


def find_entries(event_entries: Iterable[Entry], typed: str) -> list[Entry]:
    """Entries whose number or public name contains every typed word, ordered by name."""
    words = typed.casefold().split()
    found = [entry for entry in event_entries if entry.is_in and all(word in findable(entry) for word in words)]
    return sorted(found, key=_by_name)


def _by_name(entry: Entry) -> tuple[bool, SortKey, int]:
    return entry.player.is_hidden, sort_key(entry.player.public_name, writer().language), entry.number
