"""The queue of a site under test: its rows, its workers and every process that works on it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.databases import connected
from tests.faults.gates import arrivals, gate
from tests.faults.site import PATIENCE, ROOT, Site
from tests.queue import start_worker

LONG_AGO, NEVER = "2026-01-01 00:00:00", "2999-01-01 00:00:00"  # read as UTC by SQLite and by PostgreSQL


@dataclass
class Queue:
    site: Site
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    # --- rows -------------------------------------------------------------------------------------------------

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with connected(self.site.url) as database:
            return [tuple(row) for row in database.execute(query).fetchall()]

    def count(self, table: str) -> int:
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])

    def change(self, statement: str) -> None:
        with connected(self.site.url) as database:
            database.execute(statement)

    def make_due(self, *jobs: int) -> None:
        self.change(f"UPDATE clubsite_job SET due_at = '{LONG_AGO}' WHERE id IN ({', '.join(map(str, jobs))})")

    def put_off(self, job: int) -> None:
        self.change(f"UPDATE clubsite_job SET due_at = '{NEVER}' WHERE id = {job}")

    def state(self, job: int) -> str:
        return str(self.rows(f"SELECT state FROM clubsite_job WHERE id = {job}")[0][0])

    def attempts(self, *jobs: int) -> list[int]:
        numbers = ", ".join(map(str, jobs))
        return [row[0] for row in self.rows(f"SELECT attempts FROM clubsite_job WHERE id IN ({numbers}) ORDER BY id")]

    def running(self) -> list[str]:
        """The clubs of the imports that run now."""
        return [row[0] for row in self.rows("SELECT scope FROM clubsite_job WHERE state='running' AND kind='import'")]

    def games(self) -> tuple[int, int, int, int]:
        """Games, seats, entries of the history, and different rows of files that became games."""
        distinct = self.rows("SELECT count(DISTINCT digest) FROM ratings_importedrow")[0][0]
        tables = ("ratings_hanchan", "ratings_seat", "ratings_hanchanevent")
        games, seats, events = (self.count(table) for table in tables)
        return games, seats, events, int(distinct)

    # --- waiting ----------------------------------------------------------------------------------------------

    def wait(self, until: Callable[[], object], what: str) -> None:
        """Wait with patience; fail with what is seen instead."""
        end = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > end:
                seen = self.rows("SELECT id, kind, state, attempts, process, worker, result FROM clubsite_job")
                pytest.fail(f"{what}: did not happen. Jobs: {seen[:20]}. Processes: {self.processes()}")
            time.sleep(0.05)

    def wait_for(self, state: str, *jobs: int) -> None:
        self.wait(lambda: all(self.state(job) == state for job in jobs), f"{jobs} {state}")

    # --- gates ------------------------------------------------------------------------------------------------

    def close(self, place: str, job: int) -> None:
        closed = gate(self.site.folder, place, job)
        closed.parent.mkdir(exist_ok=True)
        closed.touch()

    def held(self, place: str, job: int) -> int:
        """Wait until a process stands before the closed gate; return its number."""
        closed = gate(self.site.folder, place, job)
        self.wait(lambda: arrivals(closed), f"job {job} comes to {place}")
        return arrivals(closed)[0]

    def open(self, place: str, job: int) -> None:
        closed = gate(self.site.folder, place, job)
        closed.unlink()
        for file in closed.parent.glob(f"{closed.name}.*"):
            file.unlink()

    @contextmanager
    def in_the_middle(self, place: str, job: int) -> Iterator[int]:
        """Have the job held at the place while the block runs."""
        self.close(place, job)
        self.make_due(job)
        try:
            yield self.held(place, job)
        finally:
            self.open(place, job)

    # --- processes --------------------------------------------------------------------------------------------

    def start_worker_at_once(self) -> subprocess.Popen[bytes]:
        self.started.append(process := start_worker(self.site.environment))
        return process

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker and wait for its first sign of life."""
        process = self.start_worker_at_once()
        self.wait_for_sign(process)
        return process

    def wait_for_sign(self, *workers: subprocess.Popen[bytes]) -> None:
        def all_live() -> bool:
            assert [worker.poll() for worker in workers] == [None] * len(workers)
            return {worker.pid for worker in workers} <= set(self.living_workers())

        self.wait(all_live, "the workers live")

    def start_site(self) -> subprocess.Popen[bytes]:
        """Run `manage.py start`, and wait until it serves."""
        log = self.site.folder / "start.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "start", "127.0.0.1:0"],
                cwd=ROOT,
                env=self.site.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.started.append(process)
        self.wait(lambda: "Ctrl-C stops it" in log.read_text() or process.poll() is not None, "the site is served")
        assert process.poll() is None, log.read_text()
        return process

    def living_workers(self) -> list[int]:
        """The process numbers of the workers that have a row."""
        return [int(name.split()[-2]) for (name,) in self.rows("SELECT name FROM clubsite_worker")]

    def end(self, worker: subprocess.Popen[bytes], number: signal.Signals = signal.SIGTERM) -> int:
        worker.send_signal(number)
        return worker.wait(timeout=PATIENCE)

    def processes(self) -> dict[int, str]:
        """Every living process that got this site's database from its environment, with its command line."""
        mark, found = f"UMAOKA_VAR={self.site.folder}\0".encode(), {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                with suppress(OSError):  # it is gone, or not ours
                    if mark in (folder / "environ").read_bytes():
                        found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def clear(self) -> None:
        """Kill what a failed test left behind."""
        for number in self.processes():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        for process in self.started:
            process.wait()


@contextmanager
def queue_of(site: Site, **environment: str) -> Iterator[Queue]:
    """The queue of a site whose work can be held in a phase; no process of it is left afterwards."""
    site.environment |= {"DJANGO_SETTINGS_MODULE": "tests.faults.gated_settings"} | environment
    queue = Queue(site)
    try:
        yield queue
    finally:
        queue.clear()
