"""Who may do what: the table of roles and actions, as the design draws it."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, User

from ratings import rights
from ratings.models import Affiliation, Hanchan, Membership
from ratings.rights import Level
from tests.cast import make_user
from tests.world import World

pytestmark = pytest.mark.django_db

Person = User | AnonymousUser


def person(world: World, role: str) -> Person:
    return world.users.get(role) or AnonymousUser()


# The columns of the design's table: entering; rulings; managing.
TABLE = {
    "stranger": (False, False, False),
    "scorer": (True, False, False),
    "referee": (True, True, False),
    "admin": (True, True, True),
    "foreign": (False, False, False),
    "owner": (True, True, True),
}


@pytest.mark.parametrize("role", TABLE)
def test_each_role_may_do_what_the_table_says(world: World, role: str) -> None:
    user, club = person(world, role), world.furiten.club.pk
    asked: tuple[Callable[[Person, int], bool], ...] = (rights.may_enter, rights.may_rule, rights.may_manage)

    assert tuple(may(user, club) for may in asked) == TABLE[role]


@pytest.mark.parametrize(
    ("role", "own_today", "others_draft", "others_final"),
    [
        ("stranger", False, False, False),
        ("scorer", True, True, False),
        ("referee", True, True, True),
        ("admin", True, True, True),
        ("foreign", False, False, False),
        ("owner", True, True, True),
    ],
)
def test_a_scorer_changes_drafts_and_own_games_of_the_day_and_a_referee_any(
    world: World, role: str, own_today: bool, others_draft: bool, others_final: bool
) -> None:
    user, game = person(world, role), world.furiten.hanchan

    assert rights.may_change(user, game) is others_final
    game.status = Hanchan.Status.DRAFT
    assert rights.may_change(user, game) is others_draft
    game.status, game.entered_by_id = Hanchan.Status.FINAL, user.pk
    assert rights.may_change(user, game) is own_today


def test_yesterdays_own_game_is_corrected_by_a_referee(world: World) -> None:
    game = world.furiten.hanchan
    game.entered_by = world.users["scorer"]
    game.entered_at -= datetime.timedelta(days=2)

    assert not rights.may_change(world.users["scorer"], game)
    assert rights.needs_reason(world.users["referee"], game)


def test_a_player_of_two_clubs_is_edited_by_either_and_merged_by_an_admin_of_both(world: World) -> None:
    player, admin, foreign = world.furiten.player, world.users["admin"], world.users["foreign"]
    player.affiliations.update(kind="regular")
    Affiliation.objects.create(player=player, club=world.haneman.club, kind="regular")

    assert rights.may_edit_player(admin, player)
    assert rights.may_edit_player(foreign, player)
    assert not rights.may_edit_player(world.users["referee"], player)
    assert not rights.may_merge_or_anonymise(admin, player)
    assert rights.may_merge_or_anonymise(world.users["owner"], player)

    both = make_user("both", world.furiten.club, "admin")
    Membership.objects.create(user=both, club=world.haneman.club, role="admin")
    assert rights.may_merge_or_anonymise(both, player)


@pytest.mark.parametrize("at_home", ["regular", "guest"])
def test_a_guest_appearance_gives_no_right_and_no_veto(world: World, at_home: str) -> None:
    player, admin, foreign = world.furiten.player, world.users["admin"], world.users["foreign"]
    player.affiliations.update(kind=at_home)
    Affiliation.objects.create(player=player, club=world.haneman.club)

    assert not rights.may_edit_player(foreign, player)
    assert not rights.may_merge_or_anonymise(foreign, player)
    assert rights.may_edit_player(admin, player)
    assert rights.may_merge_or_anonymise(admin, player)
    assert rights.knows_player(foreign, player)


def test_a_regular_club_decides_over_one_that_had_the_player_first(world: World) -> None:
    player = world.furiten.player
    Affiliation.objects.create(player=player, club=world.haneman.club, kind="regular")

    assert rights.may_edit_player(world.users["foreign"], player)
    assert not rights.may_edit_player(world.users["admin"], player)
    assert not rights.may_merge_or_anonymise(world.users["admin"], player)


def test_a_merge_asks_for_each_of_the_two(world: World) -> None:
    mine, orphan = world.furiten.players[:2]
    orphan.affiliations.all().delete()

    assert rights.may_merge_or_anonymise(world.users["admin"], mine)
    assert not rights.may_merge_or_anonymise(world.users["admin"], mine, orphan)
    assert not rights.may_merge_or_anonymise(world.users["admin"], mine, world.haneman.player)


def test_a_player_of_no_club_is_the_owners(world: World) -> None:
    player = world.furiten.player
    player.affiliations.all().delete()

    assert not rights.may_merge_or_anonymise(world.users["admin"], player)
    assert rights.may_merge_or_anonymise(world.users["owner"], player)


def test_whoever_is_inactive_has_no_right_left(world: World) -> None:
    for role in ("admin", "owner"):
        user = world.users[role]
        user.is_active = False
        assert rights.level(user, world.furiten.club.pk) == Level.NOBODY
        assert not rights.is_member(user)


def test_results_of_an_event_are_hidden_from_all_but_its_staff(world: World) -> None:
    season = world.furiten.season
    season.results_public = False

    seen = {role: rights.sees_results(person(world, role), season) for role in TABLE}
    assert seen == {
        "stranger": False, "scorer": True, "referee": True, "admin": True, "foreign": False, "owner": True,
    }  # fmt: skip
