"""What staff may do is offered beside the headings of public pages, to those who may, and never to visitors."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from tests.world import World

pytestmark = pytest.mark.django_db

MARK = "staff-actions"


def addresses(world: World) -> dict[str, str]:
    house = world.furiten
    return {
        "club": house.club.get_absolute_url(),
        "players": f"{house.club.get_absolute_url()}players/",
        "season": house.season.get_absolute_url(),
        "games": f"{house.season.get_absolute_url()}games/",
        "penalties": f"{house.season.get_absolute_url()}penalties/",
        "player": house.player.get_absolute_url(),
        "rules": house.rule_set.get_absolute_url(),
        "game": house.hanchan.get_absolute_url(),
    }


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_visitor_never_sees_them_also_after_an_admin_was_there(world: World) -> None:
    """The pages of a season are kept for visitors; a kept page must not hold what an admin may do."""
    cache.clear()
    for address in addresses(world).values():
        seen = {who: page(client, address) for who, client in (("admin", world.client("admin")), ("visitor", Client()))}
        again = page(Client(), address)

        assert MARK in seen["admin"], address
        for text in (seen["visitor"], again):
            assert MARK not in text, address
            assert "/admin/ratings/" not in text, address
            assert "/admin/clubs/" not in text, address


def test_an_admin_never_gets_the_page_kept_for_visitors(world: World) -> None:
    cache.clear()
    address = world.furiten.season.get_absolute_url()
    page(Client(), address)

    assert f"/admin/ratings/season/{world.furiten.season.pk}/change/" in page(world.client("admin"), address)


def test_each_role_is_offered_what_it_may_do(world: World) -> None:
    season = world.furiten.season
    enter, penalty, change = (
        f"/admin/ratings/hanchan/add/?season={season.pk}",
        f"/admin/ratings/adjustment/add/?season={season.pk}",
        f"/admin/ratings/season/{season.pk}/change/",
    )
    for role, offered in {
        "scorer": {enter},
        "referee": {enter, penalty},
        "admin": {enter, penalty, change},
        "owner": {enter, penalty, change},
        "foreign": set(),
    }.items():
        text = page(world.client(role), season.get_absolute_url())
        assert {address for address in (enter, penalty, change) if address in text} == offered, role


def test_a_player_is_edited_and_merged_by_those_who_decide(world: World) -> None:
    player = world.furiten.player
    address = player.get_absolute_url()

    assert f"/admin/ratings/player/{player.pk}/merge/" in page(world.client("admin"), address)
    for role in ("referee", "foreign"):
        assert f"/admin/ratings/player/{player.pk}/" not in page(world.client(role), address)


def test_a_club_offers_new_seasons_and_events(world: World) -> None:
    text = page(world.client("admin"), world.furiten.club.get_absolute_url())

    for address in (
        "/admin/ratings/season/add/?club=furiten",
        "/tournaments/manage/new/",
        "/admin/clubs/furiten/members/",
    ):
        assert address in text
