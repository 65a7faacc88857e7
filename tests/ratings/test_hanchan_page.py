"""The page of a game: the table as played, every step, and what only staff may see."""

from __future__ import annotations

import datetime
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from lxml import html
from pytest_django import DjangoAssertNumQueries

from clubsite import numbers
from ratings.mahjong import formulas
from ratings.models import Hanchan, Player, Season
from ratings.services.hanchans import change_hanchan, record_hanchan, restore_hanchan, void_hanchan
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user

pytestmark = pytest.mark.django_db

POINTS = (46_200, 32_600, 23_900, 17_300)  # Furiten starts with 30 000


@pytest.fixture
def season() -> Season:
    return make_season(make_club(time_zone="Europe/Minsk"))


@pytest.fixture
def players() -> list[Player]:
    return make_players(4)


@pytest.fixture
def game(season: Season, players: list[Player]) -> Hanchan:
    return record_hanchan(season, make_sheet(players, *POINTS, table=3))


def read(client: Client, game: Hanchan) -> str:
    """The page as text, without markup."""
    answer = client.get(game.get_absolute_url())
    assert answer.status_code == 200
    text = re.sub(r"<[^>]+>", " ", answer.content.decode().split("<main", 1)[1])
    return " ".join(text.replace("\xa0", " ").split())


def member(client: Client, season: Season, role: str = "scorer") -> User:
    user = make_user(f"{role} at work", season.club, role)
    client.force_login(user)
    return user


def test_the_page_shows_the_table_its_rules_and_the_club_time(client: Client, game: Hanchan) -> None:
    page = read(client, game)

    assert "Hanchan of 16 April 2026, table 3" in page
    assert "20:30" in page  # half past five in UTC
    assert str(game.rule_set) in page
    assert "46 200" in page
    assert "Дмитрий Соколов" in page


def test_the_stored_results_are_those_the_steps_lead_to(client: Client, game: Hanchan) -> None:
    page = client.get(game.get_absolute_url())
    explanation = page.context["explanation"]

    assert [row.values for row in explanation.rows if row.code == "total"] == [
        tuple(seat.result for seat in game.seats.all())
    ]
    assert sum(line.amount for line in explanation.account) == sum(seat.result or 0 for seat in game.seats.all())
    assert "Why the sum is" in read(client, game)


def test_the_rules_link_to_the_very_version(client: Client, game: Hanchan) -> None:
    assert f'href="{game.rule_set.get_absolute_url()}"' in client.get(game.get_absolute_url()).content.decode()


def test_east_sits_below_and_the_others_counter_clockwise(client: Client, game: Hanchan) -> None:
    page = client.get(game.get_absolute_url()).content.decode()

    for place, seat in zip(("east", "south", "west", "north"), game.seats.all(), strict=True):
        mat = page.split(f'class="seat {place}"')[1]
        assert mat.index(seat.player.native_name) < mat.index('class="seat-values"')


def test_unknown_winds_are_not_invented(client: Client, season: Season, players: list[Player]) -> None:
    game = record_hanchan(season, make_sheet(players, 30_000, 30_000, 30_000, 30_000, winds_unknown=True))

    page = read(client, game)

    assert "Winds unknown" in page
    for wind in ("East", "South", "West", "North"):
        assert wind not in page
    assert "Level with Małgorzata Szczęsna, 佐藤 健 and Thomas Bergmann" in page


def test_what_happened_on_a_seat_is_said(client: Client, season: Season) -> None:
    *players, other = make_players(5)
    sheet = make_sheet(players, *POINTS, east={"substitute": "from_start", "played_by": other.pk, "late_minutes": 20})
    page = read(client, record_hanchan(season, sheet))

    assert "Ольга Мельникова" in page
    assert "played from the start" in page
    assert "20 minutes late" in page


def test_chombo_and_penalty_are_shown(client: Client, season: Season, players: list[Player]) -> None:
    page = read(client, record_hanchan(season, make_sheet(players, *POINTS, east={"chombo": 2, "penalty": 3000})))

    assert "chombo: 2" in page
    assert "penalty 3000" in page


def test_a_variation_of_the_game_is_named_beside_the_rule_it_replaces(client: Client) -> None:
    season = make_season(kind=Season.Kind.SIMPLIFIED)
    variation = {"start_points": 25_000, "uma": [10_000, 5_000, -5_000, -10_000], "leading_dealer_ends": True}
    game = record_hanchan(season, make_sheet(make_players(4), 25_000, 25_000, 25_000, 25_000, variation=variation))

    page = read(client, game)

    assert "Start points 25 000 this game instead of 30 000" in page
    assert "10 / 5 / −5 / −10 this game instead of 9 / 3 / −3 / −9" in page
    assert page.count("this game instead of") == 3


def test_a_corrected_game_says_so_to_everybody_and_why_to_staff_only(
    client: Client, season: Season, players: list[Player], game: Hanchan
) -> None:
    referee = make_user("Maria", season.club, "referee")
    change_hanchan(
        game, make_sheet(players, 46_200, 32_600, 23_400, 17_800, table=3), version=1, by=referee, reason="Miscounted."
    )
    public = read(client, game)
    member(client, season)
    private = read(client, game)

    assert "corrected once" in public
    assert "Miscounted" not in public
    assert "History" not in public
    assert "West, points: 23 900 → 23 400" in private
    assert "North, points: 17 300 → 17 800" in private
    assert "“Miscounted.”" in private
    assert "Maria" in private
    assert private.count("points: ") == 2


def test_a_swapped_player_is_named_in_the_history(client: Client, season: Season) -> None:
    *players, olga = make_players(5)
    game = record_hanchan(season, make_sheet(players, *POINTS))
    change_hanchan(game, make_sheet([olga, *players[1:]], *POINTS), version=1)
    member(client, season)

    assert "East, player: Дмитрий Соколов → Ольга Мельникова" in read(client, game)


def test_staff_of_another_club_read_no_history(client: Client, game: Hanchan) -> None:
    client.force_login(make_user("stranger", make_club("Phoenix"), "admin"))

    assert "History" not in read(client, game)


def test_a_draft_is_for_staff(client: Client, season: Season, players: list[Player]) -> None:
    draft = record_hanchan(season, make_sheet(players, 46_200, 32_600, 23_900, 17_000), draft=True)

    assert client.get(draft.get_absolute_url()).status_code == 404
    member(client, season)
    page = read(client, draft)
    assert "draft and counts nowhere yet" in page
    assert "−300" in page
    assert "Step by step" not in page


def test_a_void_game_says_that_it_counts_nowhere_and_shows_no_results(
    client: Client, players: list[Player], game: Hanchan
) -> None:
    void_hanchan(game, version=1, reason="Played with a tile missing.")
    page = read(client, game)

    assert "void and counts nowhere" in page
    assert "46 200" in page
    assert "Step by step" not in page
    assert "tile missing" not in page

    restore_hanchan(game, version=2)
    assert "void" not in read(client, game)


def test_unpublished_results_are_not_shown_to_strangers(client: Client, season: Season, game: Hanchan) -> None:
    Season.objects.filter(pk=season.pk).update(results_public=False)

    page = read(client, game)

    assert "not public yet" in page
    assert "46 200" not in page
    assert "Соколов" not in page
    member(client, season)
    assert "46 200" in read(client, game)


def test_a_hidden_player_has_neither_name_nor_link(
    client: Client, season: Season, players: list[Player], game: Hanchan
) -> None:
    Player.objects.filter(pk=players[0].pk).update(visibility=Player.Visibility.HIDDEN)
    public = client.get(game.get_absolute_url()).content.decode()

    assert "Соколов" not in public
    assert "Sokolov" not in public
    assert "Hidden player" in public
    assert f"/players/{players[0].pk}-" not in public
    member(client, season)
    assert "Дмитрий Соколов" in read(client, game)


def test_a_rating_that_moves_with_each_game_is_shown_before_and_after(client: Client, players: list[Player]) -> None:
    season = make_season(formula=formulas.ELO.key, initial_rating=1_500_000)
    record_hanchan(season, make_sheet(players, *POINTS))
    later = record_hanchan(season, make_sheet(players, *POINTS, at=THURSDAY + datetime.timedelta(hours=2)))

    page = read(client, later)

    assert "Rating: 1524.0 → 1545.8" in page


def test_a_game_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get("/hanchans/1/").status_code == 404
    assert client.get(f"/hanchans/{10**30}/").status_code == 404


def test_strangers_cost_two_queries(
    client: Client, game: Hanchan, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        client.get(game.get_absolute_url())


def test_history_costs_the_same_however_long_it_is(
    client: Client,
    season: Season,
    players: list[Player],
    game: Hanchan,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for version in range(1, 6):
        change_hanchan(
            game, make_sheet(players, 46_200 + 100 * version, 32_600, 23_900, 17_300 - 100 * version), version=version
        )
    member(client, season)

    # session, user, game, seats, memberships, events
    with django_assert_num_queries(6):
        client.get(game.get_absolute_url())


def test_the_rules_used_are_those_that_decided_this_game(client: Client, season: Season, players: list[Player]) -> None:
    plain = record_hanchan(season, make_sheet(players, *POINTS))
    late = record_hanchan(season, make_sheet(players, *POINTS, east={"late_minutes": 3}))
    replaced = record_hanchan(season, make_sheet(players, *POINTS, east={"substitute": "from_start"}))

    for label, decided in (("Lateness is taken", late), ("Substituted seat: base", replaced)):
        assert label not in read(client, plain)
        assert label in read(client, decided)


def test_the_steps_are_drawn_for_each_seat(client: Client, game: Hanchan) -> None:
    page = html.fromstring(client.get(game.get_absolute_url()).content)

    pictures = page.xpath("//ol[@class='waterfall']")
    assert [picture.xpath("li[@class='outcome']/b")[0].text for picture in pictures] == [
        numbers.exact(seat.result) for seat in game.seats.all()
    ]
