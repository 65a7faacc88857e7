"""A worker: takes jobs that are due from the queue and runs them, within the bounds of the site.

Several workers, also on several machines, may work on one database. Heavy work runs in a process of its own
(`manage.py run_job`), which outlives a killed worker; light work runs in a thread of the worker. A worker that is told
to end gives back what it has not finished, so a restart loses nothing.
"""

from __future__ import annotations

import datetime
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from clubsite import jobs
from clubsite.models import MINUTE, Job, Worker

BETWEEN_LOOKS = 0.5  # seconds
BETWEEN_SIGNS = 10.0
PATIENCE = 25.0  # for work to end when the worker is told to; an email takes 20 at most
FORGOTTEN_AFTER = datetime.timedelta(days=1)

log = logging.getLogger("django.jobs")


@dataclass(frozen=True)
class Bound:
    """How much work of one weight runs at once, on all machines together."""

    in_all: int
    per_scope: int


def bound(*, light: bool) -> Bound:
    return Bound(4, 2) if light else Bound(settings.WORK_AT_ONCE, settings.WORK_AT_ONCE_PER_CLUB)


def complaint() -> str:
    """A sentence if no worker gave a sign of life within the last minute, else nothing."""
    if Worker.objects.filter(last_sign__gte=timezone.now() - MINUTE).exists():
        return ""
    return gettext(
        "No worker has answered for a minute, so long work, emails and repeated work wait. Nothing is lost. "
        "The owner of the site starts one with “manage.py worker”."
    )


# --- taking -----------------------------------------------------------------------------------------------


@contextmanager
def _alone() -> Iterator[None]:
    """A transaction of one worker at a time.

    Each worker has committed its own row before it comes here. Two workers therefore lock at least one common row, and
    the second sees what the first has done.
    """
    with transaction.atomic():
        list(Worker.objects.select_for_update().order_by("pk"))
        yield


def take(worker: str) -> list[Job]:
    """Mark what may run now as taken by this worker, and return it. Workers take one after another."""
    if not jobs.due().exists():
        return []
    with _alone():
        return [*_take(worker, light=False), *_take(worker, light=True)]


def _take(worker: str, *, light: bool) -> Iterator[Job]:
    names, limit = jobs.kinds(light=light), bound(light=light)
    running = Counter(Job.objects.filter(state=Job.State.RUNNING, kind__in=names).values_list("scope", flat=True))
    while running.total() < limit.in_all:
        full = [scope for scope, count in running.items() if scope and count >= limit.per_scope]
        job = jobs.due().filter(kind__in=names).exclude(scope__in=full).first()
        if job is None:
            return
        mine = {"worker": worker, "process": None, "last_sign": timezone.now()}
        if Job.objects.filter(pk=job.pk, state=Job.State.WAITING).update(state=Job.State.RUNNING, **mine):
            running[job.scope] += 1
            yield job


# --- the loop ---------------------------------------------------------------------------------------------


@dataclass
class Supervisor:
    """One worker. `parent` is a process without which it ends."""

    parent: int | None = None
    name: str = field(default_factory=lambda: f"{socket.gethostname()[:50]} {os.getpid()} {secrets.token_hex(4)}")

    def __post_init__(self) -> None:
        self.ending = False
        self.stirred = threading.Event()  # there may be something to do before the next look
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.threads: dict[int, threading.Thread] = {}
        self._next_sign = 0.0
        self._silent = False  # the database does not answer; said once

    def run(self, *, once: bool = False) -> None:
        """Work until told to end, or `once` until nothing is due and nothing runs."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told_to_end)
        try:
            while not self._is_over():
                self._turn()
                if once and not (self.processes or self.threads or jobs.due().exists()):
                    break
                self.stirred.wait(BETWEEN_LOOKS)
                self.stirred.clear()
        finally:
            self._leave()

    def _told_to_end(self, number: int, frame: FrameType | None) -> None:
        self.ending = True  # only this: an Event is not safe here, the main thread may hold its lock

    def _is_over(self) -> bool:
        return self.ending or (self.parent is not None and os.getppid() != self.parent)

    def _turn(self) -> None:
        """One look at the queue. A database that is away is waited for."""
        try:
            close_old_connections()
            self._reap()
            if time.monotonic() >= self._next_sign:
                self._give_sign()
            for job in take(self.name):
                self._begin(job)
            self._silent = False
        except (OperationalError, InterfaceError):
            connection.close()
            self._next_sign = 0.0
            if not self._silent:
                log.exception("The worker waits for the database.")
            self._silent = True

    def _give_sign(self) -> None:
        """Say that this worker lives, and do what any worker does now and then."""
        now = timezone.now()
        Worker.objects.update_or_create(name=self.name, defaults={"last_sign": now})
        Worker.objects.filter(last_sign__lt=now - FORGOTTEN_AFTER).delete()
        # What runs in this process, and what was taken and has no process yet. Other processes speak for themselves,
        # but not while they write, since no one sees their transaction: then it counts that the process is there.
        # What was taken in a transaction whose end was not heard, because the database went away, is let go.
        self._rows(os.getpid(), *self.threads, *self.processes).update(last_sign=now)
        for pk, process in self.processes.items():
            if process.poll() is None:
                self._rows(process.pid, pk).update(last_sign=now)
        jobs.give_up_lost()
        if jobs.unplanned():
            with _alone():  # else another worker may plan and run it between our question and our answer
                jobs.plan_repeated()
        self._next_sign = time.monotonic() + BETWEEN_SIGNS

    # --- running ------------------------------------------------------------------------------------------

    def _begin(self, job: Job) -> None:
        if job.kind in jobs.kinds(light=True):
            thread = threading.Thread(target=self._run_here, args=(job.pk,), daemon=True, name=f"job {job.pk}")
            self.threads[job.pk] = thread
            thread.start()
            return
        try:
            self.processes[job.pk] = _run_apart(job.pk)
        except OSError:
            log.exception("The process for job %s could not be started.", job.pk)
            jobs.give_up(Job.objects.filter(pk=job.pk, worker=self.name))

    def _run_here(self, pk: int) -> None:
        try:
            jobs.run(pk)
        except Exception:
            log.exception("Job %s was left behind.", pk)
        finally:
            connection.close()
            self.stirred.set()

    def _reap(self) -> None:
        """Notice processes and threads that have ended. A job that still runs then was killed with its process."""
        for pk, thread in list(self.threads.items()):
            if not thread.is_alive():
                self._settle(pk)
                del self.threads[pk]
        for pk, process in list(self.processes.items()):
            if process.poll() is not None:
                jobs.give_up(self._rows(process.pid, pk))
                del self.processes[pk]

    def _settle(self, pk: int) -> None:
        """Let go of light work whose thread ended without a word, because the database was away."""
        rows = self._rows(os.getpid(), pk)
        if rows.exists():  # a write locks SQLite even if it finds nothing
            jobs.give_back(rows.filter(process=None))
            jobs.give_up(rows)

    def _rows(self, process: int, *numbers: int) -> QuerySet[Job]:
        """Those of the jobs that this worker runs in that process, or has taken for a process that begins."""
        here = Q(process=process) | Q(process=None)
        return Job.objects.filter(here, pk__in=numbers, worker=self.name, state=Job.State.RUNNING)

    # --- ending -------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        """Let the processes give their work back, then end. What does not answer is killed."""
        for process in self.processes.values():
            process.terminate()
        end = time.monotonic() + PATIENCE
        for process in self.processes.values():
            _wait_for(process, end)
        for thread in self.threads.values():
            thread.join(max(0.0, end - time.monotonic()))
        try:
            for pk, process in self.processes.items():
                jobs.give_back(self._rows(process.pid, pk))
            for pk, thread in self.threads.items():
                if not thread.is_alive():
                    self._settle(pk)
            Worker.objects.filter(name=self.name).delete()
        except (DatabaseError, InterfaceError):
            log.warning("The database does not answer; what this worker did not finish is found by the next.")


def _wait_for(process: subprocess.Popen[bytes], end: float) -> None:
    try:
        process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _run_apart(pk: int) -> subprocess.Popen[bytes]:
    """Start a process in a new session: Ctrl-C in the worker's terminal reaches the worker alone."""
    return subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "run_job", str(pk)],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "clubsite.settings")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
