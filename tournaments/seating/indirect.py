"""Improve common opponents in any schedule, only by swaps that do not make the meetings worse.

A player's opponents are one long integer with a byte for each player. The sum of these integers over the opponents
counts the common opponents with every player. A swap changes the opponents of eight players, so only their rows are
weighed again.
"""

from __future__ import annotations

import math
import random

from .anneal import Meetings
from .budget import BATCH, Part
from .problem import SeatingProblem
from .symmetric import HEAT, MET, Key, weigh


class Polish:
    """Improve the rounds of `meetings` in place. At the end they are the best rounds found."""

    def __init__(self, problem: SeatingProblem, meetings: Meetings, rng: random.Random) -> None:
        self.problem, self.meetings, self.rng = problem, meetings, rng
        self.size = problem.size
        shadows = max((mask.bit_length() for mask in problem.known), default=0)
        self.rows = [0] * max(self.size, shadows)
        self.opponents: list[set[int]] = [set() for _ in range(self.size)]
        for p in range(self.size):
            for q in range(self.size):
                if meetings.counts[p][q]:
                    self._link(p, q)
            for q in range(self.size, shadows):
                if problem.known[p] >> q & 1:
                    self._link(p, q)
        # Substitutes count as common opponents, but pairs with a substitute are not counted.
        self.blank = sum(MET << (8 * p) for p in problem.substitutes)
        self.guests = set(problem.substitutes)
        self.classes, self.weights = weigh(0)

    def _link(self, p: int, q: int) -> None:
        self.opponents[p].add(q)
        self.rows[q] |= 1 << (8 * p)

    def _refresh(self, players: list[int], changed: list[int]) -> None:
        """Update the opponents from the meetings between two sets of players."""
        counts = self.meetings.counts
        for p in players:
            for q in changed:
                if p == q:
                    continue
                if counts[p][q] and q not in self.opponents[p]:
                    self._link(p, q)
                    self._link(q, p)
                elif not counts[p][q] and q in self.opponents[p]:
                    self.opponents[p].discard(q)
                    self.opponents[q].discard(p)
                    self.rows[q] ^= 1 << (8 * p)
                    self.rows[p] ^= 1 << (8 * q)

    def _row(self, p: int) -> bytes:
        rows = self.rows
        total = sum([rows[q] for q in self.opponents[p]])
        return (total | (rows[p] << 7) | self.blank | (MET << (8 * p))).to_bytes(self.size, "little")

    def _cost(self, players: list[int]) -> int:
        """The weight of all pairs with one of these players, each pair once."""
        total = 0
        held = self.blank
        for p in players:
            if p not in self.guests:
                row = self._row(p).translate(self.classes)
                for name, weight in self.weights:
                    total += weight * row.count(name)
            self.blank |= MET << (8 * p)
        self.blank = held
        return total

    def key(self) -> Key:
        """Pairs without a common opponent, minus the fewest common opponents, and pairs with that few."""
        seen = b"".join(self._row(p) for p in range(self.size) if p not in self.guests)
        fewest = next((c for c in range(MET) if c in seen), MET)
        pairs = seen.count(fewest) // 2 if fewest < MET else 0
        return (pairs if fewest == 0 else 0, -fewest, pairs)

    def improve(self, part: Part, goal: tuple[int, int], heat: float = HEAT) -> None:
        """Anneal on the weights of pairs until the goal is reached or the budget ends."""
        rounds = self.meetings.rounds
        best, kept = self.key(), [seats[:] for seats in rounds]
        self.classes, self.weights = weigh(-best[1])
        drift = lowest = 0
        while part.open and best[:2] > goal:
            for _ in range(BATCH):
                change = self._try(heat)
                if change is None:
                    continue
                drift += change
                if drift < lowest:
                    lowest = drift
                    key = self.key()
                    if key < best:
                        if key[1] != best[1]:
                            self.classes, self.weights = weigh(-key[1])
                            drift = lowest = 0
                        best, kept = key, [seats[:] for seats in rounds]
            part.spend(BATCH)
        rounds[:] = kept
        self.meetings.count()

    def _try(self, heat: float) -> int | None:
        """Try one swap. Return the change of the weight, or None if nothing was changed."""
        meetings, pick = self.meetings, self.rng.random
        at = int(pick() * len(meetings.rounds))
        seats = meetings.rounds[at]
        i, j = int(pick() * len(seats)), int(pick() * len(seats))
        t, u = i & ~3, j & ~3
        if t == u:
            return None
        a, b = seats[i], seats[j]
        here = [seats[q] for q in range(t, t + 4) if q != i]
        there = [seats[q] for q in range(u, u + 4) if q != j]
        if meetings.price_of(at, i, j) > 0 or not self.guests.isdisjoint([a, b, *here, *there]):
            return None
        touched = [a, b, *here, *there]
        before = self._cost(touched)
        meetings.swap(at, i, j)
        self._refresh([a, b], here + there)
        change = self._cost(touched) - before
        if change > 0 and pick() >= math.exp(-change / heat):
            meetings.swap(at, i, j)
            self._refresh([a, b], here + there)
            return None
        return change
