"""Removing the demo: all of it and nothing else, known by its history and not by its names."""

from __future__ import annotations

import datetime

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from ratings.demo.load import load_all
from ratings.demo.removing import demo_clubs, find_demo, remove_demo
from ratings.mahjong.problems import Refused
from ratings.models import Affiliation, Club, Hanchan, Membership, Player, Season
from ratings.services.hanchans import record_hanchan
from ratings.services.merging import merge_players
from tests.cast import make_club, make_players, make_season, make_sheet, make_user

TODAY = datetime.date(2026, 4, 18)
FEW = 0.02
# Tables that are not the demo's: accounts, what Django itself stores, and the queue.
NOT_OF_THE_DEMO = {"auth", "contenttypes", "sessions", "clubsite"}

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def demo(shared_rows: None) -> None:
    """The demo with few games, loaded once; each test removes it within its own savepoint."""
    load_all(TODAY, share=FEW)


def rows() -> dict[str, int]:
    """How many rows each table of the product has, histories included."""
    models = [model for model in apps.get_models() if model._meta.app_label not in NOT_OF_THE_DEMO]
    return {model._meta.label: model._default_manager.count() for model in models}


def some_real_club() -> dict[str, int]:
    """A club with a game of its own, and how many rows there are with nothing else."""
    season = make_season(make_club("Haneman"))
    players = make_players(4)
    for player in players:
        Affiliation.objects.create(player=player, club=season.club, kind="regular")
    record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))
    return {"games": Hanchan.objects.count(), "players": Player.objects.count(), "seasons": Season.objects.count()}


def test_nothing_of_a_fresh_demo_is_left(demo: None) -> None:
    owner = User.objects.create_superuser("owner")

    removed = remove_demo()

    assert len(removed.clubs) == 3
    assert {label: count for label, count in rows().items() if count} == {}
    assert list(User.objects.all()) == [owner]
    connection.check_constraints()


def test_a_real_club_beside_the_demo_is_not_touched(demo: None) -> None:
    before = rows()
    some_real_club()
    real = {label: count - before[label] for label, count in rows().items() if count != before[label]}

    remove_demo()

    assert {label: count for label, count in rows().items() if count} == real
    assert [club.name for club in Club.objects.all()] == ["Haneman"]


def test_a_renamed_club_of_the_demo_is_still_the_demos(demo: None) -> None:
    club = Club.objects.get(slug="furiten")
    club.name, club.slug, club.time_zone = "Our club", "our-club", "Europe/Riga"
    club.save()

    assert club in demo_clubs()


@pytest.mark.parametrize("by", ["owner", None])
def test_a_real_club_with_the_name_of_a_demos_club_is_not_the_demos(by: str | None) -> None:
    club = Club(name="Furiten", slug="furiten", city="Минск", country="BY", time_zone="Europe/Minsk")
    club._history_user = make_user(by) if by else None  # type: ignore[attr-defined]
    club.save()
    Membership.objects.create(user=make_user("furiten-admin"), club=club, role="admin")

    assert demo_clubs() == []


@pytest.mark.parametrize("tie", ["game", "list", "merge"])
def test_a_demo_whose_people_play_in_a_real_club_is_not_removed(demo: None, tie: str) -> None:
    before = rows()
    person = Player.objects.get(native_name="Юрий Лапин")
    club = make_club("Haneman")
    players = make_players(4)
    if tie == "game":
        record_hanchan(make_season(club), make_sheet([person, *players[:3]], 45_200, 31_100, 25_700, 18_000))
    elif tie == "list":
        Affiliation.objects.create(player=person, club=club)
    else:
        Affiliation.objects.create(player=players[0], club=club)
        merge_players(person, players[0])
    after = rows()

    with pytest.raises(Refused, match="Юрий Лапин"):
        remove_demo()

    assert rows() == after
    assert after["ratings.Club"] == before["ratings.Club"] + 1


def test_what_people_added_to_the_demo_is_named_and_goes_too(demo: None) -> None:
    owner = User.objects.create_superuser("owner")
    season = Season.objects.filter(club__slug="furiten", kind="rated").latest("starts_on")
    added, *others = make_players(4)
    for player in others:
        Affiliation.objects.create(player=player, club=make_club(f"Real {player.pk}"))
    record_hanchan(season, make_sheet([added, *others], 45_200, 31_100, 25_700, 18_000), by=owner)

    found = find_demo()
    assert (found.was_used, found.added_games, found.added_players) == (True, 1, [added.native_name])
    remove_demo()

    assert list(Player.objects.order_by("pk")) == others


def test_an_account_of_the_demo_that_works_for_a_real_club_stays(demo: None) -> None:
    user = User.objects.get(username="furiten-scorer")
    Membership.objects.create(user=user, club=make_club("Haneman"), role="scorer")

    remove_demo()

    assert list(User.objects.all()) == [user]


def test_an_unused_demo_says_so(demo: None) -> None:
    found = find_demo()

    assert (found.was_used, found.objections) == (False, [])
    assert len(found.users) == 9
    assert found.games == Hanchan.objects.count()


# --- the page -----------------------------------------------------------------------------------------------


def test_the_desk_tells_the_owner_alone_that_this_is_demo_data(demo: None, client: Client) -> None:
    admin, owner = User.objects.get(username="furiten-admin"), User.objects.create_superuser("owner")

    client.force_login(admin)
    assert "demo data" not in client.get("/admin/").text
    assert client.get("/admin/demo/").status_code == 403
    client.force_login(owner)
    assert "This site shows demo data: Furiten, Феникс, Łódź Mahjong." in client.get("/admin/").text


def test_the_owner_confirms_and_the_demo_is_gone(demo: None, client: Client) -> None:
    client.force_login(User.objects.create_superuser("owner"))
    assert "Łódź Mahjong" in client.get("/admin/demo/").text
    assert Club.objects.count() == 3, "looking removes nothing"

    page = client.post("/admin/demo/", {"confirm": "1"}, follow=True).text

    assert not Club.objects.exists()
    assert "The demo is removed." in page
    assert "/admin/start/" in page
    assert client.get("/admin/demo/").status_code == 404


def test_what_was_added_needs_a_tick(demo: None, client: Client) -> None:
    owner = User.objects.create_superuser("owner")
    client.force_login(owner)
    season = Season.objects.filter(club__slug="furiten", kind="rated").latest("starts_on")
    record_hanchan(season, make_sheet(make_players(4), 45_200, 31_100, 25_700, 18_000), by=owner)

    refused = client.post("/admin/demo/", {"confirm": "1"})
    assert refused.status_code == 422
    assert "what was added is lost" in refused.text
    assert Club.objects.count() == 3
    client.post("/admin/demo/", {"confirm": "1", "added_too": "on"})
    assert not Club.objects.exists()


def test_the_page_says_who_keeps_the_demo_from_going(demo: None, client: Client) -> None:
    client.force_login(User.objects.create_superuser("owner"))
    Affiliation.objects.create(player=Player.objects.get(native_name="Юрий Лапин"), club=make_club("Haneman"))

    assert "belong to a club of your own: Юрий Лапин" in client.get("/admin/demo/").text
    assert "Юрий Лапин" in client.post("/admin/demo/", {"confirm": "1"}).text
    assert Club.objects.count() == 4
