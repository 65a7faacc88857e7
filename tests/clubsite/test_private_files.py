"""Only the site's own user may read the files that the site writes, also those that an older version left open."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from clubsite import private

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")

# The database was written to and is still open, so its log and index files exist beside it.
WRITE = """
import os, sys
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from clubsite import generated_files
call_command("migrate", "sessions", verbosity=0)
from django.contrib.sessions.models import Session
from django.utils import timezone
Session.objects.create(session_key="k", session_data="", expire_date=timezone.now())
with generated_files.write("workbooks", lambda: "book.xlsx") as file:
    file.write(b"book")
for path in [settings.VAR_DIR, *sorted(settings.VAR_DIR.rglob("*"))]:
    print(path.relative_to(settings.VAR_DIR), oct(path.stat().st_mode & 0o777))
"""


def written(var: Path) -> dict[str, str]:
    """The file modes of everything under var/, as a process with a permissive umask leaves them."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", WRITE],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "UMAOKA_VAR": str(var)},
        capture_output=True,
        text=True,
        check=False,
        umask=0o022,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ") for line in done.stdout.splitlines())


def test_everything_under_var_is_for_the_sites_user_alone(tmp_path: Path) -> None:
    var = tmp_path / "var"
    files = ["secret-key", "umaoka.sqlite3", "umaoka.sqlite3-shm", "umaoka.sqlite3-wal", "workbooks/book.xlsx"]

    assert written(var) == {".": "0o700", "workbooks": "0o700"} | dict.fromkeys(files, "0o600")


def test_what_an_older_version_left_open_is_closed_at_start(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "monday.backup").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("somebody else's")
    for path in [tmp_path, *tmp_path.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)

    private.tighten(tmp_path)

    open_to_others = {path.name for path in [tmp_path, *tmp_path.rglob("*")] if path.stat().st_mode & 0o077}
    assert open_to_others == {"notes.txt"}  # not our file; the directory around it is closed


def test_a_directory_that_everybody_shares_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    private.tighten(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


def test_a_second_connection_leaves_the_locks_of_the_first(tmp_path: Path) -> None:
    """Otherwise a short-lived process would believe that it is the last one, and remove a log that is still in use."""
    place = tmp_path / "club.sqlite3"
    with closing(sqlite3.connect(place, factory=private.PrivateConnection)) as first:
        first.execute("PRAGMA journal_mode=WAL")
        first.execute("CREATE TABLE game (id INTEGER)")
        sqlite3.connect(place, factory=private.PrivateConnection).close()
        visit = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM game').connection.close()"
        subprocess.run([sys.executable, "-c", visit, str(place)], check=True)

        assert place.with_name("club.sqlite3-wal").exists()
        first.execute("INSERT INTO game VALUES (1)")
        first.commit()
