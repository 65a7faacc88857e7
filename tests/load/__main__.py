"""`python -m tests.load [--seconds N]`: leaderboard, player, screen and entry, nine readers to one writer.

gunicorn on loopback serves a copy of the large season; slices of the mixed load alternate with slices of a view that
returns one word, so that a busy machine slows both. Prints ratios; ends with 1 after any error, or when the memory of
a worker still grows in the second half of the run.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.measure import Figure, Line, Mark
from tests.faults import results
from tests.faults.site import SQLITE, Server, Site
from tests.faults.visitor import Visitor
from tests.scale import store

CLIENTS = WORKERS = 4
SLICES = 8  # of the mixed load; after each comes one of the empty view, a quarter as long
SECONDS = 32.0
EMPTY = "/bench/empty/"
PLAYERS = 50  # how many players' pages are opened
MOST_GROWTH = 1.10  # of a worker's memory from the middle of the run to its end


@dataclass
class Measured:
    """The seconds of every answer by kind of page, and the errors."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    lasted: float = 0.0

    @property
    def count(self) -> int:
        return sum(map(len, self.seconds.values()))

    @property
    def per_second(self) -> float:
        return self.count / self.lasted

    def p95(self, kind: str | None = None) -> float:
        wanted = self.seconds[kind] if kind else [each for several in self.seconds.values() for each in several]
        return statistics.quantiles(wanted, n=20)[-1]


class Client:
    """A visitor who reads pages, and a scorer who sometimes enters a game."""

    def __init__(self, base: str, scene: dict[str, Any], number: int) -> None:
        self.scene, self.dice = scene, random.Random(number)
        self.reader, self.scorer = Visitor(base), Visitor(base)
        self.scorer.log_in(scene["users"][number], scene["password"])
        page = self.scorer.get(f"/admin/ratings/hanchan/add/?season={scene['season']}")
        self.page, self.form = page, page.form("seat0-player", "submit_key")

    def mixed(self, measured: Measured) -> None:
        if self.dice.random() < 0.1:
            self.enter(measured)
            return
        kind = self.dice.choice(("leaderboard", "player", "screen"))
        address = self.dice.choice(self.scene["players"]) if kind == "player" else self.scene[kind]
        self.look(kind, address, measured)

    def empty(self, measured: Measured) -> None:
        self.look("empty", EMPTY, measured)

    def look(self, kind: str, address: str, measured: Measured) -> None:
        answer = self.reader.get(address)
        measured.seconds[kind].append(answer.seconds)
        if answer.status != 200:
            measured.errors[f"{kind} {answer.status}"] += 1
        self.reader.seen.clear()

    def enter(self, measured: Measured) -> None:
        people = self.dice.sample(self.scene["people"], 4)
        points = [35_000, 30_000, 25_000, self.scene["sum"] - 90_000]
        fields = {f"seat{wind}__player_id": str(pk) for wind, (pk, _name) in enumerate(people)}
        fields |= {f"seat{wind}__player": name for wind, (_pk, name) in enumerate(people)}
        fields |= {f"seat{wind}__points": str(mine) for wind, mine in enumerate(points)}
        fields |= {"submit_key": str(uuid.uuid4()), "date": self.scene["day"]}
        answer = self.scorer.send(self.page, self.form, ("action", "save"), **fields)
        measured.seconds["entry"].append(answer.seconds)
        if not answer.is_redirect:
            measured.errors[f"entry {answer.status}"] += 1
        self.scorer.seen.clear()


def slice_of(clients: list[Client], what: str, seconds: float, into: Measured) -> None:
    """Run all clients at once for so many seconds."""
    own = [Measured() for _client in clients]
    began = time.monotonic()

    def work(client: Client, measured: Measured) -> None:
        act = client.mixed if what == "mixed" else client.empty
        while time.monotonic() < began + seconds:
            act(measured)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(clients, own, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    into.lasted += time.monotonic() - began
    for measured in own:
        into.errors.update(measured.errors)
        for kind, seen in measured.seconds.items():
            into.seconds[kind] += seen


def memory(server: Server) -> list[int]:
    """Resident kilobytes of each worker."""
    master = server.process.pid
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    lines = (line for pid in sorted(children) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return [int(line.split()[1]) for line in lines if line.startswith("VmRSS")]


def run(seconds: float) -> Iterator[Line]:
    with tempfile.TemporaryDirectory(prefix="umaoka-load-") as folder:
        file = Path(folder) / "load.sqlite3"
        shutil.copy(store.ready(), file)
        site = Site(SQLITE, f"sqlite:///{file}", Path(folder), {"DJANGO_SETTINGS_MODULE": "tests.load.settings"})
        scene = site.ask("tests.faults.scenes", "load", PLAYERS)
        with site.serve(workers=WORKERS) as server:
            yield from measure(server, scene, seconds)
        assert site.is_sound()


def measure(server: Server, scene: dict[str, Any], seconds: float) -> Iterator[Line]:
    clients = [Client(server.base, scene, number) for number in range(CLIENTS)]
    mixed, empty, warm_up = Measured(), Measured(), Measured()
    slice_of(clients, "mixed", seconds / SLICES, warm_up)
    sizes = [memory(server)]
    for _slice in range(SLICES):
        slice_of(clients, "mixed", seconds / SLICES, mixed)
        slice_of(clients, "empty", seconds / SLICES / 4, empty)
        sizes.append(memory(server))
    growth = max(last / middle for middle, last in zip(sizes[SLICES // 2], sizes[-1], strict=True))
    first, last = (sum(each) / len(each) / 1024 for each in (sizes[0], sizes[-1]))
    errors = mixed.errors + empty.errors + warm_up.errors
    yield Figure("requests of the mixed load", f"{mixed.count}, {len(mixed.seconds['entry'])} of them entries")
    yield Figure("errors", str(dict(errors) or "none"))
    yield Figure("requests per second", f"{mixed.per_second:.0f}; empty view {empty.per_second:.0f}")
    yield Figure("requests per second as a share of the empty view's", f"{mixed.per_second / empty.per_second:.2f}×")
    yield Figure("p95 against the empty view's", f"{mixed.p95() / empty.p95():.1f}×")
    shares = {kind: mixed.p95(kind) / empty.p95() for kind in ("leaderboard", "player", "screen", "entry")}
    yield Figure("p95 of each against it", ", ".join(f"{kind} {ratio:.1f}×" for kind, ratio in shares.items()))
    yield Figure("memory of a worker", f"{first:.0f} MB after warming up, {last:.0f} MB at the end")
    yield Mark("memory, end against the middle of the run", growth, at_most=MOST_GROWTH)
    yield Mark("answers that were errors", sum(errors.values()), at_most=0, unit="")
    results.keep(
        "load",
        requests=mixed.count,
        entries=len(mixed.seconds["entry"]),
        errors=sum(errors.values()),
        per_second=round(mixed.per_second / empty.per_second, 2),
        p95={"all": round(mixed.p95() / empty.p95(), 1), **{kind: round(each, 1) for kind, each in shares.items()}},
        memory=[round(first), round(last)],
        growth=round(growth, 2),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of mixed load, without setting up")
    wanted = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    over = []
    for line in run(wanted.seconds):
        print(line, flush=True)
        if isinstance(line, Mark) and not line.kept:
            over.append(line.label)
    sys.exit(f"over: {', '.join(over)}" if over else 0)


if __name__ == "__main__":
    main()
