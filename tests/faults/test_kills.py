"""kill −9 in the middle: afterwards the old state or the new one, never a mix; the same command finishes the job."""

from __future__ import annotations

import pytest

from tests.faults import results
from tests.faults.kills import MIX, NEW, OLD
from tests.faults.site import Site

pytestmark = pytest.mark.faults


@pytest.mark.parametrize("work", ["import", "replay", "confirm"])
def test_killed_at_any_statement_it_is_old_or_new_and_can_be_finished(site: Site, work: str) -> None:
    found = site.ask("tests.faults.kills", work, site.folder)

    kills = found["kills"]
    assert all(kill["killed"] for kill in kills), kills
    assert [kill for kill in kills if kill["state"] == MIX] == []
    assert [kill for kill in kills if not kill["finishes"]] == []
    assert [kill for kill in kills if kill["says"] not in ("", kill["state"])] == []
    assert [kill["state"] for kill in kills] == [OLD] * (len(kills) - 1) + [NEW], "only the last one had committed"
    assert site.is_sound()
    results.keep(f"kill-{work}-{site.engine}", statements=found["statements"], kills=len(kills))
