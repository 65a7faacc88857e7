"""The sheets of seating and results: the planned seats of every round, and the results with one row for each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet
from ratings.mahjong import scoring
from ratings.models import Seat
from tournaments.models import Entry, Table
from tournaments.workbooks.standings import name_of

# Columns of the results, from 0.
STAGE, ROUND, TABLE, NUMBER, POINTS, PLACE, RESULT, LATE, PENALTY, SUBSTITUTE, STICKS, OVERRIDE = (
    0, 2, 3, 5, 9, 10, 12, 14, 15, 16, 17, 18,
)  # fmt: skip


class PlayedTable(NamedTuple):
    """What the sheet of checks needs: the row of East, and the rules about sums and places."""

    first_row: int
    stage: int
    round: int
    table: int
    full_sum: int
    late_per_minute: int
    penalty_in_net: bool
    ties_by_seat: bool


class Halls:
    """Tables in order of stage, round and number; planned seats, people and sheets should already be loaded."""

    def __init__(self, tables: Sequence[Table], entries: Sequence[Entry], width: int) -> None:
        self.tables = tables
        self.entries = {entry.player_id: entry for entry in entries}
        self.width = width
        self.played: list[PlayedTable] = []
        self.last_row = 1

    def seating(self) -> WorkbookSheet:
        columns = [
            ExportColumn(gettext("Stage"), Kind.COUNT),
            ExportColumn(gettext("Name of the stage"), width=18),
            ExportColumn(gettext("Round"), Kind.COUNT),
            ExportColumn(gettext("State"), width=11),
            ExportColumn(gettext("Table"), Kind.COUNT),
        ]
        for wind in Seat.Wind:
            columns += [
                ExportColumn(gettext("%(wind)s, no.") % {"wind": wind.label}, Kind.COUNT, 9),
                ExportColumn(str(wind.label), width=self.width),
            ]
        return WorkbookSheet(gettext("Seating"), columns, self._seating_rows(), name="seating", frozen_columns=5)

    def _seating_rows(self) -> Iterator[list[Cell]]:
        for table in self.tables:
            round_ = table.round
            row: list[Cell] = [round_.stage.number, round_.stage.name, round_.number, round_.state, table.number]
            seats = {seat.wind: seat.entry for seat in table.seats.all()}
            for wind in Seat.Wind:
                entry = seats.get(wind)
                row += [entry.number, name_of(entry)] if entry else [None, None]
            yield row

    def results(self) -> WorkbookSheet:
        columns = [
            ExportColumn(gettext("Stage"), Kind.COUNT),
            ExportColumn(gettext("Name of the stage"), width=18),
            ExportColumn(gettext("Round"), Kind.COUNT),
            ExportColumn(gettext("Table"), Kind.COUNT),
            ExportColumn(gettext("Wind"), width=9),
            ExportColumn(gettext("No."), Kind.COUNT),
            ExportColumn(gettext("Player"), width=self.width),
            ExportColumn(gettext("Played by, no."), Kind.COUNT, 10),
            ExportColumn(gettext("Played by"), width=16),
            ExportColumn(gettext("Points"), Kind.POINTS),
            ExportColumn(gettext("Place"), Kind.COUNT),
            ExportColumn(gettext("Uma"), Kind.RESULT, 8),
            ExportColumn(gettext("Result"), Kind.RESULT, 9),
            ExportColumn(gettext("Chombo"), Kind.COUNT, 9),
            ExportColumn(gettext("Late"), Kind.COUNT, 7),
            ExportColumn(gettext("Penalty"), Kind.POINTS, 9),
            ExportColumn(gettext("Substitute"), width=12),
            ExportColumn(gettext("Sticks left"), Kind.COUNT, 8),
            ExportColumn(gettext("Reason for a wrong sum"), width=24),
        ]
        return WorkbookSheet(gettext("Results"), columns, self._result_rows(), name="results", frozen_columns=4)

    def _result_rows(self) -> Iterator[list[Cell]]:
        for table in self.tables:
            if not table.has_result or table.hanchan is None:
                continue
            self._note(table)
            seats = list(table.hanchan.seats.all())
            scored = scoring.score(table.hanchan.as_table(), table.hanchan.rules)
            for seat, steps in zip(seats, scored, strict=True):
                self.last_row += 1
                yield self._result_row(table, seat, steps.uma)

    def _note(self, table: Table) -> None:
        rules = table.hanchan.rules  # type: ignore[union-attr]
        late = rules.late_per_minute if rules.late_applies == "net" else 0
        self.played.append(
            PlayedTable(
                self.last_row + 1,
                table.round.stage.number,
                table.round.number,
                table.number,
                rules.full_sum,
                late,
                not rules.penalty_off_result,
                rules.ties == "seat",
            )
        )

    def _result_row(self, table: Table, seat: Seat, uma: Cell) -> list[Cell]:
        hanchan, stage = table.hanchan, table.round.stage
        entry = self.entries.get(seat.player_id)
        other = self.entries.get(seat.played_by_id) if seat.played_by_id else None
        east = seat.wind == Seat.Wind.EAST  # values of the whole table are in the row of its first seat
        return [
            stage.number,
            stage.name,
            table.round.number,
            table.number,
            str(Seat.Wind(seat.wind).label),
            entry.number if entry else None,
            name_of(entry) if entry else seat.player.native_name,
            other.number if other else None,
            name_of(other) if other else None,
            seat.points,
            seat.place,
            uma,
            seat.result,
            seat.chombo or None,
            seat.late_minutes or None,
            seat.penalty or None,
            seat.substitute if seat.is_substituted else None,
            hanchan.sticks_left if east and hanchan else None,
            hanchan.override if east and hanchan else None,
        ]
