"""The queue in real processes: bounds, kills, restarts, a database that goes away. Nothing is lost or run twice.

Work is held in a phase by a gate (`tests.faults.gates`), so no test depends on the right moment.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import results
from tests.faults.gates import COMPUTING, WRITING
from tests.faults.queue import LONG_AGO, Queue, queue_of
from tests.faults.site import PATIENCE, SQLITE, Site, postgres_site
from tests.faults.visitor import Visitor
from tests.with_postgres import Cluster, private_cluster

pytestmark = pytest.mark.faults
GAMES = 60  # in a file
AT_ONCE, PER_CLUB = 3, 2
BOUNDS = {"UMAOKA_WORK_AT_ONCE": str(AT_ONCE), "UMAOKA_WORK_AT_ONCE_PER_CLUB": str(PER_CLUB)}


@pytest.fixture
def queue(site: Site) -> Iterator[Queue]:
    with queue_of(site, **BOUNDS) as found:
        yield found


def imports(queue: Queue, *files: int, games: int = GAMES) -> list[int]:
    """The jobs of imports that a test makes due; a number of files for each club."""
    return list(queue.site.ask("tests.faults.scenes", "imports", games, *files)["imports"])


def once(files: int, games: int = GAMES) -> tuple[int, int, int, int]:
    """What is stored when every game of the files is there once: games, seats, history, rows of files."""
    return files * games, 4 * files * games, files * games, files * games


# --- bounds ---------------------------------------------------------------------------------------------------


def test_of_eight_imports_at_once_no_more_than_the_bound_run_and_all_finish(queue: Queue) -> None:
    workers = [queue.start_worker_at_once(), queue.start_worker_at_once()]
    jobs = imports(queue, 4, 2, 1, 1, games=200)
    for job in jobs:
        queue.close(COMPUTING, job)
    queue.wait_for_sign(*workers)
    queue.make_due(*jobs)
    samples = []

    def look() -> list[str]:
        samples.append(queue.running())
        return samples[-1]

    queue.wait(lambda: len(look()) >= AT_ONCE, "as many as may run at once do")
    for _each in range(60):  # meanwhile both workers look at a full queue
        look()
        time.sleep(0.02)
    for job in jobs:
        queue.open(COMPUTING, job)
    queue.wait(
        lambda: (
            not look() and not queue.rows("SELECT id FROM clubsite_job WHERE state = 'waiting' AND kind = 'import'")
        ),
        "all end",
    )

    assert max(len(sample) for sample in samples) == AT_ONCE
    assert max(max(Counter(sample).values(), default=0) for sample in samples) == PER_CLUB
    assert [queue.state(job) for job in jobs] == ["done"] * 8
    assert queue.attempts(*jobs) == [1] * 8
    assert queue.games() == once(8, games=200)
    assert queue.site.is_sound()
    assert [queue.end(worker) for worker in workers] == [0, 0]
    results.keep(f"queue-bounds-{queue.site.engine}", imports=8, games=8 * 200, samples=len(samples), most=AT_ONCE)


# --- kill −9 --------------------------------------------------------------------------------------------------


def test_a_worker_killed_in_any_phase_loses_nothing_and_nothing_runs_twice(queue: Queue) -> None:
    taken, computing, writing, waiting = imports(queue, 1, 1, 1, 1)
    dead = f"'somewhere 1 dead', '{LONG_AGO}', '{LONG_AGO}'"
    queue.change(f"INSERT INTO clubsite_worker (name, started_at, last_sign) VALUES ({dead})")
    mark = f"(state, worker, last_sign, due_at) = ('running', 'somewhere 1 dead', '{LONG_AGO}', '{LONG_AGO}')"
    queue.change(f"UPDATE clubsite_job SET {mark} WHERE id = {taken}")

    worker = queue.start_worker()
    queue.wait_for("done", taken)
    with queue.in_the_middle(COMPUTING, computing) as process:
        queue.end(worker, signal.SIGKILL)
        queue.make_due(waiting)
        worker = queue.start_worker()
        queue.wait_for("done", waiting)
        assert process in queue.processes()
        assert queue.state(computing) == "running"
    queue.wait_for("done", computing)
    with queue.in_the_middle(WRITING, writing) as process:
        queue.end(worker, signal.SIGKILL)
        assert process in queue.processes()
        assert queue.games() == once(3)
    queue.wait_for("done", writing)  # without any worker

    assert queue.attempts(taken, computing, writing, waiting) == [1] * 4
    assert queue.games() == once(4)
    assert queue.site.is_sound()
    results.keep(f"queue-kills-{queue.site.engine}", phases=3, imports=4, games=4 * GAMES)


def test_a_killed_process_fails_its_job_at_once_and_leaves_the_old_data(queue: Queue) -> None:
    queue.start_worker_at_once()
    computing, writing = imports(queue, 1, 1)
    for place, job in ((COMPUTING, computing), (WRITING, writing)):
        with queue.in_the_middle(place, job) as process:
            os.kill(process, signal.SIGKILL)
            queue.wait_for("failed", job)
    assert queue.games() == once(0)
    assert queue.rows("SELECT DISTINCT state FROM ratings_importbatch") == [("draft",)]
    results.keep(f"queue-process-{queue.site.engine}", kills=2)


# --- restarts -------------------------------------------------------------------------------------------------


def test_a_restart_in_the_middle_of_an_import_loses_nothing(queue: Queue) -> None:
    idle = queue.start_worker_at_once()
    (job,) = imports(queue, 1)
    queue.wait_for_sign(idle)
    assert queue.end(idle) == 0
    assert queue.living_workers() == []

    worker = queue.start_worker()
    with queue.in_the_middle(WRITING, job):
        assert queue.end(worker) == 0
        assert queue.processes() == {}
    assert (queue.state(job), queue.attempts(job)) == ("waiting", [0])
    assert queue.games() == once(0)
    queue.put_off(job)

    worker = queue.start_worker_at_once()
    with queue.site.serve(workers=1) as server, queue.in_the_middle(COMPUTING, job):
        assert Visitor(server.base).get("/healthz/worker").status == 200
        server.stop()
        assert queue.end(worker) == 0
        assert queue.processes() == {}
    assert (queue.state(job), queue.attempts(job)) == ("waiting", [0])
    with queue.site.serve(workers=1) as server:
        assert Visitor(server.base).get("/healthz/worker").status == 503
        queue.start_worker()
        queue.wait_for("done", job)
        assert Visitor(server.base).get("/healthz/worker").status == 200

    assert queue.attempts(job) == [1]
    assert queue.games() == once(1)
    assert queue.site.is_sound()
    results.keep(f"queue-restart-{queue.site.engine}", restarts=3, games=GAMES)


# --- due and repeated -----------------------------------------------------------------------------------------


def sent(site: Site) -> Counter[str]:
    """How many emails each address got."""
    letters = "".join(file.read_text() for file in (site.folder / "emails").glob("*.log"))
    return Counter(re.findall(r"^To: (\S+)$", letters, re.MULTILINE))


def test_each_of_a_hundred_due_emails_is_sent_once_by_one_of_two_workers(queue: Queue) -> None:
    workers = [queue.start_worker_at_once(), queue.start_worker_at_once()]
    jobs = queue.site.ask("tests.faults.scenes", "emails", 100)["emails"]
    queue.wait_for_sign(*workers)
    queue.make_due(*jobs)
    queue.wait(
        lambda: (
            not queue.rows(
                "SELECT id FROM clubsite_job WHERE state IN ('waiting', 'running') AND kind = 'password-email'"
            )
        ),
        "all are sent",
    )

    assert queue.rows(
        "SELECT state, attempts, count(*) FROM clubsite_job WHERE kind = 'password-email' GROUP BY 1, 2"
    ) == [("done", 1, 100)]
    assert sent(queue.site) == {f"user{number}@example.org": 1 for number in range(100)}
    shares = sorted(
        row[0] for row in queue.rows("SELECT count(*) FROM clubsite_job WHERE kind = 'password-email' GROUP BY worker")
    )
    results.keep(f"queue-due-{queue.site.engine}", tasks=100, shares=shares)


def test_repeated_work_runs_once_after_an_outage_and_is_planned_once(queue: Queue) -> None:
    def states() -> dict[str, int]:
        return dict(queue.rows("SELECT state, count(*) FROM clubsite_job WHERE kind = 'prune' GROUP BY state"))

    def two_workers_run_it(times: int) -> None:
        """Have two workers begin at once; then a third plans what is not planned yet."""
        both = [queue.start_worker_at_once(), queue.start_worker_at_once()]
        queue.wait(lambda: len(queue.living_workers()) == 2 and states().get("done") == times, f"{times} done")
        assert [queue.end(worker) for worker in both] == [0, 0]
        assert queue.site.manage("worker", "--once").returncode == 0
        assert states() == {"done": times, "waiting": 1}

    assert queue.site.manage("worker", "--once").returncode == 0
    assert states() == {"done": 1}
    hours = "datetime({}, '-10 hours')" if queue.site.engine == SQLITE else "{} - interval '10 hours'"
    back = ", ".join(f"{name} = {hours.format(name)}" for name in ("due_at", "ended_at"))
    for times in (2, 3):  # the first time without a row that waits, then with one
        queue.change(f"UPDATE clubsite_job SET {back}")
        two_workers_run_it(times)
    results.keep(f"queue-repeated-{queue.site.engine}", outages=2, periods=10)


# --- the database goes away -----------------------------------------------------------------------------------


@pytest.fixture
def cluster_to_stop() -> Iterator[Cluster]:
    """A separate cluster that no other test uses."""
    with private_cluster("synchronous_commit=on") as running:
        yield running


def test_a_worker_outlives_its_database(cluster_to_stop: Cluster, tmp_path: Path) -> None:
    site = postgres_site(cluster_to_stop, tmp_path, "club")
    assert site.manage("migrate", "-v0").returncode == 0
    with queue_of(site) as queue:
        worker = queue.start_worker_at_once()
        held, other = imports(queue, 1, 1)
        (email,) = site.ask("tests.faults.scenes", "emails", 1)["emails"]
        with queue.in_the_middle(COMPUTING, held) as process, queue.in_the_middle(WRITING, email):
            cluster_to_stop.stop(signal.SIGQUIT)
        queue_is_left_alone(queue, process)
        cluster_to_stop.start()
        queue.wait_for("failed", held)
        queue.wait_for("done", email)  # may run twice, so it is tried again
        assert queue.attempts(email) == [2]
        assert queue.games() == once(0)
        queue.make_due(other)
        queue.wait_for("done", other)

        assert worker.poll() is None
        assert queue.games() == once(1)
        assert queue.end(worker) == 0
    results.keep("queue-database-postgres", games=GAMES)


def queue_is_left_alone(queue: Queue, process: int) -> None:
    """Wait until the process noticed that its database is gone."""
    end = time.monotonic() + PATIENCE
    while process in queue.processes():
        assert time.monotonic() < end, queue.processes()
        time.sleep(0.02)


# --- manage.py start ------------------------------------------------------------------------------------------


def test_whatever_ends_the_start_command_no_process_is_left(new_site: Callable[[str], Site]) -> None:
    with queue_of(new_site(SQLITE)) as queue:
        (job,) = imports(queue, 1)
        begun = queue.start_site()
        queue.wait(queue.living_workers, "the worker lives")
        assert queue.end(begun, signal.SIGINT) == 0
        assert queue.processes() == {}

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            begun = queue.start_site()
            with queue.in_the_middle(COMPUTING, job):
                queue.end(begun, number)
                queue.wait(lambda: not queue.processes(), f"{number.name} ends everything")
            assert (queue.state(job), queue.attempts(job)) == ("waiting", [0])
            assert queue.games() == once(0)
            queue.put_off(job)

        queue.make_due(job)
        queue.start_worker()
        queue.wait_for("done", job)
        assert queue.games() == once(1)
    results.keep("queue-start-sqlite", ends=4)
