"""Two games of one player at the very same time, in the order in which most is lost, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.faults import results
from tests.faults.site import POSTGRES, Site

pytestmark = pytest.mark.faults


def test_two_games_of_one_player_are_both_in_the_standing(new_site: Callable[[str], Site]) -> None:
    site = new_site(POSTGRES)
    found = site.ask("tests.faults.interleaving")

    assert found["waited"], "the second writer never stood behind the first: nothing was interleaved"
    assert found["games"] == [3, 3, 3, 3]
    assert found["results"] == found["expected"]
    assert site.is_sound()
    results.keep("interleaving-postgres", games=2)


def test_without_the_seasons_lock_the_same_order_loses_a_game(new_site: Callable[[str], Site]) -> None:
    found = new_site(POSTGRES).ask("tests.faults.interleaving", "--unlocked")

    assert found["waited"]
    assert found["results"] != found["expected"], "the interleaving is harmless, so the test above shows nothing"
    lost = sum(3 - games for games in found["games"])
    results.keep("interleaving-unlocked", lost=lost)
