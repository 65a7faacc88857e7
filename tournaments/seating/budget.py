"""How long a maker may work: moves are counted, never seconds, so that a seed always gives the same schedule.

Owns the count of moves, the report of progress and the question "shall I stop?". It knows no clock: whoever wants to
stop after some seconds hands in a `stop` that asks the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

BATCH = 256
"""Moves a maker makes between two looks at its budget."""


@dataclass(frozen=True)
class Progress:
    """One report: the stage at work, and the moves made and allowed in all."""

    stage: str
    made: int
    allowed: int


Report = Callable[[Progress], None]
Stop = Callable[[], bool]


class Budget:
    """The moves of a whole run. Every stage works on a part of it."""

    def __init__(self, moves: int, report: Report | None = None, stop: Stop | None = None) -> None:
        self.allowed = moves
        self.made = 0
        self.stopped = False
        self._report = report
        self._stop = stop

    @property
    def left(self) -> int:
        return max(0, self.allowed - self.made)

    def part(self, stage: str, moves: int | None = None) -> Part:
        """A part for one stage: `moves` of its own, or all that is left."""
        return Part(self, stage, self.left if moves is None else moves)

    def spend(self, stage: str, moves: int) -> bool:
        """Count moves and report them; False once somebody asked to stop."""
        self.made += moves
        if self._report is not None:
            self._report(Progress(stage, self.made, max(self.allowed, self.made)))
        if not self.stopped and self._stop is not None and self._stop():
            self.stopped = True
        return not self.stopped


class Part:
    """What one stage may spend."""

    def __init__(self, whole: Budget, stage: str, moves: int) -> None:
        self._whole = whole
        self.stage = stage
        self.left = moves

    def spend(self, moves: int) -> bool:
        """Count moves; False when the part is used up or the run is stopped."""
        self.left -= moves
        return self._whole.spend(self.stage, moves) and self.left > 0

    def some(self, moves: int) -> Part:
        """A smaller part of the same run; it is taken off this one."""
        self.left -= moves
        return Part(self._whole, self.stage, moves)

    @property
    def open(self) -> bool:
        return self.left > 0 and not self._whole.stopped
