"""The first use of a site, from signing in to the first saved table: ten pages at most, on a laptop and on a phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from ratings.models import Club, Hanchan, ImportBatch, Player, Season
from tests.browser.conftest import LAPTOP, PHONE, assert_accessible, assert_fits, set_viewport

pytestmark = pytest.mark.django_db(transaction=True)

MOST_PAGES = 10
PASSWORD = "four winds, one table"
NAMES = ("Agnieszka Dąbrowska", "Krzysztof Wójcik", "Виктор Шевченко", "佐藤 健", "Emil Sørensen")
TABLE = (("agn", "452"), ("wojc", "311"), ("шевч", "257"), ("emil", "180"))


class Visit:
    """Counts the pages that the browser opened; parts that htmx fetches are no pages."""

    def __init__(self, page: Page) -> None:
        self.page, self.pages, self.steps = page, 0, list[str]()
        page.on("framenavigated", lambda frame: self._count(frame.url))

    def _count(self, url: str) -> None:
        self.pages += 1
        self.steps.append(url)


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner", password=PASSWORD)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_new_site_has_its_first_table_after_ten_pages(
    page: Page, owner: User, complaints: list[str], size: tuple[int, int]
) -> None:
    set_viewport(page, size)
    visit = Visit(page)

    page.goto("/admin/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    page.locator('main a[href="/admin/start/"]').click()
    page.get_by_label("Name of the club").fill("Łódź Mahjong")
    page.get_by_label("City").fill("Łódź")
    page.get_by_label("Country").select_option("PL")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Warsaw")
    looked_at(page, complaints)
    page.get_by_role("button", name="Create club").click()

    expect(page.get_by_role("radio", name="EMA 2025")).to_be_checked()
    page.get_by_text("M-League", exact=True).first.click()
    expect(page.get_by_role("button", name="Use M-League")).to_be_visible()
    page.get_by_text("EMA 2025", exact=True).first.click()
    looked_at(page, complaints)
    page.get_by_role("button", name="Use EMA 2025").click()

    expect(page.get_by_label("Name of the season")).not_to_have_value("")
    looked_at(page, complaints)
    page.get_by_role("button", name="Create season").click()

    page.get_by_label("Names").fill("\n".join(NAMES))
    expect(page.get_by_role("button", name="Add 5 players")).to_be_visible()
    looked_at(page, complaints)
    page.get_by_role("button", name="Add 5 players").click()

    expect(page.get_by_text("5 players were imported.")).to_be_visible()
    type_table(page)
    expect(page.locator("main")).to_contain_text("Saved:")

    assert Hanchan.objects.filter(status="final", season__club__slug="lodz-mahjong").count() == 1
    assert visit.pages <= MOST_PAGES, visit.steps
    assert (Club.objects.count(), Season.objects.count(), Player.objects.count()) == (1, 1, 5)
    assert ImportBatch.objects.get().is_done


def type_table(page: Page) -> None:
    """Type four names and four numbers, Enter after each; the first field has the focus, the last Enter saves."""
    page.wait_for_load_state()  # the field has the focus before the script that Enter needs
    expect(page.locator("#id_seat0-player")).to_be_focused()
    for wind, (name, points) in enumerate(TABLE):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(page.locator(f"#id_seat{wind}-points")).to_be_focused()
        page.keyboard.type(points)
        if wind < 3:
            page.keyboard.press("Enter")
    for wind in range(4):
        expect(page.locator(f"#id_seat{wind}-player_id")).not_to_have_value("")
    expect(page.locator("#check")).to_contain_text("The sum is right")
    page.keyboard.press("Enter")


def looked_at(page: Page, complaints: list[str]) -> None:
    assert_fits(page)
    assert_accessible(page, complaints)
