"""Files that hold what people trusted the site with: readable by the site's own user and nobody else of the machine.

Imports nothing of Django: the settings use it before there is any.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

# What the site writes into its directory. Whatever else somebody keeps there is theirs.
OURS = ("secret-key", "*.sqlite3", "*.sqlite3-*", "*.backup", "*.backup.part", "backups", "workbooks")


def make_folder(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_file(path: Path) -> None:
    """An empty file before somebody else makes one that everybody can read; one that is there is not even opened.

    Closing any handle of a SQLite file takes this process's locks off it, whoever holds them: another process would
    then remove the log from under our connections.
    """
    with contextlib.suppress(OSError):  # it is there; or whoever opens it next says what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), 0o600))


def tighten(var: Path) -> None:
    """Closes the site's directory, and what an older version left open in it, to other users of the machine."""
    if not var.is_dir() or var.stat().st_mode & stat.S_ISVTX:  # such as /tmp: shared by everybody on purpose
        return
    _close(var)
    for pattern in OURS:
        for path in var.glob(pattern):
            _close(path)
            for inner in path.iterdir() if path.is_dir() and not path.is_symlink() else ():
                _close(inner)


def _close(path: Path) -> None:
    with contextlib.suppress(OSError):  # gone meanwhile, or somebody else's
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & 0o077 and not path.is_symlink():
            path.chmod(mode & 0o700)


class PrivateConnection(sqlite3.Connection):
    """SQLite would make its file readable by everybody; its log and index take their mode from the file."""

    def __init__(self, database: Any, *args: Any, **options: Any) -> None:
        name = os.fspath(database)
        if name != ":memory:" and not str(name).startswith("file:"):
            make_file(Path(name))
        super().__init__(database, *args, **options)
