"""The standings of a stage as a table: rank, movement, name, total, distance to the cut, one column per round.

Cells are drawn by plain functions, not by template rows: four hundred players in fifteen rounds are 8000 of them.
Five rounds fit under a name on a phone; the classes phone-1 … phone-5 name those, older ones are off there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite import components
from clubsite.export import Kind
from clubsite.numbers import MISSING, Writer, tone, writer
from clubsite.tables import Cell, Column, Draw, ListTable
from ratings.models import Player
from ratings.tables.names import LatinColumn, NameColumn, Names
from tournaments.models import Entry
from tournaments.queries.standings import StageView
from tournaments.standings import ranking
from tournaments.standings.prospects import Mark, Prospect

ON_A_PHONE = 5
MANY, SOME = 8, 5  # more rounds than these and their columns scroll: always, and on tablets


@dataclass(frozen=True)
class Board:
    """The standings of a stage after a round, and what their cells need."""

    view: StageView
    after: int
    standings: ranking.Standings
    prospects: Sequence[Prospect]
    hanchans: Mapping[tuple[int, int], int]
    names: Names
    write: Writer = field(default_factory=writer)

    @property
    def rounds(self) -> range:
        return range(1, self.after + 1)

    @cached_property
    def games(self) -> dict[int, dict[int, str]]:
        return _games(self)

    @cached_property
    def rulings(self) -> str:
        return reverse("tournaments:rulings", args=[self.view.stage.tournament.slug])

    @property
    def has_carried(self) -> bool:
        return any(row.tally.carried for row in self.standings.rows)

    @property
    def has_fines(self) -> bool:
        tallies = [*(row.tally for row in self.standings.rows), *self.standings.outside]
        return any(tally.fines for tally in tallies)

    @property
    def kind(self) -> str:
        """How wide the rounds are, for the stylesheet."""
        return "many" if self.after > MANY else "some" if self.after > SOME else ""

    def phone_class(self, round_number: int) -> str:
        place = round_number - max(0, self.after - ON_A_PHONE) - 1
        return f"phone-{place + 1}" if place >= 0 else "off"


def board(view: StageView, after: int, hanchans: Mapping[tuple[int, int], int], sees_hidden: bool) -> Board:
    standings = view.after(after, moves=True)
    names = Names(sees_hidden, season_id=view.stage.season_id)
    return Board(view, after, standings, view.prospects(after, standings.rows), hanchans, names)


class Placed(NamedTuple):
    """A row of the standings; a substitute has no rank."""

    tally: ranking.EntryTally
    rank: int | None = None
    moved: int | None = None
    prospect: Prospect | None = None
    distance: int | None = None  # to the total on the other side of the cut


# --- cells --------------------------------------------------------------------------------------------------


def _entry(board: Board, row: Placed) -> Entry:
    return board.view.entries[row.tally.entry]


def _player(board: Board, row: Placed) -> Player:
    return _entry(board, row).player


def _moved(board: Board, row: Placed) -> str:
    return components.movement(row.moved, board.write) if row.rank is not None else ""


def _name(board: Board, row: Placed) -> SafeString:
    """The name, with the country and whether the player left."""
    state = ""
    if row.tally.disqualified:
        state = " " + components.tag(gettext("disqualified"), "red")
    elif row.tally.left:
        state = " " + components.tag(gettext("withdrawn"))
    country = _country(board, row)
    shown = f'<span class="alt">{escape(country)}</span>' if country else ""
    return SafeString(f"{board.names.cell(_player(board, row))}{shown}{state}")


def _country(board: Board, row: Placed) -> str:
    return _entry(board, row).country if board.names.follows(_player(board, row)) else ""


def _team(board: Board, row: Placed) -> str:
    return _entry(board, row).team if board.names.follows(_player(board, row)) else ""


def _state(board: Board, row: Placed) -> str:
    if row.tally.disqualified:
        return gettext("disqualified")
    if row.tally.left:
        return gettext("withdrawn")
    return gettext("substitute") if _entry(board, row).is_substitute else ""


def _total(board: Board, row: Placed) -> Cell:
    return Cell(board.write.result(row.tally.total), tone(row.tally.total))


def _to_cut(board: Board, row: Placed) -> str:
    if row.prospect is None:
        return MISSING
    if row.prospect.mark is Mark.CLINCHED:
        return components.tag(gettext("safe"), "green")
    if row.prospect.mark is Mark.ELIMINATED:
        return components.tag(gettext("out"))
    if row.distance is None:
        return MISSING
    return format_html('<span class="{}">{}</span>', tone(row.distance), board.write.result(row.distance))


def _carried(board: Board, row: Placed) -> Cell:
    return Cell(board.write.result(row.tally.carried), tone(row.tally.carried))


def _fines(board: Board, row: Placed) -> str | Cell:
    fines = row.tally.fines
    if not fines:
        return MISSING
    return Cell(format_html('<a href="{}">{}</a>', board.rulings, board.write.result(fines)), tone(fines))


class RoundColumn(Column):
    """The result of a round, linked to its game, with small letters that explain it."""

    def __init__(self, number: int, css: str) -> None:
        super().__init__(
            pgettext("head of a column", "R%(round)s") % {"round": number},
            css=f"numeric {css}",
            value=lambda _board, row: row.tally.by_round.get(number),
            kind=Kind.RESULT,
        )
        self.number, self.cell_css = number, f"result {css}"

    def is_on(self, _board: Board) -> bool:
        return True

    def on(self, board: Board) -> Draw:
        number, write, games = self.number, board.write, board.games
        letters = Letters()

        def cell(row: Placed) -> str | Cell:
            tally = row.tally
            result = tally.by_round.get(number)
            if result is None:
                return letters.bye if number in tally.byes else MISSING
            text, game = write.result(result), games.get(tally.entry, {}).get(number)
            if game is not None:
                text = f'<a href="{game}">{text}</a>'
            if number in tally.corrected:
                text += letters.corrected
            if number in tally.substituted:
                text += letters.substituted
            elif number in tally.absent:
                text += letters.absent
            return Cell(SafeString(text), tone(result))

        return cell


class Letters:
    """The small letters beside a result with their meaning, and the word for a round without a game."""

    def __init__(self) -> None:
        self.corrected = self._letter("c", gettext("corrected"))
        self.substituted = self._letter("s", gettext("a substitute played"))
        self.absent = self._letter("a", gettext("absent"))
        self.bye = gettext("bye")

    @staticmethod
    def _letter(sign: str, words: str) -> SafeString:
        return format_html('<sup class="correction"><abbr title="{}">{}</abbr></sup>', words, sign)


# --- columns ------------------------------------------------------------------------------------------------


class StandingsTable(ListTable):
    rank = Column(
        _("Rank"),
        css="rank-cell",
        is_spoken=True,
        cell=lambda _board, row: components.rank_tile(row.rank),
        value=lambda _board, row: row.rank,
        kind=Kind.COUNT,
    )
    moved = Column(pgettext_lazy("since the round before", "Moved"), css="moved-cell", is_spoken=True, cell=_moved)
    number = Column(_("No."), value=lambda board, row: _entry(board, row).number, kind=Kind.COUNT)
    player = NameColumn(_player, cell=_name)
    latin = LatinColumn(_player, _("Latin"))
    country = Column(_("Country"), value=_country, width=9)
    team = Column(_("Team"), value=_team)
    state = Column(_("State"), value=_state, width=14)
    total = Column(
        _("Total"),
        css="numeric total-cell",
        cell_css="numeric total total-cell",
        cell=_total,
        value=lambda _board, row: row.tally.total,
        kind=Kind.RESULT,
    )
    to_cut = Column(_("To the cut"), css="numeric to-cut off", cell=_to_cut, shown=lambda board: bool(board.prospects))
    carried = Column(
        _("Carried"),
        css="numeric adjustment off",
        cell=_carried,
        shown=lambda board: board.has_carried,
        value=lambda _board, row: row.tally.carried,
        kind=Kind.RESULT,
    )
    fines = Column(
        _("Penalty"),
        css="numeric adjustment off",
        cell=_fines,
        shown=lambda board: board.has_fines,
        value=lambda _board, row: row.tally.fines,
        kind=Kind.RESULT,
    )
    games = Column(_("Games"), value=lambda _board, row: row.tally.games, kind=Kind.COUNT)
    chombo = Column(_("Chombo"), value=lambda _board, row: row.tally.chombo, kind=Kind.COUNT)

    class Meta:
        # The columns of the rounds come where the dots are.
        sequence = (
            *("rank", "moved", "number", "player", "latin", "country", "team", "state", "total", "to_cut"),
            *("...", "carried", "fines", "games", "chombo"),
        )


def build(board: Board) -> StandingsTable:
    rounds = [(f"round_{number}", RoundColumn(number, board.phone_class(number))) for number in board.rounds]
    return StandingsTable([], extra_columns=rounds)


# --- rows ---------------------------------------------------------------------------------------------------


def heads(board: Board) -> SafeString:
    return build(board).heads(board, standard="-total")


def rows(board: Board) -> SafeString:
    """The ranked rows, best first, with the line of the cut between those who pass and those who do not."""
    table, placed, top = build(board), list(_placed(board)), board.view.stage.cut_top
    if top is None or top >= len(placed):
        return table.rows_on(board, placed)
    line = _cut_line(board, top, table.width_on(board))
    return table.rows_on(board, placed[:top]) + line + table.rows_on(board, placed[top:])


def outside_rows(board: Board) -> SafeString:
    """Substitutes with their games, without a rank."""
    return build(board).rows_on(board, [Placed(tally) for tally in board.standings.outside])


def _placed(board: Board) -> Iterator[Placed]:
    top, cut = board.view.stage.cut_top, _cut_total(board)
    for index, row in enumerate(board.standings.rows):
        prospect = board.prospects[index] if board.prospects else None
        distance = row.total - cut[index >= top] if cut is not None and top is not None else None
        yield Placed(row.tally, row.rank, row.moved, prospect, distance)


def everybody(board: Board) -> list[Placed]:
    """The ranking, then the substitutes, for files."""
    return [*_placed(board), *(Placed(tally) for tally in board.standings.outside)]


def _cut_total(board: Board) -> tuple[int, int] | None:
    """The totals just below and just above the cut: who qualified is ahead of the first, others behind the second."""
    top, ranked = board.view.stage.cut_top, board.standings.rows
    return (ranked[top].total, ranked[top - 1].total) if top and top < len(ranked) else None


def _cut_line(board: Board, top: int, columns: int) -> SafeString:
    words = ngettext("Cut: the first goes on", "Cut: the first %(count)s go on", top) % {"count": top}
    totals = gettext("their totals are")
    return components.cut_row(columns, f"{words}; {totals} {board.view.stage.get_cut_totals_display()}")


def _games(board: Board) -> dict[int, dict[int, str]]:
    """Entry → round → the address of the game behind the number."""
    before, after = reverse("ratings:hanchan", args=[0]).rsplit("0", 1)
    addresses = {place: f"{before}{hanchan}{after}" for place, hanchan in board.hanchans.items()}
    found: dict[int, dict[int, str]] = {}
    for seat in board.view.scores.seats:
        found.setdefault(seat.entry, {})[seat.round] = addresses[seat.round, seat.table]
    return found


# --- what is still needed -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """What a player near the cut still needs, as sums over the rounds left.

    Without `needed` no result puts them out; without `enough` it depends on the others.
    """

    entry: Entry
    rank: int
    total: int
    needed: int | None
    enough: int | None


def needs(board: Board) -> list[Need]:
    """The players who can still pass or fail, best first; empty when all is decided."""
    return [
        Need(board.view.entries[row.entry], row.rank, row.total, prospect.needed, prospect.enough)
        for row, prospect in zip(board.standings.rows, board.prospects, strict=False)
        if prospect.mark is Mark.OPEN
    ]
