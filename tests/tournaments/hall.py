"""A small event for tests: eight players of Furiten by EMA rules, two tables a round."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.models import Player
from tests.cast import make_club, make_players, make_rule_set
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.queries.standings import standings_after
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan, make_event
from tournaments.services.rounds import LineUp, confirm_round, seat_round
from tournaments.services.tables import check_table, new_sheet, record_table

SATURDAY = datetime.date(2026, 4, 18)
EVEN = (30_000, 30_000, 30_000, 30_000)
FALLING = (45_000, 35_000, 25_000, 15_000)  # results by EMA 2012: +45, +15, −15, −45 thousand


class Hall:
    """An event with short methods for common actions."""

    def __init__(self, players: int = 8, stages: Sequence[StagePlan] = (StagePlan("Main", 3),), **facts: Any) -> None:
        club = facts.pop("club", None) or make_club()
        rule_set = make_rule_set(club, facts.pop("preset", "ema-2012"))
        days = {"starts_on": SATURDAY, "ends_on": SATURDAY + datetime.timedelta(days=1)}
        named = {"name": "Open", "slug": "open"}
        tournament = Tournament(club=club, rule_set=rule_set, **{**named, **days, **facts})
        self.tournament = make_event(tournament, stages)
        self.players: list[Player] = make_players(players)
        self.entries = [enter(self.tournament, player, status=Entry.Status.CHECKED_IN) for player in self.players]

    def __getitem__(self, number: int) -> Entry:
        return Entry.objects.select_related("player", "left_stage", "tournament").get(
            tournament=self.tournament, number=number
        )

    def add_substitute(self, kind: str = Entry.SubstituteKind.PERMANENT) -> Entry:
        name = f"Substitute {Player.objects.count()}"
        player = Player.objects.create(native_name=name)
        return enter(self.tournament, player, substitute_kind=kind)

    def stage(self, number: int = 1) -> Stage:
        return Stage.objects.select_related("tournament__club", "season__rule_set").get(
            tournament=self.tournament, number=number
        )

    def round(self, number: int = 1, stage: int = 1) -> Round:
        return Round.objects.select_related("stage__tournament__club", "stage__season__rule_set").get(
            stage__tournament=self.tournament, stage__number=stage, number=number
        )

    def table(self, number: int = 1, round_number: int = 1, stage: int = 1) -> Table:
        return Table.objects.select_related("round__stage__tournament__club", "hanchan").get(
            round=self.round(round_number, stage), number=number
        )

    def seat(self, round_number: int, *tables: Sequence[int], stage: int = 1, **others: Sequence[int]) -> Round:
        seats = [[self[number] for number in table] for table in tables]
        missing = {key: [self[number] for number in numbers] for key, numbers in others.items()}
        return seat_round(self.round(round_number, stage), LineUp(seats, **missing))

    def sheet(self, table: Table, points: Sequence[int] = FALLING, **of_seats: dict[str, Any]) -> Sheet[Entry]:
        """The planned four players with points from East to North; `east={"chombo": 1}` adds facts to a seat."""
        winds = [wind.lower() for wind in scoring.WINDS]
        seats = []
        for seat, mine, wind in zip(table.seats.select_related("entry__player"), points, winds, strict=True):
            more = dict(of_seats.get(wind, {}))
            played_by = more.pop("played_by", None)
            seats.append(SeatSheet(seat.entry, scoring.Seat(mine, **more), played_by))
        return new_sheet(table, seats)

    def play(self, round_number: int, *tables: Sequence[int], stage: int = 1, **others: Sequence[int]) -> Round:
        """Seat the round, enter FALLING at every table, check and confirm."""
        self.seat(round_number, *tables, stage=stage, **others)
        for table in Table.objects.filter(round=self.round(round_number, stage)):
            check_table(record_table(table, self.sheet(table)))
        return confirm_round(self.round(round_number, stage))

    def totals(self, after: int | None = None, stage: int = 1) -> dict[int, int]:
        return {row.entry: row.total for row in standings_after(self.stage(stage), after).rows}

    def ranks(self, after: int | None = None, stage: int = 1) -> dict[int, int]:
        return {row.entry: row.rank for row in standings_after(self.stage(stage), after).rows}
