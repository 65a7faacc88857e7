"""Our schedules against the best public tables, cell by cell: `python -m tests.bench.seating_peers`.

data/peer_quality.csv holds the figures measured on those tables. This takes some minutes and is not for every commit.
Ends with status 1 when a cell is worse in repeats or winds, when more than 20 cells are worse in pairs without a common
opponent, or when fewer than 150 cells are better.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from tournaments.seating.plan import make
from tournaments.seating.request import Request, Schedule
from tournaments.seating.verify import certify

PEERS = Path(__file__).parent / "data" / "peer_quality.csv"
MOVES = 60_000
Figures = tuple[int, int, int]
NAMES = ("repeats", "wind range at the end", "pairs without a common opponent")


def final_winds(schedule: Schedule) -> int:
    """The largest difference between a player's counts of winds at the end, measured as for the public tables."""
    counts: dict[int, list[int]] = {}
    for games in schedule.rounds:
        for game in games:
            for wind, player in enumerate(game):
                counts.setdefault(player, [0, 0, 0, 0])[wind] += 1
    return max(max(held) - min(held) for held in counts.values())


def ours(players: int, rounds: int) -> Figures:
    request = Request(tuple(range(1, players + 1)), rounds, moves=MOVES)
    schedule = make(request)
    certificate = certify(request, schedule)
    return certificate["excess"].value or 0, final_winds(schedule), certificate["zero_indirect"].value or 0


def main() -> None:
    worse: dict[str, list[str]] = {name: [] for name in NAMES}
    better = cells = 0
    with PEERS.open() as lines:
        for row in csv.DictReader(lines):
            cell = f"{row['players']}×{row['hanchans']}"
            theirs = int(row["excess_meetings"]), int(row["wind_range"]), int(row["unmet_zero_indirect"])
            made = ours(int(row["players"]), int(row["hanchans"]))
            cells += 1
            better += any(mine < other for mine, other in zip(made, theirs, strict=True))
            for name, mine, other in zip(NAMES, made, theirs, strict=True):
                if mine > other:
                    worse[name].append(f"{cell} {mine} > {other}")
            print(f"\r{cells} cells, {better} strictly better", end="", file=sys.stderr, flush=True)
    print(f"\n{cells} cells; strictly better in at least one figure: {better}")
    for name, found in worse.items():
        print(f"worse in {name}: {len(found)} {'; '.join(found)}")
    repeats, winds, strangers = (len(worse[name]) for name in NAMES)
    sys.exit(0 if not repeats and not winds and strangers <= 20 and better >= 150 else 1)


if __name__ == "__main__":
    main()
