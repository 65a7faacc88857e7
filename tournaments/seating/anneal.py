"""Who meets whom: swap two players between two tables of a round, judged by the meetings that change.

Two matrices hold the price of a pair's next meeting and the refund for its last one, so that a move costs twelve
look-ups. The module does not know winds, table numbers or common opponents.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from .budget import BATCH, Part
from .problem import Pair, Rounds, SeatingProblem

FORBIDDEN = 100
"""Price of a forbidden meeting: more than any repeat it could save."""
COOL, WARM = 0.15, 0.25
"""Heats that find repeat-free schedules of large fields, and the best of small or crowded ones."""
IDLE = 0.15
"""How often a move starts from a player who repeats nothing at the table."""


def prices(most: int, counts: int) -> list[int]:
    """Price of the first, second, … meeting of a pair, when no pair needs to meet more than `most` times."""
    even = max(2, most)
    return [k if k < even else k + 6 * (k - even + 1) for k in range(counts)]


class Meetings:
    """Rounds that are being changed, with their cost."""

    def __init__(
        self, problem: SeatingProblem, rounds: Rounds, rng: random.Random, rivals: frozenset[Pair] = frozenset()
    ) -> None:
        """`rivals` should not meet in the first round, but may if otherwise a pair would repeat its meeting twice."""
        size = problem.size
        self.rounds = rounds
        self.rng = rng
        most = -(-3 * problem.rounds // max(1, size - 1))
        highest = max(max(row) for row in problem.met)
        self.price = prices(max(most, highest), highest + problem.rounds + 2)
        self.fine = [[0] * size for _ in range(size)]
        for a, b in problem.apart:
            self.fine[a][b] = self.fine[b][a] = FORBIDDEN
        self.first: list[list[int]] | None = None
        if problem.apart_first or rivals:
            self.first = [[0] * size for _ in range(size)]
            for pairs, fine in ((rivals, 1), (problem.apart_first, FORBIDDEN)):
                for a, b in pairs:
                    self.first[a][b] = self.first[b][a] = fine
        self.before = problem.met
        self.forced = problem.forced
        self.count()

    def count(self) -> None:
        """Count the meetings of all rounds again."""
        self.counts = [row[:] for row in self.before]
        self.up = [
            [fine + self.price[k] for fine, k in zip(fines, counts, strict=True)]
            for fines, counts in zip(self.fine, self.counts, strict=True)
        ]
        self.down = [[0] * len(self.fine) for _ in self.fine]
        self.cost = 0
        for at, seats in enumerate(self.rounds):
            for t in range(0, len(seats), 4):
                for i in range(t, t + 4):
                    for j in range(t, i):
                        self.cost += self.up[seats[i]][seats[j]] + self._fine_first(at, seats[i], seats[j])
                        self._change(seats[i], seats[j], 1)

    def _fine_first(self, at: int, a: int, b: int) -> int:
        return self.first[a][b] if self.first is not None and at == 0 else 0

    def _change(self, a: int, b: int, step: int) -> None:
        k = self.counts[a][b] + step
        self.counts[a][b] = self.counts[b][a] = k
        fine = self.fine[a][b]
        self.up[a][b] = self.up[b][a] = fine + self.price[k]
        # A pair without a meeting in these rounds has none to take away, so its refund is never used.
        self.down[a][b] = self.down[b][a] = fine + self.price[k - 1] if k else 0

    def swap(self, at: int, i: int, j: int) -> None:
        """Exchange the players at two places of round `at`."""
        seats = self.rounds[at]
        a, b = seats[i], seats[j]
        for q in range(i & ~3, (i & ~3) + 4):
            if q != i:
                self._change(a, seats[q], -1)
                self._change(b, seats[q], 1)
        for q in range(j & ~3, (j & ~3) + 4):
            if q != j:
                self._change(b, seats[q], -1)
                self._change(a, seats[q], 1)
        seats[i], seats[j] = b, a

    def price_of(self, at: int, i: int, j: int) -> int:
        """How the cost would change if two places of round `at`, at different tables, were swapped."""
        seats, up, down = self.rounds[at], self.up, self.down
        a, b = seats[i], seats[j]
        change = self._first_change(i, j) if self.first is not None and at == 0 else 0
        for q in range(i & ~3, (i & ~3) + 4):
            if q != i:
                change += up[b][seats[q]] - down[a][seats[q]]
        for q in range(j & ~3, (j & ~3) + 4):
            if q != j:
                change += up[a][seats[q]] - down[b][seats[q]]
        return change

    def _first_change(self, i: int, j: int) -> int:
        """How a swap changes the cost of round 1 for pairs that should not meet there."""
        assert self.first is not None
        seats = self.rounds[0]
        gain = [x - y for x, y in zip(self.first[seats[j]], self.first[seats[i]], strict=True)]
        here = sum(gain[seats[q]] for q in range(i & ~3, (i & ~3) + 4) if q != i)
        there = sum(gain[seats[q]] for q in range(j & ~3, (j & ~3) + 4) if q != j)
        return here - there

    def anneal(self, part: Part, target: int = 0, heat: float = COOL) -> None:
        """Search at a constant heat until the cost is `target` or the budget ends. Keep the best rounds."""
        best, kept = self.cost, [seats[:] for seats in self.rounds]
        chance = [math.exp(-change / heat) for change in range(int(12 * heat) + 2)]
        while part.open and self.cost > target:
            self._batch(chance, target)
            if self.cost < best:
                best, kept = self.cost, [seats[:] for seats in self.rounds]
            part.spend(BATCH)
        if self.cost > best:
            self.rounds[:] = kept
            self.count()

    def _batch(self, chance: Sequence[float], target: int) -> None:
        """Make BATCH moves. The code is written out in one function, because most of the time is spent in this loop."""
        pick, up, down, rounds = self.rng.random, self.up, self.down, self.rounds
        number, places = len(rounds), len(rounds[0])
        limit = len(chance)
        for _ in range(BATCH):
            at = int(pick() * number)
            seats = rounds[at]
            i = int(pick() * places)
            t = i & ~3
            a = seats[i]
            x1, x2, x3 = seats[t + (i + 1 & 3)], seats[t + (i + 2 & 3)], seats[t + (i + 3 & 3)]
            refund = down[a]
            change = -refund[x1] - refund[x2] - refund[x3]
            if not change and pick() > IDLE:
                continue
            j = int(pick() * places)
            u = j & ~3
            if t == u:
                continue
            b = seats[j]
            y1, y2, y3 = seats[u + (j + 1 & 3)], seats[u + (j + 2 & 3)], seats[u + (j + 3 & 3)]
            refund, price, other = down[b], up[a], up[b]
            change += price[y1] + price[y2] + price[y3] + other[x1] + other[x2] + other[x3]
            change -= refund[y1] + refund[y2] + refund[y3]
            if self.first is not None and at == 0:
                change += self._first_change(i, j)
            if change <= 0 or (change < limit and pick() < chance[change]):
                self.swap(at, i, j)
                self.cost += change
                if self.cost <= target:
                    return

    def cheapest(self, games: int) -> int:
        """A cost that cannot be improved: every player's seats are filled with the cheapest meetings left."""
        total = 0
        for a, (fines, before) in enumerate(zip(self.fine, self.before, strict=True)):
            partners = [k for b, (fine, k) in enumerate(zip(fines, before, strict=True)) if not fine and a != b]
            if partners.count(0) < 3 * games:
                total += sum(sorted(self.price[k + more] for k in partners for more in range(games))[: 3 * games])
        return total // 2 + FORBIDDEN * self.forced
