"""Standings of a stage as a table: rank, movement, name, total, distance to the cut, a column a round.

Cells are drawn by plain functions, not by template rows: four hundred players in fifteen rounds are 8000 of them.
Five rounds fit under a name on a phone; the classes ra … re name those, older ones are off there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext

from clubsite import components, export
from clubsite.numbers import MISSING, Writer, tone, writer
from ratings.tables.names import Names
from tournaments.models import Entry
from tournaments.queries.standings import StageView
from tournaments.standings import ranking
from tournaments.standings.prospects import Mark, Prospect

ON_A_PHONE = 5
MANY, SOME = 8, 5  # more rounds than these and their columns scroll: always, and on tablets


@dataclass(frozen=True)
class Board:
    """The standings of a stage after a round, with all that drawing them needs."""

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
    return Board(view, after, standings, view.prospects(after, standings.rows), hanchans, Names(sees_hidden))


# --- heads --------------------------------------------------------------------------------------------------


def heads(board: Board) -> SafeString:
    cells = [
        _head(gettext("Rank"), "rank-cell", unseen=True),
        _head(pgettext("since the round before", "Moved"), "moved-cell", unseen=True),
        _head(gettext("Player"), "name-cell"),
        _head(gettext("Total"), "numeric total-cell", ' aria-sort="descending"'),
    ]
    if board.prospects:
        cells.append(_head(gettext("To the cut"), "numeric to-cut off"))
    for number in board.rounds:
        cells.append(_head(_round_head(number), f"numeric {board.phone_class(number)}"))
    if board.has_carried:
        cells.append(_head(gettext("Carried"), "numeric adjustment off"))
    if board.has_fines:
        cells.append(_head(gettext("Penalty"), "numeric adjustment off"))
    return SafeString("".join(cells))


def _round_head(number: int) -> str:
    return pgettext("head of a column", "R%(round)s") % {"round": number}


def _head(text: str, css: str, more: str = "", *, unseen: bool = False) -> str:
    shown = f'<span class="spoken">{escape(text)}</span>' if unseen else escape(text)
    return f'<th role="columnheader" scope="col" class="{css}"{more}>{shown}</th>'


# --- rows ---------------------------------------------------------------------------------------------------


def rows(board: Board) -> SafeString:
    """The ranked rows, best first, with the line of the cut between those who pass and those who do not."""
    draw, top = _row(board), board.view.stage.cut_top
    ranked, cut = board.standings.rows, _cut_total(board)
    drawn = []
    for index, row in enumerate(ranked):
        if top is not None and index == top:
            drawn.append(_cut_line(board, top))
        prospect = board.prospects[index] if board.prospects else None
        distance = row.total - cut[index >= top] if cut is not None and top is not None else None
        rank = f'<td role="cell" class="rank-cell">{components.rank_tile(row.rank)}</td>'
        moved = f'<td role="cell" class="moved-cell">{components.movement(row.moved, board.write)}</td>'
        drawn.append(f'<tr role="row">{rank}{moved}{draw(row.tally, prospect, distance)}</tr>')
    return SafeString("".join(drawn))


def outside_rows(board: Board) -> SafeString:
    """Substitutes: their games, without a rank."""
    draw = _row(board)
    before = (
        '<td role="cell" class="rank-cell"><span class="rank">–</span></td><td role="cell" class="moved-cell"></td>'
    )
    return SafeString(
        "".join(f'<tr role="row">{before}{draw(tally, None, None)}</tr>' for tally in board.standings.outside)
    )


def _cut_total(board: Board) -> tuple[int, int] | None:
    """The totals just below and just above the cut: what those who pass are ahead of, and the others behind."""
    top, ranked = board.view.stage.cut_top, board.standings.rows
    return (ranked[top].total, ranked[top - 1].total) if top and top < len(ranked) else None


def _cut_line(board: Board, top: int) -> str:
    stage = board.view.stage
    words = ngettext("Cut: the first goes on", "Cut: the first %(count)s go on", top) % {"count": top}
    totals = gettext("their totals are")
    sentence = f"{words}; {totals} {stage.get_cut_totals_display()}"
    columns = 4 + bool(board.prospects) + board.after + board.has_carried + board.has_fines
    return (
        f'<tr role="row" class="cut"><td role="cell" colspan="{columns}"><div class="cutline">'
        f"<span>{escape(sentence)}</span></div></td></tr>"
    )


Draw = Callable[[ranking.EntryTally, Prospect | None, int | None], str]


def _row(board: Board) -> Draw:
    """The function that draws what follows rank and movement; whatever is the same in all rows is found once."""
    entries, write, names = board.view.entries, board.write, board.names
    games = _games(board)
    cells = [(number, f'<td role="cell" class="result {board.phone_class(number)}') for number in board.rounds]
    has_cut, has_carried, has_fines = bool(board.prospects), board.has_carried, board.has_fines
    rulings = reverse("tournaments:rulings", args=[board.view.stage.tournament.slug])
    pen = _pen(write)

    def draw(tally: ranking.EntryTally, prospect: Prospect | None, distance: int | None) -> str:
        played = games.get(tally.entry, {})
        drawn = [_name(entries[tally.entry], tally, names), _total(tally, write)]
        if has_cut:
            drawn.append(f'<td role="cell" class="numeric to-cut off">{_to_cut(prospect, distance, write)}</td>')
        drawn += [_round(tally, number, before, played.get(number), pen) for number, before in cells]
        if has_carried:
            text = write.result(tally.carried)
            drawn.append(f'<td role="cell" class="numeric adjustment off{_tone(tally.carried)}">{text}</td>')
        if has_fines:
            text = f'<a href="{rulings}">{write.result(tally.fines)}</a>' if tally.fines else MISSING
            drawn.append(f'<td role="cell" class="numeric adjustment off{_tone(tally.fines or 100)}">{text}</td>')
        return "".join(drawn)

    return draw


def _games(board: Board) -> dict[int, dict[int, str]]:
    """Entry → round → the address of the game behind the number."""
    before, after = reverse("ratings:hanchan", args=[0]).rsplit("0", 1)
    addresses = {place: f"{before}{hanchan}{after}" for place, hanchan in board.hanchans.items()}
    found: dict[int, dict[int, str]] = {}
    for seat in board.view.scores.seats:
        found.setdefault(seat.entry, {})[seat.round] = addresses[seat.round, seat.table]
    return found


def _name(entry: Entry, tally: ranking.EntryTally, names: Names) -> str:
    named = names.follows(entry.player)
    country = f'<span class="alt">{escape(entry.country)}</span>' if entry.country and named else ""
    state = ""
    if tally.disqualified:
        state = " " + components.tag(gettext("disqualified"), "red")
    elif tally.left:
        state = " " + components.tag(gettext("withdrawn"))
    shown = names.cell(entry.player)
    return f'<th role="rowheader" scope="row" class="name-cell">{shown}{country}{state}</th>'


def _total(tally: ranking.EntryTally, write: Writer) -> str:
    return f'<td role="cell" class="numeric total total-cell{_tone(tally.total)}">{write.result(tally.total)}</td>'


def _to_cut(prospect: Prospect | None, distance: int | None, write: Writer) -> str:
    if prospect is None:
        return MISSING
    if prospect.mark is Mark.CLINCHED:
        return components.tag(gettext("safe"), "green")
    if prospect.mark is Mark.ELIMINATED:
        return components.tag(gettext("out"))
    if distance is None:
        return MISSING
    return f'<span class="{tone(distance)}">{write.result(distance)}</span>'


class Pen(NamedTuple):
    """What every cell of a round is written with: numbers, and small letters beside them with what they mean."""

    write: Writer
    corrected: str
    substituted: str
    absent: str
    bye: str


def _pen(write: Writer) -> Pen:
    def letter(sign: str, words: str) -> str:
        return f'<sup class="correction"><abbr title="{escape(words)}">{sign}</abbr></sup>'

    return Pen(
        write,
        letter("c", gettext("corrected")),
        letter("s", gettext("a substitute played")),
        letter("a", gettext("absent")),
        escape(gettext("bye")),
    )


def _round(tally: ranking.EntryTally, number: int, before: str, game: str | None, pen: Pen) -> str:
    result = tally.by_round.get(number)
    if result is None:
        return f'{before}">{pen.bye if number in tally.byes else MISSING}</td>'
    text = pen.write.result(result)
    if game is not None:
        text = f'<a href="{game}">{text}</a>'
    if number in tally.corrected:
        text += pen.corrected
    if number in tally.substituted:
        text += pen.substituted
    elif number in tally.absent:
        text += pen.absent
    return f'{before}{_tone(result)}">{text}</td>'


def _tone(value: int) -> str:
    if value <= -50:
        return " negative"
    return " zero" if value < 50 else ""


# --- what is still needed -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """What somebody near the cut still needs, as sums over the rounds left.

    Without `needed` no result puts them out; without `enough` it depends on the others.
    """

    entry: Entry
    rank: int
    total: int
    needed: int | None
    enough: int | None


def needs(board: Board) -> list[Need]:
    """Of those for whom it is still open, best first; nothing when all is decided."""
    return [
        Need(board.view.entries[row.entry], row.rank, row.total, prospect.needed, prospect.enough)
        for row, prospect in zip(board.standings.rows, board.prospects, strict=False)
        if prospect.mark is Mark.OPEN
    ]


# --- files --------------------------------------------------------------------------------------------------


def export_columns(board: Board) -> list[export.Column]:
    kind = export.Kind
    return [
        export.Column(gettext("Rank"), kind.COUNT),
        export.Column(gettext("No."), kind.COUNT),
        export.Column(gettext("Player")),
        export.Column(gettext("Latin")),
        export.Column(gettext("Country"), width=9),
        export.Column(gettext("Team")),
        export.Column(gettext("State"), width=14),
        export.Column(gettext("Total"), kind.RESULT),
        *(export.Column(_round_head(number), kind.RESULT) for number in board.rounds),
        export.Column(gettext("Carried"), kind.RESULT),
        export.Column(gettext("Penalty"), kind.RESULT),
        export.Column(gettext("Games"), kind.COUNT),
        export.Column(gettext("Chombo"), kind.COUNT),
    ]


def export_rows(board: Board) -> Iterator[list[export.Cell]]:
    """The ranking, then the substitutes, who have no rank."""
    ranked: list[tuple[int | None, ranking.EntryTally]] = [(row.rank, row.tally) for row in board.standings.rows]
    for rank, tally in [*ranked, *((None, tally) for tally in board.standings.outside)]:
        entry = board.view.entries[tally.entry]
        named = board.names.follows(entry.player)
        yield [
            rank,
            entry.number,
            board.names.text(entry.player),
            board.names.latin(entry.player),
            entry.country if named else "",
            entry.team if named else "",
            _state(entry, tally),
            tally.total,
            *(tally.by_round.get(number) for number in board.rounds),
            tally.carried,
            tally.fines,
            tally.games,
            tally.chombo,
        ]


def _state(entry: Entry, tally: ranking.EntryTally) -> str:
    if tally.disqualified:
        return gettext("disqualified")
    if tally.left:
        return gettext("withdrawn")
    return gettext("substitute") if entry.is_substitute else ""
