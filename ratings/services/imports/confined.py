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

from ratings.imports.limits import DEFAULT, MEGA, Limits, refuse
from ratings.problems import gettext_noop

_ = gettext_noop


@contextmanager
def confined(limits: Limits = DEFAULT) -> Iterator[None]:
    """Whatever runs inside gets so much more memory than the process has now, and so many seconds; then a sentence."""

    def too_slow(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise refuse(
            _("Reading took longer than %(seconds)s seconds and was given up. Split the file into smaller ones."),
            "too_slow",
            seconds=round(limits.seconds_in_all),
        )

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGALRM, too_slow)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds_in_all)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_least(_size_now() + limits.memory_bytes, soft, hard), hard))
        yield
    except MemoryError as error:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        raise refuse(
            _("Reading the file needs more than %(most)s MB of memory. Split it into smaller files."),
            "too_much_memory",
            most=limits.memory_bytes // MEGA,
        ) from error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _least(*sizes: int) -> int:
    return min(size for size in sizes if size != resource.RLIM_INFINITY)


def _size_now() -> int:
    """Address space of this process; where /proc does not tell, nothing is added to the limit."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
