"""The queue: a Job row for each piece of work that no page request should wait for.

An app registers a kind of work in `AppConfig.ready()` and puts work on the queue with `start`; a worker
(`clubsite.worker`) runs it. Every kind must first compute and report its progress, then write everything in one
transaction and call `finish` inside it. So whatever happens to the process, the data are either old or new, never a
mix, and the row says which. The module imports no app: whom a job concerns is a string (`scope`) that only its kind
can read; for work of a club it is the club's number, so the bound for a scope is the bound for a club.
"""

from __future__ import annotations

import datetime
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone, translation
from django.utils.translation import gettext

from clubsite.failures import has_no_room
from clubsite.models import LOST_AFTER, REPEATED, Job

State = Job.State
ACTIVE = (State.WAITING, State.RUNNING)
BETWEEN_SIGNS = 0.5  # seconds
FRESH = {"process": None, "worker": "", "phrase": "", "done": 0, "total": 0}  # of a job that waits again

log = logging.getLogger("django.jobs")


class Stopped(Exception):
    """A user asked the work to stop, or the job was given up as lost."""


class JobRefused(Exception):
    """The work cannot be done. The text is a sentence for the user who asked for it."""


class TryAgain(Exception):
    """The other side did not answer, or asked us to wait `after`. The text is a sentence for the owner of the site."""

    def __init__(self, sentence: str, after: datetime.timedelta | None = None) -> None:
        super().__init__(sentence)
        self.after = after


class Interrupted(BaseException):
    """The worker is told to end. No error of the work: the job waits for the next worker."""


@dataclass(frozen=True)
class Retries:
    """How often work that talks to the outside is tried again; the waiting time doubles each time."""

    times: int
    first: datetime.timedelta
    longest: datetime.timedelta

    def wait(self, attempts: int) -> datetime.timedelta:
        """How long to wait after this number of attempts."""
        return min(self.longest, self.first * 2 ** min(attempts - 1, 20))


# Ten times in about eight hours: a mail server that is down in the evening is up again in the morning.
OUTSIDE = Retries(10, datetime.timedelta(seconds=30), datetime.timedelta(hours=3))


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
        if not _running(self.job).update(state=State.DONE, result=result, ended_at=timezone.now()):
            raise Stopped

    def _own(self) -> QuerySet[Job]:
        return _running(self.job).filter(stop_requested=False)


@dataclass(frozen=True)
class JobKind:
    """A kind of work. `may_see` and `may_stop` are called for every user except the one who started the job.

    `light` work takes moments: it runs in the worker's own process and has its own bound, so that an email never waits
    for an import. `retries` is for work that talks to the outside and may run more than once. Work with `every` needs
    no `start`: a worker begins it again that long after it ended.
    """

    name: str
    run: Callable[[Work], None]
    may_see: Callable[[User, Job], bool]
    may_stop: Callable[[User, Job], bool]
    light: bool = False
    retries: Retries | None = None
    every: datetime.timedelta | None = None
    title: str = ""  # of repeated work


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    _kinds[kind.name] = kind


def owner_only(user: User, job: Job) -> bool:
    """`may_see` and `may_stop` of work that concerns the whole site."""
    return user.is_superuser


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
    by: User | None,
    params: dict[str, Any],
    scope: str = "",
    subject: str = "",
    back_url: str = "",
    due: datetime.datetime | None = None,
) -> Job:
    """Put work on the queue, or return the job of the same kind on the same subject that is already active.

    It belongs to the caller's transaction: if that is rolled back, there is no work. With `due` it begins then.
    """
    give_up_lost()
    try:
        with transaction.atomic():
            return Job.objects.create(
                kind=_kinds[kind].name,
                title=title,
                params=params,
                scope=scope,
                subject=subject,
                back_url=back_url,
                language=translation.get_language() or "",
                started_by=by,
                due_at=due or timezone.now(),
            )
    except IntegrityError:
        return Job.objects.filter(kind=kind, subject=subject).latest("pk")


def request_stop(job: Job) -> None:
    """Ask the worker to stop. A job that is still waiting is stopped at once and never runs."""
    Job.objects.filter(pk=job.pk, state=State.RUNNING).update(stop_requested=True)
    Job.objects.filter(pk=job.pk, state=State.WAITING).update(state=State.STOPPED, ended_at=timezone.now())


def due() -> QuerySet[Job]:
    """What could run now, in its order. Work of a kind that only a newer version knows is left to that version."""
    waiting = Job.objects.filter(state=State.WAITING, kind__in=_kinds, due_at__lte=timezone.now())
    return waiting.order_by("due_at", "pk")


def ahead_of(job: Job) -> int:
    """How many jobs of the same weight the queue takes before this one."""
    earlier = Q(due_at__lt=job.due_at) | Q(due_at=job.due_at, pk__lt=job.pk)
    return due().filter(earlier, kind__in=kinds(light=_kinds[job.kind].light)).count() if job.kind in _kinds else 0


def kinds(*, light: bool) -> list[str]:
    return [kind.name for kind in _kinds.values() if kind.light == light]


# --- what became of it ------------------------------------------------------------------------------------


def give_up_lost() -> None:
    """Give up jobs whose process gave no sign of life for LOST_AFTER. What was only taken waits again."""
    silent = Job.objects.filter(state=State.RUNNING, last_sign__lt=timezone.now() - LOST_AFTER)
    if silent.exists():  # a write locks SQLite even if it finds nothing
        give_back(silent.filter(process=None))
        give_up(silent)


def give_up(rows: QuerySet[Job]) -> None:
    """Mark running jobs without a process as failed; those that may run more than once wait again."""
    running = rows.filter(state=State.RUNNING)
    for kind in _kinds.values():
        if kind.retries:
            again = running.filter(kind=kind.name, attempts__lte=kind.retries.times, stop_requested=False)
            again.update(state=State.WAITING, due_at=timezone.now(), **FRESH)
    running.update(state=State.FAILED, ended_at=timezone.now())


def give_back(rows: QuerySet[Job]) -> None:
    """Let running jobs wait for the next worker, because theirs was told to end. The attempt does not count."""
    running = rows.filter(state=State.RUNNING)
    running.filter(stop_requested=True).update(state=State.STOPPED, ended_at=timezone.now())
    running.update(state=State.WAITING, attempts=Greatest(F("attempts") - 1, 0), **FRESH)


def unplanned() -> list[JobKind]:
    """The repeated kinds of which no job waits or runs."""
    planned = set(Job.objects.filter(subject=REPEATED, state__in=ACTIVE).values_list("kind", flat=True))
    return [kind for kind in _kinds.values() if kind.every is not None and kind.name not in planned]


def plan_repeated() -> None:
    """Have one waiting or running job of every repeated kind. However long nothing ran, it is one."""
    for kind in unplanned():
        rows = Job.objects.filter(kind=kind.name, subject=REPEATED)
        ended = rows.order_by("-ended_at").values_list("ended_at", flat=True).first()
        due = ended + kind.every if ended and kind.every else None
        start(kind.name, kind.title, by=None, params={}, subject=REPEATED, due=due)


# --- running ----------------------------------------------------------------------------------------------


def run(pk: int) -> None:
    """Run a job that waits, or that a worker took for this process, until it is done, refused, stopped or failed.

    Any other job is left alone.
    """
    job = _begin(pk)
    if job is None:
        return
    with translation.override(job.language or settings.LANGUAGE_CODE):
        try:
            _kinds[job.kind].run(Work(job))
            _end(job, State.DONE)
        except Interrupted:
            give_back(_running(job))
        except Stopped:
            _end(job, State.STOPPED)
        except JobRefused as refusal:
            _end(job, State.REFUSED, str(refusal))
        except TryAgain as later:
            _try_again(job, later)
        except Exception as error:
            if has_no_room(error):
                _end(job, State.REFUSED, gettext("The disk of this site is full. The file was not saved."))
                return
            log.exception("Job %s (%s) failed.", pk, job.kind)
            _end(job, State.FAILED)


def _begin(pk: int) -> Job | None:
    """Mark the job as run by this process. The number of the attempt then tells it from earlier runs."""
    free = Job.objects.filter(Q(state=State.WAITING) | Q(state=State.RUNNING, process=None), pk=pk)
    mine = {"process": os.getpid(), "last_sign": timezone.now(), "attempts": F("attempts") + 1}
    return Job.objects.get(pk=pk) if free.update(state=State.RUNNING, **mine) else None


def _running(job: Job) -> QuerySet[Job]:
    """The row as long as this attempt runs. A process that was given up as lost does not find it again."""
    return Job.objects.filter(pk=job.pk, state=State.RUNNING, attempts=job.attempts)


def _end(job: Job, state: Job.State, result: str = "") -> None:
    """End a running job. A job that has ended already is not changed."""
    _running(job).update(state=state, result=result, ended_at=timezone.now())


def _try_again(job: Job, later: TryAgain) -> None:
    """Wait and try again, at least as long as the other side asked for; after the last attempt give up."""
    retries = _kinds[job.kind].retries
    if retries is None or job.attempts > retries.times:
        _end(job, State.REFUSED, str(later))
        return
    wait = max(retries.wait(job.attempts), later.after or datetime.timedelta())
    _running(job).filter(stop_requested=True).update(state=State.STOPPED, ended_at=timezone.now())
    _running(job).update(state=State.WAITING, result=str(later), due_at=timezone.now() + wait, **FRESH)
