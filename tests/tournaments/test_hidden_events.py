"""Visitors learn nothing about an event that is not public; staff of the club see all of it."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import Hanchan, Season
from ratings.services.rulesets import add_rule_set, as_file
from tests.cast import make_user
from tests.tournaments.hall import Hall
from tournaments.services.events import StagePlan, change_event

pytestmark = pytest.mark.django_db

NAME = "Geheimturnier"


@pytest.fixture
def hall() -> Hall:
    """A hidden event with one played round and its own rules, which have the event's name as the site makes them."""
    hall = Hall(8, [StagePlan("Main", 1)], is_public=False)
    event = hall.tournament
    event.name, event.rule_set = NAME, add_rule_set(event.club, as_file(event.rule_set), NAME)
    change_event(event)
    Season.objects.filter(stage__tournament=event).update(name=f"{NAME}: Main")
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return hall


def own_pages(hall: Hall) -> list[str]:
    """Addresses that belong to this event only."""
    season, rules = hall.stage().season, hall.stage().season.rule_set
    games = [f"/hanchans/{pk}/" for pk in Hanchan.objects.values_list("pk", flat=True)]
    under_club = f"/clubs/furiten/seasons/{season.slug}/"
    of_season = [f"{under_club}{page}" for page in ("", "games/", "penalties/", "workbook.xlsx", "?export=csv")]
    of_rules = [
        f"/clubs/furiten/rules/{rules.slug}/",
        rules.get_absolute_url(),
        f"{rules.get_absolute_url()}rules.json",
    ]
    return [*games, *of_season, *of_rules, f"/tournaments/{hall.tournament.slug}/"]


def others(hall: Hall) -> list[str]:
    """Pages of the site on which an event may be named."""
    clubs = ["/", "/clubs/furiten/", "/clubs/furiten/seasons/", "/clubs/furiten/games/", "/clubs/furiten/players/"]
    more = [
        "/clubs/furiten/rules/",
        "/rules/",
        "/tournaments/",
        "/players/",
        "/tournaments/mers/",
    ]
    people = [player.get_absolute_url() for player in hall.players]
    return [*clubs, *more, *people, *(f"{address}?export=csv" for address in people)]


def test_strangers_find_no_page_of_it(hall: Hall, client: Client) -> None:
    assert {address: client.get(address).status_code for address in own_pages(hall)} == dict.fromkeys(
        own_pages(hall), 404
    )


def test_no_other_page_names_it_to_strangers(hall: Hall, client: Client) -> None:
    slug = hall.tournament.slug
    for address in others(hall):
        answer = client.get(address, follow=True)
        text = b"".join(answer) if answer.streaming else answer.content
        told = text.decode(errors="replace")
        assert NAME not in told, address
        assert f"/tournaments/{slug}/" not in told, address


def test_staff_of_the_club_see_all_of_it(hall: Hall, client: Client) -> None:
    client.force_login(make_user("scorer", hall.tournament.club))

    assert {client.get(address, follow=True).status_code for address in own_pages(hall)} == {200}


def test_it_is_there_for_everybody_once_it_is_public(hall: Hall, client: Client) -> None:
    hall.tournament.is_public = True
    change_event(hall.tournament)

    assert {client.get(address, follow=True).status_code for address in own_pages(hall)} == {200}
