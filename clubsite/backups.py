"""A whole database as one file and back, for both engines, consistent while people go on writing.

SQLite is copied page by page with its own backup interface; PostgreSQL by pg_dump and pg_restore. A backup
appears under its name only when it is whole.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connections

PAGES_AT_ONCE = 2000
MARK_TABLE = "ratings_club"  # a file without it is no backup of ours

Progress = Callable[[int, int], None]


class BackupFailed(Exception):
    """Says in a sentence what went wrong; what was there before is untouched."""


def is_sqlite(alias: str = "default") -> bool:
    return bool(connections[alias].vendor == "sqlite")


def backup(target: Path, progress: Progress) -> None:
    """Writes the database into a file that did not exist before."""
    if target.exists():
        raise BackupFailed(f"{target} exists already. Choose another name, or move it away.")
    draft = target.with_name(f"{target.name}.part")
    try:
        if is_sqlite():
            _copy_sqlite(_sqlite_path(), draft, progress)
            _check_sqlite(draft)
        else:
            _run("pg_dump", "--format=custom", f"--file={draft}", "--no-owner", "--dbname", _pg_name())
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(f"{target} could not be written: {error}. Nothing was kept under this name.") from error
    finally:
        draft.unlink(missing_ok=True)


def restore(source: Path, progress: Progress) -> None:
    """Puts a backup in the place of everything the database holds."""
    if not source.is_file():
        raise BackupFailed(f"There is no file {source}.")
    connections["default"].close()
    try:
        if is_sqlite():
            _check_sqlite(source)
            _copy_sqlite(source, _sqlite_path(), progress)
        else:
            _run(
                "pg_restore",
                "--clean",
                "--if-exists",
                "--no-owner",
                "--single-transaction",
                "--dbname",
                _pg_name(),
                str(source),
            )
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(f"{source} could not be restored: {error}.") from error


def _sqlite_path() -> Path:
    return Path(str(connections["default"].settings_dict["NAME"]))


def _copy_sqlite(source: Path, target: Path, progress: Progress) -> None:
    def report(_status: int, remaining: int, total: int) -> None:
        progress(total - remaining, total)

    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=30)) as old,
        closing(sqlite3.connect(target, timeout=30)) as new,
    ):
        old.backup(new, pages=PAGES_AT_ONCE, progress=report)


def _check_sqlite(path: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
            sound = file.execute("PRAGMA quick_check").fetchone() == ("ok",)
            ours = file.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [MARK_TABLE]).fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{path} is not a SQLite database: {error}.") from error
    if not sound or not ours:
        raise BackupFailed(f"{path} is damaged, or not a backup of Umaoka.")


def _pg_name() -> str:
    return str(connections["default"].settings_dict["NAME"])


def _run(program: str, *arguments: str) -> None:
    """PostgreSQL's own programs; the password travels in the environment, not on the command line."""
    found = shutil.which(program)
    if found is None:
        raise BackupFailed(f"{program} is not installed. On Debian: apt-get install postgresql-client.")
    config: dict[str, Any] = connections["default"].settings_dict
    access = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    environment = os.environ | {name: str(config[key]) for name, key in access.items() if config.get(key)}
    done = subprocess.run([found, *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupFailed(f"{program} gave up: {' '.join(done.stderr.split())[:400] or _ending(done.returncode)}")


def _ending(code: int) -> str:
    """Why a program ended that had no time to say so."""
    return f"{signal.strsignal(-code)}." if code < 0 else f"it ended with {code}."
