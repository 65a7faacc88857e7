"""A book is written of one state: when somebody writes meanwhile, its sheets would contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import IO, TypeVar

from ratings.mahjong.problems import Problem, Refused, gettext_noop

_ = gettext_noop

TRIES = 3
BUSY = _("Games are being entered all the time. Export again in a minute.")
Result = TypeVar("Result")


def write_unchanged(file: IO[bytes], revision: Callable[[], Hashable], write: Callable[[], Result]) -> Result:
    """Writes again, a few times, while the revision before and after differ; then refuses."""
    for _attempt in range(TRIES):
        before = revision()
        file.seek(0)
        file.truncate()
        written = write()
        if revision() == before:
            return written
    raise Refused(Problem(BUSY, code="busy"))
