"""The front door: clubs as cards, each with the top of its season."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from lxml import html
from pytest_django import DjangoAssertNumQueries

from ratings.models import Affiliation, Club, Player, Season, Standing
from ratings.services.hanchans import record_hanchan
from tests.cast import make_club, make_players, make_rule_set, make_season, make_sheet
from tests.pages import tight
from tests.tournaments.hall import Hall

TODAY = timezone.localdate(timezone=datetime.UTC)
LAST_MONTH, NEXT_MONTH = TODAY - datetime.timedelta(days=30), TODAY + datetime.timedelta(days=30)


def make_running(club: Club, **fields: Any) -> Season:
    return make_season(club, **{"starts_on": LAST_MONTH, "ends_on": NEXT_MONTH, **fields})


def stand(season: Season, player: Player, results: int, **fields: Any) -> Standing:
    return Standing.objects.create(
        season=season, player=player, results=results, **{"games": 4, "placed": 4, "last_played_on": TODAY, **fields}
    )


def text_of(client: Client, address: str = "/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.django_db
class TestHome:
    def test_without_clubs_a_visitor_reads_what_the_site_is_and_whom_to_ask(self, client: Client) -> None:
        page = text_of(client)

        assert "There is no club here yet" in page
        assert "ask the person who gave you this address" in page
        assert "make demo" not in page
        assert "/admin/start/" not in page

    def test_without_clubs_the_owner_is_led_to_the_first_steps(self, client: Client) -> None:
        client.force_login(User.objects.create_superuser("owner"))

        assert "/admin/start/" in text_of(client)

    def test_a_card_shows_city_players_season_top_three_and_rules(self, client: Client) -> None:
        club = make_club(city="Minsk")
        season = make_running(club, name="Spring season")
        players = make_players(4)
        for player, results in zip(players, (12_300, 45_600, -7_000, 30_000), strict=True):
            Affiliation.objects.create(player=player, club=club)
            stand(season, player, results)

        page = text_of(client)

        assert page.index("Małgorzata Szczęsna") < page.index("Thomas Bergmann") < page.index("Дмитрий Соколов")
        assert "佐藤 健" not in page, "the fourth does not stand on the card"
        assert "+45.6" in page
        for fact in ("Minsk", "4 players", "Spring season", "Furiten, version 1", f"Last game {TODAY:%-d}"):
            assert fact in page

    def test_a_season_by_elo_is_topped_by_rating(self, client: Client) -> None:
        season = make_running(make_club(), formula="elo")
        low, high = make_players(2)
        stand(season, low, 90_000, rating=1_480_000)
        stand(season, high, -90_000, rating=1_512_400)

        page = text_of(client)

        assert page.index(high.native_name) < page.index(low.native_name)
        assert "1512.4" in page

    def test_a_season_by_average_is_topped_by_average(self, client: Client) -> None:
        season = make_running(make_club(), formula="average")
        often, seldom = make_players(2)
        stand(season, often, 80_000, games=40)
        stand(season, seldom, 30_000, games=3)

        page = text_of(client)

        assert page.index(seldom.native_name) < page.index(often.native_name)
        assert "+10.0" in page

    def test_tie_breaks_decide_at_the_cut(self, client: Client) -> None:
        season = make_running(make_club())
        players = make_players(5)
        for player, best in zip(players, (10, 20, 30, 40, 50), strict=True):
            stand(season, player, 5_000, place_twice=20, best=best * 1_000)

        page = text_of(client)

        assert players[4].native_name in page
        assert players[0].native_name not in page

    def test_players_below_the_minimum_are_not_ranked(self, client: Client) -> None:
        season = make_running(make_club(), minimum_games=5)
        regular, guest = make_players(2)
        stand(season, regular, 1_000, games=5)
        stand(season, guest, 99_000, games=4)

        page = text_of(client)

        assert regular.native_name in page
        assert guest.native_name not in page

    def test_a_hidden_player_stays_hidden(self, client: Client) -> None:
        season = make_running(make_club())
        (player,) = make_players(1)
        Player.objects.filter(pk=player.pk).update(visibility=Player.Visibility.HIDDEN)
        stand(season, player, 1_000)

        page = text_of(client)

        assert player.native_name not in page
        assert "Hidden player" in page

    def test_results_that_are_not_public_are_not_shown(self, client: Client) -> None:
        season = make_running(make_club(), results_public=False, name="Secret final")
        (player,) = make_players(1)
        stand(season, player, 1_000)

        page = text_of(client)

        assert "Secret final" not in page
        assert player.native_name not in page
        assert "No game yet" in page

    def test_the_rated_season_stands_for_the_club(self, client: Client) -> None:
        club = make_club()
        free = make_running(club, kind=Season.Kind.SIMPLIFIED, starts_on=TODAY)
        rated = make_running(club, kind=Season.Kind.RATED)
        loser, winner = make_players(2)
        stand(free, loser, 1_000)
        stand(rated, winner, 1_000)

        page = text_of(client)

        assert "2 seasons running" in page
        assert winner.native_name in page
        assert loser.native_name not in page

    def test_merged_players_are_counted_once(self, client: Client) -> None:
        club = make_club()
        make_season(club)
        one, same = make_players(2)
        Player.objects.filter(pk=same.pk).update(merged_into=one)
        for player in (one, same):
            Affiliation.objects.create(player=player, club=club)

        assert "1 player<" in tight(text_of(client))

    @pytest.mark.parametrize("clubs", [1, 6])
    def test_it_asks_six_questions_however_many_clubs(
        self, client: Client, clubs: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        players = make_players(4)
        for number in range(clubs):
            season = make_running(make_club(f"Club {number}", slug=f"club-{number}"))
            for player in players:
                stand(season, player, 1_000)

        with django_assert_num_queries(6):
            text_of(client)

    def test_it_explains_the_last_result_of_the_club_that_played_last(self, client: Client) -> None:
        season, players = make_running(make_club()), make_players(4)
        hanchan = record_hanchan(season, make_sheet(players, 46_200, 32_600, 23_900, 17_300, at=timezone.now()))

        page = tight(text_of(client))

        assert "How Дмитрий Соколов got +25.2" in page
        assert hanchan.get_absolute_url() in page
        for step in ("Base", "+16.2", "Uma", "+9.0", "Result"):
            assert step in page

    def test_a_result_of_a_hidden_winner_is_not_explained(self, client: Client) -> None:
        season, players = make_running(make_club()), make_players(4)
        record_hanchan(season, make_sheet(players, 46_200, 32_600, 23_900, 17_300, at=timezone.now()))
        Player.objects.filter(pk=players[0].pk).update(visibility=Player.Visibility.HIDDEN)

        assert "How " not in text_of(client)

    def test_an_event_that_is_played_today_leads_the_page(self, client: Client) -> None:
        make_season(make_club())
        event = Hall(8, club=make_club("Host"), starts_on=TODAY, ends_on=TODAY).tournament

        page = tight(text_of(client))

        strip = page[page.index("live-strip") : page.index('id="clubs"')]
        assert event.get_absolute_url() in strip
        assert "Find my table" in strip


@pytest.mark.django_db
class TestClub:
    def test_it_shows_the_last_evenings_and_games(self, client: Client) -> None:
        season, players = make_running(make_club()), make_players(4)
        for days_ago in (2, 1, 1):
            at = timezone.now() - datetime.timedelta(days=days_ago)
            record_hanchan(season, make_sheet(players, 46_200, 32_600, 23_900, 17_300, at=at))
        hidden = make_running(season.club, results_public=False)
        record_hanchan(hidden, make_sheet(players, 46_200, 32_600, 23_900, 17_300, at=timezone.now()))

        page = html.fromstring(text_of(client, season.club.get_absolute_url()))

        assert [each.text_content() for each in page.xpath("//ol[@class='column-chart']//b")] == ["1", "2"]
        words = [each.text_content() for each in page.xpath("//ol[@class='column-chart']//span[@class='spoken']")]
        assert words[1].endswith(": 2 games, 4 players")
        assert len(page.xpath("//table[contains(@class, 'games')]/tbody/tr")) == 3

    def test_a_club_that_rests_shows_no_empty_chart(self, client: Client) -> None:
        season = make_running(make_club())

        assert "column-chart" not in text_of(client, season.club.get_absolute_url())

    def test_it_shows_seasons_running_and_past_and_the_rules(self, client: Client) -> None:
        club = make_club(city="Minsk", about="Thursdays at seven.\n\n<b>Beginners</b> are welcome.")
        rules = make_rule_set(club)
        running = make_running(club, name="Spring", rule_set=rules)
        make_season(
            club, name="Autumn", rule_set=rules, starts_on=LAST_MONTH - datetime.timedelta(60), ends_on=LAST_MONTH
        )
        (player,) = make_players(1)
        stand(running, player, 12_300)

        page = text_of(client, club.get_absolute_url())

        assert page.index("Running seasons") < page.index("Spring") < page.index("Other seasons") < page.index("Autumn")
        assert "&lt;b&gt;Beginners&lt;/b&gt; are welcome." in page
        assert "+12.3" in page
        assert rules.get_absolute_url() in page

    def test_a_club_without_seasons_says_what_is_missing(self, client: Client) -> None:
        assert "No season yet" in text_of(client, make_club().get_absolute_url())

    def test_an_unknown_club_has_no_page(self, client: Client) -> None:
        answer = client.get("/clubs/nobody/")

        assert answer.status_code == 404
        assert "There is no such page" in answer.content.decode()

    @pytest.mark.parametrize("seasons", [1, 5])
    def test_it_asks_as_many_questions_for_one_season_as_for_five(
        self, client: Client, seasons: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        club = make_club()
        players = make_players(4)
        for _number in range(seasons):
            season = make_running(club)
            for player in players:
                stand(season, player, 1_000)

        with django_assert_num_queries(8):
            text_of(client, club.get_absolute_url())
