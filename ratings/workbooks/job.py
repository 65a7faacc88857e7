"""The workbook of a large season as long work: written once by a process of its own, then kept for some days,
or until a game changes.

Small seasons need none of this: their book is written while the reader waits. What is kept is for staff of the club.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.contrib.auth.models import User
from django.utils.translation import get_language, gettext

from clubsite import jobs, kept
from clubsite.models import Job
from ratings import rights
from ratings.models import Season
from ratings.problems import Refused
from ratings.queries.workbooks import hanchans_of
from ratings.services.seasons import SEASON_BOOKS
from ratings.workbooks import season as book

NAME = "workbook"
LARGE = 5_000  # games; more take longer than a reader waits for a page


def is_large(season: Season) -> bool:
    return hanchans_of(season, uncounted=True).count() > LARGE


def kept_file(season: Season) -> Path | None:
    """The book as it would be written now, if it was."""
    path = _place(season)
    return path if path.exists() else None


def start(season: Season, *, by: User, back_url: str) -> Job:
    """Starts writing, or leads to the work on this season that is under way."""
    return jobs.start(
        NAME,
        gettext("%(season)s as a workbook") % {"season": season.name},
        by=by,
        params={"season": season.pk},
        scope=str(season.club_id),
        subject=f"season {season.pk} {get_language()}",
        back_url=back_url,
    )


def _place(season: Season) -> Path:
    """Named by what it shows: another revision or language is another file."""
    name = f"season-{season.pk}-{get_language()}-{season.revision}.xlsx"
    return kept.folder(SEASON_BOOKS) / name


def _run(work: jobs.Work) -> None:
    season = Season.objects.select_related("club", "rule_set").filter(pk=work.params["season"]).first()
    if season is None:
        raise jobs.Refusal(gettext("The season is gone."))
    folder = _place(season).parent
    draft = folder / f"{work.job.pk}.part"
    phrase = gettext("Writing games:")
    try:
        with draft.open("w+b") as file:
            book.write(season, file, sees_hidden=True, report=lambda done, total: work.report(done, total, phrase))
        path = _place(season)
        older = [other for other in folder.glob(f"season-{season.pk}-{get_language()}-*.xlsx") if other != path]
        os.replace(draft, path)
        for other in older:
            other.unlink(missing_ok=True)
    except Refused as refused:
        raise jobs.Refusal(refused.problems[0].sentence(gettext)) from refused
    finally:
        draft.unlink(missing_ok=True)
    work.finish(gettext("The workbook is written. Continue to download it."))


def _may_see(user: User, job: Job) -> bool:
    return rights.may_enter(user, int(job.scope))


KIND = jobs.Kind(NAME, _run, _may_see, _may_see)
