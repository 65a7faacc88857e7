"""Who sits out: always the players who have sat out least, so that no player sits out twice before all have once."""

from __future__ import annotations

import random

from .design import designs
from .problem import Rounds, SeatingProblem


def from_design(problem: SeatingProblem, rng: random.Random) -> tuple[list[list[int]], Rounds] | None:
    """Three byes per round: take a design with one player more. The players who would meet that player sit out."""
    if problem.out != 3 or not problem.plain_but_byes:
        return None
    design = next(designs(problem.size + 1, problem.rounds, rng), None)
    if design is None:
        return None
    named = rng.sample(range(problem.size + 1), problem.size + 1)
    byes, rounds = [], []
    for drawn in design:
        seats = [named[p] for p in drawn]
        gone = seats.index(problem.size) & ~3
        byes.append(sorted(p for p in seats[gone : gone + 4] if p != problem.size))
        rounds.append(seats[:gone] + seats[gone + 4 :])
    return byes, rounds


def choose_byes(problem: SeatingProblem, rng: random.Random) -> list[list[int]]:
    """The players who sit out, round by round. A round missed before counts as sat out."""
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
