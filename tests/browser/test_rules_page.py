"""Home, club and rules in a real browser: accessible by day and by night, on a phone, and without JavaScript."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Affiliation, RuleSet
from ratings.services.hanchans import record_hanchan
from ratings.services.rulesets import copy_preset
from tests.browser.conftest import PHONE, Theme, assert_accessible, assert_fits, set_theme, set_viewport
from tests.cast import make_club, make_players, make_season, make_sheet

DESK = (1440, 900)


@pytest.fixture
def house_rules(transactional_db: None) -> RuleSet:
    """A club with a running season, a game with long names, and rules that this game froze."""
    club = make_club(city="Minsk", about="Thursdays at seven.")
    rule_set = copy_preset(club, "furiten", "House rules")
    season = make_season(club, rule_set=rule_set, ends_on=None)
    players = make_players(8)
    for player in players:
        Affiliation.objects.get_or_create(player=player, club=club)
    record_hanchan(season, make_sheet(players[4:], 45_000, 30_000, 25_000, 20_000))
    return rule_set


def addresses(rule_set: RuleSet) -> list[str]:
    club = rule_set.club.get_absolute_url()
    refused, answered = "?han=1&fu=25&honba=x", "?han=3&fu=40&win=tsumo&sticks=1"
    return ["/", club, f"{club}rules/", "/rules/", rule_set.get_absolute_url() + refused, f"/rules/jpml-a/{answered}"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_page_is_accessible_and_fits(
    page: Page, complaints: list[str], house_rules: RuleSet, theme: Theme, size: tuple[int, int]
) -> None:
    set_theme(page, theme)
    set_viewport(page, size)
    for address in addresses(house_rules):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200
        assert_fits(page)
        assert_accessible(page, complaints)


def test_the_front_door_of_an_empty_site_is_accessible_too(page: Page, complaints: list[str]) -> None:
    page.goto("/")

    assert_accessible(page, complaints)


def test_the_calculator_works_without_javascript(
    browser: Browser, live_server: LiveServer, house_rules: RuleSet
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(house_rules.get_absolute_url())

    page.get_by_label("Han", exact=True).fill("3")
    page.get_by_label("Fu", exact=True).select_option("40")
    page.get_by_label("Won by").select_option("tsumo")
    page.get_by_label("Honba").fill("1")
    page.get_by_role("button", name="Work it out").click()

    expect(page.locator(".answer")).to_have_text("1400 from each non-dealer, 2700 from the dealer.")

    page.get_by_label("Honba").fill("one")
    page.get_by_role("button", name="Work it out").click()

    expect(page.get_by_text("Type a whole number.")).to_be_visible()
    expect(page.get_by_label("Honba")).to_have_value("one")
    expect(page.get_by_label("Han", exact=True)).to_have_value("3")
    context.close()


def test_the_dealers_table_is_a_link_away_without_javascript(
    browser: Browser, live_server: LiveServer, house_rules: RuleSet
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(house_rules.get_absolute_url())

    page.get_by_role("link", name="Dealer", exact=True).click()

    expect(page.get_by_role("cell", name="48 000")).to_be_visible()
    context.close()


def test_rules_are_copied_and_changed_under_the_policy(page: Page, house_rules: RuleSet) -> None:
    User.objects.create_superuser("owner", password="tile-for-tile")
    page.goto("/admin/ratings/ruleset/add/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("tile-for-tile")
    page.get_by_role("button", name="Sign in").click()

    page.get_by_label("Name").fill("Friday rules")
    page.get_by_label("Phoenix").check()
    page.get_by_role("button", name="Copy rules").click()
    page.get_by_label("fourth place").fill("-6000")
    expect(page.locator("button[name=restore]").first).to_be_visible()
    page.get_by_label("fourth place").press("Enter")  # saves, does not restore

    expect(page.get_by_role("heading", name="Friday rules, version 1")).to_be_visible()
    expect(page.get_by_text("The uma does not sum to zero.")).to_be_visible()
    expect(page.get_by_text("7 / 3 / −3 / −6", exact=True)).to_be_visible()
