"""The desk of a club: what each role sees there, what waits, today's tables, and the switcher between clubs."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clubsite.models import Job
from ratings.models import Club, Hanchan, Membership, Player
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.invitations import invite
from tests.cast import make_sheet, make_user
from tests.world import House, World
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

POINTS = (45_000, 30_000, 25_000, 20_000)


@pytest.fixture(autouse=True)
def running(world: World) -> None:
    """Seasons that run today, whenever the tests run."""
    for house in (world.furiten, world.haneman):
        house.season.ends_on = None
        house.season.save(update_fields=["ends_on"])


def page(client: Client, address: str = "/admin/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def play_today(house: House, by: User, *, draft: bool = False, table: int | None = None) -> Hanchan:
    sheet = make_sheet(house.players, *POINTS, at=timezone.now(), table=table)
    return record_hanchan(house.season, sheet, by=by, draft=draft)


class TestRoles:
    def test_a_scorer_gets_the_one_action_and_no_links_of_admins(self, world: World) -> None:
        text = page(world.client("scorer"))

        assert f"/admin/ratings/hanchan/add/?season={world.furiten.season.pk}" in text
        for address in ("members/", "imports/", "season/add/", "adjustment/add/", "/admin/data/", "/admin/jobs/"):
            assert address not in text

    def test_a_referee_gets_penalties_besides(self, world: World) -> None:
        text = page(world.client("referee"))

        assert "/admin/ratings/adjustment/add/" in text
        assert "/admin/clubs/furiten/members/" not in text

    def test_an_admin_gets_the_club_and_not_the_site(self, world: World) -> None:
        text = page(world.client("admin"))

        for address in ("/admin/clubs/furiten/members/", "/admin/clubs/furiten/imports/", "season/add/?club=furiten"):
            assert address in text
        assert "/admin/data/" not in text

    def test_the_owner_gets_clubs_users_jobs_and_backups(self, world: World) -> None:
        text = page(world.client("owner"))

        assert "/admin/data/auth/user/" in text
        assert 'href="/admin/jobs/"' in text
        assert "Backups" in text

    def test_an_owner_without_a_club_is_invited_to_create_one(self, client: Client) -> None:
        client.force_login(User.objects.create_superuser("first"))
        text = page(client)

        assert "There is no club here yet" in text
        assert "Create club" in text

    def test_a_club_without_a_season_says_what_to_do(self, client: Client) -> None:
        club = Club.objects.create(name="Chankan", slug="chankan")
        client.force_login(make_user("kim", club, "admin"))
        assert "/admin/ratings/season/add/?club=chankan" in page(client)
        client.force_login(make_user("lee", club, "scorer"))
        assert "Ask an admin of your club" in page(client)


class TestSwitcher:
    @pytest.fixture
    def both(self, world: World, client: Client) -> Client:
        user = make_user("both", world.furiten.club, "admin")
        Membership.objects.create(user=user, club=world.haneman.club, role="scorer")
        client.force_login(user)
        return client

    def test_the_club_worked_for_last_is_shown(self, both: Client) -> None:
        assert "Desk of Furiten" in page(both)
        assert "Desk of Haneman" in page(both, "/admin/clubs/haneman/")
        assert "Desk of Haneman" in page(both)

    def test_each_club_has_its_own_rights(self, both: Client) -> None:
        assert "/admin/clubs/furiten/members/" in page(both)
        assert "/admin/clubs/haneman/members/" not in page(both, "/admin/clubs/haneman/")

    def test_with_one_club_there_is_nothing_to_switch(self, world: World, both: Client) -> None:
        assert "club-switch" in page(both)
        assert "club-switch" not in page(world.client("scorer"))

    def test_a_club_that_was_left_is_forgotten(self, world: World, both: Client) -> None:
        page(both, "/admin/clubs/haneman/")
        Membership.objects.get(user__username="both", club=world.haneman.club).delete()

        assert "Desk of Furiten" in page(both)
        assert both.get("/admin/clubs/haneman/").status_code == 404


class TestToday:
    def test_drafts_come_first_and_void_games_do_not_come(self, world: World) -> None:
        scorer = world.users["scorer"]
        draft = play_today(world.furiten, scorer, draft=True)
        final = play_today(world.furiten, scorer)
        gone = play_today(world.furiten, scorer)
        void_hanchan(gone, version=1, reason="x")

        tables = world.client("scorer").get("/admin/").context["tables"]
        assert [line.game for line in tables] == [draft, final]

    def test_a_scorer_corrects_own_games_and_looks_at_others(self, world: World) -> None:
        own = play_today(world.furiten, world.users["scorer"], table=3)
        other = play_today(world.furiten, world.users["admin"], table=4)
        text = page(world.client("scorer"))

        assert "Correct table 3" in text
        assert f"/admin/ratings/hanchan/{own.pk}/change/" in text
        assert "Correct table 4" not in text
        assert f"/hanchans/{other.pk}/" in text
        assert "Correct table 4" in page(world.client("referee"))

    def test_games_of_another_club_are_not_shown(self, world: World) -> None:
        game = play_today(world.haneman, world.users["foreign"])

        assert f"/{game.pk}/" not in page(world.client("owner"), "/admin/clubs/furiten/")

    def test_the_name_of_a_stranger_in_a_draft_is_not_told(self, world: World) -> None:
        shy = Player.objects.create(native_name="Secret Name", visibility="hidden")
        sheet = make_sheet([shy, *world.furiten.players[1:]], *POINTS, at=timezone.now())
        record_hanchan(world.furiten.season, sheet, draft=True)

        assert "Secret Name" not in page(world.client("admin"))

    def test_the_last_evening_is_told_in_figures(self, world: World) -> None:
        evening = world.client("admin").get("/admin/").context["evening"]

        assert (evening.day, evening.tables, evening.players) == (world.furiten.hanchan.played_on, 1, 4)


class TestWaiting:
    def test_a_draft_waits_until_it_is_finished(self, world: World) -> None:
        admin = world.client("admin")
        draft = play_today(world.furiten, world.users["scorer"], draft=True)
        task = next(task for task in admin.get("/admin/").context["waiting"] if task.order == 20)
        assert task.url == f"/admin/ratings/hanchan/{draft.pk}/change/"

        void_hanchan(draft, version=1, reason="x")
        assert not any(task.order == 20 for task in admin.get("/admin/").context["waiting"])

    def test_files_wait_for_admins(self, world: World) -> None:
        assert f"/admin/ratings/importbatch/{world.furiten.upload.pk}/change/" in page(world.client("admin"))
        assert "importbatch" not in page(world.client("referee"))

    def test_work_that_failed_is_told_to_those_who_may_see_it(self, world: World) -> None:
        now = timezone.now()
        scope, by = str(world.furiten.club.pk), world.users["admin"]
        job = Job.objects.create(
            kind="replay", title="Replay", scope=scope, started_by=by, state="failed", ended_at=now
        )
        assert job.get_absolute_url() in page(world.client("admin"))

        Job.objects.update(ended_at=now - datetime.timedelta(days=9))
        assert job.get_absolute_url() not in page(world.client("admin"))

    def test_an_event_shows_its_next_step(self, world: World) -> None:
        event: Any = world.furiten.row(Tournament)
        today = timezone.localdate()
        Tournament.objects.filter(pk=event.pk).update(starts_on=today, ends_on=today)

        tasks = world.client("admin").get("/admin/").context["waiting"]
        assert [
            (task.text, f"/tournaments/{event.slug}/manage/" in task.url) for task in tasks if task.order == 40
        ] == [(event.name, True)]

    def test_nothing_is_waiting_is_said(self, world: World) -> None:
        world.furiten.upload.delete()
        assert "Nothing is waiting." in page(world.client("referee"))

    def test_an_invitation_is_told(self, world: World) -> None:
        invite(world.haneman.club, world.users["scorer"], "scorer")
        assert "/admin/invitations/" in page(world.client("scorer"))


def test_more_tables_cost_no_more_queries(world: World, django_assert_max_num_queries: Any) -> None:
    for _game in range(6):
        play_today(world.furiten, world.users["scorer"])
    client = world.client("admin")
    with django_assert_max_num_queries(25):
        client.get("/admin/")
