"""A player's own page: figures that follow from the games, for those who may see them.

Furiten starts with 30 000 and an uma of 9 / 3 / −3 / −9, so a result is points − 30 000 + uma.
"""

from __future__ import annotations

import datetime
import re
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ratings.mahjong import formulas, standings
from ratings.models import Adjustment, Hanchan, Player, Season
from ratings.queries import careers
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.standings import refresh_standings
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)


@pytest.fixture
def players() -> list[Player]:
    return make_players(4)


def play(season: Season, players: list[Player], *points: int, day: int = 0, **facts: Any) -> Hanchan:
    return record_hanchan(season, make_sheet(players, *points, at=THURSDAY + day * DAY, **facts))


def three_games(season: Season, players: list[Player]) -> None:
    """Dmitry is 1st with +25.2 from East, 2nd with +3.0 from South, 4th with −24.0 from East."""
    dmitry, gosia, ken, thomas = players
    play(season, [dmitry, gosia, ken, thomas], 46_200, 32_600, 23_900, 17_300)
    play(season, [gosia, dmitry, ken, thomas], 40_000, 30_000, 28_000, 22_000, day=1)
    play(season, [dmitry, gosia, ken, thomas], 15_000, 35_000, 25_000, 45_000, day=2)


def html(client: Client, player: Player, **query: str) -> str:
    answer = client.get(player.get_absolute_url(), query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def read(client: Client, player: Player, **query: str) -> str:
    """The page as text, without markup."""
    text = re.sub(r"<[^>]+>", " ", html(client, player, **query).split("<main", 1)[1])
    return " ".join(text.replace("\xa0", " ").split())


# --- figures ----------------------------------------------------------------------------------------------


def test_the_strip_holds_rank_total_and_what_follows(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)

    page = read(client, players[0])

    # Małgorzata has 5.6 + 19.0 + 8.0 = +32.6; Thomas −21.7 − 17.0 + 24.0 = −14.7; Ken −22.1.
    assert "Rank 2 of 4 Total +4.2 Games 3 Average +1.4 Average place 2.33" in page
    assert "Best game +25.2 Worst game −24.0 Longest without a 4th 2 games" in page


def test_places_streaks_and_scores(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)

    page = read(client, players[0])

    assert "1st 1 × 33 % 2nd 1 × 33 % 3rd 0 × 0 % 4th 1 × 33 %" in page
    assert "Longest streaks Firsts in a row 1" in page
    assert "Firsts or seconds in a row 2" in page
    assert "Results above zero in a row 2" in page
    assert "Games above zero 2 of 3" in page
    assert "on average 30 400" in page  # 91 200 / 3
    assert "Most points 46 200 Fewest points 15 000" in page


def test_by_starting_wind(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)

    page = read(client, players[0])

    assert "East 2 2.50 +0.6 South 1 2.00 +3.0 West 0 – – North 0 – –" in page


def test_games_without_known_winds_are_left_out_of_the_winds_only(
    client: Client, season: Season, players: list[Player]
) -> None:
    play(season, players, 46_200, 32_600, 23_900, 17_300, winds_unknown=True)

    page = read(client, players[0])

    assert "East 0 – –" in page
    assert "Most points 46 200" in page
    assert "Games 1 " in page


def test_head_to_head_counts_who_finished_ahead_and_by_how_much(
    client: Client, season: Season, players: list[Player]
) -> None:
    three_games(season, players)
    dmitry, gosia, ken, thomas = players

    assert careers.rivals_of(dmitry, [season.pk]) == [
        careers.Rival(ken.pk, 3, 2, 1, Fraction(34_300 + 8_000 - 16_000, 3)),
        careers.Rival(thomas.pk, 3, 2, 1, Fraction(46_900 + 20_000 - 48_000, 3)),
        careers.Rival(gosia.pk, 3, 1, 2, Fraction(19_600 - 16_000 - 32_000, 3)),
    ]
    page = read(client, dmitry)
    assert "佐藤 健 Ken Satō 3 ahead 2 behind 1 +8.8" in page
    assert "Małgorzata Szczęsna 3 ahead 1 behind 2 −9.5" in page


def test_tied_rivals_are_neither_ahead_nor_behind(season: Season, players: list[Player]) -> None:
    play(season, players, 35_000, 35_000, 30_000, 20_000)

    assert careers.Rival(players[1].pk, 1, 0, 0, Fraction(0)) in careers.rivals_of(players[0], [season.pk])


def test_substituted_seats_count_in_the_total_alone(client: Client, season: Season, players: list[Player]) -> None:
    dmitry, gosia, *_others = players
    three_games(season, players)
    play(season, players, 60_000, 20_000, 20_000, 20_000, day=3, east={"substitute": "from_start"})
    fixed = dmitry.seats.get(place=1, points=60_000).result
    assert fixed is not None

    figures = standings.together([line.standing for line in careers.seasons_of(dmitry, User())])
    games = careers.games_in_order(dmitry, [season.pk])
    winds, scores = careers.winds_and_scores(dmitry, [season.pk])

    assert (figures.games, figures.placed, figures.results) == (4, 3, 4_200 + fixed)
    assert sum(wind.games for wind in winds) == scores.games == 3
    assert scores.most_points == 46_200
    assert careers.streaks(games).firsts == 1
    assert [rival.games for rival in careers.rivals_of(dmitry, [season.pk])] == [3, 3, 3]
    # Seen from the other side of that table, the substituted seat is no opponent either.
    assert {rival.player_id: rival.games for rival in careers.rivals_of(gosia, [season.pk])}[dmitry.pk] == 3
    assert "substitute" in read(client, dmitry)


def test_a_substituted_game_neither_prolongs_nor_breaks_a_streak() -> None:
    day = datetime.date(2026, 4, 16)
    places = [(1, "none"), (4, "mid_game"), (1, "none"), (2, "none"), (4, "none"), (1, "none")]
    games = [careers.CareerGame(n, day, place, 5 - 2 * place, None, who) for n, (place, who) in enumerate(places)]

    assert careers.streaks(games) == careers.Streaks(firsts=2, first_or_second=3, without_fourth=3, above_zero=3)


def test_drafts_and_void_games_count_nowhere(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)
    void = play(season, players, 90_000, 10_000, 10_000, 10_000, day=4)
    void_hanchan(void, version=1, reason="Test.")
    record_hanchan(season, make_sheet(players, 80_000, 10_000, 10_000, 10_000), draft=True)

    page = read(client, players[0])

    assert "90 000" not in page
    assert "80 000" not in page
    assert "Games 3 " in page


# --- the curve --------------------------------------------------------------------------------------------


def test_the_curve_of_a_sum_passes_every_game_and_ends_at_the_total(
    client: Client, season: Season, players: list[Player]
) -> None:
    three_games(season, players)

    page = html(client, players[0])

    assert "Total over the season" in page
    assert 'aria-label="16 April, game 1, 1st: +25.2, total +25.2"' in page
    assert 'aria-label="17 April, game 2, 2nd: +3.0, total +28.2"' in page
    assert 'aria-label="18 April, game 3, 4th: −24.0, total +4.2"' in page


def test_a_penalty_is_a_step_of_the_curve_and_a_revoked_one_is_not(
    client: Client, season: Season, players: list[Player]
) -> None:
    three_games(season, players)
    given = {"season": season, "player": players[0], "reason": "Late twice.", "given_on": datetime.date(2026, 4, 17)}
    Adjustment.objects.create(points=-10_000, **given)
    Adjustment.objects.create(points=-50_000, revoked_at=timezone.now(), **given)
    refresh_standings(season.pk, [players[0].pk])

    page = html(client, players[0])

    assert 'aria-label="17 April, penalty: −10.0, total +18.2"' in page
    assert 'aria-label="18 April, game 3, 4th: −24.0, total −5.8"' in page
    assert "−50.0" not in page
    assert "Total −5.8" in read(client, players[0])


def test_the_curve_of_an_average_is_the_average_so_far(client: Client, players: list[Player]) -> None:
    three_games(make_season(formula=formulas.AVERAGE.key), players)

    page = html(client, players[0])

    assert 'aria-label="17 April, game 2, 2nd: +3.0, average +14.1"' in page
    assert 'aria-label="18 April, game 3, 4th: −24.0, average +1.4"' in page


def test_the_curve_of_a_rating_starts_from_the_initial_one(client: Client, players: list[Player]) -> None:
    three_games(make_season(formula=formulas.ELO.key, initial_rating=1_500_000), players)

    page = html(client, players[0])

    assert "Rating over the season" in page
    assert 'aria-label="16 April, game 1, 1st: +24.0, rating 1524.0"' in page
    # From 1524, 1508, 1492 and 1476: 96 · (1/3 − 1.63754/6) = +5.8
    assert 'aria-label="17 April, game 2, 2nd: +5.8, rating 1529.8"' in page


# --- which games ------------------------------------------------------------------------------------------


def test_one_season_one_club_or_all_can_be_chosen(client: Client, players: list[Player]) -> None:
    furiten, phoenix = make_club(), make_club("Phoenix")
    spring, autumn, other = make_season(furiten), make_season(furiten), make_season(phoenix)
    play(spring, players, 46_200, 32_600, 23_900, 17_300)
    play(autumn, players, 46_200, 32_600, 23_900, 17_300, day=1)
    play(other, players, 46_200, 32_600, 23_900, 17_300, day=2)
    dmitry = players[0]

    assert "Total +25.2 Games 1" in read(client, dmitry)
    assert f'value="season-{other.pk}" selected' in html(client, dmitry)
    assert f'value="season-{spring.pk}" selected' in html(client, dmitry, show=f"season-{spring.pk}")
    assert "Seasons 2 Total +50.4 Games 2" in read(client, dmitry, show="club-furiten")
    assert "Seasons 3 Total +75.6 Games 3" in read(client, dmitry, show="all")
    assert "choose one" in read(client, dmitry, show="all")


@pytest.mark.parametrize("show", ["season-999999", "club-nowhere", "season-x", "\x00", "season-" + "9" * 40])
def test_a_choice_that_does_not_exist_shows_the_season_played_last(
    client: Client, season: Season, players: list[Player], show: str
) -> None:
    three_games(season, players)

    assert f'value="season-{season.pk}" selected' in html(client, players[0], show=show, page="-7", opponents="x")


def test_every_season_stands_with_its_rank(client: Client, players: list[Player]) -> None:
    club = make_club()
    spring, autumn = make_season(club, name="Spring"), make_season(club, name="Autumn", minimum_games=6)
    three_games(spring, players)
    play(autumn, players, 46_200, 32_600, 23_900, 17_300, day=9)

    page = read(client, players[0])

    assert "Spring Furiten 2 of 4 +4.2 3 2.33" in page
    assert "Autumn Furiten 1 of 6 games +25.2 1 1.00" in page
    assert "Rank – 1 of 6 games" in page


def test_results_that_are_not_public_are_left_out_for_strangers(client: Client, players: list[Player]) -> None:
    club = make_club()
    spring, event = make_season(club, name="Spring"), make_season(club, name="Open", results_public=False)
    three_games(spring, players)
    secret = play(event, players, 90_000, 10_000, 10_000, 10_000, day=9)

    public = html(client, players[0], show="all")

    assert "Open" not in public
    assert "90\u00a0000" not in public
    assert secret.get_absolute_url() not in public
    assert "Seasons 1" in read(client, players[0], show="all")
    assert "+4.2" in read(client, players[0], show=f"season-{event.pk}")
    client.force_login(make_user("scorer", club))
    assert "Seasons 2" in read(client, players[0], show="all")
    assert "90\u00a0000" in html(client, players[0], show="all")


def test_a_player_without_games_has_a_page_that_says_so(client: Client, players: list[Player]) -> None:
    assert "No games yet" in read(client, players[0])


def test_a_penalty_without_a_game_makes_no_page_fall(client: Client, season: Season, players: list[Player]) -> None:
    Adjustment.objects.create(
        season=season, player=players[0], points=-5_000, reason="Left.", given_on=datetime.date(2026, 4, 17)
    )
    refresh_standings(season.pk, [players[0].pk])

    page = read(client, players[0])

    assert "Total −5.0 Games 0" in page
    assert "No opponents yet" in page


# --- lists ------------------------------------------------------------------------------------------------


def test_games_are_paged_and_lead_to_their_pages(client: Client, season: Season, players: list[Player]) -> None:
    games = [play(season, players, 46_200, 32_600, 23_900, 17_300, day=day) for day in range(30)]

    first, second = html(client, players[0]), html(client, players[0], page="2")

    table = first.split('id="games"')[1]
    assert table.count('role="rowheader"') == 25
    assert second.split('id="games"')[1].count('role="rowheader"') == 5
    assert games[-1].get_absolute_url() in table
    assert games[0].get_absolute_url() in second.split('id="games"')[1]


def test_ten_opponents_are_shown_and_the_rest_on_demand(client: Client, season: Season) -> None:
    players = make_players(16)
    for number in range(5):
        others = players[1 + 3 * number : 4 + 3 * number]
        play(season, [players[0], *others], 46_200, 32_600, 23_900, 17_300, day=number)

    first = read(client, players[0])
    every = read(client, players[0], opponents="all")

    assert "10 of 15 opponents Show all" in first
    assert "15 of 15 opponents" in every
    assert "Show all" not in every


# --- who sees what ----------------------------------------------------------------------------------------


def test_a_wrong_or_missing_slug_leads_to_the_right_address(client: Client, players: list[Player]) -> None:
    right = players[0].get_absolute_url()

    for wrong in (f"/players/{players[0].pk}/", f"/players/{players[0].pk}-someone-else/"):
        answer = client.get(wrong, {"show": "all"})
        assert (answer.status_code, answer["Location"]) == (302, f"{right}?show=all")


def test_a_merged_player_leads_to_the_survivor(client: Client, players: list[Player]) -> None:
    one, two, three, _four = players
    Player.objects.filter(pk=one.pk).update(merged_into=two)
    Player.objects.filter(pk=two.pk).update(merged_into=three)

    answer = client.get(one.get_absolute_url())

    assert answer["Location"] == three.get_absolute_url()


def test_a_hidden_player_has_a_page_for_staff_of_the_players_clubs_only(
    client: Client, season: Season, players: list[Player]
) -> None:
    three_games(season, players)
    dmitry = players[0]
    named_address = dmitry.get_absolute_url()
    Player.objects.filter(pk=dmitry.pk).update(visibility=Player.Visibility.HIDDEN)
    dmitry.refresh_from_db()

    assert "sokolov" not in dmitry.get_absolute_url()
    for address in (named_address, dmitry.get_absolute_url(), reverse("ratings:player_by_number", args=[dmitry.pk])):
        assert client.get(address).status_code == 404
    client.force_login(make_user("theirs", make_club("Phoenix")))
    assert client.get(dmitry.get_absolute_url()).status_code == 404
    client.force_login(make_user("ours", season.club))
    page = read(client, dmitry)
    assert "Дмитрий Соколов" in page
    assert "This page is private" in page


def test_a_hidden_opponent_is_hidden_in_every_list(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)
    dmitry, gosia, *_others = players
    Player.objects.filter(pk=dmitry.pk).update(visibility=Player.Visibility.HIDDEN)

    public = html(client, gosia)

    assert "Соколов" not in public
    assert "Sokolov" not in public
    assert f"/players/{dmitry.pk}-" not in public
    assert "Hidden player" in public
    client.force_login(make_user("ours", season.club))
    assert "Соколов" in html(client, gosia)


def test_a_player_known_by_nickname_shows_nothing_else(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)
    ken = players[2]
    Player.objects.filter(pk=ken.pk).update(
        visibility=Player.Visibility.NICKNAME, nickname="Katana", ema_number="08010023"
    )
    ken.refresh_from_db()

    public = html(client, ken)

    assert "Katana" in public
    assert ">JP<" in public
    for secret in ("佐藤", "Sat", "08010023"):
        assert secret not in public
    client.force_login(make_user("ours", season.club))
    assert "佐藤 健" in read(client, ken)


def test_an_anonymised_player_has_no_page(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)
    Player.objects.filter(pk=players[0].pk).update(anonymised_at=timezone.now())
    players[0].refresh_from_db()

    assert client.get(players[0].get_absolute_url()).status_code == 404
    assert "Соколов" not in html(client, players[1])


def test_a_name_that_is_markup_is_text(client: Client, season: Season, players: list[Player]) -> None:
    three_games(season, players)
    Player.objects.filter(pk=players[0].pk).update(native_name="<b>x</b>")
    players[0].refresh_from_db()

    for player in players[:2]:
        assert "<b>x</b>" not in html(client, player)


@pytest.mark.parametrize("pk", ["0", "999999", "9" * 30])
def test_a_player_who_does_not_exist_is_not_found(client: Client, pk: str) -> None:
    assert client.get(f"/players/{pk}-nobody/").status_code == 404


# --- which season -----------------------------------------------------------------------------------------


class TestWhichSeason:
    """The page shows the season that the reader came from, else the one that the player plays in now."""

    @pytest.fixture
    def summer(self) -> Season:
        return make_season(make_club("Summer", slug="summer"), starts_on=datetime.date(2020, 1, 1), ends_on=None)

    @pytest.fixture
    def autumn(self) -> Season:
        return make_season(make_club("Autumn", slug="autumn"), starts_on=datetime.date(2020, 1, 1), ends_on=None)

    def chosen(self, client: Client, player: Player, **query: str) -> Season:
        found = client.get(player.get_absolute_url(), query).context["chosen"].line.season
        assert isinstance(found, Season)
        return found

    def play_lately(self, season: Season, players: list[Player], ago: int, **facts: Any) -> None:
        at = timezone.now() - datetime.timedelta(days=ago)
        record_hanchan(season, make_sheet(players, 46_200, 32_600, 23_900, 17_300, at=at, **facts))

    def test_it_is_the_season_with_most_games_lately(
        self, client: Client, summer: Season, autumn: Season, players: list[Player]
    ) -> None:
        for ago in (5, 6, 7):
            self.play_lately(autumn, players, ago)
        self.play_lately(summer, players, 1)

        assert self.chosen(client, players[0]) == autumn
        assert self.chosen(client, players[0], show=f"season-{summer.pk}") == summer
        assert self.chosen(client, players[0], show="season-999999") == autumn

    def test_games_of_long_ago_do_not_decide(
        self, client: Client, summer: Season, autumn: Season, players: list[Player]
    ) -> None:
        for ago in (200, 201, 202):
            self.play_lately(autumn, players, ago)
        self.play_lately(summer, players, 80)

        assert self.chosen(client, players[0]) == summer

    def test_a_season_in_which_only_substitutes_played_comes_last(
        self, client: Client, summer: Season, autumn: Season, players: list[Player]
    ) -> None:
        self.play_lately(autumn, players, 300)
        for ago in (1, 2):
            self.play_lately(summer, players, ago, east={"substitute": "from_start"})

        assert self.chosen(client, players[0]) == autumn
        assert self.chosen(client, players[1]) == summer

    def test_an_event_comes_after_the_seasons_of_clubs(
        self, client: Client, summer: Season, autumn: Season, players: list[Player]
    ) -> None:
        self.play_lately(autumn, players, 200)
        self.play_lately(summer, players, 1)
        Season.objects.filter(pk=summer.pk).update(kind=Season.Kind.TOURNAMENT)

        assert self.chosen(client, players[0]) == autumn

    def test_links_of_a_season_lead_to_that_season(self, client: Client, season: Season, players: list[Player]) -> None:
        three_games(season, players)
        link = f"{players[0].get_absolute_url()}?show=season-{season.pk}"

        for address in (season.get_absolute_url(), f"{season.get_absolute_url()}games/"):
            assert link in client.get(address).content.decode()
        assert link in client.get(Hanchan.objects.latest("pk").get_absolute_url()).content.decode()
        rivals = client.get(players[1].get_absolute_url(), {"show": f"season-{season.pk}"}).content.decode()
        assert link in rivals


# --- cost -------------------------------------------------------------------------------------------------


def test_the_page_costs_the_same_number_of_queries_however_many_games(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = make_club()
    seasons = [make_season(club), make_season(club)]
    players = make_players(8)
    dmitry = players[0]
    for number in range(60):
        play(seasons[number % 2], [dmitry, *players[1 + number % 5 : 4 + number % 5]], 46_200, 32_600, 23_900, 17_300)

    # player, affiliations, clubs, standings, everybody's, games, rivals, their names, count, page, tables, winds
    with django_assert_num_queries(12):
        client.get(dmitry.get_absolute_url(), {"show": "all"})
    # and the season's adjustments, for the curve
    with django_assert_num_queries(13):
        client.get(dmitry.get_absolute_url(), {"show": f"season-{seasons[0].pk}"})
    # and where most was played lately
    with django_assert_num_queries(14):
        client.get(dmitry.get_absolute_url())


def test_staff_cost_four_queries_more(
    client: Client, season: Season, players: list[Player], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    three_games(season, players)
    client.force_login(make_user("ours", season.club))

    # session, user, memberships, and the players whose names the user may read
    with django_assert_num_queries(17):
        client.get(players[0].get_absolute_url())
