"""Limits on the size of a file and on the memory and time to read it. Passing a limit gives a message, not a crash.

`ReadingBudget` counts rows, cells and bytes and refuses what can be foreseen. `confined` refuses the rest: the process
stops its work when it needs too much memory or time, whatever the file is. `confined` is only for the processes of jobs
and commands: limits of a process cannot apply to one request among many.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from ratings.mahjong.problems import Problem, Refused, gettext_noop

_ = gettext_noop

MEGA = 1024 * 1024
AGAIN = 1.0  # seconds after which the alarm rings again


@dataclass(frozen=True)
class Limits:
    """Wide enough for a season of 100 000 games in our own workbook: 6.4 million cells, about 400 MB unpacked."""

    file_bytes: int = 48 * MEGA
    unpacked_bytes: int = 640 * MEGA  # all parts of a workbook together, by their declared sizes
    part_bytes: int = 96 * MEGA  # of any part that is held in memory: shared strings, styles
    parts: int = 2000
    rows: int = 450_000  # of all sheets together, empty rows included
    columns: int = 400
    cells: int = 12_000_000
    text: int = 32_767  # letters in a cell, as in Excel itself
    seconds: float = 900
    # For the whole process that reads, checks and scores (`confined`).
    memory_bytes: int = 1024 * MEGA
    seconds_in_all: float = 1800


DEFAULT = Limits()
# What is read while a user waits for a page; a job reads larger files.
AT_ONCE = Limits(file_bytes=MEGA // 4, unpacked_bytes=2 * MEGA)


def refuse(message: str, code: str, **params: object) -> Refused:
    return Refused(Problem(message, params, code=code))


def interruption(error: BaseException | None) -> BaseException | None:
    """The passed limit that caused an error of a library; None if the error is the library's own.

    For example, openpyxl turns every exception raised while it converts a value into a TypeError.
    """
    while error is not None and not isinstance(error, Refused | MemoryError):
        error = error.__cause__ or error.__context__
    return error


class ReadingBudget:
    """What is left of the limits while a file is read; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float], limits: Limits = DEFAULT) -> None:
        self.limits = limits
        self._clock = clock
        self._until = clock() + limits.seconds
        self._rows = self._cells = 0

    def check_time(self) -> None:
        if self._clock() > self._until:
            raise _too_slow(self.limits.seconds)

    def check_columns(self, row: int, columns: int) -> None:
        if columns > self.limits.columns:
            raise refuse(
                _("Row %(row)s has more than %(most)s columns."),
                "too_many_columns",
                row=row,
                most=self.limits.columns,
            )

    def check_size(self, size: int) -> None:
        if size > self.limits.file_bytes:
            raise refuse(
                _("The file has %(size)s MB; at most %(most)s MB are read. Split it into smaller files."),
                "too_big",
                size=-(-size // MEGA),
                most=self.limits.file_bytes // MEGA,
            )

    def count_row(self, last: int, cells: int = 0) -> None:
        """Count one more row; `last` is its number in the sheet, where numbers may be skipped."""
        self._rows += 1
        if max(self._rows, last) > self.limits.rows:
            raise refuse(
                _("The file has more than %(most)s rows. Delete empty rows below the games, or split the file."),
                "too_many_rows",
                most=self.limits.rows,
            )
        if cells:
            self.count_cell(cells)
        if self._rows % 500 == 0:
            self.check_time()

    def count_cell(self, cells: int = 1) -> None:
        self._cells += cells
        if self._cells > self.limits.cells:
            raise refuse(
                _("The file has more than %(most)s cells. Split it into smaller files."),
                "too_many_cells",
                most=self.limits.cells,
            )


# --- a process that limits itself -------------------------------------------------------------------------


@contextmanager
def confined(limits: Limits = DEFAULT) -> Iterator[None]:
    """Limit the memory that the code inside may add to the process, and its time; refuse with a message after that.

    Libraries turn an exception that interrupts them into errors of their own, and some ignore it. So the alarm is
    remembered and repeated. Once it has rung, the result is that it took too long, however the work inside ended.
    """
    rung = False

    def ring(_signal: int, _frame: FrameType | None) -> NoReturn:
        nonlocal rung
        rung = True
        raise _too_slow(limits.seconds_in_all)

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
            raise _too_slow(limits.seconds_in_all) from error
        if isinstance(interruption(error), MemoryError):
            raise _too_much_memory(limits) from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    if rung:
        raise _too_slow(limits.seconds_in_all)


def _too_slow(seconds: float) -> Refused:
    return refuse(
        _("Reading took longer than %(seconds)s seconds and was stopped. Split the file into smaller ones."),
        "too_slow",
        seconds=round(seconds),
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
    """Address space of this process; 0 where /proc cannot be read, so that nothing is added to the limit."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
