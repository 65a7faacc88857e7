"""Designs in which no pair meets twice: shipped starters, designs by formula, and the choice of some of their rounds.

Candidates for a field come best first. Which player gets which point of a design is decided in labels.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from math import gcd

from .problem import Rounds
from .starters import names, starter
from .symmetric import MET

KINDS = ("rotations", "zr3", "cyclic", "cube", "frobenius")
SUBSETS = 12
"""Choices of rounds tried when a design has more than are needed."""


@cache
def _steps(tables: int, rounds: int) -> tuple[int, int] | None:
    """Multipliers a, b such that the players i, i + r, i + a·r, i + b·r of four orbits never meet twice in R rounds."""

    def wide(step: int) -> bool:
        return step % tables != 0 and tables // gcd(step, tables) >= rounds

    for a in range(2, tables):
        if wide(a) and wide(a - 1):
            for b in range(a + 1, tables):
                if wide(b) and wide(b - 1) and wide(b - a):
                    return a, b
    return None


def linear(players: int, rounds: int) -> Rounds | None:
    """A design by formula: four orbits of Z_m, where m is the number of tables."""
    m = players // 4
    found = _steps(m, rounds) if rounds > 1 else (2, 3)
    if found is None or rounds > m:
        return None
    a, b = found
    return [
        [p for i in range(m) for p in (i, m + (i + r) % m, 2 * m + (i + a * r) % m, 3 * m + (i + b * r) % m)]
        for r in range(rounds)
    ]


FIELDS = {4: (2, 2, 0b11), 8: (2, 3, 0b011), 9: (3, 2, 2), 16: (2, 4, 0b0011), 27: (3, 3, 5)}
"""Finite fields by size: the prime, the degree, and what the highest power is equal to, as a number in base p."""


def _product(a: int, b: int, prime: int, degree: int, top: int) -> int:
    """Product in a finite field whose elements are polynomials written as numbers in base p."""

    def digits(n: int) -> list[int]:
        return [n // prime**at % prime for at in range(degree)]

    row, total = digits(a), [0] * degree
    for factor in digits(b):
        total = [(x + factor * y) % prime for x, y in zip(total, row, strict=True)]
        carry, row = row[-1], [0, *row[:-1]]
        row = [(x + carry * y) % prime for x, y in zip(row, digits(top), strict=True)]
    return sum(x * prime**at for at, x in enumerate(total))


def by_field(players: int, rounds: int) -> Rounds | None:
    """A linear design over a finite field: as many rounds as tables, and four clubs of that size stay apart."""
    m = players // 4
    if m not in FIELDS or rounds > m:
        return None
    prime, degree, top = FIELDS[m]

    def plus(a: int, b: int) -> int:
        return sum((a // prime**at + b // prime**at) % prime * prime**at for at in range(degree))

    times = [[_product(factor, r, prime, degree, top) for r in range(rounds)] for factor in (0, 1, 2, 3)]
    return [[orbit * m + plus(i, times[orbit][r]) for i in range(m) for orbit in range(4)] for r in range(rounds)]


def largest(players: int) -> Rounds:
    """The shipped or linear design with the most rounds; at least one round."""
    shipped = [(r, kind) for kind in KINDS for p, r in names(kind) if p == players]
    if shipped:
        rounds, kind = max(shipped, key=lambda entry: entry[0])
        return starter(kind, players, rounds)
    for rounds in range(players // 4, 1, -1):
        if (found := linear(players, rounds)) is not None:
            return found
    return [list(range(players))]


def designs(players: int, rounds: int, rng: random.Random) -> Iterator[Rounds]:
    """Every available design for the field, those with the most common opponents first."""
    offered = [(r, kind) for kind in KINDS for p, r in names(kind) if p == players and r >= rounds]
    if (rounds, "rotations") in offered:
        offered = [(r, kind) for r, kind in offered if r == rounds or kind != "rotations"]
    offered.sort(key=lambda entry: (entry[0] != rounds, entry[1] != "rotations", entry[0]))
    for r, kind in offered:
        made = starter(kind, players, r)
        yield made if r == rounds else choose(made, rounds, rng)
    for found in (by_field(players, rounds), linear(players, rounds)):
        if found is not None:
            yield found


def choose(made: Rounds, rounds: int, rng: random.Random) -> Rounds:
    """The best of some random choices of rounds: fewest pairs without a common opponent, then the highest minimum."""
    tries = [rng.sample(made, rounds) for _ in range(SUBSETS)]
    return min(tries, key=common_key)


def common_key(made: Rounds) -> tuple[int, int]:
    """Pairs that neither meet nor share an opponent, and minus the fewest common opponents of pairs that never meet."""
    size = len(made[0])
    masks = [0] * size
    for seats in made:
        for t in range(0, size, 4):
            game = seats[t : t + 4]
            together = sum(1 << p for p in game)
            for p in game:
                masks[p] |= together
    none, fewest = 0, MET
    for a in range(size):
        mask = masks[a]
        for b in range(a):
            if not mask >> b & 1:
                common = (mask & masks[b]).bit_count()
                if common < fewest:
                    fewest = common
                if not common:
                    none += 1
    return none, -fewest
