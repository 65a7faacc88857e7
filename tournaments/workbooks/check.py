"""The sheet of checks of an event: live formulas that add up every table and every player again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.translation import gettext

from clubsite.export import ExportColumn, Kind
from clubsite.workbooks import OK, CellFormula, Value, WorkbookSheet, reference
from ratings.mahjong.scoring import LARGEST, STICK
from ratings.workbooks.check import cells_between, letter, same
from tournaments.workbooks import halls, people
from tournaments.workbooks.halls import PlayedTable
from tournaments.workbooks.standings import StageColumns

HEAD_ROW = 4
ADDED_TO_TOTALS = ("penalty", "warning", "bonus", "absence")  # kinds of rulings that have points
PLAYER_VERDICTS, TABLE_VERDICTS = (5, 7), (14, 19, 20, 21, 22)  # columns, from 0
_PLAYER_COLUMNS, _FIRST_TABLE_COLUMN, _FIRST_NET = 8, 9, 15


@dataclass(frozen=True)
class EventLastRows:
    """The last rows of the sheets that the formulas refer to."""

    standings: int
    results: int
    rulings: int


def sheet(
    stages: Sequence[StageColumns], played: Sequence[PlayedTable], last: EventLastRows, width: int
) -> WorkbookSheet:
    left = list(_player_rows(stages, last))
    above: list[list[Value]] = [
        [gettext("All checks"), _verdict(len(left), len(played))],
        [gettext("Every number here is computed by the spreadsheet from the other sheets and compared with them.")],
        [None],
    ]
    return WorkbookSheet(
        gettext("Check"),
        _columns(width),
        _rows(left, played),
        frozen_columns=3,
        filtered=False,
        above=above,
        verdicts=(*PLAYER_VERDICTS, *TABLE_VERDICTS),
    )


def _verdict(players: int, tables: int) -> CellFormula:
    last = HEAD_ROW + max(players, tables, 1)
    count = "+".join(
        f'COUNTIF({letter(column)}{HEAD_ROW + 1}:{letter(column)}{last},"{OK}")'
        for column in (*PLAYER_VERDICTS, *TABLE_VERDICTS)
    )
    wanted = players * len(PLAYER_VERDICTS) + tables * len(TABLE_VERDICTS)
    return CellFormula(f'IF({count}={wanted},"{OK}","{wanted}: "&({count}))')


def _columns(width: int) -> list[ExportColumn]:
    winds = (gettext("E"), gettext("S"), gettext("W"), gettext("N"))
    return [
        ExportColumn(gettext("Stage"), Kind.COUNT, 12),
        ExportColumn(gettext("No."), Kind.COUNT),
        ExportColumn(gettext("Player"), width=width),
        ExportColumn(gettext("From tables and rulings"), Kind.RESULT, 13),
        ExportColumn(gettext("Total, listed"), Kind.RESULT, 10),
        ExportColumn(gettext("Verdict"), width=12),
        ExportColumn(gettext("Rounds added up"), Kind.RESULT, 11),
        ExportColumn(gettext("Verdict"), width=12),
        ExportColumn("", width=3),
        ExportColumn(gettext("Stage"), Kind.COUNT),
        ExportColumn(gettext("Round"), Kind.COUNT),
        ExportColumn(gettext("Table"), Kind.COUNT),
        ExportColumn(gettext("Points and sticks"), Kind.POINTS, 11),
        ExportColumn(gettext("Should be"), Kind.POINTS, 10),
        ExportColumn(gettext("Sum"), width=12),
        *(ExportColumn(gettext("%(wind)s net") % {"wind": wind}, Kind.POINTS, 11) for wind in winds),
        *(ExportColumn(gettext("%(wind)s place") % {"wind": wind}, width=10) for wind in winds),
    ]


def _rows(left: Sequence[list[Value]], played: Sequence[PlayedTable]) -> Iterator[list[Value]]:
    right = (_table_cells(table, row) for row, table in enumerate(played, HEAD_ROW + 1))
    empty: list[Value] = [None] * _PLAYER_COLUMNS
    nothing: list[Value] = [None] * (TABLE_VERDICTS[-1] - _FIRST_TABLE_COLUMN + 1)
    for player, table in zip_longest(left, right):
        yield [*(player or empty), None, *(table or nothing)]


def _player_rows(stages: Sequence[StageColumns], last: EventLastRows) -> Iterator[list[Value]]:
    row = HEAD_ROW + 1
    for stage in stages:
        tallies = [*(line.tally for line in stage.standings.rows), *stage.standings.outside]
        for tally in tallies:
            yield _player_cells(stage, tally.entry, row, last)
            row += 1


def _player_cells(stage: StageColumns, entry: int, row: int, last: EventLastRows) -> list[Value]:
    listed = reference(gettext("Standings"))
    numbers = cells_between(listed, 1, last.standings)
    which, who = f"$A{row}", f"$B{row}"
    carried = ""
    if stage.carried is not None:
        carried = f"+SUMIFS({cells_between(listed, stage.carried, last.standings)},{numbers},{who})"
    # The carried total, the rounds and the penalties are adjacent columns on the sheet of standings.
    side_by_side = f"{listed}${letter(stage.first)}$2:${letter(stage.penalties)}${max(last.standings, 2)}"
    found = f"MATCH({who},{numbers},0)"
    name = f"INDEX({cells_between(listed, 2, last.standings)},{found})"
    return [
        stage.view.stage.number,
        entry,
        CellFormula(name),
        CellFormula(f"ROUND({_from_tables(which, who, last)}+{_from_rulings(which, who, last)}{carried},3)"),
        CellFormula(f"ROUND(SUMIFS({cells_between(listed, stage.total, last.standings)},{numbers},{who}),3)"),
        same(f"D{row}", f"E{row}"),
        CellFormula(f"ROUND(SUM(INDEX({side_by_side},{found},0)),3)"),
        same(f"G{row}", f"E{row}"),
    ]


def _from_tables(which: str, who: str, last: EventLastRows) -> str:
    there = reference(gettext("Results"))
    results, stages, numbers = (
        cells_between(there, column, last.results) for column in (halls.RESULT, halls.STAGE, halls.NUMBER)
    )
    return f"SUMIFS({results},{stages},{which},{numbers},{who})"


def _from_rulings(which: str, who: str, last: EventLastRows) -> str:
    """Penalties, bonuses and absences that were not revoked, in rating points."""
    there = reference(gettext("Penalties and rulings"))
    amounts, stages, numbers, kinds, revoked = (
        cells_between(there, column, last.rulings)
        for column in (people.AMOUNT, people.STAGE, people.NUMBER, people.KIND, people.REVOKED)
    )
    mine = [f'{amounts},{stages},{which},{numbers},{who},{kinds},"{kind}"' for kind in ADDED_TO_TOTALS]
    parts = [f'SUMIFS({one})-SUMIFS({one},{revoked},"yes")' for one in mine]
    return f"({'+'.join(parts)})/1000"


def _table_cells(table: PlayedTable, row: int) -> list[Value]:
    there = reference(gettext("Results"))
    first, fourth = table.first_row, table.first_row + 3
    points = f"{there}{letter(halls.POINTS)}{first}:{letter(halls.POINTS)}{fourth}"
    override = f"{there}{letter(halls.OVERRIDE)}{first}"
    summed, wanted = f"{letter(_FIRST_TABLE_COLUMN + 3)}{row}", f"{letter(_FIRST_TABLE_COLUMN + 4)}{row}"
    return [
        CellFormula(f"{there}{letter(halls.STAGE)}{first}"),
        CellFormula(f"{there}{letter(halls.ROUND)}{first}"),
        CellFormula(f"{there}{letter(halls.TABLE)}{first}"),
        CellFormula(f"SUM({points})+{STICK}*{there}{letter(halls.STICKS)}{first}"),
        table.full_sum,
        CellFormula(f'IF(OR({summed}={wanted},{override}<>""),"{OK}",{summed}-{wanted})'),
        *(_net(table, there, seat) for seat in range(4)),
        *(_place(table, there, seat, row) for seat in range(4)),
    ]


def _net(table: PlayedTable, there: str, seat: int) -> CellFormula:
    """RULES §1, steps 2 and 3: subtract what is taken off before placing.

    A seat with a mid-game substitute is placed below all others.
    """
    points, late, penalty, substitute = (
        f"{there}{letter(column)}{table.first_row + seat}"
        for column in (halls.POINTS, halls.LATE, halls.PENALTY, halls.SUBSTITUTE)
    )
    lateness = f'-IF({substitute}="",{late}*{table.late_per_minute},0)' if table.late_per_minute else ""
    fine = f"-{penalty}" if table.penalty_in_net else ""
    return CellFormula(f'{points}{fine}{lateness}-IF({substitute}="mid_game",{4 * LARGEST},0)')


def _place(table: PlayedTable, there: str, seat: int, row: int) -> CellFormula:
    own, first, fourth = (f"{letter(_FIRST_NET + index)}{row}" for index in (seat, 0, 3))
    place = f"RANK({own},{first}:{fourth})"
    if table.ties_by_seat and seat:
        place += f"+COUNTIF({first}:{letter(_FIRST_NET + seat - 1)}{row},{own})"
    listed = f"{there}{letter(halls.PLACE)}{table.first_row + seat}"
    return CellFormula(f'IF({place}={listed},"{OK}",{place})')
