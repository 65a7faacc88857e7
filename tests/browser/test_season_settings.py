"""The settings of a season in a browser: what they do is beside them, and only what applies is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Season
from tests.browser.conftest import PHONE, assert_accessible, assert_fits, set_viewport
from tests.world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(live_server: LiveServer) -> World:
    return make_world()


def address(season: Season) -> str:
    return f"/admin/ratings/season/{season.pk}/change/"


def test_the_top_and_the_fields_follow_the_formula(
    page: Page, complaints: list[str], sign_in: Callable[[User], None], world: World
) -> None:
    sign_in(world.users["admin"])
    set_viewport(page, PHONE)
    page.goto(address(world.furiten.season))
    beside = page.locator("#beside")
    expect(beside).to_contain_text("4 of 4 players are ranked")
    expect(page.get_by_label("K", exact=True)).to_have_count(0)

    page.get_by_label("Elo").check()

    expect(page.get_by_label("K", exact=True)).to_have_value("32")
    expect(beside.locator("td.total").first).to_have_text("1524.0")
    expect(page.locator("#save-says")).to_contain_text("This changes the ratings of all games.")
    expect(page.get_by_label("Elo")).to_be_checked()
    assert_fits(page)
    assert_accessible(page, complaints)

    page.get_by_role("button", name="Save season").click()
    expect(page.get_by_role("heading", name="Compute all ratings again?")).to_be_visible()
    assert_accessible(page, complaints)
    page.get_by_role("button", name="Save and compute again").click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    assert Season.objects.get(pk=world.furiten.season.pk).formula == "elo"


def test_a_season_is_added_from_a_preset_without_javascript(
    browser: Browser, live_server: LiveServer, sign_in: Callable[[User], None], page: Page, world: World
) -> None:
    sign_in(world.users["admin"])
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=page.context.storage_state()
    )
    plain = context.new_page()
    plain.goto("/admin/ratings/season/add/")
    plain.get_by_role("button", name="Create season").click()
    expect(plain.get_by_text("Nothing was saved. Correct the fields marked in red.")).to_be_visible()

    plain.locator("[name=name]").fill("Осень 2026")
    plain.get_by_label("Rules").select_option(label="EMA 2025")
    plain.get_by_label("Elo").check()
    plain.get_by_role("button", name="Create season").click()
    expect(plain.get_by_text("The season is added. Enter its first table.")).to_be_visible()

    season = Season.objects.get(name="Осень 2026")
    assert (season.rule_set.preset, season.formula, season.initial_rating) == ("ema-2025", "elo", 1_500_000)
    context.close()


def test_the_time_zone_follows_the_country(page: Page, sign_in: Callable[[User], None], world: World) -> None:
    sign_in(world.users["owner"])
    page.goto("/admin/ratings/club/add/")

    page.get_by_label("Country").select_option(label="Poland")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Warsaw")
    page.get_by_label("Country").select_option(label="Kazakhstan")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Almaty")
    expect(page.get_by_label("Time zone").locator("optgroup").first).to_have_attribute("label", "Kazakhstan")
