"""Remove erased data from SQLite's files too. PostgreSQL overwrites its pages by itself at some time.

Every connection overwrites what it deletes (`secure_delete`, in the settings), but the log holds the old pages until
it is written back.
"""

from __future__ import annotations

from django.db import connection

PATIENCE = 5_000  # milliseconds to wait for readers of old pages to finish


def empty_log() -> bool:
    """Write SQLite's log back into the file and empty the log. Return whether that was possible now.

    It is not possible inside a transaction. If a long read prevents it, `manage.py prune` tries again.
    """
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        try:
            busy, _pages, _written = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    return not busy
