"""Base rounds shipped as data, and the rules that develop them into designs in which no pair meets twice.

There are five kinds, each a group acting on the players: `cyclic` (Z_n on k orbits and e fixed players), `zr3`
(Z_R × Z_3), `cube` (Z_2³ by exclusive or), `frobenius` (order 21) and the rotations of symmetric.py. `schedules` are
stored in full and have repeated meetings.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from .problem import Rounds
from .symmetric import Rotation, develop

DATA = Path(__file__).parent / "data"
SEARCHED = ("rotations", "schedules", "cyclic")
"""Kinds with a file of their own, which search.py improves."""


@cache
def _load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DATA / name).read_text())
    return loaded


def _entries(kind: str) -> dict[str, Any]:
    entries: dict[str, Any] = _load(f"{kind}.json") if kind in SEARCHED else _load("starters.json")[kind]
    return entries


def names(kind: str) -> list[tuple[int, int]]:
    """The fields for which a kind has starters, as players and rounds."""
    return [(int(p), int(r)) for p, _, r in (name.partition("x") for name in _entries(kind))]


def entry_key(kind: str, players: int, rounds: int) -> tuple[int, ...]:
    """The quality that a rotation or a schedule claims, in the form in which its search compared it."""
    entry = _entries(kind)[f"{players}x{rounds}"]
    return tuple(entry["key" if kind == "rotations" else "excess"])


def starter(kind: str, players: int, rounds: int) -> Rounds:
    """Develop one starter."""
    entry = _entries(kind)[f"{players}x{rounds}"]
    if kind == "rotations":
        return develop(Rotation(entry["group"], tuple(map(tuple, entry["rounds"]))))
    if kind == "schedules":
        return [list(seats) for seats in entry["rounds"]]
    if kind == "cyclic":
        return _cyclic(entry["n"], entry["k"], entry["base"])
    if kind == "zr3":
        return _zr3(players, rounds, entry)
    return _cube(entry) if kind == "cube" else _frobenius(entry)


def _cyclic(n: int, k: int, base: list[int]) -> Rounds:
    """Round r adds r to every player of an orbit, modulo n. The players from k·n on stay fixed."""
    return [[p - p % n + (p + turn) % n if p < n * k else p for p in base] for turn in range(n)]


def _zr3(players: int, rounds: int, base: list[int]) -> Rounds:
    """Points (x, y) of Z_R × Z_3 have the number 3x + y. Games are of four points, or of three and a point at infinity.

    Round r adds r to x, and each game appears for all three shifts of y. If a single point is left over, it plays
    against the three points (r, 0), (r, 1), (r, 2).
    """
    points = 3 * rounds
    made = []
    for r in range(rounds):
        seats: list[int] = []
        for first in range(0, len(base), 4):
            block = base[first : first + 4]
            for turn in range(3):
                game = [3 * ((p // 3 + r) % rounds) + (p % 3 + turn) % 3 for p in block]
                seats += game if len(game) == 4 else [*game, points + turn]
        if players - points == 1:
            seats += [points, 3 * r, 3 * r + 1, 3 * r + 2]
        made.append(seats)
    return made


def _cube(base: list[list[list[int]]]) -> Rounds:
    """Four rounds that the group does not change, and three with a second copy by exclusive or with 4, 2 and 2."""
    flat = [[p for game in games for p in game] for games in base]
    return flat + [[p ^ mask for p in flat[at]] for at, mask in ((4, 4), (5, 2), (6, 2))]


def _frobenius(starters: list[list[list[int]]]) -> Rounds:
    """Points 7·o + x in six orbits, and two fixed. x → 2x permutes orbits in threes; x → x + 1 makes the rounds."""
    turned = (1, 2, 0, 4, 5, 3)

    def multiply(p: int) -> int:
        return p if p >= 42 else 7 * turned[p // 7] + 2 * (p % 7) % 7

    made = []
    for games in starters:
        whole: set[frozenset[int]] = set()
        for game in games:
            image = list(game)
            for _ in range(3):
                whole.add(frozenset(image))
                image = [multiply(p) for p in image]
        base = [p for game in sorted(sorted(game) for game in whole) for p in game]
        made += [[p if p >= 42 else p - p % 7 + (p + turn) % 7 for p in base] for turn in range(7)]
    return made
