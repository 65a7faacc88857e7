"""Which player gets which point of a design, so that players who must not meet get points that never meet.

A short exact search packs teams into sets of points of which no two meet. The rest, listed pairs and rules for round 1,
is solved by exchanging labels. The design itself is never changed.
"""

from __future__ import annotations

import random

from .problem import Rounds, SeatingProblem

NODES = 4000
"""Choices the packing may try before it gives up."""
SWEEPS = 40


def relabel(problem: SeatingProblem, design: Rounds, rng: random.Random) -> tuple[int, Rounds]:
    """Put the players on the points of a design. Return how many forbidden meetings remain, and the rounds."""
    size = problem.size
    first = rng.sample(range(len(design)), len(design))
    design = [design[at] for at in first]
    always, opening = _meets(design, size), _meets(design[:1], size)
    point = _pack(problem, always, rng) or rng.sample(range(size), size)
    left = _Labels(problem, always, opening, point).improve(rng)
    player = [0] * size
    for who, where in enumerate(point):
        player[where] = who
    return left, [[player[p] for p in seats] for seats in design]


def _meets(design: Rounds, size: int) -> list[int]:
    masks = [0] * size
    for seats in design:
        for t in range(0, size, 4):
            game = seats[t : t + 4]
            together = sum(1 << p for p in game)
            for p in game:
                masks[p] |= together & ~(1 << p)
    return masks


def _pack(problem: SeatingProblem, meets: list[int], rng: random.Random) -> list[int] | None:
    """Points for all players such that no two of a team meet, or None if none were found."""
    teams = sorted((team for team in _disjoint(problem) if len(team) > 1), key=len, reverse=True)
    if not teams:
        return None
    size = problem.size
    order = rng.sample(range(size), size)
    apart = [~mask & ~(1 << p) & ((1 << size) - 1) for p, mask in enumerate(meets)]
    packed = _place([len(team) for team in teams], (1 << size) - 1, apart, order, [NODES])
    if packed is None:
        return None
    point = [-1] * size
    for team, where in zip(teams, packed, strict=True):
        for who, p in zip(team, where, strict=True):
            point[who] = p
    taken = set(point)
    free = iter([p for p in order if p not in taken])
    return [next(free) if p < 0 else p for p in point]


def _disjoint(problem: SeatingProblem) -> list[tuple[int, ...]]:
    """Teams that do not overlap. Of overlapping groups the first is taken; the others are left to exchanging labels."""
    taken: set[int] = set()
    chosen = []
    for team in (tuple(problem.substitutes), *problem.teams):
        if not taken.intersection(team):
            taken.update(team)
            chosen.append(team)
    return chosen


def _place(sizes: list[int], free: int, apart: list[int], order: list[int], nodes: list[int]) -> list[list[int]] | None:
    """Disjoint sets of the given sizes from the free points, by a depth-first search with a limit of nodes."""
    if not sizes:
        return []
    for start in order:
        if not free >> start & 1:
            continue
        for chosen in _cliques(sizes[0] - 1, free & apart[start], apart, order):
            nodes[0] -= 1
            if nodes[0] < 0:
                return None
            here = [start, *chosen]
            rest = _place(sizes[1:], free & ~sum(1 << p for p in here), apart, order, nodes)
            if rest is not None:
                return [here, *rest]
        if sum(sizes) == free.bit_count():
            return None  # every point is needed, but no set with this point fits
    return None


def _cliques(size: int, allowed: int, apart: list[int], order: list[int]) -> list[list[int]]:
    """Some sets of points of which no two meet. Each call stops once it has twenty or more."""
    if size == 0:
        return [[]]
    if allowed.bit_count() < size:
        return []
    found = []
    for p in order:
        if allowed >> p & 1:
            allowed &= ~(1 << p)
            deeper = _cliques(size - 1, allowed & apart[p], apart, order)
            found += [[p, *more] for more in deeper]
            if len(found) >= 20:
                break
    return found


class _Labels:
    """Exchange the points of two players while forbidden meetings remain."""

    def __init__(self, problem: SeatingProblem, always: list[int], opening: list[int], point: list[int]) -> None:
        self.point = point
        self.layers = []
        for pairs, meets in ((problem.apart, always), (problem.apart_first, opening)):
            foes: list[list[int]] = [[] for _ in point]
            for a, b in pairs:
                foes[a].append(b)
                foes[b].append(a)
            self.layers.append((foes, meets))

    def _clashes(self, who: int) -> int:
        total = 0
        for foes, meets in self.layers:
            mask = meets[self.point[who]]
            for other in foes[who]:
                total += mask >> self.point[other] & 1
        return total

    def improve(self, rng: random.Random) -> int:
        """Exchange points in some sweeps and return how many forbidden meetings are left."""
        point, everyone = self.point, range(len(self.point))
        for _ in range(SWEEPS):
            troubled = [who for who in everyone if self._clashes(who)]
            if not troubled:
                return 0
            for who in rng.sample(troubled, len(troubled)):
                for other in rng.sample(everyone, min(len(point), 24)):
                    before = self._clashes(who) + self._clashes(other)
                    if not before:
                        break
                    point[who], point[other] = point[other], point[who]
                    if self._clashes(who) + self._clashes(other) > before:
                        point[who], point[other] = point[other], point[who]
        return sum(self._clashes(who) for who in everyone) // 2
