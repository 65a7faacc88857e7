"""Schedules with a rotation: only one game in g is searched, so that many common opponents are found in seconds.

The players are k orbits of Z_g (player orbit·g + x); g divides the number of tables. In every round each orbit
sits at one base game. Turning the base games by 1 … g−1 gives the rest of the round. A schedule is then R·k numbers,
and the common opponents of all pairs are products of polynomials over Z_g, computed by multiplying long integers.

The module does not know forbidden meetings, history, winds or table numbers.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from .budget import BATCH, Part

Edge = tuple[int, int, int]
MET = 0x80
"""The bit that marks a pair that meets. As a whole byte it means: no pair."""
MAX_ROUNDS = 42
"""Common opponents must stay below 128."""
HEAT = 30.0
WEIGHTS = ((9, 729), (10, 243), (11, 81), (12, 27), (13, 9), (14, 3), (15, 1))
"""Cost of a pair by its class: class 11 holds the pairs with as few common opponents as the best minimum so far."""

Key = tuple[int, int, int]


@dataclass(frozen=True)
class Rotation:
    """Base games of every round, four numbers each, and the length of the rotation."""

    group: int
    rounds: tuple[tuple[int, ...], ...]


def develop(rotation: Rotation) -> list[list[int]]:
    """Turn the base games into whole rounds, four seats after four."""
    g = rotation.group
    return [
        [
            point - point % g + (point + turn) % g
            for first in range(0, len(base), 4)
            for turn in range(g)
            for point in base[first : first + 4]
        ]
        for base in rotation.rounds
    ]


def groups(players: int) -> list[int]:
    """The rotations that a field allows, largest first."""
    tables = players // 4
    return [g for g in range(tables, 0, -1) if tables % g == 0]


class Search:
    """The state of one search. Call `clear_repeats`, then `polish`."""

    def __init__(self, players: int, rounds: int, group: int, rng: random.Random) -> None:
        self.group = group
        self.orbits = players // group
        self.rng = rng
        self.order = [rng.sample(range(self.orbits), self.orbits) for _ in range(rounds)]
        self.shift = [[rng.randrange(group) for _ in range(self.orbits)] for _ in range(rounds)]
        self.met = [0] * (self.orbits * self.orbits * group)
        self.repeats = 0
        for order, shift in zip(self.order, self.shift, strict=True):
            for first in range(0, self.orbits, 4):
                game = order[first : first + 4]
                for at, i in enumerate(game):
                    self.repeats += self._count([(i, j, (shift[j] - shift[i]) % group) for j in game[:at]], 1)

    def rotation(self) -> Rotation:
        return Rotation(
            self.group,
            tuple(
                tuple(i * self.group + shift[i] for i in order)
                for order, shift in zip(self.order, self.shift, strict=True)
            ),
        )

    def _count(self, edges: list[Edge], step: int) -> int:
        """Add meetings to the count or subtract them. Return the change of the repeats."""
        met, k, g = self.met, self.orbits, self.group
        change = 0
        for i, j, d in edges:
            at = (i * k + j) * g + d
            if step < 0:
                met[at] -= 1
                change -= met[at]
            else:
                change += met[at]
                met[at] += 1
            met[(j * k + i) * g + (-d) % g] += step
        return change

    def _propose(self) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]], list[Edge], list[Edge]]:
        """A random move: its round, the new places and shifts of orbits, the meetings it removes and those it adds."""
        pick, k, g = self.rng.random, self.orbits, self.group
        at = int(pick() * len(self.order))
        order, shift = self.order[at], self.shift[at]
        p = int(pick() * k)
        t, i = p - p % 4, order[p]
        mates = [order[q] for q in range(t, t + 4) if q != p]
        ended = [(i, j, (shift[j] - shift[i]) % g) for j in mates]
        turned = int(pick() * g)
        if k == 4 or (g > 1 and pick() < 0.5):
            return at, [], [(i, turned)], ended, [(i, j, (shift[j] - turned) % g) for j in mates]
        p2 = int(pick() * k)
        while p2 - p2 % 4 == t:
            p2 = int(pick() * k)
        t2, i2 = p2 - p2 % 4, order[p2]
        mates2 = [order[q] for q in range(t2, t2 + 4) if q != p2]
        turned2 = int(pick() * g)
        ended += [(i2, j, (shift[j] - shift[i2]) % g) for j in mates2]
        made = [(i, j, (shift[j] - turned) % g) for j in mates2] + [(i2, j, (shift[j] - turned2) % g) for j in mates]
        return at, [(p, i2), (p2, i)], [(i, turned), (i2, turned2)], ended, made

    def _keep(self, at: int, places: list[tuple[int, int]], shifts: list[tuple[int, int]]) -> None:
        for p, i in places:
            self.order[at][p] = i
        for i, x in shifts:
            self.shift[at][i] = x

    def clear_repeats(self, part: Part, heat: float = 0.25) -> bool:
        """Anneal until no pair meets twice. Return False if the budget ends first."""
        while self.repeats and part.open:
            for _ in range(BATCH):
                at, places, shifts, ended, made = self._propose()
                change = self._count(ended, -1) + self._count(made, 1)
                if change <= 0 or self.rng.random() < math.exp(-change / heat):
                    self.repeats += change
                    self._keep(at, places, shifts)
                    if not self.repeats:
                        break
                else:
                    self._count(made, -1)
                    self._count(ended, 1)
            part.spend(BATCH)
        return not self.repeats

    def polish(self, part: Part, goal: tuple[int, int], heat: float = HEAT) -> tuple[Key, Rotation]:
        """Improve by moves without a repeat: fewer pairs without a common opponent, then a higher minimum.

        `goal` is the best that any schedule can have: pairs without a common opponent, and minus the minimum. The
        search ends when it is reached.
        """
        counter = _Commons(self.orbits, self.group, self.met)
        best, found = counter.key(), self.rotation()
        counter.aim(-best[1])
        cost = lowest = counter.cost()
        while part.open and best[:2] > goal:
            for _ in range(BATCH):
                at, places, shifts, ended, made = self._propose()
                self._count(ended, -1)
                if self._count(made, 1):
                    self._count(made, -1)
                    self._count(ended, 1)
                    continue
                counter.change(ended, made)
                new = counter.cost()
                if new > cost and self.rng.random() >= math.exp((cost - new) / heat):
                    counter.change(made, ended)
                    self._count(made, -1)
                    self._count(ended, 1)
                    continue
                cost = new
                self._keep(at, places, shifts)
                if cost >= lowest:
                    continue
                lowest = cost
                key = counter.key()
                if key < best:
                    if key[1] != best[1]:
                        counter.aim(-key[1])
                        cost = lowest = counter.cost()
                    best, found = key, self.rotation()
            part.spend(BATCH)
        return best, found


def weigh(level: int) -> tuple[bytes, list[tuple[int, int]]]:
    """Classes of pairs by the distance of their common opponents from `level`, the best minimum so far; and weights."""
    classes = bytes(9 if c < level - 1 else min(16, 11 + c - level) for c in range(MET)) + bytes(MET)
    return classes, [(name, weight) for name, weight in WEIGHTS if name in classes]


class _Commons:
    """Common opponents of every orbit of pairs, as polynomials in long integers with one byte per coefficient."""

    def __init__(self, orbits: int, group: int, met: list[int]) -> None:
        self.k, self.g = orbits, group
        self.width = 16 * group
        self.terms = [[0] * orbits for _ in range(orbits)]
        self.rows = [0] * orbits
        for i in range(orbits):
            for j in range(orbits):
                packed = sum(1 << (8 * d) for d in range(group) if met[(i * orbits + j) * group + d])
                self.terms[i][j] = packed
                self.rows[i] |= packed << (self.width * j)
        half = (1 << (8 * group)) - 1
        blank = int.from_bytes(bytes([MET]) * group, "little") << (8 * group)
        self.low = sum(half << (self.width * j) for j in range(orbits))
        blanks = sum(blank << (self.width * j) for j in range(orbits))
        self.blanks = [blanks | (MET << (self.width * i)) for i in range(orbits)]
        self.classes = bytes(256)
        self.weights: list[tuple[int, int]] = []

    def change(self, ended: list[Edge], made: list[Edge]) -> None:
        g, width, terms, rows = self.g, self.width, self.terms, self.rows
        for edges, sign in ((ended, -1), (made, 1)):
            for i, j, d in edges:
                there, back = sign << (8 * d), sign << (8 * ((g - d) % g))
                terms[i][j] += there
                terms[j][i] += back
                rows[i] += there << (width * j)
                rows[j] += back << (width * i)

    def aim(self, level: int) -> None:
        self.classes, self.weights = weigh(level)

    def _row(self, i: int) -> bytes:
        rows, low = self.rows, self.low
        total = 0
        for term, row in zip(self.terms[i], rows, strict=True):
            if term:
                total += term * row
        total = ((total & low) + ((total >> (8 * self.g)) & low)) | (rows[i] << 7) | self.blanks[i]
        return total.to_bytes(2 * self.g * self.k, "little")

    def cost(self) -> int:
        total = 0
        for i in range(self.k):
            row = self._row(i).translate(self.classes)
            for name, weight in self.weights:
                total += weight * row.count(name)
        return total

    def key(self) -> Key:
        """Pairs without a common opponent, minus the fewest common opponents, and pairs with that few."""
        seen = b"".join(self._row(i) for i in range(self.k))
        fewest = next((c for c in range(MET) if c in seen), MET)
        pairs = seen.count(fewest) * self.g // 2 if fewest < MET else 0
        return (pairs if fewest == 0 else 0, -fewest, pairs)


def goal(players: int, rounds: int) -> tuple[int, int]:
    """A bound for repeat-free schedules: pairs without a common opponent, and minus the fewest common opponents.

    A player meets 3R others. Each of them met at most 3R − 3 further players, outside their common game.
    """
    met = 3 * rounds
    unmet = players - 1 - met
    if unmet <= 0:
        return (0, -MET)
    return (max(0, players * (unmet - met * (met - 3)) // 2), -min(met, met * (met - 3) // unmet))
