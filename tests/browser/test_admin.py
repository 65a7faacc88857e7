"""The admin in a real browser, under the site's own policy: nothing inline, nothing from elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from ratings.models import Player
from ratings.services.players import refresh_search_text
from tests.browser.conftest import LAPTOP, PHONE, Theme, set_theme, set_viewport
from tests.world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = [PHONE, LAPTOP]
IDS = ["phone", "laptop"]


@pytest.fixture
def world(live_server: object) -> World:
    return make_world()


def sign_in(page: Page, name: str = "admin") -> None:
    page.goto("/admin/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("tile-for-tile")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Desk").wait_for()


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_owner_signs_in_and_finds_a_player(page: Page, world: World, theme: Theme, size: tuple[int, int]) -> None:
    refresh_search_text(world.furiten.player)
    owner = world.users["owner"]
    owner.set_password("tile-for-tile")
    owner.save()
    set_theme(page, theme)
    set_viewport(page, size)
    sign_in(page, "owner")

    page.goto("/admin/data/ratings/player/")
    page.locator("#searchbar").fill("sokolov")
    page.locator("#searchbar").press("Enter")
    page.get_by_role("link", name="Дмитрий Соколов").click()
    assert page.locator("#id_native_name").input_value() == "Дмитрий Соколов"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_with_many_widgets_open_without_a_complaint(page: Page, world: World, theme: Theme) -> None:
    set_theme(page, theme)
    sign_in(page)
    for address in (
        "/admin/ratings/season/add/",
        f"/admin/ratings/season/{world.furiten.season.pk}/change/",
        f"/admin/ratings/season/{world.furiten.season.pk}/history/",
        "/admin/ratings/membership/add/",
        f"/admin/ratings/player/{world.furiten.player.pk}/merge/?q=a",
        f"/admin/ratings/player/{world.furiten.player.pk}/anonymise/",
        "/admin/password_change/",
    ):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200


def test_an_alias_is_added_in_the_players_form(page: Page, world: World) -> None:
    sign_in(page)
    page.goto(f"/admin/ratings/player/{world.furiten.player.pk}/change/")
    page.get_by_text("Add another Alias").click()
    page.locator("#id_aliases-0-name").fill("Дима")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed successfully").wait_for()

    assert "дима" in Player.objects.get(pk=world.furiten.player.pk).search_text
