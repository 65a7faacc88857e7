"""An account joins a club when its holder accepts, and not before."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Invitation, Membership
from ratings.services.invitations import accept, decline, invite, withdraw
from tests.cast import make_user
from tests.world import World

pytestmark = pytest.mark.django_db

ADD = "/admin/ratings/membership/add/"
MEMBERS = "/admin/clubs/furiten/members/"
OWN = "/admin/invitations/"


@pytest.fixture
def olga(world: World) -> User:
    """A user with an account who works for no club."""
    return make_user("olga")


@pytest.fixture
def asked(world: World, olga: User) -> Invitation:
    return invite(world.furiten.club, olga, "referee", by=world.users["admin"])


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return str(refused.value.problems[0].code)


class TestAnswers:
    def test_who_is_invited_has_no_right_yet(self, world: World, olga: User, asked: Invitation) -> None:
        assert rights.is_invited(olga)
        assert not rights.is_member(olga)
        assert not rights.may_enter(olga, world.furiten.club.pk)

    def test_accepting_gives_the_role_that_was_offered(self, world: World, olga: User, asked: Invitation) -> None:
        accept(asked, by=olga)

        membership = Membership.objects.get(user=olga)
        assert (membership.club, membership.role) == (world.furiten.club, "referee")
        assert membership.history.get().history_user == olga
        assert not Invitation.objects.exists()

    @pytest.mark.parametrize(("answer", "word"), [(accept, "accepted"), (decline, "declined"), (withdraw, "withdrawn")])
    def test_what_became_of_an_invitation_is_in_its_history(
        self, olga: User, asked: Invitation, answer: type, word: str
    ) -> None:
        pk = asked.pk
        answer(asked, by=olga)

        last = Invitation.history.filter(id=pk).latest()
        assert (last.history_type, last.history_change_reason, last.history_user) == ("-", word, olga)

    def test_a_withdrawn_invitation_is_not_accepted(self, world: World, olga: User, asked: Invitation) -> None:
        seen = Invitation.objects.get(pk=asked.pk)
        withdraw(asked, by=world.users["admin"])
        with pytest.raises(Refused) as refused:
            accept(seen, by=olga)

        assert code(refused) == "answered"
        assert not Membership.objects.filter(user=olga).exists()

    def test_who_declined_can_be_asked_again(self, world: World, olga: User, asked: Invitation) -> None:
        decline(asked, by=olga)

        assert invite(world.furiten.club, olga, "scorer").role == "scorer"


class TestPagesOfTheClub:
    def test_an_existing_account_is_invited_by_the_form(self, world: World, olga: User) -> None:
        data = {"username": "olga", "email": "", "role": "scorer"}
        page = world.client("admin").post(ADD, data, follow=True)

        assert page.redirect_chain == [(MEMBERS, 302)]
        assert "An invitation to Furiten is waiting for olga, who joins after accepting it." in page.content.decode()
        assert [(each.user, each.by) for each in page.context["invitations"]] == [(olga, world.users["admin"])]
        assert not olga.memberships.exists()

    def test_the_owner_invites_too(self, world: World, olga: User) -> None:
        data = {"username": "olga", "email": "", "role": "scorer"}
        assert "For which club?" in world.client("owner").get(ADD).text
        answer = world.client("owner").post(f"{ADD}?club=furiten", data)

        assert answer.headers["Location"] == MEMBERS
        assert olga.invitations.exists()
        assert not olga.memberships.exists()

    def test_the_list_shows_invitations_of_own_clubs_only(self, world: World, asked: Invitation) -> None:
        assert f"/invitations/{asked.pk}/withdraw/" in world.client("admin").get(MEMBERS).content.decode()
        assert f"/invitations/{asked.pk}/withdraw/" not in world.client("foreign").get(MEMBERS).content.decode()  # 404

    def test_an_invitation_is_withdrawn_after_a_question(self, world: World, asked: Invitation) -> None:
        client, address = world.client("admin"), f"/admin/ratings/membership/invitations/{asked.pk}/withdraw/"

        assert "olga can then no longer accept" in client.get(address).content.decode()
        assert Invitation.objects.exists()
        assert "is withdrawn" in client.post(address, follow=True).content.decode()
        assert not Invitation.objects.exists()
        assert client.post(address).status_code == 404

    def test_the_history_of_the_club_tells_of_invitations(self, world: World, asked: Invitation) -> None:
        page = world.client("admin").get(f"/admin/ratings/club/{world.furiten.club.pk}/history/").content.decode()

        assert "Invitation of olga to Furiten (referee)" in page


class TestPagesOfTheHolder:
    def test_a_member_of_another_club_is_told_and_accepts(self, world: World) -> None:
        invite(world.furiten.club, world.users["foreign"], "referee", by=world.users["admin"])
        client = world.client("foreign")

        assert OWN in client.get("/admin/").content.decode()
        shown = client.get(OWN).content.decode()
        assert "Furiten" in shown
        assert "referee" in shown
        pk = Invitation.objects.get().pk
        page = client.post(OWN, {"invitation": pk, "answer": "accept"}, follow=True)
        assert "You now work for Furiten, as referee." in page.content.decode()
        assert OWN not in page.content.decode()
        assert rights.may_rule(User.objects.get(username="foreign"), world.furiten.club.pk)

    def test_who_works_for_no_club_signs_in_to_answer_and_sees_nothing_else(
        self, world: World, olga: User, asked: Invitation
    ) -> None:
        client = Client()
        data = {"username": "olga", "password": "tile-for-tile"}
        page = client.post("/admin/login/", data, follow=True)

        assert page.redirect_chain[-1][0] == OWN
        assert "admin invited you on" in page.content.decode()
        for address in ("/admin/", "/admin/ratings/hanchan/add/", MEMBERS, "/admin/account/"):
            assert client.get(address).status_code == 302
        client.post(OWN, {"invitation": asked.pk, "answer": "accept"})
        assert client.get("/admin/").status_code == 200

    def test_a_role_that_asks_for_a_second_step_is_begun_at_the_door(
        self, settings: Any, olga: User, asked: Invitation
    ) -> None:
        settings.REQUIRE_SECOND_FACTOR = "referee"
        client = signed_in(olga)
        page = client.post(OWN, {"invitation": asked.pk, "answer": "accept"}, follow=True)

        assert olga.memberships.exists()
        assert page.redirect_chain[-1][0].startswith("/admin/login/")
        assert "Sign in again to set it up." in page.content.decode()
        assert client.get("/admin/").status_code == 302

    def test_who_declines_stays_outside(self, olga: User, asked: Invitation) -> None:
        client = signed_in(olga)
        page = client.post(OWN, {"invitation": asked.pk, "answer": "decline"}, follow=True)

        assert "You declined the invitation to Furiten." in page.content.decode()
        assert "No club is waiting for your answer." in page.content.decode()
        assert not olga.memberships.exists()
        assert client.get("/admin/").status_code == 302

    @pytest.mark.parametrize("answer", ["accept", "decline"])
    def test_nobody_answers_for_another(self, world: World, olga: User, asked: Invitation, answer: str) -> None:
        for role in ("scorer", "admin", "foreign", "owner"):
            page = world.client(role).post(OWN, {"invitation": asked.pk, "answer": answer}, follow=True)
            assert "This invitation is no longer open." in page.content.decode()

        assert Invitation.objects.get() == asked
        assert not olga.memberships.exists()

    @pytest.mark.parametrize("data", [{}, {"invitation": "x"}, {"invitation": "1" * 5000}, {"answer": "accept"}])
    def test_nonsense_changes_nothing(self, olga: User, asked: Invitation, data: dict[str, str]) -> None:
        assert signed_in(olga).post(OWN, data).status_code == 302
        assert Invitation.objects.get() == asked

    def test_an_account_that_is_off_gets_nowhere(self, olga: User, asked: Invitation) -> None:
        olga.is_active = False

        assert not rights.is_invited(olga)
