"""How long a maker may work. Moves are counted, never seconds, so that a seed always gives the same schedule.

The module counts moves, reports progress and asks whether to stop. It uses no clock: a caller who wants to stop after
some seconds passes a `stop` function that asks the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

BATCH = 256
"""Moves a maker makes between two looks at its budget."""


@dataclass(frozen=True)
class Progress:
    """One report: the current stage, and the total moves made and allowed."""

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
        """Count moves and report them. Return False once the run is asked to stop."""
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
        """Count moves. Return False when the part is used up or the run is stopped."""
        self.left -= moves
        return self._whole.spend(self.stage, moves) and self.left > 0

    def some(self, moves: int) -> Part:
        """A smaller part of the same run. Its moves are taken from this part."""
        self.left -= moves
        return Part(self._whole, self.stage, moves)

    @property
    def open(self) -> bool:
        return self.left > 0 and not self._whole.stopped
