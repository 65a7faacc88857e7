"""The workbook of a large season as a job: a separate process writes it, for staff of the club.

Small seasons need no job: their workbook is written while the first reader waits.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import get_language, gettext

from clubsite import jobs
from clubsite.models import Job
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import Season
from ratings.queries.workbooks import hanchans_of
from ratings.workbooks.keeping import write_book

NAME = "workbook"
LARGE = 5_000  # games; more games take longer than a reader waits for a page


def is_large(season: Season) -> bool:
    return hanchans_of(season, uncounted=True).count() > LARGE


def start(season: Season, *, by: User, back_url: str) -> Job:
    """Start the job, or return the one that is already running for this season and language."""
    return jobs.start(
        NAME,
        gettext("%(season)s as a workbook") % {"season": season.name},
        by=by,
        params={"season": season.pk},
        scope=str(season.club_id),
        subject=f"season {season.pk} {get_language()}",
        back_url=back_url,
    )


def _run(work: jobs.Work) -> None:
    season = Season.objects.select_related("club", "rule_set").filter(pk=work.params["season"]).first()
    if season is None:
        raise jobs.JobRefused(gettext("The season is gone."))
    phrase = gettext("Writing games:")
    try:
        write_book(season, sees_hidden=True, report=lambda done, total: work.report(done, total, phrase))
    except Refused as refused:
        raise jobs.JobRefused(refused.problems[0].sentence(gettext)) from refused
    work.finish(gettext("The workbook is ready. Continue to download it."))


def _may_see(user: User, job: Job) -> bool:
    return rights.may_enter(user, int(job.scope))


KIND = jobs.JobKind(NAME, _run, _may_see, _may_see)
