"""The dry run of a large file as a job: read and checked with progress, and kept for the page that shows it."""

from __future__ import annotations

import time
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from clubsite import jobs
from clubsite.models import Job
from ratings import rights
from ratings.imports import layouts
from ratings.imports.books import Book
from ratings.imports.files import is_large
from ratings.imports.layouts import WIDE, Layout
from ratings.models import ImportBatch
from ratings.problems import Refused
from ratings.services.imports import files
from ratings.services.imports.confined import confined
from ratings.services.imports.dryruns import summed_up
from ratings.services.imports.files import Clock, open_file, read_choices
from ratings.services.imports.planning import make_plan

NAME = "dry-run"
SIGN_EVERY = 1.0  # seconds


def is_for_a_job(batch: ImportBatch) -> bool:
    return batch.kind == ImportBatch.Kind.GAMES and batch.content is not None and is_large(bytes(batch.content))


def start(batch: ImportBatch, *, by: User, back_url: str) -> Job:
    return jobs.start(
        NAME,
        gettext("Reading “%(file)s”") % {"file": batch.file_name},
        by=by,
        params={"batch": batch.pk},
        scope=str(batch.club_id),
        subject=f"import {batch.pk}",
        back_url=back_url,
    )


def _run(work: jobs.Work) -> None:
    batches = ImportBatch.objects.select_related("club", "season__club", "season__rule_set")
    batch = batches.filter(pk=work.params["batch"], state=ImportBatch.State.DRAFT).first()
    if batch is None or batch.content is None:
        raise jobs.Refusal(gettext("The file is gone; it was imported or given up. Upload it again."))
    found = _found(batch, work)
    with transaction.atomic():
        # Answers given meanwhile are not in what was found.
        same = ImportBatch.objects.filter(pk=batch.pk, choices=batch.choices, state=ImportBatch.State.DRAFT)
        if not same.update(dry_run=found):
            raise jobs.Refusal(gettext("Somebody decided something about the file meanwhile. Read it again."))
        work.finish(gettext("The file is read. Continue to see what it would do."))


def _found(batch: ImportBatch, work: jobs.Work) -> dict[str, Any]:
    phrase = gettext("Checking and scoring the games:")
    heads: dict[str, Any] | None = None
    try:
        with confined():
            book = open_file(bytes(batch.content or b""), batch.file_name, clock=reporting_clock(work))
            choices = read_choices(batch.choices)
            layout = choices.layout or files.find_layout(batch.club, book) or blank_layout(book)
            heads = layout.write() if layout else None
            plan = make_plan(
                *(batch.club, batch.season, book, choices),
                by=work.job.started_by,
                report=lambda done, total: work.report(done, total, phrase),
            )
            revision = batch.season.revision if batch.season else None
            return {"run": summed_up(plan).write(), "layout": heads, "revision": revision}
    except Refused as refused:
        codes = [problem.code for problem in refused.problems]
        return {"refused": [problem.sentence(gettext) for problem in refused.problems], "codes": codes, "layout": heads}


def reporting_clock(work: jobs.Work) -> Clock:
    """A clock that gives a sign of life when it is looked at: how many rows a file has nobody knows before its end."""
    phrase, next_sign = gettext("Reading the file…"), 0.0

    def clock() -> float:
        nonlocal next_sign
        now = time.monotonic()
        if now >= next_sign:
            next_sign = now + SIGN_EVERY
            work.report(0, 0, phrase)
        return now

    return clock


def blank_layout(book: Book) -> Layout | None:
    """A layout with nothing in it yet, of the row that looks most like headings."""
    found = files.heads_to_map(book)
    if found is None:
        return None
    sheet, row = found
    return Layout(WIDE, {}, sheet=sheet.title, head_row=row.number, heads=layouts.heads_of(row.cells))


def _may(user: User, job: Job) -> bool:
    return rights.may_manage(user, int(job.scope))


KIND = jobs.Kind(NAME, _run, _may, _may)
