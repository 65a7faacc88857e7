"""Search for base rounds that a cyclic group develops into a schedule. It found the tight designs.

The players are k orbits of Z_n and e fixed players. Every base round gives n rounds, so only the orbits of pairs are
counted: a base pair in an orbit of half length counts as two meetings of each of its pairs.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from .anneal import prices
from .budget import BATCH, Part
from .problem import Rounds


@dataclass(frozen=True)
class Group:
    """Z_n acting on `orbits` orbits of n players, and `fixed` more players who stay fixed."""

    order: int
    orbits: int
    fixed: int

    @property
    def players(self) -> int:
        return self.order * self.orbits + self.fixed

    def turn(self, player: int, by: int) -> int:
        n = self.order
        return player - player % n + (player + by) % n if player < n * self.orbits else player


def develop(group: Group, bases: Rounds) -> Rounds:
    """All rounds developed from the base rounds."""
    return [[group.turn(p, by) for p in base] for base in bases for by in range(group.order)]


class BaseSearch:
    """Anneal base rounds by swaps within one of them."""

    def __init__(self, group: Group, bases: int, rng: random.Random) -> None:
        self.group, self.rng = group, rng
        size = group.players
        self.bases = [rng.sample(range(size), size) for _ in range(bases)]
        self.orbit, lengths = self._orbits()
        rounds = bases * group.order
        price = prices(-(-3 * rounds // (size - 1)), rounds * group.order + group.order + 1)
        self.cost_of: list[list[int]] = []
        for length in lengths:
            weight = group.order // length
            totals = [0]
            for k in range(rounds + 1):
                totals.append(totals[-1] + length * sum(price[k * weight : (k + 1) * weight]))
            self.cost_of.append(totals)
        self.counts = [0] * len(lengths)
        for base in self.bases:
            for t in range(0, size, 4):
                for i in range(t, t + 4):
                    for j in range(t, i):
                        self.counts[self.orbit[base[i]][base[j]]] += 1
        self.cost = sum(totals[k] for totals, k in zip(self.cost_of, self.counts, strict=True))

    def _orbits(self) -> tuple[list[list[int]], list[int]]:
        """The orbit of every pair, and the length of every orbit."""
        size = self.group.players
        orbit = [[-1] * size for _ in range(size)]
        lengths: list[int] = []
        for a in range(size):
            for b in range(a):
                if orbit[a][b] < 0:
                    images = {
                        frozenset((self.group.turn(a, by), self.group.turn(b, by))) for by in range(self.group.order)
                    }
                    for p, q in map(tuple, images):
                        orbit[p][q] = orbit[q][p] = len(lengths)
                    lengths.append(len(images))
        return orbit, lengths

    def _move(self, base: list[int], i: int, j: int) -> int:
        """Swap two places and return the change of the cost."""
        counts, cost_of, orbit = self.counts, self.cost_of, self.orbit
        a, b = orbit[base[i]], orbit[base[j]]
        change = 0
        for place, lost, gained in ((i, a, b), (j, b, a)):
            for q in range(place & ~3, (place & ~3) + 4):
                if q != place:
                    for number, step in ((lost[base[q]], -1), (gained[base[q]], 1)):
                        totals, k = cost_of[number], counts[number]
                        change += totals[k + step] - totals[k]
                        counts[number] = k + step
        base[i], base[j] = base[j], base[i]
        return change

    def anneal(self, part: Part, target: int, heat: float) -> tuple[int, Rounds]:
        """The best cost found and its base rounds."""
        pick, size = self.rng.random, self.group.players
        best, kept = self.cost, [base[:] for base in self.bases]
        while part.open and best > target:
            for _ in range(BATCH):
                base = self.bases[int(pick() * len(self.bases))]
                i, j = int(pick() * size), int(pick() * size)
                if i & ~3 == j & ~3:
                    continue
                change = self._move(base, i, j)
                if change > 0 and pick() >= math.exp(-change / heat):
                    self._move(base, i, j)
                    continue
                self.cost += change
                if self.cost < best:
                    best, kept = self.cost, [row[:] for row in self.bases]
            part.spend(BATCH)
        return best, kept
