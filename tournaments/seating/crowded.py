"""More rounds than can be played without repeats: anneal several start schedules and keep the best.

Which kind of start is best differs from field to field, so the kinds take turns: a design and rounds drawn by lot, a
design and another copy of it, only rounds drawn by lot.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from .anneal import WARM, Meetings
from .budget import Budget
from .design import largest
from .labels import relabel
from .problem import Rounds, SeatingProblem
from .request import DEFAULT_MOVES

TRIES = 6
EACH = 500


def drawn(players: list[int], rng: random.Random) -> list[int]:
    return rng.sample(players, len(players))


def _copies(problem: SeatingProblem, design: Rounds, rng: random.Random) -> Rounds:
    made: Rounds = []
    while len(made) < problem.rounds:
        made += relabel(problem, design, rng)[1]
    return made[: problem.rounds]


def _topped_up(problem: SeatingProblem, design: Rounds, rng: random.Random) -> Rounds:
    made = _copies(problem, design, rng)
    kept = problem.rounds // len(design) * len(design)
    return made[:kept] + [drawn(made[0], rng) for _ in range(problem.rounds - kept)]


def _by_lot(problem: SeatingProblem, design: Rounds, rng: random.Random) -> Rounds:
    return [drawn(design[0], rng) for _ in range(problem.rounds)]


def beginnings(problem: SeatingProblem, rng: random.Random) -> Iterator[Rounds]:
    """An endless series of start schedules; the kinds take turns."""
    design = largest(problem.size)
    while True:
        for way in (_topped_up, _copies, _by_lot):
            yield way(problem, design, rng)


def crowd(problem: SeatingProblem, budget: Budget, moves: int, rng: random.Random) -> Meetings:
    """The best of some annealed start schedules."""
    best: Meetings | None = None
    # Small fields settle soon. The limit of a try grows with the field, and with a budget larger than usual.
    enough = EACH * problem.size * problem.rounds * max(1, moves // DEFAULT_MOVES)
    for number, start in enumerate(beginnings(problem, rng), 1):
        meetings = Meetings(problem, start, rng)
        floor = meetings.cheapest(problem.rounds)
        meetings.anneal(budget.part("meetings", min(enough, moves // TRIES)), floor, WARM)
        if best is None or meetings.cost < best.cost:
            best = meetings
        if number == TRIES or best.cost <= floor or budget.stopped:
            break
    assert best is not None
    return best
