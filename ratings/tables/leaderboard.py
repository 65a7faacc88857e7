"""The leaderboard: a column a metric, its cells, its sorting, its export. Metrics are declared in `standings`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import Table
from django_tables2.data import TableListData

from clubsite import charts, export, parts
from clubsite.numbers import MISSING, Writer, tone, unless_zero, writer
from ratings import standings
from ratings.models import Player, Season
from ratings.queries.leaderboard import Line
from ratings.standings import METRICS, Metric
from ratings.tables import drawing

# Where a metric stands when rows fold on a phone (LOOK: Table on a phone); the others stay on the player's page.
_PHONE = {"games": "g", "average_place": "ap", "places": "shares", "recent": "sp"}
_ON_TABLETS = frozenset({"games", "average", "average_place", "places", "recent"})
_ALIGNED_LEFT = (standings.SHARES, standings.STICKS)
_KINDS = {
    standings.RESULT: export.Kind.RESULT,
    standings.RATING: export.Kind.RATING,
    standings.PLACE: export.Kind.PLACE,
    standings.COUNT: export.Kind.COUNT,
    standings.STICKS: export.Kind.RESULT,
}
_SHARES = ("firsts", "seconds", "thirds", "fourths")


class Ranked(NamedTuple):
    rank: int | None  # none: under the minimum
    line: Line


def shown_metrics(season: Season) -> list[Metric]:
    """The columns of a season: what it is ranked by, then what it chose to show."""
    first = standings.primary_metric(season.formula)
    chosen = dict.fromkeys(key for key in season.metrics if key in METRICS and key != first.key)
    return [first, *(METRICS[key] for key in chosen)]


class MetricColumn(drawing.Column):
    def __init__(self, metric: Metric, primary: bool) -> None:
        words = ["" if metric.unit in _ALIGNED_LEFT else "n"]
        words.append("total tt" if primary else _PHONE.get(metric.key, "off"))
        if not primary and metric.key not in _ON_TABLETS:
            words.append("from72")
        super().__init__(
            gettext(metric.short), css=" ".join(filter(None, words)), most_first=not metric.lower_is_better
        )
        self.metric = metric
        self.primary = primary


class BoardTable(Table):
    rank = drawing.Column(_("Rank"), css="rk", orderable=False)
    player = drawing.Column(_("Player"), css="nm")

    class Meta:
        order_by_field = drawing.SORT


class RankedLines(TableListData):
    """Lines best first, then those under the minimum. Sorting moves the ranked ones and never their numbers."""

    def __init__(self, ranked: list[Ranked], unranked: list[Ranked], names: Callable[[], Mapping[int, str]]) -> None:
        super().__init__(ranked + unranked)
        self.ranked, self.unranked, self.names = ranked, unranked, names

    def order_by(self, aliases: Iterable[str]) -> None:
        for alias in reversed(tuple(aliases)):
            column, descending = self.table.columns[alias.removeprefix("-")].column, alias.startswith("-")
            if isinstance(column, MetricColumn):
                self.ranked = standings.sort_by(self.ranked, column.metric, lambda row: row.line, descending)
            else:
                names = self.names()
                self.ranked.sort(key=lambda row: names[row.line.player_id], reverse=descending)
        self.data = self.ranked + self.unranked


def ranked_lines(season: Season, lines: Iterable[Line], minimum: int) -> tuple[list[Ranked], list[Ranked]]:
    """Who is ranked, best first, and who has too few games yet, those nearest to the minimum first."""
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    enough, few = standings.split_by_minimum(lines, minimum)
    ranked = [Ranked(rank, line) for rank, line in standings.rank(enough, metrics)]
    few.sort(key=lambda line: (line.games, metrics[0].sort_key(line)), reverse=True)
    return ranked, [Ranked(None, line) for line in few]


def build(season: Season, rows: RankedLines, order_by: Iterable[str]) -> BoardTable:
    columns = [
        (metric.key, MetricColumn(metric, primary=not index)) for index, metric in enumerate(shown_metrics(season))
    ]
    return BoardTable(rows, order_by=list(order_by), extra_columns=columns)


def sort_choices(season: Season) -> list[tuple[str, str]]:
    """Every column in both directions, for where there are no heads to click; the better end first."""
    choices = [("player", gettext("Player")), ("-player", _reversed(gettext("Player")))]
    for metric in shown_metrics(season):
        best, worst = (metric.key, f"-{metric.key}")[:: 1 if metric.lower_is_better else -1]
        choices += [(best, gettext(metric.label)), (worst, _reversed(gettext(metric.label)))]
    return choices


def _reversed(label: str) -> str:
    return gettext("%(column)s, from the other end") % {"column": label}


# --- cells ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Links:
    """Where numbers lead: to the games behind them and to the ledger, with the days of the page."""

    games: str
    penalties: str
    days: str  # "&asof=2026-04-18", or nothing

    def of_player(self, player: int) -> str:
        return f"{self.games}?player={player}{self.days}"


@dataclass(frozen=True)
class Drawing:
    """All that drawing one page needs to know."""

    people: Mapping[int, Player]
    sees_hidden: bool
    links: Links
    scale: int
    write: Writer

    def named(self, line: Line) -> SafeString:
        return drawing.name(self.people[line.player_id], self.sees_hidden)

    def linked(self, line: Line, text: str, address: str = "") -> str:
        """A number that opens what it was added up from; of a hidden player nothing can be followed."""
        if not drawing.may_be_named(self.people[line.player_id], self.sees_hidden):
            return text
        return f'<a href="{escape(address or self.links.of_player(line.player_id))}">{text}</a>'


Cell = Callable[[Line], str]


def shares(line: Line) -> tuple[int, int, int, int]:
    return line.firsts, line.seconds, line.thirds, line.fourths


def rows(table: BoardTable, page: Iterable[Ranked], draw: Drawing) -> SafeString:
    """The ranked rows of a page."""
    cells = [_cell(bound.column, draw) for bound in table.columns if isinstance(bound.column, MetricColumn)]
    return drawing.body(
        f'<td role="cell" class="rk">{parts.rank_tile(rank)}</td>'
        f'<th role="rowheader" scope="row" class="nm">{draw.named(line)}</th>' + "".join([cell(line) for cell in cells])
        for rank, line in page
    )


def unranked_rows(metric: Metric, page: Iterable[Ranked], minimum: int, draw: Drawing) -> SafeString:
    def row(line: Line) -> str:
        value = metric.value(line)
        text = draw.linked(line, _written(metric, value, draw.write))
        return (
            f'<th role="rowheader" scope="row" class="nm">{draw.named(line)}</th>'
            f'<td role="cell" class="pr">{parts.games_of_minimum(line.games, minimum)}</td>'
            f'<td role="cell" class="n tt{_tone(metric, value)}">{text}</td>'
        )

    return drawing.body(row(line) for _rank, line in page)


def so_far(metric: Metric) -> str:
    return gettext("%(metric)s so far") % {"metric": gettext(metric.label)}


def _written(metric: Metric, value: standings.Value, write: Writer) -> str:
    if metric.unit == standings.RESULT:
        return write.result(value)
    return write.rating(value) if metric.unit == standings.RATING else write.average_place(value)


def _tone(metric: Metric, value: standings.Value) -> str:
    kind = tone(value) if metric.unit == standings.RESULT else ""
    return f" {kind}" if kind else ""


def _cell(column: MetricColumn, draw: Drawing) -> Cell:
    """The drawing function of one column, chosen once a page and called once a row."""
    metric, css, write = column.metric, column.css, draw.write
    if metric.unit == standings.SHARES:
        return lambda line: f'<td role="cell" class="{css}">{charts.shares_bar(shares(line), write)}</td>'
    if metric.unit == standings.STICKS:
        return lambda line: f'<td role="cell" class="{css}">{charts.sparkline(line.recent, draw.scale, write)}</td>'
    if metric.unit == standings.COUNT:
        return _count_cell(metric, css, write)

    unit = f' data-l="{escape(gettext("place"))}"' if metric.unit == standings.PLACE else ""

    def cell(line: Line) -> str:
        value = metric.value(line)
        text = _linked(column, line, _written(metric, value, write), draw) if value is not None else MISSING
        return f'<td role="cell" class="{css}{_tone(metric, value)}"{unit}>{text}</td>'

    return cell


def _count_cell(metric: Metric, css: str, write: Writer) -> Cell:
    if metric.key == "games":
        return lambda line: (
            f'<td role="cell" class="{css}" data-u="{_games(write.language, line.games)}">{line.games}</td>'
        )
    return lambda line: f'<td role="cell" class="{css}">{unless_zero(metric.value(line))}</td>'  # type: ignore[arg-type]


@lru_cache(maxsize=2048)
def _games(language: str, count: int) -> str:
    with translation.override(language):
        return escape(ngettext("game", "games", count))


def _linked(column: MetricColumn, line: Line, text: str, draw: Drawing) -> str:
    """Totals open the games behind them, best and worst that game, penalties the ledger."""
    key = column.metric.key
    if column.primary or key == "total":
        return draw.linked(line, text)
    if key in ("best_game", "worst_game"):
        return draw.linked(line, text, f"{draw.links.of_player(line.player_id)}&result={column.metric.value(line)}")
    if key == "penalties":
        return draw.linked(line, text, f"{draw.links.penalties}?player={line.player_id}") if line.penalties else MISSING
    return text


def scale_of(lines: Iterable[Line]) -> int:
    """The longest stick of all rows: one scale for the whole page."""
    return max((abs(result) for line in lines for result in line.recent), default=1)


def drawing_of(people: Mapping[int, Player], sees_hidden: bool, links: Links, page: Iterable[Ranked]) -> Drawing:
    return Drawing(people, sees_hidden, links, scale_of(line for _rank, line in page), writer())


# --- files ------------------------------------------------------------------------------------------------


def export_columns(table: BoardTable) -> list[export.Column]:
    columns = [
        export.Column(gettext("Rank"), export.Kind.COUNT),
        export.Column(gettext("Player"), width=30),
        export.Column(gettext("Name in Latin letters"), width=26),
    ]
    for bound in table.columns:
        if isinstance(bound.column, MetricColumn):
            columns += [export.Column(head, kind) for head, kind, _value in _exported(bound.column.metric)]
    return columns


def export_rows(
    table: BoardTable, lines: Iterable[Ranked], people: Mapping[int, Player], sees_hidden: bool
) -> Iterable[list[export.Cell]]:
    values = [
        value
        for bound in table.columns
        if isinstance(bound.column, MetricColumn)
        for _head, _kind, value in _exported(bound.column.metric)
    ]
    for rank, line in lines:
        player = people[line.player_id]
        name, latin = drawing.shown_name(player, sees_hidden), drawing.shown_latin(player, sees_hidden)
        yield [rank, name, latin, *(value(line) for value in values)]


def _exported(metric: Metric) -> list[tuple[str, export.Kind, Callable[[Any], int | Fraction | None]]]:
    """A metric as columns of a file; the four shares are four."""
    if metric.unit == standings.SHARES:
        return [(gettext(METRICS[key].short), export.Kind.COUNT, METRICS[key].value) for key in _SHARES]
    return [(capfirst(gettext(metric.label)), _KINDS[metric.unit], metric.value)]
