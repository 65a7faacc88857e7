"""`python -m tests.faults.races`: two writes at the same time, in both orders, on the engine of DATABASE_URL.

The first writer has written everything but not committed. The second starts; when it waits for the first or is done,
the first commits. PostgreSQL says who waits for whom; SQLite allows no second writer at all. Prints as JSON, for each
pair of writes, how both ended and what was left on players merged away.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import django

PATIENCE = 60
POINTS = (45_000, 35_000, 25_000, 15_000)
Act = Callable[[], object]


class Pair:
    """Two writes at the same time; each ends with "done", with the code of a refusal, or with an exception."""

    def __init__(self, first: Act, second: Act) -> None:
        self.acts = {"first": first, "second": second}
        self.written, self.go_on = threading.Event(), threading.Event()
        self.backends: dict[str, int] = {}
        self.ended: dict[str, str] = {}

    def run(self) -> dict[str, Any]:
        one = self._start("first", self._and_wait)
        assert self.written.wait(PATIENCE)
        two = self._start("second", lambda: self.acts["second"]())
        waited = self._stands_behind(two)
        self.go_on.set()
        for thread in (one, two):
            thread.join(PATIENCE)
        return {"waited": waited, **self.ended}

    def _and_wait(self) -> None:
        from django.db import transaction

        with transaction.atomic():
            self.acts["first"]()
            self.written.set()
            assert self.go_on.wait(PATIENCE), "nobody let the first commit"

    def _start(self, who: str, act: Act) -> threading.Thread:
        thread = threading.Thread(target=self._guarded, args=(who, act), daemon=True)
        thread.start()
        return thread

    def _guarded(self, who: str, act: Act) -> None:
        from django.db import connection

        from ratings.mahjong.problems import Refused
        from ratings.services.hanchans import SubmittedBefore

        try:
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_backend_pid()")
                    self.backends[who] = cursor.fetchone()[0]
            act()
            self.ended[who] = "done"
        except Refused as refused:
            self.ended[who] = refused.problems[0].code
        except SubmittedBefore:
            self.ended[who] = "submitted before"
        except BaseException as failure:
            self.ended[who] = repr(failure)
        finally:
            self.written.set()
            connection.close()

    def _stands_behind(self, second: threading.Thread) -> bool:
        """Whether the second waits for the first; false if it ended without waiting."""
        from django.db import connection

        if connection.vendor != "postgresql":
            second.join(0.3)
            return second.is_alive()
        end = time.monotonic() + PATIENCE
        while second.is_alive() and time.monotonic() < end:
            if "second" in self.backends:
                pids = [self.backends["first"], self.backends["second"]]
                with connection.cursor() as cursor:
                    cursor.execute("SELECT %s = ANY(pg_blocking_pids(%s))", pids)
                    if cursor.fetchone()[0]:
                        return True
            time.sleep(0.02)
        return False


class World:
    """A season with its own rules, which no game uses yet, and two player rows for one person."""

    def __init__(self) -> None:
        from ratings.models import Player
        from ratings.services.players import save_player
        from tests.cast import make_club, make_players, make_season

        self.club = make_club(slug=f"club-{uuid.uuid4().hex[:8]}")
        self.season, self.other_season = make_season(self.club), make_season(self.club)
        self.others = make_players(4)
        self.twin, self.survivor = Player(native_name="Written twice"), Player(native_name="Written once")
        for player in (self.twin, self.survivor):
            save_player(player)

    # --- merging and rules ------------------------------------------------------------------------------------

    def merge(self) -> None:
        from ratings.services.merging import merge_players

        merge_players(self.twin, self.survivor)

    def undo(self) -> None:
        from ratings.models import PlayerMerge
        from ratings.services.merging import undo_merge

        undo_merge(PlayerMerge.objects.get(merged=self.twin))

    def change_rules(self) -> None:
        """Multiply the uma by ten."""
        from ratings.services.rulesets import as_file, change_rule_set

        content = as_file(self.season.rule_set)
        rules = replace(content.rules, uma=(90_000, 30_000, -30_000, -90_000))
        change_rule_set(self.season.rule_set, replace(content, rules=rules))

    # --- what is entered for the player who is merged away ----------------------------------------------------

    def sheet(self, **east: Any) -> Any:
        from tests.cast import make_sheet

        return make_sheet([self.twin, *self.others[:3]], *POINTS, east=east)

    def record(self) -> None:
        from ratings.services.hanchans import record_hanchan

        record_hanchan(self.season, self.sheet())

    def draft(self) -> None:
        from ratings.services.hanchans import record_hanchan

        record_hanchan(self.season, self.sheet(), draft=True)

    def stand_in(self) -> None:
        from ratings.services.hanchans import record_hanchan
        from tests.cast import make_sheet

        east = {"substitute": "from_start", "played_by": self.twin.pk}
        record_hanchan(self.season, make_sheet(self.others, *POINTS, east=east))

    def correct(self) -> Act:
        """A game of four others turns out to have been the twin's."""
        from ratings.services.hanchans import change_hanchan, record_hanchan
        from tests.cast import make_sheet

        game = record_hanchan(self.season, make_sheet(self.others, *POINTS))
        return lambda: change_hanchan(game, self.sheet(), version=game.version, reason="the other one")

    def import_games(self) -> Act:
        """Plan the import now, write it later."""
        from ratings.models import Season
        from ratings.services.hanchans import make_ready, record_hanchans

        season = Season.objects.select_related("club", "rule_set").get(pk=self.season.pk)
        games = [make_ready(season, self.sheet())]
        return lambda: record_hanchans(season, games)

    def penalty(self) -> None:
        from ratings.models import Adjustment
        from ratings.services.adjustments import give

        give(self.season, self.twin, Adjustment.Kind.PENALTY, -1000, "late")

    def import_penalties(self) -> None:
        from ratings.models import Adjustment
        from ratings.services.adjustments import give_many

        kept = {"kind": Adjustment.Kind.PENALTY, "points": -1000, "reason": "late", "given_on": self.season.starts_on}
        give_many(self.season, [Adjustment(season=self.season, player=self.twin, **kept)])

    # --- at an event ------------------------------------------------------------------------------------------

    def hall(self) -> Any:
        from tests.tournaments.hall import Hall

        return Hall(3, club=self.club, slug=f"open-{self.club.pk}", preset="ema-2012")

    def entry(self) -> Act:
        from tournaments.services.entries import enter

        hall = self.hall()
        return lambda: enter(hall.tournament, self.twin)

    def event_penalty(self) -> Act:
        from tournaments.services.entries import enter
        from tournaments.services.rulings import give_penalty

        hall = self.hall()
        stage, entry = hall.stage(), enter(hall.tournament, self.twin)
        return lambda: give_penalty(stage, entry, 1000, "late", after_round=1)

    def table(self) -> Act:
        """Read the entries of a table now, as a page does, and write its result later."""
        from tournaments.services.entries import enter
        from tournaments.services.tables import record_table

        hall = self.hall()
        enter(hall.tournament, self.twin)
        hall.seat(1, [1, 2, 3, 4])
        table = hall.table()
        facts = hall.sheet(table)
        return lambda: record_table(table, facts)

    def anonymise(self) -> None:
        from ratings.services.anonymising import anonymise

        anonymise(self.twin)

    def known_number(self) -> None:
        """An EMA number identifies a player, and entries copy it."""
        from ratings.models import Player
        from ratings.services.players import save_player

        self.twin.ema_number = "04010000"
        save_player(self.twin)
        self.twin = Player.objects.get(pk=self.twin.pk)

    # --- afterwards -------------------------------------------------------------------------------------------

    def left_behind(self) -> dict[str, int]:
        """The rows that still belong to a player who was merged away."""
        from ratings.models import Adjustment, Affiliation, Seat
        from tournaments.models import Entry

        rows = {
            "seats": Seat.objects.filter(player__merged_into__isnull=False),
            "seats for others": Seat.objects.filter(played_by__merged_into__isnull=False),
            "penalties": Adjustment.objects.filter(player__merged_into__isnull=False),
            "entries": Entry.objects.filter(player__merged_into__isnull=False),
            "affiliations": Affiliation.objects.filter(player__merged_into__isnull=False),
        }
        return {name: found.count() for name, found in rows.items() if found.exists()}


WRITES = ("record", "draft", "stand_in", "penalty", "import_penalties")
PREPARED = ("correct", "import_games", "entry", "event_penalty", "table")  # read something before


def against_merge() -> dict[str, Any]:
    found = {}
    for name in (*WRITES, *PREPARED):
        for merge_first in (True, False):
            world = World()
            write = getattr(world, name)() if name in PREPARED else getattr(world, name)
            acts = (world.merge, write) if merge_first else (write, world.merge)
            order = f"merge, {name}" if merge_first else f"{name}, merge"
            found[order] = {**Pair(*acts).run(), "left behind": world.left_behind()}
    world = World()
    world.merge()
    found["undo, record"] = {**Pair(world.undo, world.record).run(), "left behind": world.left_behind()}
    return found


def against_rules() -> dict[str, Any]:
    found = {}
    for name in ("record", "import_games"):
        for change_first in (True, False):
            world = World()
            write = getattr(world, name)() if name in PREPARED else getattr(world, name)
            acts = (world.change_rules, write) if change_first else (write, world.change_rules)
            order = f"change_rules, {name}" if change_first else f"{name}, change_rules"
            found[order] = {**Pair(*acts).run(), "versions": world.club.rule_sets.count() - 1}
    return found


def against_anonymising() -> dict[str, Any]:
    found = {}
    for order in ("anonymise, entry", "entry, anonymise"):
        world = World()
        world.known_number()
        acts = {"anonymise": world.anonymise, "entry": world.entry()}
        ended = Pair(*(acts[name] for name in order.split(", "))).run()
        world.twin.refresh_from_db()
        numbers = world.twin.entries.values_list("ema_number", flat=True)
        found[order] = {**ended, "known": world.twin.ema_number, "entered": list(numbers)}
    return found


def with_one_key() -> dict[str, Any]:
    """One form posted to two seasons at once: two locks."""
    from ratings.models import Adjustment, Hanchan
    from ratings.services.adjustments import give
    from ratings.services.hanchans import record_hanchan

    world, key = World(), uuid.uuid4()
    seasons = (world.season, world.other_season)
    games = [lambda each=each: record_hanchan(each, world.sheet(), submit_key=key) for each in seasons]
    penalty = (world.twin, Adjustment.Kind.PENALTY, -1000, "late")
    fines = [lambda each=each: give(each, *penalty, submit_key=key) for each in seasons]
    return {
        "game, game": {**Pair(*games).run(), "stored": Hanchan.objects.filter(submit_key=key).count()},
        "penalty, penalty": {**Pair(*fines).run(), "stored": Adjustment.objects.filter(submit_key=key).count()},
    }


if __name__ == "__main__":
    django.setup()
    found = {"merge": against_merge(), "rules": against_rules(), "anonymising": against_anonymising()}
    print(json.dumps({**found, "key": with_one_key()}))
