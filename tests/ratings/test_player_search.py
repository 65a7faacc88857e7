"""The search over all clubs: every script, every name, and no player who does not want to be found."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from ratings.models import Affiliation, Alias, Player
from ratings.queries.players import search_players
from ratings.services.players import refresh_search_text
from tests.cast import make_club, make_players, make_user

pytestmark = pytest.mark.django_db


def found(text: str, user: User | AnonymousUser | None = None) -> list[str]:
    return [player.native_name for player in search_players(text, user or AnonymousUser())]


def change(player: Player, **fields: object) -> Player:
    for name, value in fields.items():
        setattr(player, name, value)
    player.save()
    refresh_search_text(player)
    return player


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("соколов", "Дмитрий Соколов"),
        ("СОКОЛОВ Дмитрий", "Дмитрий Соколов"),
        ("sokolov", "Дмитрий Соколов"),
        ("Zurawski", "Łukasz Żurawski"),
        ("lukasz żur", "Łukasz Żurawski"),
        ("佐藤", "佐藤 健"),
        ("Sato ken", "佐藤 健"),
        ("Satō", "佐藤 健"),
        ("ёльга", None),
        ("melnikova", "Ольга Мельникова"),
        ("юрии", "Юрий Лапин"),
    ],
)
def test_a_player_is_found_in_any_script_and_case_with_or_without_diacritics(typed: str, name: str | None) -> None:
    make_players(8)

    assert found(typed) == ([name] if name else [])


def test_a_player_is_found_by_nickname_and_by_alias_and_an_alias_is_never_shown(client: Client) -> None:
    dmitry = change(make_players(4)[0], nickname="Сокол")
    Alias.objects.create(player=dmitry, name="Falconov")
    refresh_search_text(dmitry)

    assert found("сокол") == found("falconov") == ["Дмитрий Соколов"]
    assert "Falconov" not in client.get(reverse("ratings:player_search")).content.decode()


def test_every_word_must_be_part_of_a_name() -> None:
    make_players(8)

    assert found("dmitry lapin") == []


def test_signs_of_the_database_are_plain_letters_in_a_search() -> None:
    make_players(8)

    assert found("%") == found("_") == found("'") == found("\\") == []


def test_a_hidden_player_is_found_by_staff_of_the_players_clubs_only() -> None:
    furiten, phoenix = make_club(), make_club("Phoenix")
    ken = change(make_players(4)[2], visibility=Player.Visibility.HIDDEN)
    Affiliation.objects.create(player=ken, club=furiten)

    assert found("sato") == []
    assert found("sato", make_user("guest")) == []
    assert found("sato", make_user("theirs", phoenix)) == []
    assert found("sato", make_user("ours", furiten)) == ["佐藤 健"]
    assert found("sato", User.objects.create_superuser("owner")) == ["佐藤 健"]


def test_a_player_known_by_nickname_is_found_by_the_nickname_only() -> None:
    furiten = make_club()
    thomas = change(make_players(4)[3], nickname="Bär", visibility=Player.Visibility.NICKNAME)
    Affiliation.objects.create(player=thomas, club=furiten)
    Alias.objects.create(player=thomas, name="Tom B.")
    refresh_search_text(thomas)

    assert found("BAR") == ["Thomas Bergmann"]
    assert found("bergmann") == found("tom") == []
    assert found("bergmann", make_user("ours", furiten)) == ["Thomas Bergmann"]


def test_the_list_is_sorted_by_what_is_read_and_not_by_a_name_that_is_not_shown() -> None:
    players = make_players(4)
    change(players[3], nickname="Aalborg", visibility=Player.Visibility.NICKNAME)

    assert found("")[0] == "Thomas Bergmann"


def test_merged_anonymised_and_nameless_players_are_not_found() -> None:
    dmitry, gosia, ken, thomas = make_players(4)
    change(dmitry, merged_into=gosia)
    change(ken, anonymised_at=timezone.now())
    change(thomas, visibility=Player.Visibility.NICKNAME)

    assert found("") == ["Małgorzata Szczęsna"]


def test_the_page_lists_players_with_links_and_clubs(client: Client) -> None:
    club = make_club()
    players = make_players(4)
    Affiliation.objects.create(player=players[2], club=club)

    page = client.get(reverse("ratings:player_search"), {"q": "sato"}).content.decode()

    assert players[2].get_absolute_url() in page
    assert "Ken Satō" in page
    assert club.get_absolute_url() in page
    assert "Соколов" not in page


def test_a_nickname_stands_alone_on_the_page_of_strangers(client: Client) -> None:
    change(make_players(4)[3], nickname="Bär", visibility=Player.Visibility.NICKNAME)

    page = client.get(reverse("ratings:player_search")).content.decode()

    assert "Bär" in page
    assert "Bergmann" not in page
    assert "bergmann" not in page


def test_a_search_without_a_hit_says_what_to_try(client: Client) -> None:
    make_players(4)

    page = client.get(reverse("ratings:player_search"), {"q": "Wiśniewska"}).content.decode()

    assert "No players found for “Wiśniewska”" in page
    assert "family name" in page


def test_an_empty_site_says_when_players_appear(client: Client) -> None:
    assert "No players yet" in client.get(reverse("ratings:player_search")).content.decode()


def test_what_is_typed_is_escaped(client: Client) -> None:
    page = client.get(reverse("ratings:player_search"), {"q": "<script>alert(1)</script>"}).content.decode()

    assert "<script>alert" not in page


@pytest.mark.parametrize(
    "query",
    [{"page": "0"}, {"page": "999"}, {"page": "x"}, {"q": "a\x00b"}, {"q": "x" * 5000}, {"q": "a " * 500}, {"q": " "}],
)
def test_odd_questions_are_answered(client: Client, query: dict[str, str]) -> None:
    make_players(4)

    assert client.get(reverse("ratings:player_search"), query).status_code == 200


def test_a_long_list_is_paged_with_the_search_kept(client: Client) -> None:
    make_players(120)

    page = client.get(reverse("ratings:player_search"), {"q": "a", "page": "2"}).content.decode()

    assert "?q=a&amp;page=1" in page


def test_the_number_of_queries_does_not_grow_with_the_list(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = make_club()
    for player in make_players(60):
        Affiliation.objects.create(player=player, club=club)

    # count, page, affiliations, clubs
    with django_assert_num_queries(4):
        client.get(reverse("ratings:player_search"))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("pl", ["Lwów", "Łukasz", "Maria", "Иван", "Ірина", "Юлія"]),
        ("uk", ["Иван", "Ірина", "Юлія", "Łukasz", "Lwów", "Maria"]),
    ],
)
def test_players_are_in_the_order_of_the_readers_language(language: str, expected: list[str]) -> None:
    for name in sorted(expected):
        change(Player(native_name=name))

    with translation.override(language):
        assert found("") == expected
