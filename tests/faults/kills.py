"""`python -m tests.faults.kills import|replay|confirm FOLDER`: kill −9 before one statement after another.

Works on the database of DATABASE_URL. A child process does the work and kills itself: just before it commits, then
before its first statement, before later ones up to its last, and just after it commits. After each kill that left the
old state, a full run shows that the same command finishes the job. Prints the findings as JSON.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

GAMES = 200  # written in dozens of statements
MOST = 8  # how many statements are tried, spread from the first to the last
OLD, NEW, MIX = "old", "new", "mix"
NOT_COUNTED = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")  # a full run has more of them, in our outer transaction


@dataclass(frozen=True)
class Work:
    """Something that writes many rows.

    `recover` is what the site does by itself when one of its processes died, `says` is what it tells users about the
    state of the work, and `repeat` is what a user does who does not know that the work was finished.
    """

    do: Callable[[], None]
    repeat: Callable[[], None] = lambda: None
    recover: Callable[[], None] = lambda: None
    says: Callable[[], str] = lambda: ""


# --- the three works ----------------------------------------------------------------------------------------


def make_import(folder: Path) -> Work:
    from django.core.management import call_command

    from ratings.services.hanchans import record_hanchan
    from tests.cast import make_players, make_season, make_sheet
    from tests.ratings.files import WIDE, csv, wide

    season, players = make_season(slug="spring"), make_players()
    record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))
    names = [*(player.native_name for player in players[:3]), "Somebody New"]
    rows = [wide("2026-04-17", names, [45_200, 31_100, 25_700, 18_000], game=number) for number in range(GAMES)]
    file = folder / "old.csv"
    file.write_bytes(csv(WIDE, *rows))

    def do() -> None:
        with open(os.devnull, "w") as nowhere:
            call_command("import_games", file, season="furiten/spring", new_guests=True, stdout=nowhere)

    return Work(do, repeat=do)


def make_replay(folder: Path) -> Work:
    from clubsite import jobs
    from clubsite.models import Job
    from tests.cast import make_rule_set
    from tests.scale.season import build_season

    season = build_season(GAMES, 40, formula="elo")
    rules = make_rule_set(season.club, "m-league")
    params = {"season": season.pk, "rule_set": rules.pk, "reason": ""}

    def do() -> None:
        job = Job.objects.create(kind="replay", title="", scope=str(season.club_id), params=params)
        jobs.run(job.pk)

    def recover() -> None:
        jobs.give_up(Job.objects.all())  # as a worker does whose process was killed; tests/clubsite/test_jobs.py

    def says() -> str:
        return NEW if Job.objects.filter(state=Job.State.DONE).exists() else OLD

    return Work(do, recover=recover, says=says)


def make_confirm(folder: Path) -> Work:
    from django.test import Client

    from tests.cast import make_user
    from tests.tournaments.hall import Hall
    from tournaments.models import Table
    from tournaments.services.rounds import start_clock
    from tournaments.services.tables import check_table, record_table

    hall = Hall(9)
    hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8), absent=(9,))
    start_clock(hall.round(1))
    for table in Table.objects.filter(round=hall.round(1)):
        check_table(record_table(table, hall.sheet(table)))
    client = Client()
    client.force_login(make_user("referee", hall.tournament.club, "referee"))

    def do() -> None:
        answer = client.post("/tournaments/open/manage/rounds/1/1/confirm/")
        assert answer.status_code == 302, answer.content

    return Work(do, repeat=do)


WORKS = {"import": make_import, "replay": make_replay, "confirm": make_confirm}


# --- states -------------------------------------------------------------------------------------------------


def rows(exactly: bool, known: dict[str, int]) -> dict[str, list[str]]:
    """Every row of our apps except jobs, which hold the progress of a job.

    Without `exactly` the values that differ from run to run are left out: times, and the ids of new rows.
    """
    from django.apps import apps

    found = {}
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        if meta.app_label in ("clubsite", "ratings", "tournaments") and meta.model_name != "job":
            fields = [field for field in meta.concrete_fields if exactly or not _runs_differ(field)]
            values = model._default_manager.order_by("pk").values_list(*(field.attname for field in fields))
            lines = [repr([_named(*pair, known, exactly) for pair in zip(fields, row, strict=True)]) for row in values]
            found[meta.label] = sorted(lines)
    return found


def _runs_differ(field: Any) -> bool:
    return bool(field.primary_key or field.name in ("id", "elapsed_seconds", "revision"))


def _named(field: Any, value: Any, known: dict[str, int], exactly: bool) -> Any:
    if exactly or value is None:
        return value
    if field.get_internal_type() == "DateTimeField" and field.name != "played_at":
        return "some moment"
    if field.get_internal_type() == "JSONField":  # sheets name players by their numbers
        newest = known["ratings.Player"]
        text = json.dumps(value, sort_keys=True)
        return re.sub(r'"player": (\d+)', lambda at: at[0] if int(at[1]) <= newest else '"player": "new"', text)
    if field.remote_field is None:
        return value
    return value if value <= known[field.remote_field.model._meta.label] else "new"


def last_numbers() -> dict[str, int]:
    from django.apps import apps
    from django.db.models import Max

    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.pk.name != "session_key"]
    found = {model._meta.label: model._default_manager.aggregate(last=Max("pk"))["last"] for model in models}
    return {label: last if isinstance(last, int) else 0 for label, last in found.items()}


# --- killing ------------------------------------------------------------------------------------------------


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def counting(kill_before: int | None = None) -> Iterator[list[str]]:
    """Collect the statements; kill this process before the statement number `kill_before`."""
    from django.db import connection

    seen: list[str] = []

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(NOT_COUNTED):
            if len(seen) == kill_before:
                die()
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield seen


def in_child(act: Callable[[], None]) -> bool:
    """Run `act` in a child process; return whether the child was killed."""
    from django.db import connections

    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0 if sys.exc_info()[0] is None else 1)
    _pid, status = os.waitpid(child, 0)
    wait_for_the_database()
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) == signal.SIGKILL
    assert os.WEXITSTATUS(status) == 0, "the child failed by itself"
    return False


def wait_for_the_database() -> None:
    """Wait until PostgreSQL has noticed that the child is gone."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for _try in range(600):
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            if cursor.fetchone() == (1,):
                return
            time.sleep(0.05)
    raise AssertionError("PostgreSQL keeps the connection of a dead process")


def killed_at_statement(work: Work, number: int) -> bool:
    def act() -> None:
        with counting(number):
            work.do()

    return in_child(act)


def killed_at_commit(work: Work, *, before: bool) -> bool:
    """Kill the child just before the commit reaches the database, or just after it was answered."""

    def act() -> None:
        from django.db.backends.base.base import BaseDatabaseWrapper

        commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]

        def last_act(wrapper: Any) -> None:
            if not before:
                commit(wrapper)
            die()

        BaseDatabaseWrapper._commit = last_act  # type: ignore[attr-defined]
        work.do()

    return in_child(act)


# --- the run ------------------------------------------------------------------------------------------------


class TakenBack(Exception):
    """Rolls back a full run that was only made for comparison."""


def full_run(work: Work, known: dict[str, int]) -> tuple[dict[str, list[str]], int]:
    """The rows after the work, and how many statements it takes; everything is then rolled back."""
    from django.db import transaction

    try:
        with transaction.atomic(), counting() as seen:
            work.do()
            count, after = len(seen), rows(False, known)
            raise TakenBack
    except TakenBack:
        return after, count


def spread(count: int) -> list[int]:
    """At most MOST of `count` statements, with the first and the last among them."""
    if count <= MOST:
        return list(range(count))
    return sorted({round(index * (count - 1) / (MOST - 1)) for index in range(MOST)})


@dataclass
class Trial:
    """One work that is killed at one place after another; its old and new states are known."""

    work: Work
    known: dict[str, int]
    old: dict[str, list[str]]
    new: dict[str, list[str]]

    def state(self) -> str:
        return OLD if rows(True, self.known) == self.old else NEW if rows(False, self.known) == self.new else MIX

    def explain(self) -> None:
        """Print some rows that differ from the new state."""
        for label, found in rows(False, self.known).items():
            for line in sorted(set(found) ^ set(self.new[label]))[:4]:
                print(label, "stored" if line in found else "missing", line[:1000], file=sys.stderr)

    def after(self, place: str, killed: bool) -> dict[str, Any]:
        """The state after a kill, and whether the same command then finishes the job."""
        then, says = self.state(), self.work.says()
        if then == MIX:
            self.explain()
        self.work.recover()
        if then == OLD:
            finishes = full_run(self.work, self.known)[0] == self.new
        else:
            self.work.repeat()
            finishes = then == NEW and self.state() == NEW
        return {"at": place, "killed": killed, "state": then, "says": says, "finishes": finishes}

    def kills(self, statements: int) -> Iterator[dict[str, Any]]:
        """Kill at one place after another, until a kill at a statement no longer leaves the old state."""
        yield self.after("before the commit", killed_at_commit(self.work, before=True))
        for number in spread(statements):
            found = self.after(f"statement {number + 1}", killed_at_statement(self.work, number))
            yield found
            if found["state"] != OLD:
                return
        yield self.after("after the commit", killed_at_commit(self.work, before=False))


def run(name: str, folder: Path) -> dict[str, Any]:
    work = WORKS[name](folder)
    known = last_numbers()
    old, (new, statements) = rows(True, known), full_run(work, known)
    assert rows(True, known) == old
    assert rows(False, known) != new, "the work does nothing"
    return {"statements": statements, "kills": list(Trial(work, known, old, new).kills(statements))}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(run(sys.argv[1], Path(sys.argv[2]))))
