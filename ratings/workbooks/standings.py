"""The sheet of standings: the ranking of the leaderboard, with every metric that is a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.export import Kind
from clubsite.tables import Column, ListTable
from clubsite.workbooks import WorkbookSheet
from ratings.mahjong import standings
from ratings.mahjong.standings import METRICS, PlayerTally
from ratings.models import Season
from ratings.tables.leaderboard import BoardTable, MetricColumn, Ranked
from ratings.workbooks.people import People

# These do not depend on what the leaderboard shows, because programs read the file too.
SHOWN = (
    "rating",
    "total",
    "games",
    "average",
    "average_place",
    "firsts",
    "seconds",
    "thirds",
    "fourths",
    "best_game",
    "worst_game",
    "chombo",
    "penalties",
)
NUMBER, TOTAL, GAMES = 1, 5, 6  # columns, from 0
METRIC_WIDTH = 10


class SheetTable(ListTable):
    """Columns of the leaderboard, with the number and the names that the other sheets of the book use."""

    rank = BoardTable.base_columns["rank"]
    number = Column(_("No."), value=lambda people, row: people.numbers.get(row[1].player_id), kind=Kind.COUNT)
    player = Column(_("Player"), value=lambda people, row: people.names[row[1].player_id])
    latin = Column(_("Name in Latin letters"), value=lambda people, row: people.latin[row[1].player_id])

    class Meta:
        sequence = ("rank", "number", "player", "latin", "...")


def sheet(season: Season, lines: Sequence[PlayerTally], people: People) -> WorkbookSheet:
    table = SheetTable([], extra_columns=[(key, MetricColumn(METRICS[key])) for key in SHOWN])
    rank, number, player, latin, *metrics = table.file_columns()
    columns = [
        rank,
        number,
        replace(player, width=people.width),
        replace(latin, width=people.latin_width),
        *(replace(column, width=METRIC_WIDTH) for column in metrics),
    ]
    rows = table.file_rows(people, _ranked(season, lines))
    return WorkbookSheet(gettext("Standings"), columns, rows, name="standings", frozen_columns=3)


def _ranked(season: Season, lines: Sequence[PlayerTally]) -> Iterator[Ranked]:
    ranked, waiting = standings.split_by_minimum(lines, season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    yield from standings.rank(ranked, metrics)
    yield from ((None, line) for _rank, line in standings.rank(waiting, metrics))
