"""Who starts on which wind, so that each player's counts of the winds differ by at most one after every game.

A player's games are cut into blocks of four. The graph of blocks and games has degree at most four on both sides, so
it can be split twice along Euler trails into four matchings, one for each wind (Kőnig). So every block has four
different winds, with or without byes. Past winds may prevent this; then seats are changed to make the winds as even as
possible.
"""

from __future__ import annotations

import math
import random
from itertools import combinations, permutations

from .anneal import Meetings
from .budget import BATCH, Part
from .problem import Pair, Rounds, SeatingProblem

ORDERS = tuple(permutations(range(4)))
EVENING_HEAT = 2.0

Edge = tuple[int, int]
"""A block of a player's games, and a game."""


def level(problem: SeatingProblem) -> bool:
    """Whether each player had all winds equally often, so that the coming winds can be chosen freely."""
    return all(max(held) == min(held) for held in problem.winds)


def rivals(problem: SeatingProblem) -> frozenset[Pair]:
    """Pairs of players who both lack the same single wind. If they meet next, only one of them can get it."""
    lacking: dict[int, list[int]] = {}
    for p, held in enumerate(problem.winds[: problem.players]):
        if max(held) - min(held) == 1 and held.count(min(held)) == 1:
            lacking.setdefault(held.index(min(held)), []).append(p)
    return frozenset(pair for players in lacking.values() for pair in combinations(players, 2))


def seat(problem: SeatingProblem, rounds: Rounds) -> Rounds:
    """Order every table of four east, south, west, north.

    Until every player's last block of four games is full, each table is ordered by itself, as evenly as possible.
    """
    counts = [held[:] for held in problem.winds]
    filling = 0 if level(problem) else max(-sum(held) % 4 for held in counts)
    seated = [_order(seats, counts) for seats in rounds[:filling]]
    return seated + _colour(rounds[filling:], problem.size) if rounds[filling:] else seated


def _order(seats: list[int], counts: list[list[int]]) -> list[int]:
    ordered = seats[:]
    for t in range(0, len(seats), 4):
        game = seats[t : t + 4]
        prices = [[3**held for held in counts[p]] for p in game]
        order = min(ORDERS, key=lambda winds: sum(price[wind] for price, wind in zip(prices, winds, strict=True)))
        for p, wind in zip(game, order, strict=True):
            ordered[t + wind] = p
            counts[p][wind] += 1
    return ordered


def _colour(rounds: Rounds, size: int) -> Rounds:
    """Split blocks and games into four matchings, one for each wind."""
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
            # The direction in which the trail passes an edge decides its half.
            halves[side].append(edge)
            side = 1 - side
            node = edges[edge][side]
    return halves


class Evening:
    """Even out winds after an uneven past. Players change seats within a table, or where the meetings get no worse.

    The place of a seat within its table is its wind, so a swap changes the winds of only two players.
    """

    def __init__(self, problem: SeatingProblem, meetings: Meetings, rng: random.Random) -> None:
        self.problem, self.meetings, self.rng = problem, meetings, rng
        meetings.rounds[:] = seat(problem, meetings.rounds)
        self.fixed = set(problem.substitutes) | set(problem.stationary)
        self.winds: list[dict[int, int]] = [{} for _ in range(problem.size)]
        for at, seats in enumerate(meetings.rounds):
            for place, p in enumerate(seats):
                self.winds[p][at] = place & 3

    def _unevenness(self, p: int) -> tuple[int, bool]:
        """How uneven a player's winds are over all games, and whether their counts ever differ by more than one."""
        counts = self.problem.winds[p][:]
        total, uneven = 0, False
        for wind in self.winds[p].values():
            counts[wind] += 1
            apart = max(counts) - min(counts)
            total += apart**3
            uneven = uneven or apart > 1
        return total, uneven

    def settle(self, part: Part) -> None:
        """Move players with uneven winds until no player has them or the budget ends. Keep the best rounds."""
        players = range(self.problem.players)
        drift = least = 0
        rounds = self.meetings.rounds
        kept = [seats[:] for seats in rounds]
        while part.open:
            troubled = [p for p in players if self._unevenness(p)[1]]
            if not troubled:
                return
            for p in self.rng.choices(troubled, k=BATCH):
                drift += self._try(p)
                if drift < least:
                    least, kept = drift, [seats[:] for seats in rounds]
            part.spend(BATCH)
        rounds[:] = kept

    def _try(self, p: int) -> int:
        """Give a player another seat in one game if that helps, or by chance. Return the change of unevenness."""
        at = self.rng.choice(list(self.winds[p]))
        seats = self.meetings.rounds[at]
        i, j = seats.index(p), int(self.rng.random() * len(seats))
        if self.rng.random() < 0.5:
            j = (i & ~3) + (j & 3)
        q = seats[j]
        near = i & ~3 == j & ~3
        if p == q or (not near and ({p, q} & self.fixed or self.meetings.price_of(at, i, j) > 0)):
            return 0
        if not near and not self.fixed.isdisjoint(seats[i & ~3 : (i & ~3) + 4] + seats[j & ~3 : (j & ~3) + 4]):
            return 0
        before = self._unevenness(p)[0] + self._unevenness(q)[0]
        self.winds[p][at], self.winds[q][at] = j & 3, i & 3
        change = self._unevenness(p)[0] + self._unevenness(q)[0] - before
        if change > 0 and self.rng.random() >= math.exp(-change / EVENING_HEAT):
            self.winds[p][at], self.winds[q][at] = i & 3, j & 3
            return 0
        if near:
            seats[i], seats[j] = q, p
        else:
            self.meetings.swap(at, i, j)
        return change
