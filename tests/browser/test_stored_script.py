"""Scripts hidden in names: a real browser opens the pages that show them, and no script ever runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from ratings.models import Club, Hanchan, Player, Season
from ratings.services.players import index_names
from tests.world import make_world
from tournaments.models import Stage, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
SCRIPT = '"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'


def test_no_script_in_a_name_runs(page: Page, sign_in: Callable[[User], None]) -> None:
    world = make_world()
    house = world.furiten
    for number, player in enumerate(Player.objects.all()):
        player.native_name, player.nickname = f"{number}{SCRIPT}", f"<svg onload=window.pwned=1>{number}"
        index_names(player)
        player.save()
    Club.objects.update(name=SCRIPT, city=SCRIPT, about=SCRIPT)
    Season.objects.update(name=SCRIPT)
    Hanchan.objects.update(comment=SCRIPT)
    Tournament.objects.update(name=SCRIPT, about=SCRIPT)
    Stage.objects.update(name=SCRIPT)
    sign_in(world.users["owner"])
    event = house.row(Tournament).get_absolute_url()
    rows = (house.club, house.season, house.player, house.hanchan)
    for address in ("/", event, *(row.get_absolute_url() for row in rows)):
        page.goto(address)
        assert "onerror" in page.locator("body").inner_text(), f"{address} does not show it"
        assert page.evaluate("window.pwned") is None, address
    page.goto(f"{event}screen/")
    assert page.evaluate("window.pwned") is None


def test_no_script_in_a_suggested_name_runs(page: Page, sign_in: Callable[[User], None]) -> None:
    world = make_world()
    for number, player in enumerate(Player.objects.all()):
        player.native_name = f"Anna{number}{SCRIPT}"
        index_names(player)
        player.save()
    Season.objects.update(ends_on=None)
    sign_in(world.users["admin"])
    page.goto(f"/admin/ratings/hanchan/add/?season={world.furiten.season.pk}")
    page.locator("[name=seat0-player]").press_sequentially("Anna")
    page.locator("[role=option]").first.wait_for()
    page.locator("[role=option]").first.click()

    assert SCRIPT in page.locator("[name=seat0-player]").input_value()
    assert page.evaluate("window.pwned") is None
