"""The sheet of standings: the ranking as the leaderboard has it, with every metric that is a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext

from clubsite.export import Cell, Column, Kind
from clubsite.workbooks import WorkbookSheet
from ratings.mahjong import standings
from ratings.mahjong.standings import METRICS, Metric, PlayerTally
from ratings.models import Season
from ratings.workbooks.people import People

# Fixed, whatever the leaderboard shows: a file is read by programs too.
SHOWN: tuple[Metric, ...] = tuple(
    METRICS[key]
    for key in (
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
)
KINDS = {
    standings.RESULT: Kind.RESULT,
    standings.RATING: Kind.RATING,
    standings.PLACE: Kind.PLACE,
    standings.COUNT: Kind.COUNT,
}
NUMBER, TOTAL, GAMES = 1, 5, 6  # columns, from 0
BEFORE_METRICS = 4


def sheet(season: Season, lines: Sequence[PlayerTally], people: People) -> WorkbookSheet:
    columns = [
        Column(gettext("Rank"), Kind.COUNT),
        Column(gettext("No."), Kind.COUNT),
        Column(gettext("Player"), width=people.width),
        Column(gettext("Name in Latin letters"), width=people.latin_width),
        *(Column(capfirst(gettext(metric.label)), KINDS[metric.unit], 10) for metric in SHOWN),
    ]
    rows = _rows(season, lines, people)
    return WorkbookSheet(gettext("Standings"), columns, rows, name="standings", frozen_columns=3)


def _rows(season: Season, lines: Sequence[PlayerTally], people: People) -> Iterator[list[Cell]]:
    ranked, waiting = standings.split_by_minimum(lines, season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    for rank, line in standings.rank(ranked, metrics):
        yield _row(rank, line, people)
    for _rank, line in standings.rank(waiting, metrics):
        yield _row(None, line, people)


def _row(rank: int | None, line: PlayerTally, people: People) -> list[Cell]:
    player = line.player_id
    before: list[Cell] = [rank, people.numbers.get(player), people.names[player], people.latin[player]]
    return [*before, *(metric.value(line) for metric in SHOWN)]
