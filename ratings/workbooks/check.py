"""The sheet of checks: formulas that compute every game and every player again from the other sheets.

It uses only simple spreadsheet functions, so that Excel and LibreOffice agree. Players are on the left, games on the
right; each verdict is a cell that says OK or what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.translation import gettext
from openpyxl.utils import get_column_letter

from clubsite.export import ExportColumn, Kind
from clubsite.workbooks import OK, CellFormula, Value, WorkbookSheet, reference
from ratings.mahjong.scoring import LARGEST, STICK
from ratings.workbooks import games, penalties, standings
from ratings.workbooks.games import WrittenGame
from ratings.workbooks.people import People

AT_MOST = 5000  # games; with more games the file takes minutes to open
HEAD_ROW = 4
# Columns, from 0.
PLAYER_VERDICTS, GAME_VERDICTS = (4, 7), (12, 17, 18, 19, 20)
_PLAYER_COLUMNS, _FIRST_GAME_COLUMN, _FIRST_NET = 8, 9, 13


@dataclass(frozen=True)
class SeasonLastRows:
    """The last rows of the sheets that the formulas read."""

    standings: int
    games: int
    penalties: int


def sheet(people: People, ranked: Sequence[int], played: Sequence[WrittenGame], last: SeasonLastRows) -> WorkbookSheet:
    """Return the sheet of checks. `ranked` are the players with a standing."""
    players = sorted((people.numbers[pk], people.names[pk]) for pk in ranked if pk in people.numbers)
    hidden = any(pk not in people.numbers for pk in ranked)
    lines = len(players) + hidden
    return WorkbookSheet(
        gettext("Check"),
        _columns(people),
        _rows(players, hidden, played, last),
        frozen_columns=2,
        filtered=False,
        above=_above(lines, len(played)),
        verdicts=(*PLAYER_VERDICTS, *GAME_VERDICTS),
    )


def _above(players: int, hanchans: int) -> list[list[Value]]:
    """Return the rows above the table: one verdict for all checks, then an explanation of the sheet."""
    last = HEAD_ROW + max(players, hanchans, 1)
    count = "+".join(
        f'COUNTIF({letter(column)}{HEAD_ROW + 1}:{letter(column)}{last},"{OK}")'
        for column in (*PLAYER_VERDICTS, *GAME_VERDICTS)
    )
    wanted = players * len(PLAYER_VERDICTS) + hanchans * len(GAME_VERDICTS)
    said = gettext("Every number here is computed by the spreadsheet from the other sheets and compared with them.")
    return [
        [gettext("All checks"), CellFormula(f'IF({count}={wanted},"{OK}","{wanted}: "&({count}))')],
        [said],
        [None],
    ]


def _columns(people: People) -> list[ExportColumn]:
    verdict = gettext("Verdict")
    winds = (gettext("E"), gettext("S"), gettext("W"), gettext("N"))
    return [
        ExportColumn(gettext("No."), Kind.COUNT, 12),
        ExportColumn(gettext("Player"), width=people.width),
        ExportColumn(gettext("Games, counted"), Kind.COUNT, 10),
        ExportColumn(gettext("Games, listed"), Kind.COUNT, 10),
        ExportColumn(verdict, width=12),
        ExportColumn(gettext("Total, added up"), Kind.RESULT, 11),
        ExportColumn(gettext("Total, listed"), Kind.RESULT, 11),
        ExportColumn(verdict, width=12),
        ExportColumn("", width=3),
        ExportColumn(gettext("Game"), Kind.COUNT),
        ExportColumn(gettext("Points and sticks"), Kind.POINTS, 11),
        ExportColumn(gettext("Should be"), Kind.POINTS, 10),
        ExportColumn(gettext("Sum"), width=12),
        *(ExportColumn(gettext("%(wind)s net") % {"wind": wind}, Kind.POINTS, 11) for wind in winds),
        *(ExportColumn(gettext("%(wind)s place") % {"wind": wind}, width=10) for wind in winds),
    ]


def _rows(
    players: Sequence[tuple[int, str]], hidden: bool, played: Sequence[WrittenGame], last: SeasonLastRows
) -> Iterator[list[Value]]:
    left = [_player_cells(number, name, row, last) for row, (number, name) in enumerate(players, HEAD_ROW + 1)]
    if hidden:
        left.append(_hidden_cells(HEAD_ROW + 1 + len(left), last))
    right = (_game_cells(game, row) for row, game in enumerate(played, HEAD_ROW + 1))
    empty: list[Value] = [None] * _PLAYER_COLUMNS
    nothing: list[Value] = [None] * (GAME_VERDICTS[-1] - _FIRST_GAME_COLUMN + 1)
    for player, game in zip_longest(left, right):
        yield [*(player or empty), None, *(game or nothing)]


# --- players ----------------------------------------------------------------------------------------------


def _player_cells(number: int, name: str, row: int, last: SeasonLastRows) -> list[Value]:
    who = f"$A{row}"
    counted = "+".join(f'COUNTIFS({_of_seat(seat, games.NO, last)},{who},{_state(last)},"final")' for seat in range(4))
    total = "+".join(
        f'SUMIFS({_of_seat(seat, games.RESULT, last)},{_of_seat(seat, games.NO, last)},{who},{_state(last)},"final")'
        for seat in range(4)
    )
    listed = reference(gettext("Standings"))
    number_there = cells_between(listed, standings.NUMBER, last.standings)
    return [
        number,
        name,
        CellFormula(f"{counted}+{_absences(who, last)}"),
        CellFormula(f"SUMIFS({cells_between(listed, standings.GAMES, last.standings)},{number_there},{who})"),
        same(f"C{row}", f"D{row}"),
        CellFormula(f"ROUND({total}+{_adjusted(who, last)},3)"),
        CellFormula(f"ROUND(SUMIFS({cells_between(listed, standings.TOTAL, last.standings)},{number_there},{who}),3)"),
        same(f"F{row}", f"G{row}"),
    ]


def _hidden_cells(row: int, last: SeasonLastRows) -> list[Value]:
    """Return the row for all hidden players together. They have no number: it is everything minus numbered players."""
    games_there, totals_there = [], []
    for seat in range(4):
        numbers, results = _of_seat(seat, games.NO, last), _of_seat(seat, games.RESULT, last)
        games_there.append(f'COUNTIFS({_state(last)},"final")-COUNTIFS({_state(last)},"final",{numbers},">0")')
        totals_there.append(
            f'SUMIFS({results},{_state(last)},"final")-SUMIFS({results},{_state(last)},"final",{numbers},">0")'
        )
    ledger, listed = reference(gettext("Penalties")), reference(gettext("Standings"))
    kinds, given = (
        cells_between(ledger, penalties.KIND, last.penalties),
        cells_between(ledger, penalties.POINTS, last.penalties),
    )
    revoked = cells_between(ledger, penalties.REVOKED, last.penalties)
    known, shown = (
        cells_between(ledger, penalties.NUMBER, last.penalties),
        cells_between(listed, standings.NUMBER, last.standings),
    )
    absent = (
        f'COUNTIFS({kinds},"absence")-COUNTIFS({kinds},"absence",{revoked},">0")'
        f'-COUNTIFS({kinds},"absence",{known},">0")+COUNTIFS({kinds},"absence",{known},">0",{revoked},">0")'
    )
    adjusted = (
        f'SUM({given})-SUMIFS({given},{revoked},">0")-SUMIFS({given},{known},">0")'
        f'+SUMIFS({given},{known},">0",{revoked},">0")'
    )
    played, totals = (cells_between(listed, column, last.standings) for column in (standings.GAMES, standings.TOTAL))
    return [
        None,
        gettext("Hidden players together"),
        CellFormula(f"{'+'.join(games_there)}+{absent}"),
        CellFormula(f'SUM({played})-SUMIFS({played},{shown},">0")'),
        same(f"C{row}", f"D{row}"),
        CellFormula(f"ROUND({'+'.join(totals_there)}+{adjusted},3)"),
        CellFormula(f'ROUND(SUM({totals})-SUMIFS({totals},{shown},">0"),3)'),
        same(f"F{row}", f"G{row}"),
    ]


def _absences(who: str, last: SeasonLastRows) -> str:
    """Return a formula that counts a player's absences; an absence counts as a game unless it was revoked."""
    ledger = reference(gettext("Penalties"))
    number, kind, revoked = (
        cells_between(ledger, column, last.penalties)
        for column in (penalties.NUMBER, penalties.KIND, penalties.REVOKED)
    )
    mine = f'{number},{who},{kind},"absence"'
    return f'COUNTIFS({mine})-COUNTIFS({mine},{revoked},">0")'


def _adjusted(who: str, last: SeasonLastRows) -> str:
    ledger = reference(gettext("Penalties"))
    number, points, revoked = (
        cells_between(ledger, column, last.penalties)
        for column in (penalties.NUMBER, penalties.POINTS, penalties.REVOKED)
    )
    return f'SUMIFS({points},{number},{who})-SUMIFS({points},{number},{who},{revoked},">0")'


# --- games ------------------------------------------------------------------------------------------------


def _game_cells(game: WrittenGame, row: int) -> list[Value]:
    there = reference(gettext("Games"))
    points = ",".join(f"{there}{_seat_letter(seat, games.POINTS)}{game.row}" for seat in range(4))
    sticks = f"{there}{letter(games.STICKS)}{game.row}"
    override = f"{there}{letter(games.OVERRIDE)}{game.row}"
    summed, wanted = f"{letter(_FIRST_GAME_COLUMN + 1)}{row}", f"{letter(_FIRST_GAME_COLUMN + 2)}{row}"
    return [
        CellFormula(f"{there}A{game.row}"),
        CellFormula(f"SUM({points})+{STICK}*{sticks}"),
        game.full_sum,
        # A wrong sum is accepted if a reason is written.
        CellFormula(f'IF(OR({summed}={wanted},{override}<>""),"{OK}",{summed}-{wanted})'),
        *(_net(game, there, seat) for seat in range(4)),
        *(_place(game, there, seat, row) for seat in range(4)),
    ]


def _net(game: WrittenGame, there: str, seat: int) -> CellFormula:
    """RULES §1, steps 2 and 3: points less what is taken off before placing; mid-game substitutes are below others."""
    points, late, penalty, substitute = (
        f"{there}{_seat_letter(seat, column)}{game.row}"
        for column in (games.POINTS, games.LATE, games.PENALTY, games.SUBSTITUTE)
    )
    lateness = f'-IF({substitute}="",{late}*{game.late_per_minute},0)' if game.late_per_minute else ""
    fine = f"-{penalty}" if game.penalty_in_net else ""
    return CellFormula(f'{points}{fine}{lateness}-IF({substitute}="mid_game",{4 * LARGEST},0)')


def _place(game: WrittenGame, there: str, seat: int, row: int) -> CellFormula:
    own, first, fourth = (f"{letter(_FIRST_NET + index)}{row}" for index in (seat, 0, 3))
    place = f"RANK({own},{first}:{fourth})"
    if game.ties_by_seat and seat:
        before = f"{letter(_FIRST_NET + seat - 1)}{row}"
        place += f"+COUNTIF({first}:{before},{own})"
    listed = f"{there}{_seat_letter(seat, games.PLACE)}{game.row}"
    return CellFormula(f'IF({place}={listed},"{OK}",{place})')


# --- parts of formulas ------------------------------------------------------------------------------------


def letter(column: int) -> str:
    return str(get_column_letter(column + 1))


def _seat_letter(seat: int, column: int) -> str:
    return letter(games.FIRST_SEAT + seat * games.PER_SEAT + column)


def cells_between(there: str, column: int, last: int) -> str:
    return f"{there}${letter(column)}$2:${letter(column)}${max(last, 2)}"


def _of_seat(seat: int, column: int, last: SeasonLastRows) -> str:
    return cells_between(reference(gettext("Games")), games.FIRST_SEAT + seat * games.PER_SEAT + column, last.games)


def _state(last: SeasonLastRows) -> str:
    return cells_between(reference(gettext("Games")), games.STATE, last.games)


def same(one: str, other: str) -> CellFormula:
    return CellFormula(f'IF({one}={other},"{OK}",{one}-{other})')
