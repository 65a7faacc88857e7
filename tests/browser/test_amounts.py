"""A new club types its rules as players say them, sees how the site reads them, and its first game is scored so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import RuleSet
from ratings.services.hanchans import record_hanchan
from ratings.services.rulesets import copy_preset
from tests.browser.conftest import PHONE, assert_accessible, assert_fits, set_viewport
from tests.cast import make_club, make_players, make_season, make_sheet, make_user

pytestmark = pytest.mark.django_db(transaction=True)

TYPED = {"start_points": "25", "oka": "20", "uma_0": "20", "uma_1": "10", "uma_2": "−10", "uma_3": "−20"}
TYPED |= {"chombo_penalty": "20"}
RIGHT = [41_200, 27_600, 18_900, 12_300]


@pytest.fixture
def rules(live_server: LiveServer) -> RuleSet:
    return copy_preset(make_club(), "wrc", "House rules")


@pytest.fixture
def admin(rules: RuleSet) -> User:
    return make_user("admin", rules.club, "admin")


def change_address(rules: RuleSet) -> str:
    return f"/admin/ratings/ruleset/{rules.pk}/change/"


def test_a_new_club_sees_its_rules_read_back_and_scored(
    page: Page, complaints: list[str], sign_in: Callable[[User], None], rules: RuleSet, admin: User
) -> None:
    sign_in(admin)
    set_viewport(page, PHONE)
    page.goto(change_address(rules))
    for name, typed in TYPED.items():
        page.locator(f"[name={name}]").fill(typed)

    expect(page.locator("#row-start_points output")).to_have_text("→ 25 000 points")
    expect(page.locator("#row-oka output")).to_have_text("→ 20 000 points")
    expect(page.locator("#row-uma output")).to_have_text("→ 20 000 / 10 000 / −10 000 / −20 000 points")
    expect(page.locator("#row-chombo_penalty output")).to_have_text("→ 20 000 points")
    example = page.locator("#example")
    expect(example.locator(".readings")).to_contain_text("30 000 points")
    expect(example.locator("td.total").first).to_have_text("+49.3")  # 39 300 is 9.3 above the target, 20 uma, 20 oka
    assert_fits(page)
    assert_accessible(page, complaints)
    page.get_by_role("button", name="Save rules").click()
    expect(page.get_by_role("heading", name="House rules")).to_be_visible()

    rules.refresh_from_db()
    season = make_season(rules.club, rule_set=rules)
    game = record_hanchan(season, make_sheet(make_players(), *RIGHT, east={"chombo": 1}))
    page.goto(game.get_absolute_url())
    # 41 200 − 30 000 target + 20 uma + 20 oka − 20 chombo
    expect(page.locator("tr.outcome")).to_contain_text("+31.2")
    assert [seat.result for seat in game.seats.all()] == [31_200, 7_600, -21_100, -37_700]


def test_what_cannot_be_read_is_said_beside_the_field(
    page: Page, sign_in: Callable[[User], None], rules: RuleSet, admin: User
) -> None:
    sign_in(admin)
    page.goto(change_address(rules))

    page.locator("[name=chombo_penalty]").fill("twenty")

    expect(page.locator("#row-chombo_penalty output")).to_contain_text("“twenty” is not an amount.")
    expect(page.locator("#example")).to_contain_text("as soon as every field can be read")


def test_an_unlikely_amount_is_asked_about_without_javascript(
    browser: Browser, live_server: LiveServer, rules: RuleSet, admin: User
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/admin/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill("tile-for-tile")
    page.get_by_role("button", name="Sign in").click()
    page.goto(change_address(rules))

    page.locator("[name=chombo_penalty]").fill("300")
    page.get_by_role("button", name="Save rules").click()
    expect(page.locator("#row-sure")).to_contain_text("Chombo: 300 000 points.")
    expect(page.locator("#row-chombo_penalty output")).to_have_text("→ 300 000 points")
    page.get_by_label("Yes, these amounts are right").check()
    page.get_by_role("button", name="Save rules").click()

    rules.refresh_from_db()
    assert rules.rules.chombo_penalty == 300_000
    context.close()


def test_a_changed_rule_is_marked_while_it_is_typed_and_restored_by_its_button(
    page: Page, complaints: list[str], sign_in: Callable[[User], None], rules: RuleSet, admin: User
) -> None:
    sign_in(admin)
    page.goto(change_address(rules))
    page.locator("[name=chombo_penalty]").fill("8")
    page.locator("[name=uma_0]").fill("20000")

    expect(page.locator("#mark-chombo_penalty")).to_contain_text("WRC: 20 000")
    expect(page.locator("#count-scoring")).to_have_text("2 changed")
    expect(page.locator("#save-says")).to_contain_text("2 changes from WRC")
    assert_accessible(page, complaints)
    page.locator("#row-chombo_penalty").get_by_role("button", name="Restore").click()

    expect(page.locator("[name=chombo_penalty]")).to_have_value("20000")
    expect(page.locator("[name=uma_0]")).to_have_value("20000")
    expect(page.locator("#count-scoring")).to_have_text("1 changed")
    assert page.url.endswith(change_address(rules)), "nothing was sent as a form"
