"""Members of a club: how they are added, how their roles change, and that a club always keeps an admin."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ratings.mahjong.problems import Refused
from ratings.models import Membership
from ratings.services.members import add_member, change_role, remove_member
from tests.cast import make_user
from tests.world import World

pytestmark = pytest.mark.django_db

ADD = "/admin/ratings/membership/add/"


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


class TestAdding:
    @pytest.mark.parametrize("by", ["admin", "owner"])
    def test_a_known_user_is_invited_and_keeps_the_password(self, world: World, by: str) -> None:
        user = make_user("olga")
        added = add_member(world.furiten.club, "olga", "", "referee", by=world.users[by])

        assert (added.membership, added.password) == (None, None)
        assert added.invitation
        assert (added.invitation.user, added.invitation.role, added.invitation.by) == (user, "referee", world.users[by])
        assert not user.memberships.exists()
        assert User.objects.get(pk=user.pk).check_password("tile-for-tile")

    def test_an_unknown_user_is_made_with_a_password_that_works(self, world: World) -> None:
        added = add_member(world.furiten.club, "Łukasz", "l@example.org", "scorer")

        assert added.password
        assert Client().login(username="Łukasz", password=added.password)
        user = User.objects.get(username="Łukasz")
        assert (user.email, user.is_staff, user.is_superuser) == ("l@example.org", False, False)

    def test_a_name_in_another_case_is_the_same_user(self, world: World) -> None:
        add_member(world.haneman.club, "SCORER", "", "scorer")

        assert world.users["scorer"].invitations.get().club == world.haneman.club

    def test_a_member_is_not_added_twice(self, world: World) -> None:
        with pytest.raises(Refused) as refused:
            add_member(world.furiten.club, "scorer", "", "admin")
        assert codes(refused) == ["member_already"]

    def test_nobody_is_invited_twice(self, world: World) -> None:
        add_member(world.haneman.club, "scorer", "", "scorer")
        with pytest.raises(Refused) as refused:
            add_member(world.haneman.club, "scorer", "", "admin")
        assert codes(refused) == ["invited_already"]

    def test_a_user_of_that_name_with_another_address_may_be_somebody_else(self, world: World) -> None:
        User.objects.create_user("olga", "olga@example.org")
        with pytest.raises(Refused) as refused:
            add_member(world.furiten.club, "olga", "other@example.org", "scorer")
        assert codes(refused) == ["other_email"]

    def test_a_name_no_account_can_have_is_refused(self, world: World) -> None:
        with pytest.raises(Refused) as refused:
            add_member(world.furiten.club, "two words", "", "scorer")
        assert codes(refused) == ["bad_username"]


class TestLeaving:
    def test_a_removed_member_stays_in_the_history(self, world: World) -> None:
        membership = world.users["scorer"].memberships.get()
        pk = membership.pk
        remove_member(membership, by=world.users["admin"])

        last = Membership.history.filter(id=pk).latest()
        assert (last.history_type, last.history_user, last.role) == ("-", world.users["admin"], "scorer")
        assert User.objects.filter(username="scorer").exists()

    @pytest.mark.parametrize("leave", ["remove", "demote"])
    def test_the_last_admin_stays(self, world: World, leave: str) -> None:
        admin = world.users["admin"]
        membership = admin.memberships.get()
        with pytest.raises(Refused) as refused:
            remove_member(membership, by=admin) if leave == "remove" else change_role(membership, "scorer", by=admin)

        assert codes(refused) == ["last_admin"]
        assert Membership.objects.get(pk=membership.pk).role == "admin"

    def test_one_of_two_admins_may_go(self, world: World) -> None:
        make_user("second", world.furiten.club, "admin")
        change_role(world.users["admin"].memberships.get(), "referee", by=world.users["admin"])

        assert world.users["admin"].memberships.get().role == "referee"

    def test_the_owner_may_leave_a_club_without_admins(self, world: World) -> None:
        remove_member(world.users["admin"].memberships.get(), by=world.users["owner"])

        assert not world.furiten.club.memberships.filter(role="admin").exists()


class TestPages:
    def test_the_password_of_a_new_account_is_shown_once(self, world: World) -> None:
        client = world.client("admin")
        data = {"username": "olga", "email": "", "role": "scorer"}
        page = client.post(ADD, data, follow=True).content.decode()

        found = re.search(r"<code>([a-z2-9-]{19})</code>", page)
        assert found
        assert Client().login(username="olga", password=found[1])
        assert found[1] not in client.get("/admin/clubs/furiten/members/").content.decode()

    def test_what_is_wrong_stands_at_the_name(self, world: World) -> None:
        data = {"username": "scorer", "email": "", "role": "admin"}
        page = world.client("admin").post(ADD, data)

        assert "is a member of Furiten already" in str(page.context["form"].errors["username"])

    def test_nobody_is_added_to_another_club(self, world: World) -> None:
        data = {"username": "olga", "email": "", "role": "scorer"}

        assert world.client("admin").post(f"{ADD}?club=haneman", data).status_code == 404
        assert not User.objects.filter(username="olga").exists()

    def test_a_role_is_changed_with_history(self, world: World) -> None:
        membership = world.users["scorer"].memberships.get()
        world.client("admin").post(f"/admin/ratings/membership/{membership.pk}/change/", {"role": "referee"})

        last = membership.history.latest()
        assert (last.role, last.history_user) == ("referee", world.users["admin"])

    def test_demoting_oneself_as_the_last_admin_is_refused_in_words(self, world: World) -> None:
        membership = world.users["admin"].memberships.get()
        page = world.client("admin").post(f"/admin/ratings/membership/{membership.pk}/change/", {"role": "scorer"})

        assert "admin is the last admin of Furiten" in str(page.context["form"].errors["role"])

    def test_removing_oneself_as_the_last_admin_is_refused_in_words(self, world: World) -> None:
        membership = world.users["admin"].memberships.get()
        address = f"/admin/ratings/membership/{membership.pk}/delete/"
        page: Any = world.client("admin").post(address, {"post": "yes"}, follow=True)

        assert "is the last admin of Furiten. Make another member an admin first." in page.content.decode()
        assert Membership.objects.filter(pk=membership.pk).exists()

    def test_a_member_is_removed(self, world: World) -> None:
        membership = world.users["scorer"].memberships.get()
        answer = world.client("admin").post(f"/admin/ratings/membership/{membership.pk}/delete/", {"post": "yes"})

        assert answer.status_code == 302
        assert not Membership.objects.filter(pk=membership.pk).exists()
