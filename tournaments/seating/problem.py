"""A request as the makers see it: seats instead of numbers, counts instead of history.

Seats 0 … n−1 are the players in the given order, then the substitutes. There is no search here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from .request import Apart, Odd, Request, Round, check

Rounds = list[list[int]]
"""Every round four seats after four, in the order of the tables."""
Pair = tuple[int, int]


@dataclass(frozen=True)
class SeatingProblem:
    """Everything that the makers need to know, and nothing else."""

    numbers: tuple[int, ...]
    players: int
    rounds: int
    tables: int
    out: int
    met: list[list[int]]
    apart: frozenset[Pair]
    apart_first: frozenset[Pair]
    teams: tuple[tuple[int, ...], ...]
    winds: list[list[int]]
    missed: list[int]
    visits: list[list[int]]
    stationary: dict[int, int]
    known: list[int]
    forced: int
    fresh: bool

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def substitutes(self) -> range:
        return range(self.players, self.size)

    @property
    def plain_but_byes(self) -> bool:
        """Whether the request has only players and rounds, and perhaps byes."""
        return self.fresh and not (self.apart or self.apart_first or self.stationary or self.substitutes)

    @property
    def plain(self) -> bool:
        """Whether the request has only players and rounds. Then any relabelling of a design is good."""
        return self.plain_but_byes and not self.out


def seating_problem(request: Request) -> SeatingProblem:
    """Check a request and translate it."""
    check(request)
    numbers = request.players + request.substitutes
    seat = {number: at for at, number in enumerate(numbers)}
    past = _Past(len(numbers), request.tables)
    for games in request.history:
        past.play(games, seat)
    always, first = _apart(request, seat)
    return SeatingProblem(
        numbers=numbers,
        players=len(request.players),
        rounds=request.rounds,
        tables=request.tables,
        out=len(numbers) % 4 if request.odd is Odd.BYES else 0,
        met=past.met,
        apart=always,
        apart_first=first - always,
        teams=tuple(
            tuple(seat[player] for player in team.players if player in seat)
            for team in request.apart
            if not team.round1
        ),
        winds=past.winds,
        missed=[len(request.history) - played for played in past.played],
        visits=past.visits,
        stationary={seat[player]: table - 1 for player, table in request.stationary},
        known=past.known,
        forced=sum(_crowding(team, seat, request) for team in request.teams if not team.round1) * request.rounds,
        fresh=not request.history,
    )


class _Past:
    """Counts from the rounds played: meetings, winds, visits to tables, and opponents, including players who left."""

    def __init__(self, size: int, tables: int) -> None:
        self.met = [[0] * size for _ in range(size)]
        self.winds = [[0, 0, 0, 0] for _ in range(size)]
        self.visits = [[0] * tables for _ in range(size)]
        self.played = [0] * size
        self.known = [0] * size
        self._gone: dict[int, int] = {}

    def play(self, games: Round, seat: dict[int, int]) -> None:
        for table, game in enumerate(games):
            # Players who left get seats after the last one. Only common opponents use these seats.
            seats = [
                seat[number] if number in seat else self._gone.setdefault(number, len(seat) + len(self._gone))
                for number in game
            ]
            for wind, p in enumerate(seats):
                if p < len(seat):
                    self._sit(p, wind, table)
                    self.known[p] |= sum(1 << q for q in seats if q != p)
                    for q in seats:
                        if q < len(seat) and q != p:
                            self.met[p][q] += 1

    def _sit(self, p: int, wind: int, table: int) -> None:
        self.winds[p][wind] += 1
        self.played[p] += 1
        if table < len(self.visits[p]):
            self.visits[p][table] += 1


def _crowding(team: Apart, seat: dict[int, int], request: Request) -> int:
    """Meetings within a team in every round, even if it is spread evenly over all tables."""
    resting = len(seat) % 4 if request.odd is Odd.BYES else 0
    here = max(0, sum(1 for player in team.players if player in seat) - resting)
    each, more = divmod(here, request.tables)
    return request.tables * each * (each - 1) // 2 + more * each


def _apart(request: Request, seat: dict[int, int]) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Pairs that must never meet, and pairs that must not meet in round 1. Two stationary players never meet."""
    always = set(combinations(sorted(seat[number] for number in request.substitutes), 2))
    always |= set(combinations(sorted(seat[player] for player, _ in request.stationary), 2))
    first = set()
    for group in request.apart:
        pairs = set(combinations(sorted(seat[player] for player in group.players if player in seat), 2))
        if not group.round1:
            always |= pairs
        elif not request.history:
            first |= pairs
    return frozenset(always), frozenset(first)
