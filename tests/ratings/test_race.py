"""The season race: ranks over time, which end as the leaderboard does."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client

from ratings.models import Adjustment, Player, Season, Standing
from ratings.queries import leaderboard
from ratings.queries.race import MOST_DAYS, RUNNERS, race_of
from ratings.services.adjustments import give
from ratings.services.hanchans import record_hanchan
from ratings.tables.leaderboard import rank_all
from tests.cast import THURSDAY, make_players, make_season, make_sheet
from tests.scale.season import build_season

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)


def address(season: Season) -> str:
    return f"{season.get_absolute_url()}race/"


def play(season: Season, players: list[Player], *points: int, day: int) -> None:
    record_hanchan(season, make_sheet(players, *points, at=THURSDAY + day * DAY))
    season.refresh_from_db()


@pytest.mark.parametrize("formula", ["sum", "average", "elo", "tenhou"])
def test_the_last_day_is_the_leaderboard(formula: str) -> None:
    season = build_season(150, 14, formula=formula)
    Season.objects.filter(pk=season.pk).update(minimum_games=5)
    player = season.standings.order_by("pk")[0].player
    give(season, player, Adjustment.Kind.PENALTY, -80_000, "late", on=datetime.date(2025, 5, 1))
    season.refresh_from_db()

    race = race_of(season)

    ranked, _few = rank_all(season, leaderboard.lines(season), season.minimum_games)
    ends = [(course[-1].rank, player) for player, course in race.courses.items() if course[-1]]
    assert ends == [(rank, line.player_id) for rank, line in ranked[:RUNNERS]]
    assert len(race.courses) == RUNNERS


@pytest.mark.parametrize("until", [0, 2, 5])
def test_every_day_is_the_leaderboard_of_that_day(until: int) -> None:
    season, players = make_season(minimum_games=2), make_players(4)
    for day, winner in enumerate((0, 0, 1, 2, 3, 3)):
        turned = players[winner:] + players[:winner]
        play(season, turned, 60_000, 30_000, 20_000, 10_000, day=day)

    race = race_of(season)

    span = leaderboard.Span(None, race.days[until])
    ranked, _few = rank_all(season, leaderboard.lines(season, span), season.minimum_games)
    places = {player: course[until] for player, course in race.courses.items()}
    then = {player: place.rank for player, place in places.items() if place}
    assert then == {line.player_id: rank for rank, line in ranked}


def test_one_day_is_no_race(client: Client) -> None:
    season = make_season()
    play(season, make_players(4), 40_000, 30_000, 28_000, 22_000, day=0)

    assert race_of(season).days == ()
    assert "No race yet" in client.get(address(season)).content.decode()


def test_a_long_season_shows_some_of_its_days_with_first_and_last() -> None:
    season, players = make_season(), make_players(4)
    for day in range(MOST_DAYS + 3):
        play(season, players, 40_000, 30_000, 28_000, 22_000, day=day)

    days = race_of(season).days

    assert len(days) == MOST_DAYS
    assert (days[0], days[-1]) == (THURSDAY.date(), (THURSDAY + (MOST_DAYS + 2) * DAY).date())


class TestPage:
    @pytest.fixture
    def season(self) -> Season:
        season, players = make_season(), make_players(4)
        for day in range(2):
            play(season, players, 40_000, 30_000, 28_000, 22_000, day=day)
        return season

    def test_the_leaderboard_fetches_it_and_leads_to_it(self, client: Client, season: Season) -> None:
        page = client.get(season.get_absolute_url()).content.decode()

        assert f'hx-get="{address(season)}"' in page
        assert f'href="{address(season)}"' in page

    def test_it_is_a_page_and_a_part_of_a_page(self, client: Client, season: Season) -> None:
        page, part = client.get(address(season)), client.get(address(season), headers={"HX-Request": "true"})

        assert "<html" in page.content.decode()
        assert "<html" not in part.content.decode()
        assert "HX-Request" in part["Vary"]
        assert page["ETag"] != part["ETag"]
        for answer in (page, part):
            assert "Дмитрий Соколов" in answer.content.decode()
            assert "Show as a table" in answer.content.decode()

    def test_a_hidden_player_runs_without_a_name(self, client: Client, season: Season) -> None:
        Player.objects.filter(native_name="Дмитрий Соколов").update(visibility=Player.Visibility.HIDDEN)

        page = client.get(address(season)).content.decode()

        assert "Соколов" not in page
        assert "Hidden player" in page

    def test_it_is_answered_again_only_after_a_new_game(
        self, client: Client, season: Season, django_assert_num_queries: Any
    ) -> None:
        client.get(address(season))  # sets the cookie that the page's token belongs to
        etag = client.get(address(season))["ETag"]
        with django_assert_num_queries(1):
            assert client.get(address(season), headers={"If-None-Match": etag}).status_code == 304
        play(season, list(Player.objects.all()[:4]), 40_000, 30_000, 28_000, 22_000, day=5)
        assert client.get(address(season), headers={"If-None-Match": etag}).status_code == 200

    def test_results_that_are_not_public_have_no_race(self, client: Client, season: Season) -> None:
        Season.objects.filter(pk=season.pk).update(results_public=False)

        assert client.get(address(season)).status_code == 404
        assert Standing.objects.filter(season=season).exists()
