"""A fence around reading: the process itself stops what asks for too much memory or time, whatever the file is.

Counting rows and bytes (`ratings.imports.limits`) refuses what can be foreseen; this refuses the rest. It is for the
processes of jobs and commands: limits of a process are no limits of one request among many.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from ratings.imports.limits import DEFAULT, MEGA, Limits, interruption, refuse
from ratings.problems import Refused, gettext_noop

_ = gettext_noop

AGAIN = 1.0  # seconds after which the alarm rings again


@contextmanager
def confined(limits: Limits = DEFAULT) -> Iterator[None]:
    """Whatever runs inside gets so much more memory than the process has now, and so many seconds; then a sentence.

    Libraries turn whatever interrupts them into errors of their own, and some drop it. So the alarm is remembered and
    rings again, and once it has rung the answer is that it took too long, however the work inside ended.
    """
    rung = False

    def ring(_signal: int, _frame: FrameType | None) -> NoReturn:
        nonlocal rung
        rung = True
        raise _too_slow(limits)

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, limits.seconds_in_all, AGAIN)
        resource.setrlimit(resource.RLIMIT_AS, (_least(_size_now() + limits.memory_bytes, soft, hard), hard))
        yield
    except Exception as error:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        if rung:
            raise _too_slow(limits) from error
        if isinstance(interruption(error), MemoryError):
            raise _too_much_memory(limits) from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    if rung:
        raise _too_slow(limits)


def _too_slow(limits: Limits) -> Refused:
    return refuse(
        _("Reading took longer than %(seconds)s seconds and was given up. Split the file into smaller ones."),
        "too_slow",
        seconds=round(limits.seconds_in_all),
    )


def _too_much_memory(limits: Limits) -> Refused:
    return refuse(
        _("Reading the file needs more than %(most)s MB of memory. Split it into smaller files."),
        "too_much_memory",
        most=limits.memory_bytes // MEGA,
    )


def _least(*sizes: int) -> int:
    return min(size for size in sizes if size != resource.RLIM_INFINITY)


def _size_now() -> int:
    """Address space of this process; where /proc does not tell, nothing is added to the limit."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
