"""`python -m tests.faults.interleaving [--unlocked]`: two games of the same players in a forced order, on PostgreSQL.

The first writer has written everything but not committed. The second starts, and when PostgreSQL says that it waits for
the first, the first commits. With --unlocked the season is read without a lock, to show what the lock is good for.
Prints the standings as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import django

PATIENCE = 60
POINTS = ((50_000, 35_000, 25_000, 10_000), (40_000, 40_000, 20_000, 20_000))
EARLIER = (30_000, 31_000, 29_000, 30_000)  # so that there are standings to overwrite


class Interleaving:
    def __init__(self) -> None:
        from ratings.services.hanchans import record_hanchan
        from tests.cast import make_players, make_season, make_sheet

        self.season, self.players = make_season(), make_players()
        record_hanchan(self.season, make_sheet(self.players, *EARLIER))
        self.written, self.go_on = threading.Event(), threading.Event()
        self.backends: dict[str, int] = {}
        self.failures: list[BaseException] = []

    def first(self) -> None:
        from django.db import transaction

        with transaction.atomic():
            self.record("first", POINTS[0])
            self.written.set()
            assert self.go_on.wait(PATIENCE), "nobody let the first writer commit"

    def second(self) -> None:
        self.record("second", POINTS[1])

    def record(self, who: str, points: tuple[int, ...]) -> None:
        from django.db import connection

        from ratings.services.hanchans import record_hanchan
        from tests.cast import make_sheet

        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            self.backends[who] = cursor.fetchone()[0]
        record_hanchan(self.season, make_sheet(self.players, *points))

    def start(self, act: Any) -> threading.Thread:
        def guarded() -> None:
            from django.db import connection

            try:
                act()
            except BaseException as failure:
                self.failures.append(failure)
            finally:
                connection.close()

        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        return thread

    def second_waits_for_first(self) -> bool:
        """Whether PostgreSQL says that the second waits for the first."""
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT %s = ANY(pg_blocking_pids(%s))", [self.backends["first"], self.backends["second"]])
            return bool(cursor.fetchone()[0])

    def run(self) -> dict[str, Any]:
        from ratings.models import Standing

        one = self.start(self.first)
        assert self.written.wait(PATIENCE), self.failures
        two = self.start(self.second)
        end = time.monotonic() + PATIENCE
        while not (waited := "second" in self.backends and self.second_waits_for_first()) and time.monotonic() < end:
            assert not self.failures, self.failures
            time.sleep(0.02)
        self.go_on.set()
        for thread in (one, two):
            thread.join(PATIENCE)
        assert not self.failures, self.failures
        standings = Standing.objects.filter(season=self.season)
        return {
            "waited": waited,
            "games": sorted(standings.values_list("games", flat=True)),
            "results": {str(player): results for player, results in standings.values_list("player_id", "results")},
            "expected": self.expected(),
        }

    def expected(self) -> dict[str, int]:
        from ratings.mahjong import scoring
        from tests.cast import make_sheet

        rules = self.season.rule_set.rules
        scores = [scoring.score(make_sheet(self.players, *points).as_table(), rules) for points in (EARLIER, *POINTS)]
        return {str(player.pk): sum(score[seat].total for score in scores) for seat, player in enumerate(self.players)}


def without_lock() -> None:
    """Make writers read the season without locking it, as careless code would."""
    from ratings.models import Season
    from ratings.services import hanchans

    def read(season_id: int) -> Season:
        return Season.objects.select_related("club", "rule_set").get(pk=season_id)

    hanchans.lock = read  # type: ignore[attr-defined]


if __name__ == "__main__":
    django.setup()
    if "--unlocked" in sys.argv:
        without_lock()
    print(json.dumps(Interleaving().run()))
