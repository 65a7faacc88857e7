"""Write a workbook from one state of the data. If the data changed meanwhile, sheets would contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import IO, TypeVar

from ratings.mahjong.problems import Problem, Refused, gettext_noop

_ = gettext_noop

TRIES = 3
BUSY = _("Games are being entered all the time. Export again in a minute.")
Result = TypeVar("Result")


def write_unchanged(file: IO[bytes], revision: Callable[[], Hashable], write: Callable[[], Result]) -> Result:
    """Write until the revision is the same before and after; refuse after `TRIES` attempts."""
    for _attempt in range(TRIES):
        before = revision()
        file.seek(0)
        file.truncate()
        written = write()
        if revision() == before:
            return written
    raise Refused(Problem(BUSY, code="busy"))
