"""Offline search for the schedules shipped in data/: `python -m tournaments.seating.search --help`.

Every result is kept only where it beats what the file already holds, so a run can be stopped and taken up again.
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

from .budget import Budget
from .crowded import crowd
from .cyclic import BaseSearch, Group
from .problem import Rounds, seating_problem
from .request import Request
from .symmetric import Key, Rotation, Search, goal, groups

DATA = Path(__file__).parent / "data"
ROTATIONS = DATA / "rotations.json"
SCHEDULES = DATA / "schedules.json"
CYCLIC = DATA / "cyclic.json"
BASE_HEAT = 0.3


Cell = tuple[int, int]


def search_rotation(players: int, rounds: int, moves: int, seed: int) -> tuple[Key, Rotation] | None:
    """The best of all rotations that the field allows. Each gets its share of the moves."""
    allowed = [g for g in groups(players) if players // g <= 16 or players <= 48]
    best: tuple[Key, Rotation] | None = None
    aim = goal(players, rounds)
    for g in allowed:
        share = Budget(moves // len(allowed)).part("rotation")
        search = Search(players, rounds, g, random.Random(f"{players} {rounds} {g} {seed}"))
        if not search.clear_repeats(share):
            continue
        found = search.polish(share, aim)
        if best is None or found[0] < best[0]:
            best = found
        if best[0][:2] <= aim:
            break
    return best


def read(path: Path) -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}
    return loaded


def write(path: Path, entries: dict[str, dict[str, Any]]) -> None:
    """Write one line per entry, in the order of the fields, so that a diff shows each change."""
    ordered = sorted(entries.items(), key=lambda item: tuple(map(int, item[0].split("x"))))
    lines = [f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}" for name, entry in ordered]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def improve_rotations(wanted: list[Cell], moves: int, seed: int) -> None:
    for p, r in wanted:
        name = f"{p}x{r}"
        held = read(ROTATIONS).get(name)
        if held is not None and held["key"][:2] == list(goal(p, r)):
            continue
        found = search_rotation(p, r, moves, seed)
        if found is None:
            continue
        key, rotation = found
        better = held is None or list(key) < held["key"]
        if better:
            entry = {"key": list(key), "group": rotation.group, "rounds": rotation.rounds}
            write(ROTATIONS, read(ROTATIONS) | {name: entry})
        print(f"{name} seed {seed}: {key} {'kept' if better else ''}", flush=True)


def search_schedule(players: int, rounds: int, moves: int, seed: int) -> tuple[Excess, Rounds]:
    """A schedule with more rounds than are possible without repeats."""
    problem = seating_problem(Request(tuple(range(1, players + 1)), rounds))
    found = crowd(problem, Budget(moves), moves, random.Random(f"{players} {rounds} {seed}")).rounds
    return excess(found), found


Excess = tuple[int, int]


def excess(rounds: Rounds) -> Excess:
    """The most meetings of a pair, and how many meetings are repeats."""
    met: dict[tuple[int, int], int] = {}
    for seats in rounds:
        for t in range(0, len(seats), 4):
            for pair in combinations(sorted(seats[t : t + 4]), 2):
                met[pair] = met.get(pair, 0) + 1
    return max(met.values()), sum(count - 1 for count in met.values())


def improve_schedules(wanted: list[Cell], moves: int, seed: int) -> None:
    for p, r in wanted:
        name = f"{p}x{r}"
        held = read(SCHEDULES).get(name)
        if held is not None and held["excess"] == [2, max(0, p * (3 * r - p + 1) // 2)]:
            continue
        found, rounds = search_schedule(p, r, moves, seed)
        better = held is None or list(found) < held["excess"]
        if better:
            write(SCHEDULES, read(SCHEDULES) | {name: {"excess": list(found), "rounds": rounds}})
        print(f"{name} seed {seed}: {found} {'kept' if better else ''}", flush=True)


def improve_cyclic(wanted: list[Cell], moves: int, seed: int) -> None:
    """Find repeat-free designs with as many rounds as the cyclic group has members, for cells without a design."""
    for p, r in wanted:
        name = f"{p}x{r}"
        if name in read(CYCLIC):
            continue
        orbits = 3 if p - 3 * r <= p // 4 else p // r
        group = Group(r, orbits, p - orbits * r)
        if group.fixed > p // 4:
            continue
        base = BaseSearch(group, 1, random.Random(f"{name} {seed}"))
        cost, found = base.anneal(Budget(moves).part("base round"), 0, BASE_HEAT * r)
        if cost == 0:
            entry = {"n": r, "k": orbits, "e": group.fixed, "base": found[0]}
            write(CYCLIC, read(CYCLIC) | {name: entry})
        print(f"{name} seed {seed}: cost {cost} {'kept' if cost == 0 else ''}", flush=True)


def span(text: str, step: int = 1) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1, step)


IMPROVE = {"rotations": improve_rotations, "schedules": improve_schedules, "cyclic": improve_cyclic}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=tuple(IMPROVE), help="which file of data/ to improve")
    parser.add_argument("--cells", help="fields one by one, as 20x7,24x8; else all of --players and --rounds")
    parser.add_argument("--players", default="16-172")
    parser.add_argument("--rounds", default="2-15")
    parser.add_argument("--moves", type=int, default=60_000, help="moves for every cell and seed")
    parser.add_argument("--seed", default="0", help="one seed, or a range such as 0-9")
    given = parser.parse_args()
    if given.cells:
        wanted = [(int(p), int(r)) for p, _, r in (cell.partition("x") for cell in given.cells.split(","))]
    else:
        wanted = [(p, r) for p in span(given.players, 4) for r in span(given.rounds) if 3 * r < p]
    for seed in span(given.seed):
        IMPROVE[given.kind](wanted, given.moves, seed)


if __name__ == "__main__":
    main()
