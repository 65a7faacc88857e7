"""A club admin gives a member a new password: for which accounts, by which page, and what ends with it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.test import Client

from clubsite import jobs, second_factor
from clubsite.models import Job
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Membership
from ratings.services.invitations import invite
from ratings.services.members import reset_password
from tests.cast import make_user
from tests.world import ROLES, World

pytestmark = pytest.mark.django_db

OLD = "tile-for-tile"


def membership(world: World, name: str) -> Membership:
    found: Membership = world.users[name].memberships.get(club=world.furiten.club)
    return found


def turn_on_second_step(account: User) -> None:
    second_factor.TOTPDevice.objects.create(user=account, name="app", confirmed=True)


@pytest.fixture
def members(world: World) -> dict[str, Membership]:
    """Members of Furiten: the plain ones of the world, and four whose accounts its admin must not open."""
    club = world.furiten.club
    both = make_user("both", club)
    Membership.objects.create(user=both, club=world.haneman.club, role="scorer")
    owning = make_user("owning", club)
    owning.is_superuser = True
    owning.save()
    turn_on_second_step(make_user("guarded", club))
    invite(world.haneman.club, make_user("wanted", club), "admin")
    off = make_user("off", club)
    off.is_active = False
    off.save()
    return {row.user.username: row for row in club.memberships.select_related("user")}


# The accounts of Furiten that each role may give a new password. Nobody resets an own one: there is a page for that.
MAY = {
    "stranger": set(),
    "scorer": set(),
    "referee": set(),
    "admin": {"scorer", "referee"},
    "foreign": set(),
    "owner": {"scorer", "referee", "admin", "both", "wanted"},
}
NOT_FOUND = {"stranger": 302, "scorer": 404, "referee": 404, "foreign": 404}


class TestWhoMay:
    @pytest.mark.parametrize("role", [role for role in ROLES if role != "stranger"])
    def test_only_accounts_that_open_nothing_new(self, world: World, members: dict[str, Membership], role: str) -> None:
        user = User.objects.get(pk=world.users[role].pk)

        assert {name for name, row in members.items() if rights.may_reset_password(user, row.user)} == MAY[role]

    @pytest.mark.parametrize("role", ROLES)
    def test_the_page_asks_the_same(self, world: World, members: dict[str, Membership], role: str) -> None:
        for name, row in members.items():
            client, address = world.client(role), f"/admin/ratings/membership/{row.pk}/password/"
            shown, done = client.get(address), client.post(address, {"how": "show"})

            may = name in MAY[role]
            assert shown.status_code == NOT_FOUND.get(role, 200), (role, name)
            assert done.status_code == NOT_FOUND.get(role, 200 if may else 403), (role, name)
            assert User.objects.get(pk=row.user_id).check_password(OLD) != may, (role, name)

    def test_an_admin_of_both_clubs_may(self, world: World, members: dict[str, Membership]) -> None:
        admin = User.objects.get(username="admin")
        Membership.objects.create(user=admin, club=world.haneman.club, role="admin")

        assert rights.may_reset_password(admin, members["both"].user)
        assert rights.may_reset_password(admin, members["wanted"].user)

    def test_an_account_that_joins_another_club_meanwhile_is_refused(
        self, world: World, members: dict[str, Membership]
    ) -> None:
        seen = members["scorer"]
        Membership.objects.create(user=seen.user, club=world.haneman.club, role="scorer")

        with pytest.raises(Refused, match="also works for a club"):
            reset_password(seen, by=world.users["admin"])
        assert User.objects.get(username="scorer").check_password(OLD)


class TestWhatHappens:
    def test_all_sessions_and_links_of_the_account_end(self, world: World) -> None:
        account = world.users["scorer"]
        open_session, token = world.client("scorer"), default_token_generator.make_token(account)

        reset_password(membership(world, "scorer"), by=world.users["admin"])

        assert open_session.get("/admin/").status_code == 302
        assert not default_token_generator.check_token(User.objects.get(pk=account.pk), token)

    def test_it_is_in_the_history_of_the_club_and_in_the_log_of_the_account(self, world: World) -> None:
        row, admin = membership(world, "scorer"), world.users["admin"]

        reset_password(row, by=admin)

        last = row.history.latest()
        assert (last.history_change_reason, last.history_user) == ("password reset", admin)
        entry = LogEntry.objects.get(object_id=str(row.user_id))
        assert (entry.user, entry.change_message) == (admin, "Password replaced by an admin of the club.")


class TestPage:
    def test_the_new_password_is_shown_once_and_works(self, world: World) -> None:
        row, client = membership(world, "scorer"), world.client("admin")
        address = f"/admin/ratings/membership/{row.pk}/password/"

        page = client.post(address, {"how": "show"})

        found = re.search(r"<code>([a-z2-9-]{19})</code>", page.text)
        assert found
        assert "no-store" in page["Cache-Control"]
        assert Client().login(username="scorer", password=found[1])
        assert found[1] not in client.get(address).text

    def test_a_link_is_sent_to_the_address_of_the_account(self, world: World) -> None:
        row = membership(world, "scorer")
        User.objects.filter(pk=row.user_id).update(email="s@example.org")
        client, address = world.client("admin"), f"/admin/ratings/membership/{row.pk}/password/"
        assert "s@example.org" in client.get(address).text

        page = client.post(address, {"how": "email"}, follow=True)
        jobs.run(Job.objects.get(kind="password-email").pk)

        assert "A link to a new password is on its way to scorer." in page.text
        (email,) = mail.outbox
        assert email.to == ["s@example.org"]
        link = re.search(r"(/password/new/\S+)", email.body)
        assert link
        assert "Set a new password" in Client().get(link[1], follow=True).text
        assert not User.objects.get(pk=row.user_id).check_password(OLD)

    @pytest.mark.parametrize("how", ["email", "", "nonsense"])
    def test_without_an_address_nothing_is_sent_or_changed(self, world: World, how: str) -> None:
        row = membership(world, "scorer")
        page = world.client("admin").post(f"/admin/ratings/membership/{row.pk}/password/", {"how": how})

        assert page.status_code == 422
        assert User.objects.get(pk=row.user_id).check_password(OLD)
        assert not Job.objects.filter(kind="password-email").exists()

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("admin", "This is your own account."),
            ("owning", "owning is an owner of the site. Only an owner can set this password."),
            ("guarded", "guarded uses two-factor authentication."),
            ("both", "both also works for a club that you do not administer"),
            ("wanted", "or is invited by one. An owner of the site can set this password"),
            ("off", "The account off is switched off."),
        ],
    )
    def test_for_others_the_page_says_who_can(
        self, world: World, members: dict[str, Membership], name: str, sentence: str
    ) -> None:
        page: Any = world.client("admin").get(f"/admin/ratings/membership/{members[name].pk}/password/")

        assert sentence in page.text
        assert 'name="how"' not in page.text

    def test_the_other_club_is_not_named(self, world: World, members: dict[str, Membership]) -> None:
        page = world.client("admin").get(f"/admin/ratings/membership/{members['both'].pk}/password/")

        assert "Haneman" not in page.text
