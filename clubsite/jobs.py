"""Long work: a Job row, run by its own process, with progress and a way to stop it.

An app registers a kind of work in `AppConfig.ready()` and starts it from a view; `manage.py run_job` runs it. Every
kind must first compute and report its progress, then write everything in one transaction and call `finish` inside
it. So whatever happens to the process, the data are either old or new, never a mix, and the row says which. The module
imports no app: whom a job concerns is a string (`scope`) that only its kind can read.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext

from clubsite.failures import has_no_room
from clubsite.models import LOST_AFTER, Job

State = Job.State
ACTIVE = (State.WAITING, State.RUNNING)
BETWEEN_SIGNS = 0.5  # seconds

log = logging.getLogger("django.jobs")


class Stopped(Exception):
    """A user asked the work to stop, or the job was given up as lost."""


class JobRefused(Exception):
    """The work cannot be done. The text is a sentence for the user who asked for it."""


class Work:
    """A job as its worker sees it: the parameters, and the methods to report progress and to finish."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.params: dict[str, Any] = job.params
        self._next_sign = 0.0

    def report(self, done: int, total: int, phrase: str = "") -> None:
        """Store how far the work is. Cheap enough to call often. Raises Stopped if the work must stop."""
        if time.monotonic() < self._next_sign and done < total:
            return
        self._next_sign = time.monotonic() + BETWEEN_SIGNS
        heard = self._own().update(done=done, total=total, phrase=phrase, last_sign=timezone.now())
        if not heard:
            raise Stopped

    def finish(self, result: str) -> None:
        """Mark the job as done. Call it last in the writing transaction, so that everything is stored or nothing."""
        if not self._own().update(state=State.DONE, result=result, ended_at=timezone.now()):
            raise Stopped

    def finish_early(self, result: str) -> None:
        """Like `finish`, for work whose best result so far is worth keeping, even if a user asked to stop."""
        running = Job.objects.filter(pk=self.job.pk, state=State.RUNNING)
        if not running.update(state=State.DONE, result=result, ended_at=timezone.now()):
            raise Stopped

    def _own(self) -> QuerySet[Job]:
        return Job.objects.filter(pk=self.job.pk, state=State.RUNNING, stop_requested=False)


@dataclass(frozen=True)
class JobKind:
    """A kind of long work. `may_see` and `may_stop` are called for every user except the one who started the job."""

    name: str
    run: Callable[[Work], None]
    may_see: Callable[[User, Job], bool]
    may_stop: Callable[[User, Job], bool]


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    _kinds[kind.name] = kind


# --- who --------------------------------------------------------------------------------------------------


def may_see(user: User, job: Job) -> bool:
    """Whether the user started the job or is concerned by it."""
    return job.started_by_id == user.pk or (job.kind in _kinds and _kinds[job.kind].may_see(user, job))


def may_stop(user: User, job: Job) -> bool:
    return job.started_by_id == user.pk or (job.kind in _kinds and _kinds[job.kind].may_stop(user, job))


# --- starting and stopping --------------------------------------------------------------------------------


def start(
    kind: str,
    title: str,
    *,
    by: User,
    params: dict[str, Any],
    scope: str = "",
    subject: str = "",
    back_url: str = "",
) -> Job:
    """Start the work, or return the job of the same kind on the same subject that is already active."""
    give_up_lost()
    try:
        with transaction.atomic():
            job = Job.objects.create(
                kind=_kinds[kind].name,
                title=title,
                params=params,
                scope=scope,
                subject=subject,
                back_url=back_url,
                language=translation.get_language() or "",
                started_by=by,
            )
    except IntegrityError:
        return Job.objects.filter(kind=kind, subject=subject).latest("pk")
    transaction.on_commit(partial(_launch, job.pk))
    return job


def request_stop(job: Job) -> None:
    """Ask the worker to stop. A job that is still waiting is stopped at once and never runs."""
    Job.objects.filter(pk=job.pk, state=State.RUNNING).update(stop_requested=True)
    Job.objects.filter(pk=job.pk, state=State.WAITING).update(state=State.STOPPED, ended_at=timezone.now())


def give_up_lost() -> None:
    """Mark jobs as failed whose process gave no sign of life for LOST_AFTER."""
    lost = Job.objects.filter(state__in=ACTIVE, last_sign__lt=timezone.now() - LOST_AFTER)
    lost.update(state=State.FAILED, ended_at=timezone.now())


def _launch(pk: int) -> None:
    """Start a process in a new session, so that it survives a restart of the web server and Ctrl-C in its terminal."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "run_job", str(pk)]
    try:
        process = subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "clubsite.settings")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        log.exception("The process for job %s could not be started.", pk)
        _end(pk, State.FAILED)
        return
    threading.Thread(target=_watch, args=(process, pk), daemon=True, name=f"job {pk}").start()


def _watch(process: subprocess.Popen[bytes], pk: int) -> None:
    """Wait for the worker, so that a killed worker is noticed at once and not only when it gives no sign of life."""
    process.wait()
    try:
        _end(pk, State.FAILED)
    finally:
        connection.close()


def _end(pk: int, state: Job.State, result: str = "") -> None:
    """End an active job. A job that has ended already is not changed."""
    Job.objects.filter(pk=pk, state__in=ACTIVE).update(state=state, result=result, ended_at=timezone.now())


# --- running ----------------------------------------------------------------------------------------------


def run(pk: int) -> None:
    """Run a waiting job until it is done, refused, stopped or failed. A job that is not waiting is left alone."""
    claimed = Job.objects.filter(pk=pk, state=State.WAITING)
    if not claimed.update(state=State.RUNNING, process=os.getpid(), last_sign=timezone.now()):
        return
    job = Job.objects.get(pk=pk)
    with translation.override(job.language or settings.LANGUAGE_CODE):
        try:
            _kinds[job.kind].run(Work(job))
            _end(pk, State.DONE)
        except Stopped:
            _end(pk, State.STOPPED)
        except JobRefused as refusal:
            _end(pk, State.REFUSED, str(refusal))
        except Exception as error:
            if has_no_room(error):
                _end(pk, State.REFUSED, gettext("The disk of this site is full. Nothing was kept of the file."))
                return
            log.exception("Job %s (%s) failed.", pk, job.kind)
            _end(pk, State.FAILED)
