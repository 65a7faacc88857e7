"""PostgreSQL is stopped at once and restarted while four users write: a clear page, no wrong number afterwards."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import results
from tests.faults.crowd import differences, set_loose
from tests.faults.site import postgres_site
from tests.faults.visitor import Visitor
from tests.with_postgres import Cluster, private_cluster

pytestmark = pytest.mark.faults
SECONDS = 20
RESTARTS = 2


@pytest.fixture
def cluster_to_stop() -> Iterator[Cluster]:
    """A separate cluster that no other test uses."""
    with private_cluster("synchronous_commit=on") as running:
        yield running


def test_a_restart_under_load_is_told_in_words_and_loses_nothing(cluster_to_stop: Cluster, tmp_path: Path) -> None:
    site = postgres_site(cluster_to_stop, tmp_path, "club")
    assert site.manage("migrate", "-v0").returncode == 0
    scene = site.ask("tests.faults.scenes", "crowd")
    with site.serve() as server:
        crowd = set_loose(site, server.base, scene, SECONDS, "--restarts")
        for _restart in range(RESTARTS):
            time.sleep(SECONDS / (RESTARTS + 2))
            cluster_to_stop.stop(signal.SIGQUIT)
            assert_the_page_tells_it(server.base, scene["leaderboard"])
            cluster_to_stop.start()
        told = crowd.wait()
        assert Visitor(server.base).get(scene["leaderboard"]).status == 200

    assert told.surprises == []
    assert told.counts["away"], "no writer noticed: nothing was written while the database was away"
    assert told.counts["entered"]
    stored = site.ask("tests.faults.audit", scene["season"])
    assert differences(told, stored, cut_off=True) == []
    assert site.is_sound()
    written = sum(told.counts[kind] for kind in ("entered", "corrected", "voided", "restored"))
    results.keep("restart-postgres", restarts=RESTARTS, away=told.counts["away"], written=written)


def assert_the_page_tells_it(base: str, address: str) -> None:
    answer = Visitor(base).get(address)
    assert answer.status == 503
    assert "The database does not answer" in answer.text
    for word in ("Traceback", "psycopg", "OperationalError", "127.0.0.1"):
        assert word not in answer.text
    assert Visitor(base).get("/healthz").status == 503
