"""Draw one round at a time, by a way that `ways` declares for single rounds.

Every way first says who would sit together if no players had ever met. Then players change places to avoid forbidden
and repeated meetings. They move as little as possible, and no player moves further down than the way allows. Past
meetings come with the request; penalties count in the standing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import tables, winds
from .anneal import Meetings
from .budget import BATCH, Budget, Part, Report, Stop
from .errors import SeatingError
from .problem import Rounds, SeatingProblem, seating_problem
from .request import Game, Request, Schedule
from .ways import ChosenWay, SeatingLayout

REPEAT = 10_000
"""What a repeated meeting costs, as a sum of squared moves up or down the ranking."""
ROUND_MOVES = 30_000


@dataclass(frozen=True)
class Score:
    """A player's total, and the penalties still to be subtracted from it."""

    player: int
    points: int
    penalty: int = 0


def ranking(scores: Sequence[Score]) -> list[int]:
    """Players from first to last. Of equal players the one listed first comes first."""
    return [score.player for score in sorted(scores, key=lambda score: score.penalty - score.points)]


def pair(
    request: Request,
    chosen: ChosenWay,
    scores: Sequence[Score] = (),
    report: Report | None = None,
    stop: Stop | None = None,
) -> Schedule:
    """Draw only the next round of a request. `scores` may be empty when it is drawn by lot."""
    way = chosen.way
    problem = seating_problem(replace(request, rounds=1))
    rng = random.Random(request.seed)
    budget = Budget(min(request.moves, ROUND_MOVES), report, stop)
    order = _ranked(problem, scores) if way.by_standing else rng.sample(range(problem.size), problem.size)
    resting = _resting(problem, order)
    playing = [p for p in order if p not in resting]
    repair = _Repair(problem, playing, chosen.layout(len(playing)), rng)
    if way.avoids_meetings:
        repair.settle(budget.part("pairing", budget.allowed))
    rounds = repair.meetings.rounds
    if not way.by_standing or problem.stationary:
        rounds = tables.assign(problem, rounds, budget.part("tables", 2000), rng)
    return _schedule(problem, winds.seat(problem, rounds), resting, budget)


def _schedule(problem: SeatingProblem, rounds: Rounds, resting: list[int], budget: Budget) -> Schedule:
    named = [problem.numbers[p] for p in rounds[0]]
    games: list[Game] = [(named[t], named[t + 1], named[t + 2], named[t + 3]) for t in range(0, len(named), 4)]
    byes = tuple(sorted(problem.numbers[p] for p in resting))
    return Schedule((tuple(games),), (byes,), budget.made, budget.stopped)


def _ranked(problem: SeatingProblem, scores: Sequence[Score]) -> list[int]:
    """Seats in the order of the standing. Substitutes come last."""
    seat = {number: at for at, number in enumerate(problem.numbers[: problem.players])}
    ranked = ranking(scores)
    for player in ranked:
        if player not in seat:
            raise SeatingError("unknown_rank", player=player)
    left = set(seat).difference(ranked)
    if left or len(ranked) != len(seat):
        twice = next((player for player in ranked if ranked.count(player) > 1), 0)
        if left:
            raise SeatingError("missing_rank", player=min(left))
        raise SeatingError("player_twice", player=twice)
    return [seat[player] for player in ranked] + list(problem.substitutes)


def _resting(problem: SeatingProblem, order: list[int]) -> list[int]:
    """The players who sit out: those who have sat out least, and of these the last in the standing."""
    if not problem.out:
        return []
    rank = {p: at for at, p in enumerate(order)}
    return sorted(order, key=lambda p: (problem.missed[p], -rank[p]))[: problem.out]


class _Repair:
    """Swap within the round: first for better meetings, then for smaller squares of the ranks players move."""

    def __init__(self, problem: SeatingProblem, playing: list[int], layout: SeatingLayout, rng: random.Random) -> None:
        self.meetings = Meetings(problem, [[playing[rank] for rank in layout.seats]], rng)
        self.rank = {p: at for at, p in enumerate(playing)}
        self.layout = layout
        self.rng = rng

    def _shift(self, p: int, place: int) -> int | None:
        """Square of the ranks between a player and a place, or None if the place is too far down."""
        if self.layout.limit is None:
            return 0
        fall = self.layout.held[place] - self.rank[p]
        return fall * fall if fall <= self.layout.limit else None

    def _change(self, i: int, j: int) -> int | None:
        seats = self.meetings.rounds[0]
        a, b = seats[i], seats[j]
        moved, other = self._shift(a, j), self._shift(b, i)
        if moved is None or other is None:
            return None
        before, held = self._shift(a, i), self._shift(b, j)
        assert before is not None
        assert held is not None
        return REPEAT * self.meetings.price_of(0, i, j) + moved + other - before - held

    def settle(self, part: Part) -> None:
        """Anneal with falling heat, keep the best round, then make every swap that still helps."""
        meetings, pick = self.meetings, self.rng.random
        size = len(meetings.rounds[0])
        drift = least = 0
        kept = meetings.rounds[0][:]
        whole = max(1, part.left)
        while part.open and (self.layout.limit is not None or meetings.cost):
            heat = REPEAT * 0.4 * part.left / whole + 1
            for _ in range(BATCH):
                i, j = int(pick() * size), int(pick() * size)
                if i & ~3 == j & ~3:
                    continue
                change = self._change(i, j)
                if change is None or (change > 0 and pick() >= math.exp(-change / heat)):
                    continue
                meetings.cost += meetings.price_of(0, i, j)
                meetings.swap(0, i, j)
                drift += change
                if drift < least:
                    least, kept = drift, meetings.rounds[0][:]
            part.spend(BATCH)
        meetings.rounds[0][:] = kept
        meetings.count()
        self._descend()

    def _descend(self) -> None:
        size = len(self.meetings.rounds[0])
        better = size <= 200
        while better:
            better = False
            for i in range(size):
                for j in range((i & ~3) + 4, size):
                    change = self._change(i, j)
                    if change is not None and change < 0:
                        self.meetings.swap(0, i, j)
                        better = True
