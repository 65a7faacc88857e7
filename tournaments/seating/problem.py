"""A request as the makers see it: seats instead of numbers, counts instead of history.

Seats 0 … n−1 are the players in the order given, then the substitutes. Nothing here is searched for.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from .request import Odd, Request, check

Rounds = list[list[int]]
"""Every round four seats after four, in the order of the tables."""
Pair = tuple[int, int]


@dataclass(frozen=True)
class Problem:
    """Everything the makers need to know, and no more."""

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
    fresh: bool

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def substitutes(self) -> range:
        return range(self.players, self.size)

    @property
    def plain_but_byes(self) -> bool:
        """Nothing but players and rounds, and perhaps byes."""
        return self.fresh and not (self.apart or self.apart_first or self.stationary or self.substitutes)

    @property
    def plain(self) -> bool:
        """Nothing but players and rounds: any relabelling of a design will do."""
        return self.plain_but_byes and not self.out


def pose(request: Request) -> Problem:
    """Check a request and translate it."""
    check(request)
    numbers = request.players + request.substitutes
    seat = {number: at for at, number in enumerate(numbers)}
    size, tables = len(numbers), request.tables
    met = [[0] * size for _ in numbers]
    winds = [[0, 0, 0, 0] for _ in numbers]
    missed = [len(request.history)] * size
    visits = [[0] * tables for _ in numbers]
    known = [0] * size
    shadow: dict[int, int] = {}
    for games in request.history:
        for table, game in enumerate(games):
            for wind, number in enumerate(game):
                if number not in seat:
                    shadow.setdefault(number, size + len(shadow))
                    continue
                winds[seat[number]][wind] += 1
                missed[seat[number]] -= 1
                if table < tables:
                    visits[seat[number]][table] += 1
            for a, b in combinations(game, 2):
                if a in seat and b in seat:
                    met[seat[a]][seat[b]] += 1
                    met[seat[b]][seat[a]] += 1
                for one, other in ((a, b), (b, a)):
                    if one in seat:
                        known[seat[one]] |= 1 << (
                            seat[other] if other in seat else shadow.setdefault(other, size + len(shadow))
                        )
    always, first = _apart(request, seat)
    return Problem(
        numbers=numbers,
        players=len(request.players),
        rounds=request.rounds,
        tables=tables,
        out=len(numbers) % 4 if request.odd is Odd.BYES else 0,
        met=met,
        apart=always,
        apart_first=first - always,
        teams=tuple(
            tuple(seat[player] for player in team.players if player in seat)
            for team in request.apart
            if not team.round1
        ),
        winds=winds,
        missed=missed,
        visits=visits,
        stationary={seat[player]: table - 1 for player, table in request.stationary},
        known=known,
        fresh=not request.history,
    )


def _apart(request: Request, seat: dict[int, int]) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Pairs who shall never meet, and those who shall not meet in round 1; a stationary player never meets another."""
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
