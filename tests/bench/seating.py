"""The limits for seat schedules: `python -m tests.bench.seating [part of a case's name]`.

Time is counted in units: one unit is the time of `sum(i*i for i in range(1_000_000))`. The unit is measured around
every case, because machines differ and their load changes. Figures are medians of five seeds, without Python's start-up
and the verifier.
Ends with status 1 when a mark is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from tournaments.seating.plan import make
from tournaments.seating.request import DEFAULT_MOVES, Apart, Odd, Request
from tournaments.seating.verify import Certificate, certify

SEEDS = range(5)
QUICK = 3_000
LIMITS = {16: 5, 20: 5, 24: 7, 28: 9, 32: 10, 36: 11, 40: 13, 44: 14}


@dataclass(frozen=True)
class Case:
    """One line of the table: requests by seed, what a certificate must show, and the units allowed."""

    name: str
    ask: Callable[[int], Request]
    reached: Callable[[Certificate], bool]
    shown: tuple[str, ...]
    units: float


def unit() -> float:
    start = time.perf_counter()
    sum(i * i for i in range(1_000_000))
    return time.perf_counter() - start


def field(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))


def value(certificate: Certificate, name: str) -> int:
    found = certificate[name].value
    return 10**6 if found is None else found


def repeat_free(certificate: Certificate) -> bool:
    return value(certificate, "excess") == 0 and value(certificate, "forbidden") == 0


def even(certificate: Certificate) -> bool:
    return repeat_free(certificate) and value(certificate, "wind_range") <= 1


def plain(players: int, rounds: int, moves: int = DEFAULT_MOVES) -> Callable[[int], Request]:
    return lambda seed: Request(field(players), rounds, seed=seed, moves=moves)


def odd(players: int, rounds: int, kind: Odd) -> Callable[[int], Request]:
    return lambda seed: Request(field(players), rounds, seed=seed, odd=kind)


def teams(players: int, rounds: int) -> Callable[[int], Request]:
    groups = tuple(Apart((first, first + 1, first + 2, first + 3)) for first in range(1, players, 4))
    return lambda seed: Request(field(players), rounds, seed=seed, teams=groups, moves=30_000)


def after_drop_outs(seed: int) -> Request:
    played = make(Request(field(48), 4, seed=seed, moves=QUICK))
    return Request(field(44), 6, seed=seed, history=played.rounds)


def at_most(excess: int) -> Callable[[Certificate], bool]:
    return lambda made: value(made, "excess") <= excess and value(made, "max_meetings") <= 2


def at_least(common: int) -> Callable[[Certificate], bool]:
    return lambda made: repeat_free(made) and value(made, "min_indirect") >= common


def fair(certificate: Certificate) -> bool:
    return repeat_free(certificate) and value(certificate, "byes") <= 1


def spread(certificate: Certificate) -> bool:
    return repeat_free(certificate) and certificate["substitutes"].optimal


def cases() -> Iterator[Case]:
    for p, r in ((16, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (44, 14), (48, 15)):
        yield Case(f"{p}×{r}", plain(p, r, QUICK), even, ("excess", "wind_range"), 2)
    for p, r in ((40, 8), (64, 8), (128, 10)):
        yield Case(f"{p}×{r}", plain(p, r, QUICK), even, ("excess", "wind_range"), 3)
    for p, r in ((172, 15), (256, 15), (400, 15)):
        yield Case(f"{p}×{r}", plain(p, r, QUICK), even, ("excess", "wind_range"), 30)
    for p, r, most in (
        *((20, 6, 6), (20, 7, 20), (20, 8, 50), (20, 9, 80), (20, 10, 110)),
        *((24, 8, 23), (24, 9, 49), (24, 10, 84), (28, 10, 42)),
    ):
        yield Case(f"{p}×{r} excess ≤ {most}", plain(p, r), at_most(most), ("excess", "max_meetings"), 250)
    for p, r, least in ((48, 6, 5), (64, 8, 6), (80, 8, 4), (92, 10, 6), (128, 10, 3), (172, 15, 7)):
        yield Case(f"{p}×{r} common ≥ {least}", plain(p, r), at_least(least), ("min_indirect", "excess"), 500)
    for p, r in ((32, 9), (48, 7), (64, 8), (128, 10)):
        yield Case(f"{p}×{r} teams of four", teams(p, r), repeat_free, ("excess", "forbidden"), 30)
    yield Case("48 → 44 after 4, 6 more", after_drop_outs, repeat_free, ("excess", "wind_range"), 30)
    for p, r in ((18, 4), (22, 5), (30, 6), (50, 8)):
        asked = odd(p, r, Odd.SUBSTITUTES)
        yield Case(f"{p}×{r} substitutes", asked, spread, ("excess", "substitutes"), 80)
    yield Case("50×8 byes", odd(50, 8, Odd.BYES), fair, ("excess", "byes"), 80)


def timed(request: Request) -> tuple[float, Certificate]:
    """Seconds a request takes, and its certificate."""
    start = time.perf_counter()
    schedule = make(request)
    spent = time.perf_counter() - start
    return spent, certify(request, schedule)


def run(case: Case) -> bool:
    requests = [case.ask(seed) for seed in SEEDS]
    before = unit()
    made = [timed(request) for request in requests]
    spent = median(seconds for seconds, _ in made) / ((before + unit()) / 2)
    good = sum(case.reached(certificate) for _, certificate in made)
    figures = ", ".join(f"{name} {median(value(c, name) for _, c in made):g}" for name in case.shown)
    kept = good > len(made) // 2 and spent <= case.units
    verdict = "reached" if kept else "MISSED"
    print(
        f"{case.name:<28}{figures:<34}{good}/{len(made)} seeds{spent:>9.2f} of {case.units:g} units  {verdict}",
        flush=True,
    )
    return kept


def run_grid() -> bool:
    """Run every cell of 16 … 172 players and 2 … 15 rounds with one seed each; the seeds take turns."""
    spent: list[float] = []
    failed = []
    for players in range(16, 173, 4):
        one = unit()
        for rounds in range(2, min(15, LIMITS.get(players, 15)) + 1):
            seconds, certificate = timed(Request(field(players), rounds, seed=(players + rounds) % 5, moves=QUICK))
            spent.append(seconds / one)
            if not even(certificate):
                failed.append(f"{players}×{rounds}")
    kept = not failed and median(spent) <= 1
    verdict = "reached" if kept else "MISSED " + " ".join(failed)
    print(
        f"whole grid, {len(spent)} cells: median {median(spent):.2f} of 1 unit, worst {max(spent):.2f}  {verdict}",
        flush=True,
    )
    return kept


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    make(Request(field(16), 2, moves=0))  # the data files are read once
    kept = [run(case) for case in cases() if wanted in case.name]
    if wanted in "grid":
        kept.append(run_grid())
    print(f"{sum(kept)} of {len(kept)} marks reached")
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
