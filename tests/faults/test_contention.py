"""Four users write for a minute: none of them sees an error, and no acknowledged write is lost."""

from __future__ import annotations

import copy

import pytest

from tests.faults import results
from tests.faults.crowd import Told, differences, set_loose
from tests.faults.scenes import WRITERS
from tests.faults.site import Site

pytestmark = pytest.mark.faults
SECONDS = 60


def test_four_writers_for_a_minute_lose_nothing_and_see_no_error(site: Site) -> None:
    scene = site.ask("tests.faults.scenes", "crowd")
    with site.serve(workers=WRITERS) as server:
        told = set_loose(site, server.base, scene, SECONDS).wait()
        log = server.log.read_text()

    assert told.surprises == []
    assert "Traceback" not in log, log[-4000:]
    stored = site.ask("tests.faults.audit", scene["season"])
    assert differences(told, stored) == []
    for kind in ("entered", "corrected", "voided", "restored", "conflicts", "pressed twice"):
        assert told.counts[kind], f"nobody {kind}: {told.counts}"
    assert site.is_sound()
    keep = {kind: told.counts[kind] for kind in ("requests", "entered", "corrected", "voided", "restored", "conflicts")}
    results.keep(f"contention-{site.engine}", seconds=SECONDS, writers=WRITERS, slowest=told.slowest, **keep)
    assert_the_comparison_would_notice(told, stored)


def assert_the_comparison_would_notice(told: Told, stored: dict[str, dict[str, dict[str, object]]]) -> None:
    """Put differences into the data: the comparison must find them, or finding none would prove little."""
    token, game = next(iter(told.done.items()))

    lost = copy.deepcopy(stored)
    lost["games"][str(game)]["events"] = [
        event
        for event in lost["games"][str(game)]["events"]  # type: ignore[attr-defined]
        if event["token"] != token
    ]
    assert any("is not stored" in line for line in differences(told, lost))

    stale = copy.deepcopy(stored)
    stale["standings"].popitem()
    assert any("standings" in line for line in differences(told, stale))
