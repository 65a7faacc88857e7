"""Two writes at the same time in a forced order, on both engines: neither is lost, neither makes the other wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.faults import results
from tests.faults.site import POSTGRES, Site

pytestmark = pytest.mark.faults

# At an event the merge moves the entry itself to the survivor, and later writes go with the entry.
AT_EVENT = {"event_penalty", "table"}


def test_no_order_of_two_writes_leaves_a_wrong_number_or_a_row_on_a_player_merged_away(site: Site) -> None:
    found = site.ask("tests.faults.races")

    orders = sum(len(kind) for kind in found.values())
    against_merge(found["merge"], site.engine)
    against_rules(found["rules"])
    against_anonymising(found["anonymising"], site.engine)
    with_one_key(found["key"])
    assert site.is_sound()
    results.keep(f"races-{site.engine}", orders=orders)


def against_merge(found: dict[str, Any], engine: str) -> None:
    assert found.pop("undo, record")["second"] == "done", "whoever is his own again can play again"
    for order, ended in found.items():
        write = order.replace("merge", "").strip(", ")
        assert ended["waited"], f"{order}: nothing was interleaved"
        assert ended["first"] == "done", order
        assert not ended["left behind"], order
        if write in AT_EVENT:
            expected = "done"
        elif order.startswith("merge"):
            expected = "merged_player"
        else:  # the merge did not lock this season: on PostgreSQL it starts, and must then look again
            expected = "try_again" if engine == POSTGRES else "done"
        assert ended["second"] == expected, order


def against_rules(found: dict[str, Any]) -> None:
    """Rules that a game uses get a new version. Games scored by rules that have since changed are not written."""
    ended = {order: (end["waited"], end["first"], end["second"], end["versions"]) for order, end in found.items()}

    assert ended == {
        "change_rules, record": (True, "done", "done", 1),
        "record, change_rules": (True, "done", "done", 2),
        "change_rules, import_games": (True, "done", "changed", 1),
        "import_games, change_rules": (True, "done", "done", 2),
    }


def against_anonymising(found: dict[str, Any], engine: str) -> None:
    """An entry copies the player's EMA number, and must not keep one that the site has forgotten."""
    later = found["anonymise, entry"]
    assert (later["waited"], later["second"], later["known"], later["entered"]) == (True, "done", "", [""])
    earlier = found["entry, anonymise"]
    assert earlier["waited"]
    assert earlier["second"] == ("try_again" if engine == POSTGRES else "done")
    assert earlier["entered"] == [earlier["known"]]


def with_one_key(found: dict[str, Any]) -> None:
    ended = {order: (end["first"], end["second"], end["stored"]) for order, end in found.items()}

    assert ended == {"game, game": ("done", "submitted before", 1), "penalty, penalty": ("done", "done", 1)}
