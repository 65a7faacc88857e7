"""Play an event at random: seats from the seating engine, points hand by hand, results through the services."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from ratings.demo.play import play
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet
from ratings.models import Membership
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.queries.rounds import tables_of, to_seat
from tournaments.seating import plan, request, verify
from tournaments.services.rounds import LineUp, confirm_round, seat_round
from tournaments.services.tables import check_table, new_sheet, record_table

MOVES = 60_000  # for a quick schedule; the demo need not show the best possible one


@dataclass
class Hall:
    """An event with its entries (by number), its random generator and its staff (by role)."""

    tournament: Tournament
    entries: dict[int, Entry]
    die: Random
    staff: dict[str, User]

    @classmethod
    def of(cls, tournament: Tournament, die: Random) -> Hall:
        rows = Membership.objects.filter(club=tournament.club_id).select_related("user")
        entries = {entry.number: entry for entry in tournament.entries.select_related("player")}
        return cls(tournament, entries, die, {row.role: row.user for row in rows})

    def strength(self, entry: Entry) -> float:
        return Random(f"{entry.player.native_name}").gauss(0, 1)

    def draw(self, stage: Stage, numbers: Sequence[int], seed: int) -> list[list[list[Entry]]]:
        """Draw a schedule of the whole stage and store its certificate; teams are kept apart."""
        teams: dict[str, list[int]] = {}
        for number in numbers:
            teams.setdefault(self.entries[number].team, []).append(number)
        apart = tuple(request.Apart(tuple(mates)) for team, mates in teams.items() if team and len(mates) > 1)
        asked = request.Request(tuple(numbers), stage.rounds_planned, seed=seed, moves=MOVES, teams=apart)
        made = plan.make(asked)
        stage.certificate = verify.certify(asked, made).as_dict()
        stage.save(update_fields=["certificate"])
        return [[[self.entries[number] for number in game] for game in games] for games in made.rounds]

    def seat(self, round_: Round, tables: Sequence[Sequence[Entry]]) -> Round:
        seated = {entry.pk for table in tables for entry in table}
        _playing, left = to_seat(round_)
        absent = [entry for entry in left if entry.pk not in seated]
        return seat_round(round_, LineUp(tables, absent), by=self.staff["admin"])

    def play(self, round_: Round, at: datetime.datetime, incidents: Mapping[int, SeatSheet[Entry]]) -> Round:
        """Play and check every table of a round and confirm the round; `incidents` are by entry number."""
        for table in tables_of(round_):
            self.play_table(table, at, incidents)
            check_table(table, by=self.staff["referee"])
        return confirm_round(round_, by=self.staff["referee"])

    def play_table(
        self,
        table: Table,
        at: datetime.datetime | None,
        incidents: Mapping[int, SeatSheet[Entry]],
        *,
        draft: bool = False,
    ) -> Table:
        entries = [self.entries[seat.entry.number] for seat in table.seats.all()]
        game = play(self.die, table.round.stage.rules, [self.strength(entry) for entry in entries])
        seats = []
        for entry, points, chombo in zip(entries, game.points, game.chombo, strict=True):
            seat = incidents.get(entry.number, SeatSheet(entry, scoring.Seat(0, chombo)))
            seats.append(seat.changed(points=points))
        when: dict[str, Any] = {}
        if at:
            when = {"played_at": min(at, timezone.now()), "played_on": timezone.localdate(at, self.tournament.zone)}
        return record_table(
            table, new_sheet(table, seats, sticks_left=game.sticks, **when), by=self.staff["scorer"], draft=draft
        )

    def hour(self, day: datetime.date, nth: int) -> datetime.datetime:
        """When the nth round of a day begins."""
        ten = datetime.datetime.combine(day, datetime.time(10), self.tournament.zone)
        return ten + nth * datetime.timedelta(hours=2)
