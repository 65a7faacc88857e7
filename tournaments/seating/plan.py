"""Make a schedule from a request, stage after stage, each within its part of the budget.

The stages are meetings (a design, or annealing), common opponents, tables and winds. If past winds are uneven, winds
come before tables. No later stage makes the meetings worse. A run that is stopped returns the best schedule so far.
"""

from __future__ import annotations

import random
from dataclasses import replace

from . import indirect, symmetric, tables, winds
from .anneal import COOL, FORBIDDEN, WARM, Meetings
from .budget import BATCH, Budget, Part, Report, Stop
from .crowded import crowd, drawn
from .design import common_key, designs
from .labels import relabel
from .problem import Rounds, SeatingProblem, seating_problem
from .request import DEFAULT_MOVES, Game, Request, Round, Schedule
from .starters import names, starter
from .substitutes import Spread, allot, cast

TABLE_MOVES = 150_000
COMPARED = 48
"""Up to this many players all known designs are compared; for more players, the shipped rotations are best."""
SPREAD_MOVES = 60_000
WIND_MOVES = 60_000
MEDIUM = 80
POLISH = 50
"""One move in this many goes to common opponents, because it takes much longer than a move of another stage."""


def make(request: Request, report: Report | None = None, stop: Stop | None = None) -> Schedule:
    """Make the schedule for a request. Raises SeatingError if the request is impossible."""
    problem = seating_problem(request)
    rng = random.Random(request.seed)
    budget = Budget(request.moves, report, stop)
    byes, start = _byes_from_design(problem, rng) or (_choose_byes(problem, rng), None)
    rounds = _meet(problem, start or _start(problem, byes, budget, rng), budget, rng)
    rounds = tables.assign(problem, rounds, budget.part("tables", min(TABLE_MOVES, max(2000, budget.left))), rng)
    if winds.level(problem):
        rounds = winds.seat(problem, rounds)
    return Schedule(
        rounds=tuple(_games(problem, seats) for seats in rounds),
        byes=tuple(tuple(problem.numbers[p] for p in resting) for resting in byes),
        moves=budget.made,
        stopped=budget.stopped,
    )


def _byes_from_design(problem: SeatingProblem, rng: random.Random) -> tuple[list[list[int]], Rounds] | None:
    """Three byes per round: take a design with one player more. The players who would meet that player sit out."""
    if problem.out != 3 or not problem.plain_but_byes:
        return None
    design = next(designs(problem.size + 1, problem.rounds, rng), None)
    if design is None:
        return None
    named = rng.sample(range(problem.size + 1), problem.size + 1)
    byes, rounds = [], []
    for numbers in design:
        seats = [named[number] for number in numbers]
        gone = seats.index(problem.size) & ~3
        byes.append(sorted(p for p in seats[gone : gone + 4] if p != problem.size))
        rounds.append(seats[:gone] + seats[gone + 4 :])
    return byes, rounds


def _choose_byes(problem: SeatingProblem, rng: random.Random) -> list[list[int]]:
    """The players who sit out, round by round: always those who have sat out least.

    A round missed before counts as sat out.
    """
    missed = problem.missed[: problem.players]
    chosen = []
    for _ in range(problem.rounds):
        order = rng.sample(range(problem.players), problem.players)
        order.sort(key=missed.__getitem__)
        resting = order[: problem.out]
        for player in resting:
            missed[player] += 1
        chosen.append(sorted(resting))
    return chosen


def _games(problem: SeatingProblem, seats: list[int]) -> Round:
    named = [problem.numbers[p] for p in seats]
    games: list[Game] = [(named[t], named[t + 1], named[t + 2], named[t + 3]) for t in range(0, len(named), 4)]
    return tuple(games)


def _meet(problem: SeatingProblem, start: Rounds | None, budget: Budget, rng: random.Random) -> Rounds:
    """Rounds with the best meetings found, and then the best common opponents."""
    if problem.plain:
        found = _plain(problem, budget, rng)
        if found is not None:
            return found
    moves = budget.left * 9 // 10
    if start is None:
        meetings = crowd(problem, budget, moves, rng)
    elif problem.substitutes:
        meetings = _with_substitutes(problem, start, budget, moves, rng)
    else:
        meetings, _ = _anneal(problem, start, budget, moves, rng)
    if budget.left and not budget.stopped:
        goal = symmetric.goal(problem.size, problem.rounds) if problem.fresh else (0, -symmetric.MET)
        indirect.Polish(problem, meetings, rng).improve(_share(problem, budget), goal)
    if not winds.level(problem):
        part = budget.part("winds", max(8 * BATCH, min(WIND_MOVES, budget.left)))
        winds.Evening(problem, meetings, rng).settle(part)
    return meetings.rounds


def _anneal(
    problem: SeatingProblem, start: Rounds, budget: Budget, moves: int, rng: random.Random
) -> tuple[Meetings, bool]:
    """Anneal from a start, and if that does not reach the floor, from rounds drawn by lot."""
    games = problem.rounds - -(-problem.out * problem.rounds // problem.players)
    rivals = winds.rivals(problem)
    if rivals:
        eased = Meetings(problem, start, rng, rivals)
        floor = eased.cheapest(games)
        eased.anneal(budget.part("meetings", moves // 2), floor, COOL)
        if eased.cost <= floor or Meetings(problem, eased.rounds, rng).cost <= floor:
            return eased, True
    best: Meetings | None = None
    for rounds in (start, [drawn(seats, rng) for seats in start]):
        meetings = Meetings(problem, rounds, rng)
        floor = meetings.cheapest(games)
        meetings.anneal(budget.part("meetings", moves // 2), floor, _heat(problem, floor))
        if best is None or meetings.cost < best.cost:
            best = meetings
        if best.cost <= floor:
            return best, True
    assert best is not None
    return best, False


def _with_substitutes(
    problem: SeatingProblem, start: Rounds, budget: Budget, moves: int, rng: random.Random
) -> Meetings:
    """Meetings in which substitutes are spread evenly: by fixed pairs if possible, else as evenly as swaps allow."""
    allotted = allot(problem, start)
    if allotted:
        strict = replace(problem, apart=problem.apart | allotted)
        meetings, reached = _anneal(strict, [seats[:] for seats in start], budget, moves // 2, rng)
        if reached:
            return meetings
    meetings, _ = _anneal(problem, start, budget, moves // 2, rng)
    Spread(problem, meetings, rng).improve(budget.part("substitutes", min(SPREAD_MOVES, budget.left)))
    return meetings


def _share(problem: SeatingProblem, budget: Budget) -> Part:
    """The part of the budget for common opponents."""
    return budget.part("common opponents", _polish_moves(problem, budget))


def _polish_moves(problem: SeatingProblem, budget: Budget) -> int:
    """The moves for common opponents. In larger fields each move takes longer, so there are fewer moves."""
    return budget.left // POLISH * MEDIUM // max(MEDIUM, problem.size)


def _heat(problem: SeatingProblem, floor: int) -> float:
    """Small and crowded fields need more heat (measured on 20×5 … 24×10, 40×9 and 44×6 after 4 rounds)."""
    return WARM if floor > FORBIDDEN * problem.forced or problem.size <= 24 else COOL


def _plain(problem: SeatingProblem, budget: Budget, rng: random.Random) -> Rounds | None:
    """Only players and rounds: a shipped schedule or a design. A larger budget than usual searches for a better one."""
    size, rounds = problem.size, problem.rounds
    if (size, rounds) in names("schedules"):
        return relabel(problem, starter("schedules", size, rounds), rng)[1]
    offered = designs(size, rounds, rng)
    design = min(offered, key=common_key, default=None) if size <= COMPARED else next(offered, None)
    if design is None:
        return None
    if (size, rounds) not in names("rotations") or budget.allowed > DEFAULT_MOVES:
        design = _rotated(problem, design, budget, rng)
    return relabel(problem, design, rng)[1]


def _rotated(problem: SeatingProblem, design: Rounds, budget: Budget, rng: random.Random) -> Rounds:
    """A schedule with a rotation and more common opponents than the design has, if one is found."""
    size, rounds = problem.size, problem.rounds
    if rounds > symmetric.MAX_ROUNDS:
        return design
    best = common_key(design)
    aim = symmetric.goal(size, rounds)
    allowed = [g for g in symmetric.groups(size) if size // g <= 16]
    # Even the smallest budget allows the largest rotation. Drawn by lot, it has more common opponents than a formula.
    share = max(4 * BATCH, _polish_moves(problem, budget) // max(1, len(allowed)))
    for g in allowed:
        if best <= aim or budget.stopped or budget.made > budget.allowed:
            break
        part = budget.part("common opponents", share)
        search = symmetric.Search(size, rounds, g, rng)
        if search.clear_repeats(part):
            key, rotation = search.polish(part, aim)
            if key[:2] < best:
                best, design = key[:2], symmetric.develop(rotation)
    return design


def _start(problem: SeatingProblem, byes: list[list[int]], budget: Budget, rng: random.Random) -> Rounds | None:
    """Where annealing starts: rounds drawn by lot after a history, else a relabelled design, if there is one."""
    if problem.plain:
        return None
    everyone = range(problem.size)
    if problem.out or not problem.fresh:
        return [drawn([p for p in everyone if p not in resting], rng) for resting in byes]
    best: tuple[int, Rounds] | None = None
    for design in designs(problem.size, problem.rounds, rng):
        if best is None and (problem.size, problem.rounds) not in names("rotations"):
            design = _rotated(problem, design, budget, rng)
        left, rounds = relabel(problem, design, rng)
        if problem.substitutes and len(problem.apart) == len(problem.substitutes) * (len(problem.substitutes) - 1) // 2:
            rounds = cast(problem, rounds, rng)
        if best is None or left < best[0]:
            best = left, rounds
        if not left:
            break
    return None if best is None else best[1]
