"""Stores a database as the code at hand makes it, for later versions to upgrade: `python -m tests.upgrades.make NAME`.

Run it on the version whose databases are to be kept, once for each engine:

    DATABASE_URL=sqlite:////tmp/story.sqlite3 python -m tests.upgrades.make 2026-11
    python -m tests.with_postgres python -m tests.upgrades.make 2026-11

NAME is the day or the version. The files beside this module are never changed afterwards: they are what a club has on
its disk. `2026-11` was made by commit ee0f76c.
"""

from __future__ import annotations

import gzip
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Lines that only psql understands, and lines that servers older than pg_dump do not understand.
NOT_PLAIN = re.compile(rb"^(\\(un)?restrict .*|SET (transaction_timeout|default_table_access_method) .*|--.*)?\n", re.M)


def main(name: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    import django

    django.setup()
    from django.db import connection

    from tests.upgrades.story import tell

    if connection.introspection.table_names():
        raise SystemExit("The database of DATABASE_URL is not empty; nothing was done.")
    tell()
    connection.close()
    kept = _keep_sqlite(name) if connection.vendor == "sqlite" else _keep_postgres(name)
    print(f"{kept}: {kept.stat().st_size} bytes")


def _keep_sqlite(name: str) -> Path:
    """Store the compressed file, without free pages."""
    from django.db import connection

    with tempfile.TemporaryDirectory() as directory:
        whole = Path(directory) / "whole.sqlite3"
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as file:
            file.execute("VACUUM INTO ?", [str(whole)])
        kept = HERE / f"{name}.sqlite3.gz"
        kept.write_bytes(gzip.compress(whole.read_bytes(), mtime=0))
    return kept


def _keep_postgres(name: str) -> Path:
    """Plain SQL that any client can send: a row is one INSERT."""
    command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", "--dbname", os.environ["DATABASE_URL"]]
    plain = NOT_PLAIN.sub(b"", subprocess.run(command, check=True, capture_output=True).stdout)
    kept = HERE / f"{name}.sql"
    kept.write_bytes(plain)
    return kept


if __name__ == "__main__":
    main(sys.argv[1])
