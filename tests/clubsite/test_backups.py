"""Backups by real processes on real files: taken, restored, and refused when something is in the way."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def manage(var: Path, *args: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """`manage.py` on a SQLite file of its own; `limit` caps the size of files it may write, as a full disk would."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "UMAOKA_ENV")}

    def cap() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *args],
        env=environment | {"UMAOKA_VAR": str(var), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        preexec_fn=cap,
    )


def clubs(path: Path) -> list[str]:
    with sqlite3.connect(path) as file:
        return [name for (name,) in file.execute("SELECT name FROM ratings_club ORDER BY name")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with one club."""
    var = tmp_path_factory.mktemp("site")
    assert manage(var, "migrate", "-v0").returncode == 0
    add_club(var, "Furiten")
    return var


def add_club(var: Path, name: str) -> None:
    with sqlite3.connect(var / "umaoka.sqlite3") as file:
        file.execute(
            "INSERT INTO ratings_club (name, slug, city, country, time_zone, about) VALUES (?, ?, '', '', 'UTC', '')",
            [name, name.lower()],
        )


def test_a_backup_brings_back_what_was_there(site: Path, tmp_path: Path) -> None:
    kept = tmp_path / "monday.backup"
    done = manage(site, "backup", str(kept))
    assert done.returncode == 0, done.stderr
    add_club(site, "Regretted")
    assert manage(site, "restore", str(kept)).returncode == 1
    assert "Regretted" in clubs(site / "umaoka.sqlite3")
    done = manage(site, "restore", str(kept), "--yes")
    assert done.returncode == 0, done.stderr
    assert clubs(site / "umaoka.sqlite3") == ["Furiten"]


def test_a_backup_never_overwrites(site: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    done = manage(site, "backup", str(there))
    assert done.returncode == 1
    assert "exists already" in done.stderr
    assert there.read_text() == "mine"


def test_a_full_disk_leaves_no_half_backup(site: Path, tmp_path: Path) -> None:
    done = manage(site, "backup", str(tmp_path / "full"), limit=64 * 1024)
    assert done.returncode != 0
    assert "could not be written" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_backup_is_refused_and_nothing_changes(site: Path, tmp_path: Path) -> None:
    for name, content in (("text", b"not a database at all"), ("empty", b"")):
        wrong = tmp_path / name
        wrong.write_bytes(content)
        done = manage(site, "restore", str(wrong), "--yes")
        assert done.returncode == 1, name
        assert "Traceback" not in done.stderr
    assert clubs(site / "umaoka.sqlite3") == ["Furiten"]


def test_everything_moves_to_another_database_and_is_counted(site: Path, tmp_path: Path) -> None:
    target = tmp_path / "other.sqlite3"
    done = manage(site, "copy_to", f"sqlite:///{target}")
    assert done.returncode == 0, done.stderr
    assert "counted on both sides" in done.stdout
    assert clubs(target) == ["Furiten"]
    again = manage(site, "copy_to", f"sqlite:///{target}")
    assert again.returncode == 1
    assert "holds data already" in again.stderr


def test_an_address_that_is_none_is_answered_in_a_sentence(site: Path) -> None:
    done = manage(site, "copy_to", "nonsense")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
