"""Which game of a round is played at which table. No player should be at the same table more often than needed.

Whole games are exchanged between the tables of a round, so meetings and winds do not change. Stationary players stay.
"""

from __future__ import annotations

import math
import random

from .budget import BATCH, Part
from .problem import Rounds, SeatingProblem

HEAT = 0.35
SWEEPS = 12


class _Visits:
    """The table of every game, and how often every player was at each table."""

    def __init__(self, problem: SeatingProblem, rounds: Rounds, rng: random.Random, *, placed: bool = False) -> None:
        """Assign tables to the rounds greedily, unless their games are already `placed`."""
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
            if placed:
                self.free.append(list(range(len(games))))
            else:
                self._spread(games, problem.stationary)
            for table, game in enumerate(games):
                self.cost += self._added(game, table)
                self._visit(game, table, 1)

    def _added(self, game: list[int], table: int) -> int:
        return sum(self.price[self.visits[p][table]] for p in game if self.movers[p])

    def _visit(self, game: list[int], table: int, step: int) -> None:
        for p in game:
            self.visits[p][table] += step

    def _spread(self, games: list[list[int]], stationary: dict[int, int]) -> None:
        """Assign tables greedily: first those of stationary players, then the cheapest free table for each game."""
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
        games[:] = [game for game in placed if game is not None]

    def anneal(self, part: Part, target: int) -> None:
        """Exchange tables until the cost is `target` or the budget ends. Keep the best."""
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
        """Exchange the games of two tables if that helps, or by chance if it is only a little worse."""
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
        """A lower bound of the cost: every player visits the tables as evenly as possible, regardless of the others."""
        total = 0
        for p, row in enumerate(self.visits):
            if self.movers[p]:
                played = sum(row)
                total += sum(self.price[k // len(row)] for k in range(played))
        return total


def _turned(rounds: Rounds, price: list[int], part: Part, rng: random.Random) -> Rounds:
    """Turn all games of a round around the tables by the same step, and choose the step of each round in turn.

    For rounds developed by a rotation this is enough: what is good for one player is good for the whole orbit.
    """
    tables = len(rounds[0]) // 4
    games = [[seats[t : t + 4] for t in range(0, len(seats), 4)] for seats in rounds]
    visits = [[0] * tables for _ in range(4 * tables)]
    steps = [-1] * len(games)

    def visit(at: int, by: int) -> None:
        for i, game in enumerate(games[at]):
            table = (i + steps[at]) % tables
            for p in game:
                visits[p][table] += by

    best, kept = -1, rounds
    for _ in range(SWEEPS):
        for at in rng.sample(range(len(games)), len(games)):
            if steps[at] >= 0:
                visit(at, -1)
            costs = [0] * tables
            for i, game in enumerate(games[at]):
                row = [sum(price[k] for k in held) for held in zip(*(visits[p] for p in game), strict=True)]
                for step, cost in enumerate(row[i:] + row[:i]):
                    costs[step] += cost
            least = min(costs)
            steps[at] = rng.choice([step for step, cost in enumerate(costs) if cost == least])
            visit(at, 1)
        part.spend(len(games) * tables)
        total = sum(price[k - 1] for row in visits for k in row if k > 1)
        if best < 0 or total < best:
            best = total
            kept = [
                [p for i in range(tables) for p in made[(i - step) % tables]]
                for made, step in zip(games, steps, strict=True)
            ]
        if not best or not part.open:
            break
    return kept


def assign(problem: SeatingProblem, rounds: Rounds, part: Part, rng: random.Random) -> Rounds:
    """The same rounds with their games in the order of the tables."""
    visits = _Visits(problem, rounds, rng)
    target = visits.least() if problem.fresh else 0
    if problem.tables > 1:
        if problem.fresh and not problem.stationary and not problem.out:
            turned = _turned(rounds, visits.price, part.some(part.left // 4), rng)
            other = _Visits(problem, turned, rng, placed=True)
            visits = min(visits, other, key=lambda each: each.cost)
        visits.anneal(part, target)
    return [[p for game in games for p in game] for games in visits.games]
