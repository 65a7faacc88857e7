"""What waits at a club's desk, in words: drafts, files that are not imported yet, and long work."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from clubsite import jobs
from clubsite.models import Job
from ratings import rights
from ratings.imports.kinds import kind_of
from ratings.models import Club, Hanchan
from ratings.queries import desk
from ratings.waiting import WaitingTask

NAMED = 3  # drafts whose table and day are named
FAILED_LATELY = datetime.timedelta(days=2)


def unfinished_games(club: Club, user: User) -> Iterator[WaitingTask]:
    found = desk.drafts(club)
    if not found:
        return
    text = ngettext("%(n)s draft to finish", "%(n)s drafts to finish", len(found)) % {"n": len(found)}
    detail = capfirst("; ".join(_table_and_day(game) for game in found[:NAMED]))
    if len(found) > NAMED:
        detail += "; …"
    action = gettext("Finish draft") if len(found) == 1 else gettext("Finish oldest draft")
    yield WaitingTask(20, "i-edit", "brass", text, detail, action, reverse("desk:correct", args=[found[0].pk]))


def _table_and_day(game: Hanchan) -> str:
    day = date_format(game.played_on, "j E")
    if not game.table:
        return day
    return gettext("table %(table)s, %(day)s") % {"table": game.table, "day": day}


def files_to_import(club: Club, user: User) -> Iterator[WaitingTask]:
    if not rights.may_manage(user, club.pk):
        return
    found = [batch for batch in desk.waiting_imports(club) if not kind_of(batch).has_own_pages]
    if not found:
        return
    text = ngettext("%(n)s file is not imported yet", "%(n)s files are not imported yet", len(found))
    url = reverse("desk:import", args=[found[0].pk])
    action = gettext("Finish import")
    if len(found) > 1:
        url, action = reverse("desk:imports", args=[club.slug]), gettext("See imports")
    detail = "; ".join(batch.file_name for batch in found[:NAMED])
    yield WaitingTask(30, "i-down", "indigo", text % {"n": len(found)}, detail, action, url)


def long_work(club: Club, user: User) -> Iterator[WaitingTask]:
    """Work of the club that runs or waits, and what failed lately."""
    failed = Job.objects.filter(state=Job.State.FAILED, ended_at__gte=timezone.now() - FAILED_LATELY)
    active = Job.objects.filter(state__in=jobs.ACTIVE)
    for job in (failed | active).filter(scope=str(club.pk)).order_by("pk"):
        if not jobs.may_see(user, job):
            continue
        url = job.get_absolute_url()
        if job.has_failed:
            detail = gettext("Nothing was changed. Start it again.")
            yield WaitingTask(10, "i-bad", "red", job.label, detail, gettext("See what happened"), url)
        else:
            yield WaitingTask(
                50, "i-clock", "indigo", job.label, gettext("Still running"), gettext("See progress"), url
            )
