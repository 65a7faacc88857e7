"""A preview says exactly what saving then does: ranks and values, before and after."""

from __future__ import annotations

import datetime

import pytest

from ratings.mahjong import standings
from ratings.mahjong.gamesheet import Sheet
from ratings.models import Hanchan, Player, Season
from ratings.queries.previews import Move, moves
from ratings.services.hanchans import (
    change_hanchan,
    record_hanchan,
    restore_hanchan,
    rules_for,
    score_sheet,
    void_hanchan,
)
from tests.cast import THURSDAY, make_season, make_sheet

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)
GAMES = [
    ((0, 1, 2, 3), (45_200, 31_100, 25_700, 18_000)),
    ((4, 1, 5, 3), (30_000, 30_000, 40_000, 20_000)),
    ((2, 5, 0, 4), (52_000, 28_000, 28_000, 12_000)),
    ((5, 4, 3, 1), (61_000, 22_300, 20_700, 16_000)),
]


def kept(season: Season) -> dict[int, tuple[int | None, object]]:
    """Rank and value of every player, as on the leaderboard."""
    rows = list(season.standings.all())
    ranked, _waiting = standings.split_by_minimum(rows, season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    ranks = {row.player_id: rank for rank, row in standings.rank(ranked, metrics)}
    return {row.player_id: (ranks.get(row.player_id), metrics[0].value(row)) for row in rows}


def foreseen(found: list[Move], *, after: bool) -> dict[int, tuple[int | None, object]]:
    pairs = {m.player_id: (m.rank_after, m.value_after) if after else (m.rank_before, m.value_before) for m in found}
    return {player: pair for player, pair in pairs.items() if pair != (None, None)}


@pytest.fixture(params=["sum", "average", "elo", "tenhou"])
def season(request: pytest.FixtureRequest) -> Season:
    return make_season(formula=request.param, initial_rating=1_500_000, minimum_games=2)


def play(season: Season, players: list[Player]) -> list[Hanchan]:
    return [
        record_hanchan(season, make_sheet([players[i] for i in who], *points, at=THURSDAY + n * DAY))
        for n, (who, points) in enumerate(GAMES)
    ]


def preview(season: Season, sheet: Sheet | None, hanchan: Hanchan | None = None) -> list[Move]:
    results = score_sheet(rules_for(season, season.rule_set, sheet.variation), sheet) if sheet else ()
    return moves(season, sheet, results, hanchan)


@pytest.mark.parametrize("day", [-1, 1, 9], ids=["before all games", "in between", "after all games"])
def test_of_a_new_game(season: Season, players: list[Player], day: int) -> None:
    play(season, players)
    sheet = make_sheet(
        players[1:5], 41_000, 33_000, 33_000, 13_000, at=THURSDAY + day * DAY - datetime.timedelta(hours=3)
    )
    before = kept(season)
    found = preview(season, sheet)
    assert foreseen(found, after=False) == before
    record_hanchan(season, sheet)
    assert foreseen(found, after=True) == kept(season)


def test_of_the_first_game_of_a_season(season: Season, players: list[Player]) -> None:
    sheet = make_sheet(players[:4], 45_200, 31_100, 25_700, 18_000, east={"chombo": 1})
    found = preview(season, sheet)
    record_hanchan(season, sheet)
    assert foreseen(found, after=True) == kept(season)


def test_of_a_correction_that_changes_a_player_and_the_day(season: Season, players: list[Player]) -> None:
    hanchan = play(season, players)[0]
    sheet = make_sheet([players[5], *players[1:4]], 20_000, 31_100, 25_700, 43_200, at=THURSDAY + 2.5 * DAY)
    found = preview(season, sheet, hanchan)
    change_hanchan(hanchan, sheet, version=1)
    assert foreseen(found, after=True) == kept(season)


def test_of_a_substituted_game(season: Season, players: list[Player]) -> None:
    play(season, players)
    sheet = make_sheet(players[:4], 45_200, 31_100, 25_700, 18_000, at=THURSDAY + DAY, east={"substitute": "mid_game"})
    found = preview(season, sheet)
    record_hanchan(season, sheet)
    assert foreseen(found, after=True) == kept(season)


def test_of_a_void_and_of_its_undoing(season: Season, players: list[Player]) -> None:
    hanchan = play(season, players)[1]
    found = preview(season, None, hanchan)
    void = void_hanchan(hanchan, version=1, reason="wrong wall")
    assert foreseen(found, after=True) == kept(season)
    restore_hanchan(void, version=2)
    assert foreseen(found, after=False) == kept(season)
