"""The leaderboard: a column a metric, its cells, its sorting, its export. Metrics are declared in `standings`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any

from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import Table
from django_tables2.data import TableListData

from clubsite import charts, components, export
from clubsite.numbers import MISSING, Writer, tone, unless_zero, writer
from ratings.mahjong import standings
from ratings.mahjong.standings import METRICS, Metric, PlayerTally
from ratings.models import Player, Season
from ratings.queries import leaderboard as reads
from ratings.tables import drawing
from ratings.tables.names import Names

# Where a metric stands when rows fold on a phone (LOOK: Table on a phone); the others stay on the player's page.
_PHONE = {"games": "games-cell", "average_place": "average-cell", "places": "shares", "recent": "recent-cell"}
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


Ranked = tuple[int | None, PlayerTally]  # without a rank: under the minimum


def shown_metrics(season: Season) -> list[Metric]:
    """The columns of a season: what it is ranked by, then what it chose to show."""
    first = standings.primary_metric(season.formula)
    chosen = dict.fromkeys(key for key in season.metrics if key in METRICS and key != first.key)
    return [first, *(METRICS[key] for key in chosen)]


class MetricColumn(drawing.Column):
    def __init__(self, metric: Metric, primary: bool) -> None:
        words = ["" if metric.unit in _ALIGNED_LEFT else "numeric"]
        words.append("total total-cell" if primary else _PHONE.get(metric.key, "off"))
        if not primary and metric.key not in _ON_TABLETS:
            words.append("from72")
        super().__init__(
            gettext(metric.short), css=" ".join(filter(None, words)), most_first=not metric.lower_is_better
        )
        self.metric = metric
        self.primary = primary


class BoardTable(Table):
    rank = drawing.Column(_("Rank"), css="rank-cell", orderable=False)
    player = drawing.Column(_("Player"), css="name-cell")

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
                self.ranked = standings.sort_by(self.ranked, column.metric, itemgetter(1), descending)
            else:
                names = self.names()
                self.ranked.sort(key=lambda row: names[row[1].player_id], reverse=descending)
        self.data = self.ranked + self.unranked


class KeptPlaces(TableListData):
    """The season as it is, best first: places are fetched when a page asks for them, and only those."""

    def __init__(self, season: Season, minimum: int, figures: reads.Figures) -> None:
        super().__init__([])
        self.season, self.minimum, self.figures = season, minimum, figures
        self.people: dict[int, reads.Person] = {}  # of the page that was asked for last

    def __len__(self) -> int:
        return self.figures.listed

    def __getitem__(self, part: slice) -> list[Ranked]:
        start, stop, ranked = part.start, part.stop, self.figures.ranked
        found: list[tuple[int | None, reads.Shown]] = []
        if start < ranked:
            found += reads.ranked_slice(self.season, self.minimum, start, min(stop, ranked))
        if stop > ranked:
            waiting = reads.waiting_slice(self.season, self.minimum, max(start - ranked, 0), stop - ranked)
            found += [(None, shown) for shown in waiting]
        self.people = {line.player_id: person for _rank, (line, person) in found}
        return [(rank, line) for rank, (line, _person) in found]

    def order_by(self, aliases: Iterable[str]) -> None:
        """Another order needs everybody: that is what `RankedLines` is for."""


def rank_all(season: Season, lines: Iterable[PlayerTally], minimum: int) -> tuple[list[Ranked], list[Ranked]]:
    """Who is ranked, best first, and who has too few games yet, those nearest to the minimum first."""
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    enough, few = standings.split_by_minimum(lines, minimum)
    waiting = standings.rank(few, [METRICS["games"], metrics[0]])
    ranked: list[Ranked] = list(standings.rank(enough, metrics))
    return ranked, [(None, line) for _rank, line in waiting]


def build(season: Season, rows: RankedLines | KeptPlaces, order_by: Iterable[str]) -> BoardTable:
    columns = [
        (metric.key, MetricColumn(metric, primary=not index)) for index, metric in enumerate(shown_metrics(season))
    ]
    return BoardTable(rows, order_by=list(order_by), extra_columns=columns)


def sort_choices(season: Season) -> list[tuple[str, str]]:
    """Every column in both directions, for where there are no heads to click; the better end first."""
    return _sort_choices(get_language(), tuple(shown_metrics(season)))


@lru_cache(maxsize=256)
def _sort_choices(language: str | None, metrics: tuple[Metric, ...]) -> list[tuple[str, str]]:
    choices = [("player", gettext("Player")), ("-player", _reversed(gettext("Player")))]
    for metric in metrics:
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


@dataclass(frozen=True)
class Drawing:
    """All that drawing one page needs to know."""

    people: Mapping[int, Player | reads.Person]
    names: Names
    links: Links
    scale: int
    write: Writer

    @cached_property
    def followed(self) -> frozenset[int]:
        """Whose numbers are links; of a hidden player nothing can be followed."""
        return frozenset(pk for pk, player in self.people.items() if self.names.follows(player))

    def named(self, line: PlayerTally) -> SafeString:
        return self.names.cell(self.people[line.player_id])


def drawing_of(
    people: Mapping[int, Player | reads.Person], names: Names, links: Links, page: Iterable[Ranked]
) -> Drawing:
    # One scale for the whole page: its longest stick.
    scale = max((abs(result) for _rank, line in page for result in line.recent), default=1)
    return Drawing(people, names, links, scale, writer())


Cell = Callable[[PlayerTally], str]
Link = Callable[[PlayerTally], str]  # an address, escaped


def shares(line: PlayerTally) -> tuple[int, int, int, int]:
    return line.firsts, line.seconds, line.thirds, line.fourths


def rows(table: BoardTable, page: Iterable[Ranked], draw: Drawing) -> SafeString:
    """The ranked rows of a page."""
    cells = [_cell(bound.column, draw) for bound in table.columns if isinstance(bound.column, MetricColumn)]
    return drawing.body(
        f'<td role="cell" class="rank-cell">{components.rank_tile(rank)}</td>'
        f'<th role="rowheader" scope="row" class="name-cell">{draw.named(line)}</th>'
        + "".join([cell(line) for cell in cells])
        for rank, line in page
    )


def unranked_rows(metric: Metric, page: Iterable[Ranked], minimum: int, draw: Drawing) -> SafeString:
    total = _number_cell(metric, "numeric total-cell", draw, _link(metric, True, draw.links))
    return drawing.body(
        f'<th role="rowheader" scope="row" class="name-cell">{draw.named(line)}</th>'
        f'<td role="cell" class="progress-cell">{components.games_of_minimum(line.games, minimum)}</td>{total(line)}'
        for _rank, line in page
    )


def so_far(metric: Metric) -> str:
    return gettext("%(metric)s so far") % {"metric": gettext(metric.label)}


def _cell(column: MetricColumn, draw: Drawing) -> Cell:
    """The drawing function of one column, chosen once a page and called once a row."""
    metric, css, write = column.metric, column.css, draw.write
    if metric.unit == standings.SHARES:
        return lambda line: f'<td role="cell" class="{css}">{charts.shares_bar(shares(line), write)}</td>'
    if metric.unit == standings.STICKS:
        return lambda line: f'<td role="cell" class="{css}">{charts.sparkline(line.recent, draw.scale, write)}</td>'
    if metric.key == "games":
        return lambda line: (
            f'<td role="cell" class="{css}" data-u="{_games(write.language, line.games)}">{line.games}</td>'
        )
    if metric.unit == standings.COUNT:
        return lambda line: f'<td role="cell" class="{css}">{unless_zero(metric.value(line))}</td>'  # type: ignore[arg-type]
    return _number_cell(metric, css, draw, _link(metric, column.primary, draw.links))


@lru_cache(maxsize=8192)
def _written(unit: str, above: int, below: int, write: Writer) -> tuple[str, str]:
    """A fraction as text, with its tone; most numbers of a season are one of a few hundred."""
    value = Fraction(above, below)
    if unit == standings.RESULT:
        return write.result(value), tone(value)
    return (write.rating(value) if unit == standings.RATING else write.average_place(value)), ""


def _number_cell(metric: Metric, css: str, draw: Drawing, link: Link | None) -> Cell:
    """A number that knows its sign, and what it opens."""
    unit, write, value_of, followed = metric.unit, draw.write, metric.value, draw.followed
    blank_when_zero = metric.key == "penalties"
    classes = {"": css, "negative": f"{css} negative", "zero": f"{css} zero"}
    place = escape(gettext("place"))
    label = f' data-l="{place}"' if unit == standings.PLACE else ""
    missing = f'<td role="cell" class="{css}"{label}>{MISSING}</td>'

    def cell(line: PlayerTally) -> str:
        value = value_of(line)
        if value is None or (blank_when_zero and not value):
            return missing
        text, kind = _written(unit, value.numerator, value.denominator, write)
        if link and line.player_id in followed:
            text = f'<a href="{link(line)}">{text}</a>'
        return f'<td role="cell" class="{classes[kind]}"{label}>{text}</td>'

    return cell


def _link(metric: Metric, primary: bool, links: Links) -> Link | None:
    """Totals open the games behind them, best and worst the game they were made in, penalties the ledger."""
    games, days, penalties = f"{escape(links.games)}?player=", escape(links.days), f"{escape(links.penalties)}?player="
    if primary or metric.key == "total":
        return lambda line: f"{games}{line.player_id}{days}"
    if metric.key in ("best_game", "worst_game"):
        return lambda line: f"{games}{line.player_id}{days}&amp;result={metric.value(line)}"
    if metric.key == "penalties":
        return lambda line: f"{penalties}{line.player_id}"
    return None


@lru_cache(maxsize=2048)
def _games(language: str, count: int) -> str:
    with translation.override(language):
        return escape(ngettext("game", "games", count))


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
    table: BoardTable, lines: Iterable[Ranked], people: Mapping[int, Player], names: Names
) -> Iterable[list[export.Cell]]:
    values = [
        value
        for bound in table.columns
        if isinstance(bound.column, MetricColumn)
        for _head, _kind, value in _exported(bound.column.metric)
    ]
    for rank, line in lines:
        player = people[line.player_id]
        name, latin = names.text(player), names.latin(player)
        yield [rank, name, latin, *(value(line) for value in values)]


def _exported(metric: Metric) -> list[tuple[str, export.Kind, Callable[[Any], int | Fraction | None]]]:
    """A metric as columns of a file; the four shares are four."""
    if metric.unit == standings.SHARES:
        return [(gettext(METRICS[key].short), export.Kind.COUNT, METRICS[key].value) for key in _SHARES]
    return [(capfirst(gettext(metric.label)), _KINDS[metric.unit], metric.value)]
