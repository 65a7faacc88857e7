"""Files with private data: only the system user of the site may read them, no other user of the machine.

Imports nothing from Django, because the settings use this module before Django is set up.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

# The files that the site writes into its directory. Other files there are left alone.
OURS = ("secret-key", "*.sqlite3", "*.sqlite3-*", "*.backup", "*.backup.part", "backups", "workbooks")


def make_folder(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty private file before other code makes one that everybody can read. An existing file is not opened.

    Closing any handle of a SQLite file releases all locks that this process has on it, also those of other connections.
    Another process would then remove the log while our connections use it.
    """
    with contextlib.suppress(OSError):  # the file exists, or the code that opens it next reports the error
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), 0o600))


def tighten(var: Path) -> None:
    """Remove access of other system users to the site's directory and to files that an older version left readable."""
    if not var.is_dir() or var.stat().st_mode & stat.S_ISVTX:  # such as /tmp, which is shared on purpose
        return
    _close(var)
    for pattern in OURS:
        for path in var.glob(pattern):
            _close(path)
            for inner in path.iterdir() if path.is_dir() and not path.is_symlink() else ():
                _close(inner)


def _close(path: Path) -> None:
    with contextlib.suppress(OSError):  # removed meanwhile, or owned by another user
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & 0o077 and not path.is_symlink():
            path.chmod(mode & 0o700)


class PrivateConnection(sqlite3.Connection):
    """A SQLite connection whose file is private. SQLite would make it readable by all; log and index copy its mode."""

    def __init__(self, database: Any, *args: Any, **options: Any) -> None:
        name = os.fspath(database)
        if name != ":memory:" and not str(name).startswith("file:"):
            make_file(Path(name))
        super().__init__(database, *args, **options)
