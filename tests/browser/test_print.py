"""Print-outs as PDFs of the expected number of pages, made by a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.cast import make_user
from tests.tournaments.hall import Hall
from tournaments.models import Table
from tournaments.services.events import StagePlan
from tournaments.services.rounds import confirm_round
from tournaments.services.rulings import give_penalty
from tournaments.services.tables import check_table, record_table

PRINT = "/tournaments/open/print/"
UPRIGHT, LYING = "594.95996 841.91998", "841.91998 594.95996"


@pytest.fixture
def hall(page: Page, live_server: LiveServer, sign_in: Callable[[User], None]) -> Hall:
    """Twenty players, five tables; nine rounds, of which two are played and one is seated."""
    hall = Hall(20, [StagePlan("Main", 9)])
    tables = [[4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4] for n in range(5)]
    hall.play(1, *tables)
    hall.play(2, *(table[::-1] for table in tables))
    hall.seat(3, *tables)
    give_penalty(hall.stage(), hall[1], 8000, "phone", after_round=1)
    sign_in(make_user("scorer", hall.tournament.club))
    return hall


def pdf(page: Page, address: str) -> tuple[int, set[str]]:
    """How many pages a print-out has, and how large they are."""
    page.goto(PRINT + address)
    page.emulate_media(media="print")
    content = page.pdf(prefer_css_page_size=True)
    count = max(int(number) for number in re.findall(rb"/Count (\d+)", content))
    return count, {size.decode() for size in re.findall(rb"/MediaBox \[0 0 ([\d. ]+)\]", content)}


@pytest.mark.parametrize(
    ("address", "pages"),
    [
        ("seating/", 1),
        ("names/", 1),
        ("sheets/", 5),
        ("blank/", 1),
        ("blank/?copies=3", 3),
        ("numbers/", 5),
        ("standings/", 1),
        ("log/", 1),
    ],
)
def test_a_print_out_has_as_many_a4_pages_as_it_should(page: Page, hall: Hall, address: str, pages: int) -> None:
    assert pdf(page, address) == (pages, {UPRIGHT})


def test_twenty_schedules_fit_on_three_pages_and_no_card_is_torn(page: Page, hall: Hall) -> None:
    count, sizes = pdf(page, "schedules/")

    assert count <= 3
    assert sizes == {UPRIGHT}


def test_many_rounds_lie_on_their_side(page: Page, hall: Hall) -> None:
    tables = [[4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4] for n in range(5)]
    for table in Table.objects.filter(round=hall.round(3)):
        check_table(record_table(table, hall.sheet(table)))
    confirm_round(hall.round(3))
    for number in range(4, 10):
        hall.play(number, *tables)

    assert pdf(page, "standings/") == (1, {LYING})


def test_a_print_out_opened_to_be_printed_asks_the_printer(page: Page, hall: Hall) -> None:
    page.add_init_script("window.print = () => { window.asked = true; }")
    page.goto(f"{PRINT}seating/#print")
    page.wait_for_function("window.asked")
    page.goto(f"{PRINT}names/")

    assert page.evaluate("window.asked") is None
