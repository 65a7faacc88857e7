"""Help for each role, and its pictures."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import resolve

from ratings.views.help_pages import ROLES
from tests.pictures import FOLDER, LARGEST, PICTURES

NAMED = re.compile(r"umaoka/help/([\w-]+)\.webp")
PAGES = settings.BASE_DIR / "templates" / "ratings" / "help"
README = (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_a_page_that_the_first_page_leads_to(client: Client, role: str) -> None:
    assert f"/help/{role}/" in client.get("/help/").text
    answer = client.get(f"/help/{role}/")
    assert answer.status_code == 200
    assert str(ROLES[role][0]) in answer.text


@pytest.mark.django_db
def test_every_page_leads_to_help_and_an_unknown_role_has_none(client: Client) -> None:
    assert 'href="/help/"' in client.get("/").text
    assert client.get("/help/dragon/").status_code == 404


def test_the_pictures_that_are_shown_are_those_that_are_taken() -> None:
    shown = {name for page in PAGES.glob("*.html") for name in NAMED.findall(page.read_text())}

    assert shown | set(NAMED.findall(README)) == set(PICTURES)
    assert {path.stem for path in FOLDER.glob("*.webp")} == set(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_its_page_exists(name: str) -> None:
    assert (FOLDER / f"{name}.webp").stat().st_size < LARGEST
    example = dict.fromkeys(("club", "season", "event"), "x") | dict.fromkeys(("season_id", "hanchan"), 1)
    resolve(PICTURES[name].address.format(**example).partition("?")[0])
