"""Who sits out: always those who have sat out least, so that nobody does twice before all have once."""

from __future__ import annotations

import random

from .problem import Problem


def choose_byes(problem: Problem, rng: random.Random) -> list[list[int]]:
    """The players who sit out, round by round; a round missed before counts as one sat out."""
    missed = problem.missed[: problem.players]
    chosen = []
    for _ in range(problem.rounds):
        order = rng.sample(range(problem.players), problem.players)
        order.sort(key=missed.__getitem__)
        resting = order[: problem.out]
        for player in resting:
            missed[player] += 1
        chosen.append(sorted(resting))
    return chosen
