"""A large import as a job: the file is read, checked and scored with progress, then written in one transaction."""

from __future__ import annotations

import time

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext, ngettext

from clubsite import jobs, numbers
from clubsite.models import Job
from ratings import rights
from ratings.models import ImportBatch
from ratings.problems import Problem, Refused, gettext_noop
from ratings.services.imports.confined import confined
from ratings.services.imports.files import open_file, read_choices
from ratings.services.imports.planning import make_plan
from ratings.services.imports.reading_job import reporting_clock
from ratings.services.imports.writing import write_plan

_ = gettext_noop

NAME = "import"
LARGE = 1000  # games: more of them than a page should wait for


def start(batch: ImportBatch, *, by: User, back_url: str) -> Job:
    title = gettext("Importing “%(file)s”") % {"file": batch.file_name}
    return jobs.start(
        NAME,
        title,
        by=by,
        params={"batch": batch.pk},
        scope=str(batch.club_id),
        subject=f"import {batch.pk}",
        back_url=back_url,
    )


def import_batch(batch: ImportBatch, *, by: User | None, work: jobs.Work | None = None) -> ImportBatch:
    """Plans the stored file again, as it is confirmed now, and writes it."""
    if batch.content is None:
        raise Refused(Problem(_("The file is gone; it was imported or given up. Upload it again."), code="gone"))
    phrase = gettext("Checking and scoring the games:")
    report = (lambda done, total: work.report(done, total, phrase)) if work else None
    with confined():
        clock = reporting_clock(work) if work else time.monotonic
        book = open_file(bytes(batch.content), batch.file_name, clock=clock)
        plan = make_plan(batch.club, batch.season, book, read_choices(batch.choices), by=by, report=report)
    with transaction.atomic():
        done = write_plan(plan, batch, by=by)
        if work:
            work.finish(said(done))
    return done


def said(batch: ImportBatch) -> str:
    words = ngettext("%(count)s game was imported.", "%(count)s games were imported.", batch.games)
    return words % {"count": numbers.points(batch.games)}


def _run(work: jobs.Work) -> None:
    batch = ImportBatch.objects.select_related("club", "season__club", "season__rule_set").filter(
        pk=work.params["batch"]
    )
    try:
        import_batch(batch.get(), by=work.job.started_by, work=work)
    except ImportBatch.DoesNotExist as gone:
        raise jobs.Refusal(gettext("The file is gone; it was imported or given up. Upload it again.")) from gone
    except Refused as refused:
        raise jobs.Refusal(" ".join(problem.sentence(gettext) for problem in refused.problems)) from refused


def _may(user: User, job: Job) -> bool:
    return rights.may_manage(user, int(job.scope))


KIND = jobs.Kind(NAME, _run, _may, _may)
