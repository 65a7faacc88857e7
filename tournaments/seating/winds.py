"""Who starts on which wind, so that everybody's winds stay within one of each other after every game.

A player's own games are cut into blocks of four. The graph of blocks and games has degree at most four on both sides,
so it splits twice along Euler trails into four matchings, one for each wind (Kőnig): every block sees four different
winds, byes or not. Winds already played may forbid that; then the orders of single tables are improved instead.
"""

from __future__ import annotations

import random
from itertools import permutations

from .problem import Problem, Rounds

ORDERS = tuple(permutations(range(4)))
SWEEPS = 60

Edge = tuple[int, int]
"""A block of a player's games, and a game."""


def seat(problem: Problem, rounds: Rounds, rng: random.Random) -> Rounds:
    """Order every table of four east, south, west, north."""
    if all(max(held) == min(held) for held in problem.winds):
        return _colour(rounds, problem.size)
    local = _Orders(problem, rounds)
    local.settle(rng)
    return local.rounds


def _colour(rounds: Rounds, size: int) -> Rounds:
    games = [seats[t : t + 4] for seats in rounds for t in range(0, len(seats), 4)]
    played = [0] * size
    block: dict[tuple[int, int], int] = {}
    edges: list[Edge] = []
    for at, game in enumerate(games):
        for player in game:
            node = block.setdefault((player, played[player] // 4), len(block))
            edges.append((node, at))
            played[player] += 1
    wind = [0] * len(edges)
    for half, part in enumerate(_split(edges, range(len(edges)))):
        for quarter, chosen in enumerate(_split(edges, part)):
            for edge in chosen:
                wind[edge] = 2 * half + quarter
    ordered = [[0] * 4 for _ in games]
    for number, (_, at) in enumerate(edges):
        ordered[at][wind[number]] = games[at][number % 4]
    per_round = len(rounds[0]) // 4
    return [
        [player for game in ordered[first : first + per_round] for player in game]
        for first in range(0, len(games), per_round)
    ]


def _split(edges: list[Edge], chosen: range | list[int]) -> tuple[list[int], list[int]]:
    """Halve a bipartite graph: every node keeps half of its edges on each side, rounded either way.

    Trails start at nodes of odd degree first; along a trail edges go to the two halves in turn.
    """
    left: dict[int, list[int]] = {}
    right: dict[int, list[int]] = {}
    for edge in chosen:
        left.setdefault(edges[edge][0], []).append(edge)
        right.setdefault(edges[edge][1], []).append(edge)
    used: set[int] = set()
    halves: tuple[list[int], list[int]] = ([], [])
    sides = (left, right)
    starts = [(0, node) for node, around in left.items() if len(around) % 2]
    starts += [(1, node) for node, around in right.items() if len(around) % 2]
    starts += [(0, node) for node in left]
    for start_side, start in starts:
        side, node = start_side, start
        while around := sides[side][node]:
            edge = around.pop()
            if edge in used:
                continue
            used.add(edge)
            # An edge goes to the half that fits the direction in which the trail runs through it.
            halves[side].append(edge)
            side = 1 - side
            node = edges[edge][side]
    return halves


class _Orders:
    """Winds when some were played before: the best order of one table after the other."""

    def __init__(self, problem: Problem, rounds: Rounds) -> None:
        self.rounds = [seats[:] for seats in rounds]
        self.before = problem.winds
        self.games: list[list[tuple[int, int]]] = [[] for _ in range(problem.size)]
        self.winds: list[list[int]] = [[] for _ in range(problem.size)]
        counts = [held[:] for held in problem.winds]
        for at, seats in enumerate(self.rounds):
            for t in range(0, len(seats), 4):
                game = seats[t : t + 4]
                order = min(ORDERS, key=lambda o: sum(3 ** counts[p][w] for p, w in zip(game, o, strict=True)))
                for player, wind in zip(game, order, strict=True):
                    seats[t + wind] = player
                    counts[player][wind] += 1
                    self.games[player].append((at, t))
                    self.winds[player].append(wind)

    def _cost(self, player: int) -> int:
        counts = self.before[player][:]
        total = 0
        for wind in self.winds[player]:
            counts[wind] += 1
            total += (max(counts) - min(counts)) ** 3
        return total

    def _uneven(self, player: int) -> bool:
        counts = self.before[player][:]
        for wind in self.winds[player]:
            counts[wind] += 1
            if max(counts) - min(counts) > 1:
                return True
        return False

    def settle(self, rng: random.Random) -> None:
        """Reorder the tables of those who are uneven, for some sweeps or until nobody is."""
        for _ in range(SWEEPS):
            troubled = [player for player in range(len(self.games)) if self._uneven(player)]
            if not troubled:
                return
            for player in rng.sample(troubled, len(troubled)):
                for at, t in rng.sample(self.games[player], len(self.games[player])):
                    self._reorder(at, t, rng)

    def _reorder(self, at: int, t: int, rng: random.Random) -> None:
        game = self.rounds[at][t : t + 4]
        prices = []
        for player in game:
            place = self.games[player].index((at, t))
            held = self.winds[player][place]
            row = []
            for wind in range(4):
                self.winds[player][place] = wind
                row.append(self._cost(player))
            self.winds[player][place] = held
            prices.append(row)
        totals = [sum(prices[i][w] for i, w in enumerate(order)) for order in ORDERS]
        least = min(totals)
        order = rng.choice([order for order, total in zip(ORDERS, totals, strict=True) if total == least])
        for player, wind in zip(game, order, strict=True):
            self.rounds[at][t + wind] = player
            self.winds[player][self.games[player].index((at, t))] = wind
