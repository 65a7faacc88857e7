"""How long things are kept: one table, shown on the privacy page and pruned by the queue every hour.

The site's own rows are declared here; an app registers its own in `AppConfig.ready()`. Successful sign-ins are not
stored at all (`AXES_DISABLE_ACCESS_LOG`); those that older versions stored are deleted.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from dataclasses import dataclass

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext

from clubsite import counting, generated_files, jobs, limits
from clubsite.erasing import empty_log
from clubsite.models import REPEATED, Job

DAY = datetime.timedelta(days=1)
# Wrong passwords with the address they came from. They lock out for 15 minutes; a whole day shows a pattern.
ATTEMPTS_FOR = DAY


@dataclass(frozen=True)
class Period:
    """What is kept for how long, since when, and the function that deletes what is older than a moment."""

    what: str | Promise
    period: datetime.timedelta
    since: str | Promise
    forget: Callable[[datetime.datetime], int]

    @property
    def in_words(self) -> str:
        days = self.period.days
        if days % 365 == 0:
            return ngettext("%(n)d month", "%(n)d months", days // 365 * 12) % {"n": days // 365 * 12}
        return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


_periods: list[Period] = []


def register(*periods: Period) -> None:
    _periods.extend(periods)


def periods() -> tuple[Period, ...]:
    return tuple(_periods)


def prune() -> int:
    """Delete everything whose time is over. Return the number of rows and files."""
    now = timezone.now()
    count = sum(kept.forget(now - kept.period) for kept in _periods)
    empty_log()
    return count


# --- what the site itself stores --------------------------------------------------------------------------


def _forget_attempts(before: datetime.datetime) -> int:
    old = (
        AccessAttempt.objects.filter(attempt_time__lt=before),
        AccessFailureLog.objects.filter(attempt_time__lt=before),
        AccessLog.objects.all(),
    )
    return sum(rows.delete()[0] for rows in old)


def _forget_sessions(before: datetime.datetime) -> int:
    """A session's row says when it ends, not when it began."""
    age = datetime.timedelta(seconds=settings.SESSION_COOKIE_AGE)
    return Session.objects.filter(expire_date__lt=before + age).delete()[0]


def _forget_counts(before: datetime.datetime) -> int:
    """Each count knows its own end, after a day at most."""
    return counting.forget_old(int(time.time()))


def _forget_files(before: datetime.datetime) -> int:
    return generated_files.prune()


def _forget_jobs(before: datetime.datetime) -> int:
    ended = Job.objects.exclude(state__in=jobs.ACTIVE)
    # Repeated work leaves a row each time; only the last ones say anything.
    repeated = ended.filter(subject=REPEATED, ended_at__lt=timezone.now() - 2 * DAY)
    return ended.filter(ended_at__lt=before).delete()[0] + repeated.delete()[0]


SITE = (
    Period(
        _("Wrong passwords, with the name typed, the network address and the browser"),
        ATTEMPTS_FOR,
        _("after they were typed"),
        _forget_attempts,
    ),
    Period(
        _("Sessions of people who signed in"),
        datetime.timedelta(seconds=settings.SESSION_COOKIE_AGE),
        _("after they signed in"),
        _forget_sessions,
    ),
    Period(_("Counts against limits, as codes"), limits.LONGEST, _("after the first count"), _forget_counts),
    Period(
        _("Workbooks created for download"),
        datetime.timedelta(seconds=generated_files.FOR),
        _("after they were created"),
        _forget_files,
    ),
    Period(
        _("Work done behind the pages: its title and result, who started it"),
        90 * DAY,
        _("after its end"),
        _forget_jobs,
    ),
)


def prune_sign_ins() -> int:
    """Forget attempts and sessions only. Cheap enough for every sign-in, so that it does not depend on a worker."""
    now = timezone.now()
    return _forget_attempts(now - ATTEMPTS_FOR) + Session.objects.filter(expire_date__lt=now).delete()[0]


def _run(work: jobs.Work) -> None:
    work.finish(ngettext("%(n)d row was deleted.", "%(n)d rows were deleted.", count := prune()) % {"n": count})


KIND = jobs.JobKind(
    "prune",
    _run,
    jobs.owner_only,
    jobs.owner_only,
    light=True,
    every=datetime.timedelta(hours=1),
    title=gettext_noop("Deleting expired data"),
)
