"""What the site itself stores about people who sign in, and for how long. Does not know the apps.

The privacy page says the same in words. Successful sign-ins are not stored at all (`AXES_DISABLE_ACCESS_LOG`); those
that older versions stored are deleted.
"""

from __future__ import annotations

import datetime
import time

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from clubsite import counting, generated_files
from clubsite.erasing import empty_log

# Wrong passwords with the address they came from. They lock out for 15 minutes; a whole day shows a pattern.
ATTEMPTS_FOR = datetime.timedelta(days=1)


def prune_sign_ins() -> int:
    """Delete attempts to sign in whose time is over and sessions that ended. Return the number of rows.

    Cheap enough for every sign-in: there is one row per wrong password, for a day at most.
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
    """Also delete the counts of limits whose time is over, and generated files that are too old."""
    count = prune_sign_ins()
    counting.forget_old(int(time.time()))
    generated_files.prune()
    empty_log()
    return count
