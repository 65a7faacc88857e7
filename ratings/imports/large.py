"""Large files: read and written by jobs, which report their progress.

The job that reads stores what it found, for the page that shows it. The job that writes plans the file again, with the
choices as they are now, and stores everything in one transaction.
"""

from __future__ import annotations

import time
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from clubsite import jobs
from clubsite.models import Job
from ratings import rights
from ratings.imports.kinds import Report, kind_of, read_choices
from ratings.imports.limits import confined
from ratings.imports.read import Clock, open_file
from ratings.mahjong.problems import Refused
from ratings.models import ImportBatch

SIGN_EVERY = 1.0  # seconds


def start_reading(batch: ImportBatch, *, by: User) -> Job:
    return _start(READING, gettext("Reading “%(file)s”"), batch, by)


def start_writing(batch: ImportBatch, *, by: User) -> Job:
    return _start(WRITING, gettext("Importing “%(file)s”"), batch, by)


def _start(kind: jobs.JobKind, title: str, batch: ImportBatch, by: User) -> Job:
    return jobs.start(
        kind.name,
        title % {"file": batch.file_name},
        by=by,
        params={"batch": batch.pk},
        scope=str(batch.club_id),
        subject=f"import {batch.pk}",
        back_url=kind_of(batch).address(batch),
    )


def _batch(work: jobs.Work) -> ImportBatch:
    batches = ImportBatch.objects.select_related("club", "season__club", "season__rule_set")
    batch = batches.filter(pk=work.params["batch"]).first()
    if batch is None or batch.content is None:
        raise jobs.JobRefused(gettext("The file is gone: it was imported or discarded. Upload it again."))
    return batch


# --- reading ----------------------------------------------------------------------------------------------


def _read(work: jobs.Work) -> None:
    batch = _batch(work)
    found = _found(batch, work)
    with transaction.atomic():
        # What was found does not include answers that were given while the file was read.
        same = ImportBatch.objects.filter(pk=batch.pk, choices=batch.choices, state=ImportBatch.State.DRAFT)
        if not same.update(dry_run=found):
            raise jobs.JobRefused(gettext("Another user has made choices about the file meanwhile. Read it again."))
        work.finish(gettext("The file is read. Continue to see what it would do."))


def _found(batch: ImportBatch, work: jobs.Work) -> dict[str, Any]:
    layout: dict[str, Any] | None = None
    try:
        with confined():
            book = open_file(bytes(batch.content or b""), batch.file_name, clock=_reporting_clock(work))
            kind, choices = kind_of(batch, book), read_choices(batch.choices)
            layout = kind.layout_to_show(batch.club, book, choices).write()
            plan = kind.plan(batch, book, choices, by=work.job.started_by, report=_report(work))
            revision = batch.season.revision if batch.season else None
            return {"run": kind.summary(plan).write(), "layout": layout, "revision": revision}
    except Refused as refused:
        codes = [problem.code for problem in refused.problems]
        sentences = [problem.sentence(gettext) for problem in refused.problems]
        return {"refused": sentences, "codes": codes, "layout": layout}


# --- writing ----------------------------------------------------------------------------------------------


def _write(work: jobs.Work) -> None:
    batch, by = _batch(work), work.job.started_by
    try:
        with confined():
            book = open_file(bytes(batch.content or b""), batch.file_name, clock=_reporting_clock(work))
            kind = kind_of(batch, book)
            plan = kind.plan(batch, book, read_choices(batch.choices), by=by, report=_report(work))
        work.report(0, 0, gettext("Writing…"))  # how far it is would be seen only after the transaction
        with transaction.atomic():
            done = kind.write(plan, batch, by=by)
            work.finish(kind.result(done))
    except Refused as refused:
        raise jobs.JobRefused(" ".join(refused.sentences(gettext))) from refused


# --- progress ---------------------------------------------------------------------------------------------


def _report(work: jobs.Work) -> Report:
    phrase = gettext("Checking and scoring the games:")
    return lambda done, total: work.report(done, total, phrase)


def _reporting_clock(work: jobs.Work) -> Clock:
    """A clock that reports that the job is alive when it is read. How many rows a file has is known only at its end."""
    phrase, next_sign = gettext("Reading the file…"), 0.0

    def clock() -> float:
        nonlocal next_sign
        now = time.monotonic()
        if now >= next_sign:
            next_sign = now + SIGN_EVERY
            work.report(0, 0, phrase)
        return now

    return clock


def _may(user: User, job: Job) -> bool:
    return rights.may_manage(user, int(job.scope))


# The names are stored with the jobs: do not change them.
READING = jobs.JobKind("dry-run", _read, _may, _may)
WRITING = jobs.JobKind("import", _write, _may, _may)
