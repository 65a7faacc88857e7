"""Stop-watches and the lines a bench prints. Two things are compared by running them in turns in one process, so
that a busy machine slows both; times are medians.
"""

from __future__ import annotations

import gc
import shutil
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from tests.scale import store

Work = Callable[[], object]


@dataclass(frozen=True)
class Figure:
    """A measured value that has no limit."""

    label: str
    value: str

    def __str__(self) -> str:
        return f"{self.label}: {self.value}"


@dataclass(frozen=True)
class Mark:
    """A ratio or a count, and the limits it should stay within."""

    label: str
    value: float
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "×"

    @property
    def kept(self) -> bool:
        low = self.at_least is None or self.value >= self.at_least
        return low and (self.at_most is None or self.value <= self.at_most)

    def __str__(self) -> str:
        mark = f"≤ {self.at_most:g}" if self.at_most is not None else f"≥ {self.at_least:g}"
        return f"{self.label}: {self.value:.3g}{self.unit} ({mark}{self.unit}) {'ok' if self.kept else 'over'}"


Line = Figure | Mark


def timed(work: Work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def medians(*works: Work, times: int = 15, warm_up: int = 2) -> list[float]:
    """Median seconds of each, run in turns; every second turn runs them in reverse, so that none is always first."""
    for _ in range(warm_up):
        for work in works:
            work()
    taken: list[list[float]] = [[] for _ in works]
    gc.collect()
    for turn in range(times):
        order = range(len(works)) if turn % 2 == 0 else reversed(range(len(works)))
        for index in order:
            taken[index].append(timed(works[index]))
    return [statistics.median(of_one) for of_one in taken]


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms"


def open_scale(formula: str = "sum", *, hanchans: int = store.HANCHANS, players: int = store.PLAYERS) -> None:
    """Puts a fresh copy of the large season (and the small one) into this run's database."""
    kept = store.ready(hanchans, players, formula)
    connection.close()
    ours = Path(str(connection.settings_dict["NAME"]))
    for suffix in ("", "-wal", "-shm"):
        Path(f"{ours}{suffix}").unlink(missing_ok=True)
    shutil.copy(kept, ours)
