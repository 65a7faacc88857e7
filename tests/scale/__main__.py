"""`python -m tests.scale`: makes the large season, with a small one beside it to compare with.

Without --database the file is kept under var/scale for the benches; with one, the seasons are added to it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import django

from tests.scale import store

SMALL_HANCHANS, SMALL_PLAYERS = 100, 40


def main() -> None:
    wanted = arguments()
    path = store.place(wanted.hanchans, wanted.players, wanted.formula)
    if wanted.database:
        build(wanted, wanted.database)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    remove(draft)
    build(wanted, f"sqlite:///{draft}")
    draft.replace(path)
    for old in store.outdated(path):
        remove(old)
    print(path)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.scale", description=__doc__)
    parser.add_argument("--hanchans", type=int, default=store.HANCHANS)
    parser.add_argument("--players", type=int, default=store.PLAYERS)
    parser.add_argument("--formula", choices=("sum", "average", "elo", "tenhou"), default="sum")
    parser.add_argument("--database", metavar="URL", help="sqlite:////path/file or postgres://user:password@host/name")
    return parser.parse_args()


def build(wanted: argparse.Namespace, database: str) -> None:
    os.environ["DATABASE_URL"] = database
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from tests.scale.season import build_season

    began = time.perf_counter()
    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -262144")  # KiB: the indexes stay in memory while they grow
    build_season(wanted.hanchans, wanted.players, slug="large", formula=wanted.formula, progress=show)
    build_season(SMALL_HANCHANS, SMALL_PLAYERS, slug="small", formula=wanted.formula)
    connection.close()  # the last to close folds SQLite's write-ahead log into the file
    print(f"{wanted.hanchans} hanchans in {time.perf_counter() - began:.0f} s", file=sys.stderr)


def show(done: int, of: int) -> None:
    """A line that counts on a terminal; elsewhere a line for every quarter."""
    if sys.stderr.isatty():
        print(f"\r\033[K{done} of {of} hanchans", end="\n" if done == of else "", file=sys.stderr, flush=True)
    elif done * 4 // of > max(done - 2000, 0) * 4 // of:
        print(f"{done} of {of} hanchans", file=sys.stderr, flush=True)


def remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
