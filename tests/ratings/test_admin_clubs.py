"""“All data” is the owner's alone; forms of clubs and people offer and take only what is of the user's clubs."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, reverse

from ratings.admin.base import DataAdmin
from ratings.models import Alias
from ratings.services.players import refresh_search_text
from tests.cast import make_user
from tests.world import World

pytestmark = pytest.mark.django_db

REGISTERED = list(admin.site._registry)
OF_CLUB = "affiliations__club__id__exact"
FACTS = [model for model in REGISTERED if model is not User]


def name_of(model: type[Model]) -> str:
    return model._meta.label


def pages_of_a_row(model: type[Model], pk: int) -> list[str]:
    """Every address of the model's admin that names one row."""
    addresses = []
    for pattern in admin.site.get_model_admin(model).get_urls():
        assert isinstance(pattern, URLPattern)
        converters = pattern.pattern.converters
        if converters and pattern.name:
            values: dict[str, Any] = dict.fromkeys(converters, pk)
            addresses.append(reverse(f"admin:{pattern.name}", kwargs=values))
    return addresses


def test_every_admin_derives_from_the_one_class() -> None:
    assert [name_of(m) for m, found in admin.site._registry.items() if not isinstance(found, DataAdmin)] == []


@pytest.mark.parametrize("model", REGISTERED, ids=name_of)
def test_all_pages_of_all_data_lead_other_staff_to_the_desk(world: World, model: type[Model]) -> None:
    row = world.users["scorer"] if model is User else world.haneman.row(model)
    pages = pages_of_a_row(model, row.pk)
    answers = {
        (role, page, method): getattr(world.client(role), method)(page).headers.get("Location")
        for role in ("scorer", "referee", "admin")
        for page in pages
        for method in ("get", "post")
    }

    assert len(pages) >= 3
    assert set(answers.values()) == {"/admin/"}


@pytest.mark.parametrize("model", REGISTERED, ids=name_of)
def test_the_owner_sees_every_list_and_every_row(world: World, model: type[Model]) -> None:
    row = world.users["scorer"] if model is User else world.haneman.row(model)
    named = f"admin:{model._meta.app_label}_{model._meta.model_name}"

    assert row in world.client("owner").get(reverse(f"{named}_changelist")).context["cl"].queryset
    assert world.client("owner").get(reverse(f"{named}_change", args=[row.pk])).status_code == 200


@pytest.mark.parametrize("model", FACTS, ids=name_of)
def test_facts_are_only_read(world: World, model: type[Model]) -> None:
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[world.haneman.row(model).pk])

    assert world.client("owner").post(page, {"points": "1"}).status_code == 403
    assert '<input type="submit"' not in world.client("owner").get(page).content.decode()


@pytest.mark.parametrize("path", ["ratings/season/", "tournaments/entry/?q=a", "ratings/hanchan/7/history/"])
def test_old_addresses_of_lists_lead_the_owner_there_and_others_to_the_desk(world: World, path: str) -> None:
    assert world.client("owner").get(f"/admin/{path}").headers["Location"] == f"/admin/data/{path}"
    assert world.client("admin").get(f"/admin/{path}").headers["Location"] == "/admin/"
    assert Client().get(f"/admin/{path}").headers["Location"].startswith("/admin/login/?next=/admin/")


@pytest.mark.parametrize("model", FACTS, ids=name_of)
def test_nothing_is_done_in_bulk_and_facts_are_not_deleted(world: World, model: type[Model]) -> None:
    found = admin.site.get_model_admin(model)
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_delete", args=[world.furiten.row(model).pk])

    assert found.actions is None
    assert not found.save_as
    assert world.client("owner").post(page).status_code == 403
    assert model._default_manager.filter(pk=world.furiten.row(model).pk).exists()


@pytest.mark.parametrize(
    "query", [f"{OF_CLUB}=abc", f"{OF_CLUB}=999", "visibility__exact=nobody", "q=%00", "p=99", "all="]
)
def test_a_bad_filter_never_breaks_the_list(world: World, query: str) -> None:
    assert world.client("owner").get(f"/admin/data/ratings/player/?{query}", follow=True).status_code == 200


class TestHistory:
    def test_it_tells_who_changed_what(self, world: World) -> None:
        data = {"name": "Furiten Minsk", "city": "Minsk", "country": "BY", "time_zone": "Europe/Minsk", "about": ""}
        world.client("admin").post(f"/admin/ratings/club/{world.furiten.club.pk}/change/", data)

        page = world.client("scorer").get(f"/admin/ratings/club/{world.furiten.club.pk}/history/")
        newest = page.context["happenings"][0]
        assert newest.by == world.users["admin"]
        assert ("name", "Furiten", "Furiten Minsk") in {(c.label, c.old, c.new) for c in newest.changes}
        assert "Furiten Minsk" in page.content.decode()

    def test_members_come_and_go_in_the_clubs_history_for_its_admins_only(self, world: World) -> None:
        world.users["scorer"].memberships.get().delete()
        address = f"/admin/ratings/club/{world.furiten.club.pk}/history/"

        told = world.client("admin").get(address).context["happenings"]
        assert any(h.action == "removed" and "scorer" in h.subject for h in told)
        assert not any("scorer" in h.subject for h in world.client("referee").get(address).context["happenings"])

    def test_there_is_no_way_to_turn_it_back(self, world: World) -> None:
        names = {pattern.name for model in FACTS for pattern in admin.site.get_model_admin(model).get_urls()}

        assert not any("revert" in str(name) or "simple_history" in str(name) for name in names)


class TestPlayers:
    def test_search_finds_any_script_and_alias(self, world: World) -> None:
        Alias.objects.create(player=world.furiten.player, name="Дима")
        refresh_search_text(world.furiten.player)
        client = world.client("owner")

        for typed in ("соколов", "SOKOLOV", "дима"):
            found = client.get("/admin/data/ratings/player/", {"q": typed}).context["cl"].queryset
            assert list(found) == [world.furiten.player], typed

    def test_scorers_look_and_do_not_touch(self, world: World) -> None:
        page = f"/admin/ratings/player/{world.furiten.player.pk}/change/"

        assert world.client("scorer").get(page).status_code == 200
        assert world.client("scorer").post(page).status_code == 403


class TestSigningIn:
    def test_a_member_needs_no_staff_flag(self, world: World) -> None:
        user = world.users["scorer"]
        user.is_staff = False
        user.save()

        answer = Client().post("/admin/login/?next=/admin/", {"username": "scorer", "password": "tile-for-tile"})
        assert answer.status_code == 302

    def test_whoever_works_for_no_club_is_told_so(self, world: World) -> None:
        make_user("visitor")

        answer = Client().post("/admin/login/", {"username": "visitor", "password": "tile-for-tile"})
        assert "This account isn’t linked to a club." in answer.content.decode()

    def test_a_member_who_was_removed_can_still_sign_out(self, world: World) -> None:
        client = world.client("scorer")
        world.users["scorer"].memberships.all().delete()

        assert client.get("/admin/").status_code == 302
        client.post("/admin/logout/")
        assert "_auth_user_id" not in client.session
