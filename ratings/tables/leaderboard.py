"""The leaderboard: one column per metric, with its cells, sorting and export. `standings` declares the metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_tables2.data import TableListData

from clubsite import charts, components
from clubsite.export import Kind
from clubsite.numbers import MISSING, tone, unless_zero
from clubsite.tables import Cell, Column, Draw, ExportField, ListTable, SortedRows
from ratings.mahjong import standings
from ratings.mahjong.standings import METRICS, Metric, PlayerTally
from ratings.models import Player, Season
from ratings.queries import leaderboard as leaderboard_queries
from ratings.tables.names import LatinColumn, NameColumn, Names, NamesOnPage

# Where a metric is when rows fold on a phone (LOOK: Table on a phone); the others are on the player's page only.
_PHONE = {"games": "games-cell", "average_place": "average-cell", "places": "shares", "recent": "recent-cell"}
_ON_TABLETS = frozenset({"games", "average", "average_place", "places", "recent"})
_ALIGNED_LEFT = (standings.SHARES, standings.STICKS)
_KINDS = {
    standings.RESULT: Kind.RESULT,
    standings.RATING: Kind.RATING,
    standings.PLACE: Kind.PLACE,
    standings.COUNT: Kind.COUNT,
    standings.STICKS: Kind.RESULT,
}


Ranked = tuple[int | None, PlayerTally]  # rank None: fewer games than the minimum


@dataclass(frozen=True)
class Links:
    """Addresses that numbers link to: the games behind them and the ledger, with the days of the page."""

    games: str
    penalties: str
    days: str  # "&asof=2026-04-18", or empty


@dataclass(frozen=True)
class BoardPage(NamesOnPage):
    """What the cells of one page need."""

    people: Mapping[int, Player]
    links: Links
    scale: int
    minimum: int  # games that a player needs to be ranked

    @cached_property
    def followed(self) -> frozenset[int]:
        """Players whose numbers are links. The numbers of a hidden player are not."""
        return frozenset(pk for pk, player in self.people.items() if self.names.follows(player))


def drawing_of(
    people: Mapping[int, Player], names: Names, links: Links, page: Iterable[Ranked], minimum: int
) -> BoardPage:
    # All sparklines of the page have one scale: that of the largest result.
    scale = max((abs(result) for _rank, line in page for result in line.recent), default=1)
    return BoardPage(names, people, links, scale, minimum)


@dataclass(frozen=True)
class Everybody(NamesOnPage):
    """The players of a whole season. They are fetched only when a name is needed."""

    ids: Collection[int]

    @cached_property
    def people(self) -> Mapping[int, Player]:
        return leaderboard_queries.people(self.ids)


# --- columns ----------------------------------------------------------------------------------------------


def _player(page: BoardPage | Everybody, row: Ranked) -> Player:
    return page.people[row[1].player_id]


class MetricColumn(Column):
    """A metric as a column. All of it follows from what `standings` declares."""

    def __init__(self, metric: Metric, *, primary: bool = False) -> None:
        words = ["" if metric.unit in _ALIGNED_LEFT else "numeric"]
        words.append("total total-cell" if primary else _PHONE.get(metric.key, "off"))
        if not primary and metric.key not in _ON_TABLETS:
            words.append("from72")
        super().__init__(
            gettext(metric.short),
            label=gettext(metric.label),
            css=" ".join(filter(None, words)),
            most_first=not metric.lower_is_better,
            orderable=True,
        )
        self.metric, self.primary = metric, primary

    def is_on(self, _page: BoardPage) -> bool:
        return True

    def in_order(self, rows: list[Ranked], _page: object, descending: bool) -> list[Ranked]:
        return standings.sort_by(rows, self.metric, itemgetter(1), descending)

    def fields(self) -> list[ExportField]:
        """In a file the four shares are four columns."""
        if self.metric.unit == standings.SHARES:
            return [_field(METRICS[key], METRICS[key].short) for key in standings.PLACES]
        return [_field(self.metric, self.metric.label)]

    def on(self, page: BoardPage) -> Draw:
        """Choose the drawing function once per page; it is called once per row."""
        metric, write = self.metric, page.write
        if metric.unit == standings.SHARES:
            return lambda row: charts.shares_bar(shares(row[1]), write)
        if metric.unit == standings.STICKS:
            return lambda row: charts.sparkline(row[1].recent, page.scale, write)
        if metric.key == "games":
            return lambda row: _games(row[1])
        if metric.unit == standings.COUNT:
            return lambda row: unless_zero(metric.value(row[1]))  # type: ignore[arg-type]
        return _number(metric, page, _link(metric, self.primary, page.links))


def _field(metric: Metric, label: str) -> ExportField:
    return ExportField(capfirst(gettext(label)), lambda _page, row: metric.value(row[1]), _KINDS[metric.unit])


class BoardTable(ListTable):
    rank = Column(
        _("Rank"),
        css="rank-cell",
        is_spoken=True,
        cell=lambda _page, row: components.rank_tile(row[0]),
        value=lambda _page, row: row[0],
        kind=Kind.COUNT,
    )
    player = NameColumn(_player, width=30, sortable=True)
    latin = LatinColumn(_player, width=26)


class SoFarColumn(MetricColumn):
    """The number that the season is ranked by, for a player who is not ranked yet."""

    def __init__(self, metric: Metric) -> None:
        super().__init__(metric, primary=True)
        self.verbose_name = gettext("%(metric)s so far") % {"metric": gettext(metric.label)}
        self.css, self.cell_css = "numeric", "numeric total-cell"
        self.orderable = False


class UnrankedTable(ListTable):
    """Players with too few games, and how many they have of the minimum."""

    player = NameColumn(_player, css="", cell_css="name-cell")
    games = Column(
        _("Games"),
        cell_css="progress-cell",
        cell=lambda page, row: components.games_of_minimum(row[1].games, page.minimum),
    )


def metric_columns(season: Season) -> list[tuple[str, Column]]:
    """The metric that the season is ranked by, then those that it shows."""
    first = standings.primary_metric(season.formula)
    chosen = dict.fromkeys(key for key in season.metrics if key in METRICS and key != first.key)
    others = [(key, MetricColumn(METRICS[key])) for key in chosen]
    return [(first.key, MetricColumn(first, primary=True)), *others]


def build(season: Season, rows: RankedLines | KeptPlaces, order_by: Iterable[str]) -> BoardTable:
    return BoardTable(rows, order_by=list(order_by), extra_columns=metric_columns(season))


def build_unranked(season: Season) -> UnrankedTable:
    return UnrankedTable([], extra_columns=[("so_far", SoFarColumn(standings.primary_metric(season.formula)))])


def sort_choices(season: Season) -> list[tuple[str, str]]:
    """Every column in both directions, better end first, for phones, where no headings can be clicked."""
    choices = []
    for key, column in [*BoardTable.base_columns.items(), *metric_columns(season)]:
        if column.orderable:
            best, other = (f"-{key}", key) if column.initial_sort_descending else (key, f"-{key}")
            other_end = gettext("%(column)s, from the other end") % {"column": column.label}
            choices += [(best, str(column.label)), (other, other_end)]
    return choices


# --- rows -------------------------------------------------------------------------------------------------


class RankedLines(SortedRows):
    """Ranked lines, best first, then players with too few games. Sorting moves ranked lines and keeps their ranks."""

    def __init__(self, ranked: list[Ranked], unranked: list[Ranked], names: Names) -> None:
        rows = ranked + unranked
        super().__init__(rows, Everybody(names, [line.player_id for _rank, line in rows]))
        self.ranked, self.unranked = ranked, unranked

    def sort(self, column: Column, *, descending: bool) -> list[Ranked]:
        self.ranked = column.in_order(self.ranked, self.page, descending)
        return self.ranked + self.unranked


class KeptPlaces(TableListData):
    """The current ranking, best first. Only the places of the page are fetched, when it asks for them."""

    def __init__(self, season: Season, minimum: int, figures: leaderboard_queries.Figures) -> None:
        super().__init__([])
        self.season, self.minimum, self.figures = season, minimum, figures
        self.people: dict[int, Player] = {}  # of the page that was fetched last

    def __len__(self) -> int:
        return self.figures.listed

    def __getitem__(self, part: slice) -> list[Ranked]:
        start, stop, ranked = part.start, part.stop, self.figures.ranked
        found: list[tuple[int | None, leaderboard_queries.Shown]] = []
        if start < ranked:
            found += leaderboard_queries.ranked_slice(self.season, self.minimum, start, min(stop, ranked))
        if stop > ranked:
            waiting = leaderboard_queries.waiting_slice(
                self.season, self.minimum, max(start - ranked, 0), stop - ranked
            )
            found += [(None, shown) for shown in waiting]
        self.people = {line.player_id: person for _rank, (line, person) in found}
        return [(rank, line) for rank, (line, _person) in found]

    def order_by(self, aliases: Iterable[str]) -> None:
        """Refuse another order, because it needs all players. `RankedLines` can do that."""


def rank_all(season: Season, lines: Iterable[PlayerTally], minimum: int) -> tuple[list[Ranked], list[Ranked]]:
    """The ranked players, best first, and those with too few games, the nearest to the minimum first."""
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    enough, few = standings.split_by_minimum(lines, minimum)
    waiting = standings.rank(few, [METRICS["games"], metrics[0]])
    ranked: list[Ranked] = list(standings.rank(enough, metrics))
    return ranked, [(None, line) for _rank, line in waiting]


def rows(table: BoardTable, page: Iterable[Ranked], draw: BoardPage) -> SafeString:
    """The ranked rows of a page."""
    return table.rows_on(draw, page)


# --- cells ------------------------------------------------------------------------------------------------


def shares(line: PlayerTally) -> tuple[int, int, int, int]:
    return line.firsts, line.seconds, line.thirds, line.fourths


def _games(line: PlayerTally) -> Cell:
    return Cell(str(line.games), unit=ngettext("game", "games", line.games))


Link = Callable[[PlayerTally], str]  # returns an escaped address


def _number(metric: Metric, page: BoardPage, link: Link | None) -> Draw:
    """A number with the colour of its sign and its link."""
    value_of, followed, write = metric.value, page.followed, page.write
    text_of = {standings.RATING: write.rating, standings.PLACE: write.average_place}.get(metric.unit, write.result)
    has_tone, blank_when_zero = metric.unit == standings.RESULT, metric.key == "penalties"
    label = gettext("place") if metric.unit == standings.PLACE else ""
    missing = Cell(MISSING, label=label)

    def cell(row: Ranked) -> Cell:
        line = row[1]
        value = value_of(line)
        if value is None or (blank_when_zero and not value):
            return missing
        text = text_of(value)
        if link and line.player_id in followed:
            text = SafeString(f'<a href="{link(line)}">{text}</a>')
        return Cell(text, tone(value) if has_tone else "", label)

    return cell


def _link(metric: Metric, primary: bool, links: Links) -> Link | None:
    """Totals link to their games, best and worst to their game, penalties to the ledger."""
    games, days, penalties = f"{escape(links.games)}?player=", escape(links.days), f"{escape(links.penalties)}?player="
    if primary or metric.key == "total":
        return lambda line: f"{games}{line.player_id}{days}"
    if metric.key in ("best_game", "worst_game"):
        return lambda line: f"{games}{line.player_id}{days}&amp;result={metric.value(line)}"
    if metric.key == "penalties":
        return lambda line: f"{penalties}{line.player_id}"
    return None
