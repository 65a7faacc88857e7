"""The queue in tests: work it off in this process, or run a real worker beside the test."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from clubsite import jobs
from clubsite.models import Job

ROOT = Path(__file__).resolve().parents[1]


def work_off() -> list[Job]:
    """Run everything that is due, as a worker would, and return it as it ended."""
    due = list(jobs.due())
    for job in due:
        jobs.run(job.pk)
        job.refresh_from_db()
    return due


def start_worker(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "worker", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=dict(environment), start_new_session=True)


@contextmanager
def worker(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A worker on the database of the environment, told to end afterwards."""
    process = start_worker(environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
