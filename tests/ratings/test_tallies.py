"""How results add up: once in Python, once in SQL, and always the same."""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.standings import ABSENCE, ADDED_UP, PENALTY, PlayerTally, Tally, together
from ratings.models import Adjustment, Club, Hanchan, Player, Season, Seat, Standing
from ratings.queries.standings import aggregate, counting_seats, recent_results, valid_adjustments
from ratings.services.adjustments import give, revoke
from ratings.services.hanchans import record_hanchan, void_hanchan
from tests.cast import THURSDAY, make_club, make_players, make_season

DAY = datetime.timedelta(days=1)
KINDS = [Adjustment.Kind.PENALTY, Adjustment.Kind.BONUS, Adjustment.Kind.ABSENCE, Adjustment.Kind.CARRIED]
POINTS = [(45_000, 35_000, 25_000, 15_000), (35_000, 35_000, 30_000, 20_000), (50_000, 25_000, 25_000, 20_000)]


class TestATally:
    def test_counts_a_substituted_seat_in_total_and_games_only(self) -> None:
        tally = Tally()
        tally.add(-30_000, 4, 8, own=False, chombo=1, penalty=2000)

        assert tally == Tally(games=1, results=-30_000, chombo=1, penalties=2000, recent=(-30_000,))

    def test_keeps_the_last_ten_results_oldest_first(self) -> None:
        tally = Tally()
        for result in range(1, 13):
            tally.add(result, 1, 2, own=True)

        assert tally.recent == tuple(range(3, 13))
        assert (tally.firsts, tally.best, tally.worst) == (12, 12, 1)

    def test_counts_an_absence_as_a_game_and_a_penalty_as_a_penalty(self) -> None:
        tally = Tally()
        tally.adjust(ABSENCE, -60_000, 2)
        tally.adjust(PENALTY, -8000)
        tally.adjust("bonus", 1000)

        assert (tally.games, tally.adjustments, tally.penalties) == (2, -67_000, 8000)

    def test_of_several_seasons_has_the_best_of_the_bests(self) -> None:
        first, second = Tally(games=3, results=10, best=9, worst=-4), Tally(games=1, results=-5)

        assert together([first, second]) == Tally(games=4, results=5, best=9, worst=-4)


seats = st.fixed_dictionaries(
    {
        "chombo": st.sampled_from([0, 0, 1]),
        "penalty": st.sampled_from([0, 0, 8000]),
        "substitute": st.sampled_from([scoring.NONE, scoring.NONE, scoring.FROM_START, scoring.MID_GAME]),
    }
)
games = st.tuples(
    st.integers(0, 12), st.permutations(range(5)), st.sampled_from(POINTS), st.tuples(*[seats] * 4), st.booleans()
)
extras = st.tuples(st.integers(0, 4), st.sampled_from(KINDS), st.integers(-8, 8), st.booleans())


@pytest.mark.django_db
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games=st.lists(games, max_size=6), extras=st.lists(extras, max_size=4))
def test_the_database_adds_up_as_a_tally_does(games: list[Any], extras: list[Any]) -> None:
    season = make_season(Club.objects.first() or make_club(), preset="ema-2025")
    players = list(Player.objects.order_by("pk")[:5]) or make_players(5)
    for days, four, points, facts, is_void in games:
        game = record_hanchan(season, _sheet([players[index] for index in four[:4]], days, points, facts))
        if is_void:
            void_hanchan(game, version=game.version, reason="entered twice")
    for index, kind, points, is_revoked in extras:
        given_now = give(season, players[index], kind, points * 1000, "so it was", on=THURSDAY.date())
        if is_revoked:
            revoke(given_now, reason="it was not")

    folded = _fold(season)
    added_up = aggregate(counting_seats(season.pk), valid_adjustments(season.pk))
    recent = recent_results(counting_seats(season.pk))

    assert {
        player: replace(tally, recent=tuple(recent.get(player, ()))) for player, tally in added_up.items()
    } == folded
    assert {row.player_id: _kept(row) for row in Standing.objects.filter(season=season)} == folded


def _sheet(four: list[Player], days: int, points: tuple[int, ...], facts: tuple[dict[str, Any], ...]) -> Sheet[int]:
    at = THURSDAY + days * DAY
    played = [scoring.Seat(mine, **more) for mine, more in zip(points, facts, strict=True)]
    return Sheet(at, at.date(), tuple(SeatSheet(who.pk, seat) for who, seat in zip(four, played, strict=True)))


def _fold(season: Season) -> dict[int, PlayerTally]:
    """Every counting game and adjustment, one by one."""
    tallies: dict[int, PlayerTally] = defaultdict(PlayerTally)
    rows = Seat.objects.filter(hanchan__season=season, hanchan__status=Hanchan.Status.FINAL)
    for _game, four in groupby(rows.order_by("played_at", "hanchan_id", "wind"), key=lambda seat: seat.hanchan_id):
        for seat in four:
            tally = tallies[seat.player_id]
            tally.player_id = seat.player_id
            assert seat.result is not None
            assert seat.place is not None
            assert seat.place_twice is not None
            own = not seat.is_substituted
            tally.add(seat.result, seat.place, seat.place_twice, own=own, chombo=seat.chombo, penalty=seat.penalty)
            days = [day for day in (tally.last_played_on, seat.played_on) if day]
            tally.last_played_on = max(days, default=datetime.date.min)
    for row in Adjustment.objects.filter(season=season, revoked_at=None):
        tallies[row.player_id].player_id = row.player_id
        tallies[row.player_id].adjust(row.kind, row.points)
    return dict(tallies)


def _kept(row: Standing) -> PlayerTally:
    facts = {name: getattr(row, name) for name in (*ADDED_UP, "last_played_on", "player_id")}
    return PlayerTally(**facts, recent=tuple(row.recent))
