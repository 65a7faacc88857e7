"""Substitutes who fill the last tables: no player should meet them more often than needed.

First, points of the design are chosen for the substitutes. Then swaps that do not make the meetings worse even out
the rest.
"""

from __future__ import annotations

import random
from itertools import combinations

from .anneal import Meetings
from .budget import BATCH, Part
from .problem import Pair, Rounds, SeatingProblem

CHOICES = 3000


def needed(problem: SeatingProblem) -> int:
    """How many meetings with substitutes at least one player must have."""
    return -(-3 * len(problem.substitutes) * problem.rounds // problem.players)


def cast(problem: SeatingProblem, rounds: Rounds, rng: random.Random) -> Rounds:
    """Exchange labels so that the substitutes never meet each other and their opponents overlap least."""
    opponents: list[list[int]] = [[0] * problem.size for _ in range(problem.size)]
    for seats in rounds:
        for t in range(0, len(seats), 4):
            for a, b in combinations(seats[t : t + 4], 2):
                opponents[a][b] += 1
                opponents[b][a] += 1
    count = len(problem.substitutes)
    choices: list[tuple[int, ...]] = []
    if problem.size <= 24 or count < 3:
        choices = list(combinations(range(problem.size), count))
    if not choices or len(choices) > CHOICES:
        choices = [tuple(rng.sample(range(problem.size), count)) for _ in range(CHOICES)]

    def burden(guests: tuple[int, ...]) -> tuple[int, int]:
        if any(opponents[a][b] for a, b in combinations(guests, 2)):
            return (problem.size, 0)
        met = list(map(sum, zip(*(opponents[g] for g in guests), strict=True)))
        return (max(met), sum(k * k for k in met))

    exchanged = list(range(problem.size))
    guests: tuple[int, ...] = min(choices, key=burden)
    for guest, seat in zip(guests, problem.substitutes, strict=True):
        at = exchanged.index(seat)
        exchanged[at], exchanged[guest] = exchanged[guest], exchanged[at]
    return [[exchanged[p] for p in seats] for seats in rounds]


def allot(problem: SeatingProblem, rounds: Rounds) -> frozenset[Pair]:
    """Pairs of player and substitute that must not meet.

    With these pairs, a player who meets no one twice does not meet substitutes too often. Every player is kept apart
    from as many substitutes as possible, first from those the player does not meet anyway.
    """
    guests = problem.substitutes
    spared = max(0, len(guests) - needed(problem))
    met = {(p, guest): 0 for p in range(problem.players) for guest in guests}
    for seats in rounds:
        for t in range(0, len(seats), 4):
            game = seats[t : t + 4]
            for guest in game:
                for p in game:
                    if (p, guest) in met:
                        met[p, guest] += 1
    room = dict.fromkeys(guests, -(-problem.players * spared // len(guests)))
    pairs: set[Pair] = set()
    for _ in range(spared):
        # Players who meet some substitutes more than others have a preference and choose first.
        waiting = sorted(range(problem.players), key=lambda p: len({met[p, guest] for guest in guests}), reverse=True)
        for p in waiting:
            free = [guest for guest in guests if room[guest] and (p, guest) not in pairs]
            if free:
                guest = min(free, key=lambda one: (met[p, one], -room[one]))
                room[guest] -= 1
                pairs.add((p, guest))
    return frozenset(pairs)


class Spread:
    """Swap without making the meetings worse while a player meets substitutes more often than needed."""

    def __init__(self, problem: SeatingProblem, meetings: Meetings, rng: random.Random) -> None:
        self.problem, self.meetings, self.rng = problem, meetings, rng
        self.guests = set(problem.substitutes)
        self.met = [0] * problem.size
        for seats in meetings.rounds:
            for t in range(0, len(seats), 4):
                self._count(seats[t : t + 4], 1)

    def _count(self, game: list[int], step: int) -> None:
        guests = len(self.guests.intersection(game))
        if guests:
            for p in game:
                self.met[p] += guests * step

    def _cost(self, most: int) -> int:
        return sum((k - most) ** 2 for k in self.met[: self.problem.players] if k > most)

    def improve(self, part: Part) -> None:
        """Swap at the tables of substitutes until no player meets them too often, or the budget ends."""
        most = needed(self.problem)
        cost = self._cost(most)
        rounds, pick = self.meetings.rounds, self.rng.random
        while cost and part.open:
            for _ in range(BATCH):
                at = int(pick() * len(rounds))
                seats = rounds[at]
                i, j = int(pick() * len(seats)), int(pick() * len(seats))
                t, u = i & ~3, j & ~3
                if t == u or self.guests.isdisjoint(seats[t : t + 4] + seats[u : u + 4]):
                    continue
                if self.meetings.price_of(at, i, j) > 0:
                    continue
                self._swap(at, i, j)
                new = self._cost(most)
                if new > cost and pick() > 0.02:
                    self._swap(at, i, j)
                else:
                    cost = new
                    if not cost:
                        break
            part.spend(BATCH)

    def _swap(self, at: int, i: int, j: int) -> None:
        seats = self.meetings.rounds[at]
        t, u = i & ~3, j & ~3
        self._count(seats[t : t + 4], -1)
        self._count(seats[u : u + 4], -1)
        self.meetings.swap(at, i, j)
        self._count(seats[t : t + 4], 1)
        self._count(seats[u : u + 4], 1)
