"""Back up a whole database into one file and restore it, for both engines.

A backup is consistent even while people go on writing. SQLite is copied page by page with its own backup interface;
PostgreSQL is copied by pg_dump, pg_restore and psql. A backup file gets its name only when it is complete. A restore
replaces the whole database or nothing.
"""

from __future__ import annotations

import datetime
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections

from clubsite import generated_files
from clubsite.private import PrivateConnection

PAGES_AT_ONCE = 2000
MARK_TABLE = "ratings_club"  # a file without this table is not a backup of this site

Progress = Callable[[int, int], None]


class BackupFailed(Exception):
    """The backup or restore failed. The message is a sentence; what was there before is unchanged."""


def is_sqlite(alias: str = "default") -> bool:
    return bool(connections[alias].vendor == "sqlite")


def backup(target: Path, progress: Progress) -> None:
    """Write the database into a new file. The file must not exist yet."""
    if target.exists():
        raise BackupFailed(f"{target} exists already. Choose another name, or move it away.")
    draft = target.with_name(f"{target.name}.part")
    try:
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)  # it holds everything in the database, including password hashes
        if is_sqlite():
            _copy_sqlite(_sqlite_path(), draft, progress)
            _check_sqlite(draft)
        else:
            _run("pg_dump", "--format=custom", f"--file={draft}", "--no-owner", "--dbname", _pg_name())
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.rename(target)
        _mark().touch(mode=0o600)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(f"{target} could not be written: {error}. Nothing was kept under this name.") from error
    finally:
        draft.unlink(missing_ok=True)


def _mark() -> Path:
    """A file whose time is that of the last backup made from this machine."""
    return Path(settings.VAR_DIR) / "last-backup"


def age_of_last_backup() -> datetime.timedelta | None:
    """How long ago this machine made its last backup; None if it made none that is known."""
    try:
        made = _mark().stat().st_mtime
    except OSError:
        return None
    return datetime.timedelta(seconds=max(0, time.time() - made))


def restore(source: Path, progress: Progress) -> None:
    """Replace everything in the database by a backup."""
    if not source.is_file():
        raise BackupFailed(f"There is no file {source}.")
    connections["default"].close()
    try:
        if is_sqlite():
            _check_sqlite(source)
            _copy_sqlite(source, _sqlite_path(), progress)
        else:
            _restore_postgres(source)
        generated_files.forget_all()  # they were made from the old data
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(f"{source} could not be restored: {error}.") from error


def _sqlite_path() -> Path:
    return Path(str(connections["default"].settings_dict["NAME"]))


def _copy_sqlite(source: Path, target: Path, progress: Progress) -> None:
    def report(_status: int, remaining: int, total: int) -> None:
        progress(total - remaining, total)

    with (
        closing(_connect_reading(source)) as old,
        closing(sqlite3.connect(target, timeout=30, factory=PrivateConnection)) as new,
    ):
        # One view of the data for the whole copy. Without it, each write by another connection restarts the copy, and
        # on a busy site the copy never ends.
        old.execute("BEGIN")
        old.execute("SELECT 1 FROM sqlite_master").fetchone()
        old.backup(new, pages=PAGES_AT_ONCE, progress=report)


def _connect_reading(path: Path) -> sqlite3.Connection:
    """Open a SQLite file for reading.

    Only a URI can say `mode=ro`. The path is quoted, because `#`, `%` and `?` have a meaning in a URI. A file that no
    process writes to is opened as immutable; otherwise SQLite leaves a log and an index beside it.
    """
    live = path == _sqlite_path() or path.with_name(f"{path.name}-wal").exists()
    how = "mode=ro" if live else "mode=ro&immutable=1"
    return sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True, timeout=30)


def _check_sqlite(path: Path) -> None:
    try:
        with closing(_connect_reading(path)) as file:
            sound = file.execute("PRAGMA quick_check").fetchone() == ("ok",)
            ours = file.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [MARK_TABLE]).fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{path} is not a SQLite database: {error}.") from error
    if not sound or not ours:
        raise BackupFailed(f"{path} is damaged, or not a backup of Umaoka.")


def _pg_name() -> str:
    return str(connections["default"].settings_dict["NAME"])


def _restore_postgres(source: Path) -> None:
    """Drop all tables and load the backup in one transaction. The backup may be older than some of the tables."""
    with tempfile.TemporaryDirectory() as directory:
        script = Path(directory, "restore.sql")
        _run("pg_restore", "--no-owner", f"--file={script}", str(source))
        if MARK_TABLE not in script.read_text(encoding="utf-8", errors="replace"):
            raise BackupFailed(f"{source} is not a backup of Umaoka.")
        tables = connections["default"].introspection.table_names()
        connections["default"].close()
        emptying = [f"--command=DROP TABLE {', '.join(map(_quoted, tables))} CASCADE"] if tables else []
        asked = ["--quiet", "--no-psqlrc", "--single-transaction", "--variable=ON_ERROR_STOP=1"]
        _run("psql", *asked, *emptying, f"--file={script}", "--dbname", _pg_name())


def _quoted(table: str) -> str:
    return str(connections["default"].ops.quote_name(table))


def _run(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL. The password is passed in the environment, not on the command line."""
    found = shutil.which(program)
    if found is None:
        raise BackupFailed(f"{program} is not installed. On Debian: apt-get install postgresql-client.")
    config: dict[str, Any] = connections["default"].settings_dict
    access = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    environment = os.environ | {name: str(config[key]) for name, key in access.items() if config.get(key)}
    done = subprocess.run([found, *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = " ".join(done.stderr.split())[:400].rstrip(".") or _ending(done.returncode)
        raise BackupFailed(f"{program} gave up: {said}. What was there before is unchanged.")


def _ending(code: int) -> str:
    """Why a program ended, if it wrote no message."""
    return signal.strsignal(-code) or "it was stopped" if code < 0 else f"it ended with {code}"
