"""Which game of a round is played at which table: nobody at the same table more often than needed.

Exchanges whole games between tables of a round, so it changes neither meetings nor winds. Stationary players stay.
"""

from __future__ import annotations

import math
import random

from .budget import BATCH, Part
from .problem import Problem, Rounds

HEAT = 0.35


class _Visits:
    def __init__(self, problem: Problem, rounds: Rounds, rng: random.Random) -> None:
        self.rng = rng
        self.games = [[seats[t : t + 4] for t in range(0, len(seats), 4)] for seats in rounds]
        self.visits = [row[:] for row in problem.visits]
        self.movers = [p not in problem.stationary for p in range(problem.size)]
        needed = -(-problem.rounds // problem.tables) + max(max(row) for row in problem.visits)
        even = max(2, needed)
        self.price = [k if k < even else k + 4 * (k - even + 1) ** 2 for k in range(problem.rounds + needed + 1)]
        self.free: list[list[int]] = []
        self.cost = 0
        for games in self.games:
            self._spread(games, problem.stationary)

    def _added(self, game: list[int], table: int) -> int:
        return sum(self.price[self.visits[p][table]] for p in game if self.movers[p])

    def _visit(self, game: list[int], table: int, step: int) -> None:
        for p in game:
            self.visits[p][table] += step

    def _spread(self, games: list[list[int]], stationary: dict[int, int]) -> None:
        """Give a round its tables greedily: stationary players theirs, then every game the cheapest one free."""
        placed: list[list[int] | None] = [None] * len(games)
        moving = []
        for game in games:
            stays = [stationary[p] for p in game if p in stationary]
            if stays and placed[stays[0]] is None:
                placed[stays[0]] = game
            else:
                moving.append(game)
        free = [table for table, game in enumerate(placed) if game is None]
        self.free.append(free[:])
        self.rng.shuffle(moving)
        for game in moving:
            table = min(free, key=lambda where: self._added(game, where))
            free.remove(table)
            placed[table] = game
        for table, held in enumerate(placed):
            assert held is not None
            self.cost += self._added(held, table)
            self._visit(held, table, 1)
            games[table] = held

    def anneal(self, part: Part, target: int) -> None:
        pick = self.rng.random
        best, kept = self.cost, [games[:] for games in self.games]
        number = len(self.games)
        while part.open and self.cost > target:
            for _ in range(BATCH):
                at = int(pick() * number)
                free = self.free[at]
                if len(free) > 1:
                    self._try(at, free[int(pick() * len(free))], free[int(pick() * len(free))])
            if self.cost < best:
                best, kept = self.cost, [games[:] for games in self.games]
            part.spend(BATCH)
        if self.cost > best:
            self.games = kept

    def _try(self, at: int, s: int, t: int) -> None:
        """Exchange the games of two tables if that helps, or by chance if it hurts a little."""
        games, visits, price = self.games[at], self.visits, self.price
        one, other = games[s], games[t]
        saved = 0
        for p in one:
            saved += price[visits[p][s] - 1] - price[visits[p][t]] if self.movers[p] else 0
        if s == t or (saved < 0 and self.rng.random() > 0.2):
            return
        for p in other:
            saved += price[visits[p][t] - 1] - price[visits[p][s]] if self.movers[p] else 0
        if saved >= 0 or (saved > -4 and self.rng.random() < math.exp(saved / HEAT)):
            self._visit(one, s, -1)
            self._visit(other, t, -1)
            self._visit(one, t, 1)
            self._visit(other, s, 1)
            games[s], games[t] = other, one
            self.cost -= saved

    def least(self) -> int:
        """A cost nothing can go below: every player visits his tables as evenly as can be, whatever the others do."""
        total = 0
        for p, row in enumerate(self.visits):
            if self.movers[p]:
                played = sum(row)
                total += sum(self.price[k // len(row)] for k in range(played))
        return total


def assign(problem: Problem, rounds: Rounds, part: Part, rng: random.Random) -> Rounds:
    """The same rounds with their games in the order of the tables."""
    visits = _Visits(problem, rounds, rng)
    if problem.tables > 1:
        visits.anneal(part, visits.least() if problem.fresh else 0)
    return [[p for game in games for p in game] for games in visits.games]
