"""Standings in a real browser: any number of rounds, and rank, name and total never scroll sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PHONE, Theme, assert_accessible, assert_fits, set_theme, set_viewport
from tests.tournaments.hall import Hall
from tournaments.services.events import StagePlan
from tournaments.services.rulings import give_penalty

TABLET, DESK = (900, 800), (1440, 900)
ADDRESS = "/tournaments/open/standings/"


def played(rounds: int) -> Hall:
    hall = Hall(8, [StagePlan("Main", rounds + 1, top=4), StagePlan("Final", 1)])
    for number in range(1, rounds + 1):
        hall.play(number, [1, 6, 3, 8], [5, 2, 7, 4]) if number % 2 else hall.play(number, [8, 2, 5, 4], [3, 1, 7, 6])
    give_penalty(hall.stage(), hall[1], 8000, "phone", after_round=1)
    return hall


@pytest.fixture(params=[3, 12], ids=["few rounds", "many rounds"])
def rounds(request: pytest.FixtureRequest, live_server: LiveServer) -> int:
    count: int = request.param
    played(count)
    return count


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK], ids=["phone", "tablet", "desk"])
def test_rank_name_and_total_never_leave_the_window(page: Page, rounds: int, size: tuple[int, int]) -> None:
    set_viewport(page, size)
    page.goto(ADDRESS)
    page.evaluate("document.querySelectorAll('.rounds-scroll').forEach(box => { box.scrollLeft = 9999; })")
    places = page.locator(".standings tbody tr:not(.cut) :is(.rank-cell, .name-cell, .total-cell)").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect()).map(box => [box.left, box.right])"
    )

    assert_fits(page)
    assert len(places) == 3 * 8
    assert all(left >= 0 and right <= size[0] for left, right in places)


def test_with_many_rounds_only_their_columns_scroll(page: Page, live_server: LiveServer) -> None:
    played(12)
    set_viewport(page, TABLET)
    page.goto(ADDRESS)
    row = page.locator(".standings tbody tr").first
    before = [row.locator(kind).bounding_box() for kind in (".rank-cell", ".name-cell", ".total-cell")]
    scrolled = page.locator(".rounds-scroll").first.evaluate("box => { box.scrollLeft = 0; return box.scrollWidth; }")
    after = [row.locator(kind).bounding_box() for kind in (".rank-cell", ".name-cell", ".total-cell")]

    assert scrolled > TABLET[0]
    assert before == after


def test_a_phone_shows_the_last_five_rounds_under_the_name(page: Page, live_server: LiveServer) -> None:
    played(12)
    set_viewport(page, PHONE)
    page.goto(ADDRESS)

    assert page.locator(".standings thead th:visible").all_inner_texts() == ["Total", "R8", "R9", "R10", "R11", "R12"]
    assert page.locator(".standings tbody tr").first.locator("td.result:visible").count() == 5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET, DESK], ids=["phone", "tablet", "desk"])
def test_the_standings_pass_axe(
    page: Page, complaints: list[str], rounds: int, theme: Theme, size: tuple[int, int]
) -> None:
    set_theme(page, theme)
    set_viewport(page, size)
    page.goto(ADDRESS)

    assert_accessible(page, complaints)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", "rounds/", "teams/", "rulings/", "print/"])
def test_the_other_pages_of_an_event_pass_axe(
    page: Page, complaints: list[str], live_server: LiveServer, place: str, theme: Theme
) -> None:
    hall = played(2)
    hall.tournament.entries.update(team="Red")
    hall.seat(3, [1, 2, 3, 4], [5, 6, 7, 8])
    set_theme(page, theme)
    set_viewport(page, PHONE)
    page.goto(f"/tournaments/open/{place}")

    assert_accessible(page, complaints)


@pytest.mark.parametrize("address", ["/tournaments/", "/tournaments/european-ranking/"])
def test_lists_of_events_pass_axe(page: Page, complaints: list[str], live_server: LiveServer, address: str) -> None:
    Hall(4)
    page.goto(address)

    assert_accessible(page, complaints)
