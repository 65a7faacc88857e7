"""What was erased from the tables leaves SQLite's files too. PostgreSQL writes over its pages by itself, in its time.

Every connection overwrites what it deletes (`secure_delete`, in the settings); until the log is written back, though,
it still holds the old pages.
"""

from __future__ import annotations

from django.db import connection

PATIENCE = 5_000  # milliseconds that somebody waits for readers of old pages to finish


def empty_log() -> bool:
    """Writes SQLite's log back into the file and cuts it to nothing; whether that was possible now.

    Not inside a transaction. Where a long reader is in the way, `manage.py prune` tries again.
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
