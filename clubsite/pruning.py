"""What the site itself keeps of people who sign in, and for how long. Knows no app.

The privacy page says the same in words. Successful sign-ins are not listed at all (`AXES_DISABLE_ACCESS_LOG`); lists
that older versions made are emptied.
"""

from __future__ import annotations

import datetime
import time

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from clubsite import counting, generated_files
from clubsite.erasing import empty_log

# Wrong passwords with the address they came from. They close a door for a quarter of an hour; a day shows a pattern.
ATTEMPTS_FOR = datetime.timedelta(days=1)


def prune_sign_ins() -> int:
    """Forgets attempts to sign in whose time is over, and sessions that ended; how many rows that were.

    Cheap enough for every sign-in: a row a wrong password, and those of a day at most.
    """
    now = timezone.now()
    old = (
        AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_FOR),
        AccessFailureLog.objects.filter(attempt_time__lt=now - ATTEMPTS_FOR),
        AccessLog.objects.all(),
        Session.objects.filter(expire_date__lt=now),
    )
    return sum(rows.delete()[0] for rows in old)


def prune() -> int:
    """All of it, counts of limits that are over, and files kept too long."""
    count = prune_sign_ins()
    counting.forget_old(int(time.time()))
    generated_files.prune()
    empty_log()
    return count
