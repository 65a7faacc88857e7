"""Backups and moves by real processes on real databases of both engines: taken, restored, refused, counted."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.databases import connected, on_postgres, own_database, sqlite_file, values

ROOT = Path(__file__).resolve().parents[2]
MAKE_WORLD = """
from django.core.management import call_command
from tests.world import make_world
call_command("migrate", verbosity=0)
make_world()
call_command("rebuild")  # it puts a penalty into the database by hand
"""
CLUBS = "SELECT name FROM ratings_club ORDER BY name"


def manage(url: str, *args: str, limit: int | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py` on a database; `limit` caps the size of files it may write, as a full disk would."""

    def cap() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *args],
        cwd=ROOT,
        env=os.environ | {"UMAOKA_ENV": "local", "DATABASE_URL": url, "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        preexec_fn=cap,
    )


def did(url: str, *args: str) -> str:
    done = manage(url, *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(url: str, *args: str, limit: int | None = None) -> str:
    done = manage(url, *args, limit=limit)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site with two clubs and a row of everything, on the engine under test."""
    with own_database(tmp_path_factory.mktemp("site")) as url:
        did(url, "shell", "--no-imports", "-c", MAKE_WORLD)
        yield url


@pytest.fixture(scope="module")
def small_site(site: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same site in a SQLite file, as a club has it before it moves to another database."""
    if not on_postgres():
        return site
    url = sqlite_file(tmp_path_factory.mktemp("small"))
    did(url, "shell", "--no-imports", "-c", MAKE_WORLD)
    return url


@pytest.fixture(scope="module")
def backup(site: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the site as it was made."""
    kept = tmp_path_factory.mktemp("backups") / "monday.backup"
    did(site, "backup", str(kept))
    return kept


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    with own_database(tmp_path) as url:
        yield url


def add_club(url: str, name: str) -> None:
    columns = "name, slug, city, country, time_zone, about"
    with connected(url) as database:
        database.execute(f"INSERT INTO ratings_club ({columns}) VALUES ('{name}', '{name}', '', '', 'UTC', '')")


def test_a_backup_brings_back_what_was_there(site: str, backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    add_club(site, "Regretted")
    with connected(site) as database:
        database.execute("CREATE TABLE made_by_a_later_version (id integer)")

    assert "Say --yes if that is meant." in refusal(site, "restore", str(backup))
    assert "Regretted" in values(site, CLUBS)
    did(site, "restore", str(backup), "--yes")

    assert values(site, CLUBS) == ["Furiten", "Haneman"]
    with connected(site) as database, pytest.raises(Exception, match="made_by_a_later_version"):
        database.execute("SELECT * FROM made_by_a_later_version")


def test_a_backup_fills_an_empty_database_which_then_works(backup: Path, empty: str) -> None:
    did(empty, "restore", str(backup), "--yes")

    assert values(empty, CLUBS) == ["Furiten", "Haneman"]
    did(empty, "rebuild", "--check")
    add_a_game_and_a_club(empty)


def test_a_backup_is_of_one_moment_while_others_write(backup: Path, empty: str, tmp_path: Path) -> None:
    """Clubs are added in pairs, each pair in one transaction; a backup holds whole pairs only."""
    did(empty, "restore", str(backup), "--yes")
    enough, begun = threading.Event(), threading.Event()

    def write_pairs() -> None:
        number = 0
        while not enough.is_set():
            number += 1
            with connected(empty) as database:
                for half in ("left", "right"):
                    name = f"{number}-{half}"
                    database.execute(
                        "INSERT INTO ratings_club (name, slug, city, country, time_zone, about)"
                        f" VALUES ('{name}', '{name}', '', '', 'UTC', '{'x' * 2000}')"
                    )
            begun.set()

    writer = threading.Thread(target=write_pairs)
    writer.start()
    try:
        assert begun.wait(60)
        did(empty, "backup", str(tmp_path / "kept"))
    finally:
        enough.set()
        writer.join()
    afterwards = len(values(empty, CLUBS))
    with own_database(tmp_path) as other:
        did(other, "restore", str(tmp_path / "kept"), "--yes")
        kept = values(other, CLUBS)

    assert kept[-2:] == ["Furiten", "Haneman"]
    lefts, rights = ({name.split("-")[0] for name in kept if name.endswith(half)} for half in ("left", "right"))
    assert lefts == rights != set()
    assert len(kept) < afterwards  # others really wrote during the backup


@pytest.mark.parametrize("odd", ["v#3", "v%41", "b?1"])
def test_paths_may_hold_signs_that_mean_something_in_addresses(small_site: str, tmp_path: Path, odd: str) -> None:
    var, kept = tmp_path / odd, tmp_path / f"{odd}.backup"
    var.mkdir()
    (var / "umaoka.sqlite3").write_bytes(Path(unquote(urlsplit(small_site).path[1:])).read_bytes())

    taken = manage("", "backup", str(kept), UMAOKA_VAR=str(var))
    restored = manage("", "restore", str(kept), "--yes", UMAOKA_VAR=str(var))

    assert (taken.returncode, restored.returncode) == (0, 0), taken.stderr + restored.stderr
    assert {path.name for path in tmp_path.iterdir()} == {var.name, kept.name}
    assert {path.name for path in var.iterdir()} == {"last-backup", "secret-key", "umaoka.sqlite3"}


def test_a_backup_never_overwrites(site: str, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("mine")

    assert "exists already" in refusal(site, "backup", str(there))
    assert there.read_text() == "mine"


def test_a_full_disk_leaves_no_half_backup(site: str, tmp_path: Path) -> None:
    sentence = refusal(site, "backup", str(tmp_path / "full"), limit=16 * 1024)

    assert "could not be written" in sentence or "gave up" in sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"not a database at all", b"", b"PGDMP broken", b"SQLite format 3\0broken"])
def test_a_file_that_is_no_backup_is_refused_and_nothing_changes(site: str, tmp_path: Path, content: bytes) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(content)

    refusal(site, "restore", str(wrong), "--yes")

    assert values(site, CLUBS) == ["Furiten", "Haneman"]


def test_a_database_of_something_else_is_refused(site: str, tmp_path: Path) -> None:
    with own_database(tmp_path) as other, connected(other) as database:
        database.execute("CREATE TABLE recipes (name text)")
        database.commit()
        kept = tmp_path / "kept"
        did(other, "backup", str(kept)) if on_postgres() else kept.write_bytes(Path(other[10:]).read_bytes())

    assert "not a backup of Umaoka" in refusal(site, "restore", str(kept), "--yes")


def test_a_server_that_refuses_is_named_and_the_password_is_not(tmp_path: Path) -> None:
    sentence = refusal("postgres://umaoka:not-to-be-said@127.0.0.1:1/club", "backup", str(tmp_path / "kept"))

    assert "not-to-be-said" not in sentence


def add_a_game_and_a_club(url: str) -> None:
    """Fails if the ids of new rows collide with those of the restored or moved rows."""
    did(
        url,
        "shell",
        "--no-imports",
        "-c",
        "from tests.cast import *\n"
        "from ratings.models import Player, Season\n"
        "from ratings.services.hanchans import record_hanchan\n"
        "season = Season.objects.filter(club__slug='furiten', kind='rated').get()\n"
        "players = list(Player.objects.order_by('pk')[:3]) + make_players(1)\n"
        "record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000))\n"
        "make_season(make_club('Later'))\n"
        "make_user('newcomer')\n",
    )
    did(url, "rebuild", "--check")


def test_everything_moves_is_counted_and_goes_on(small_site: str, empty: str) -> None:
    done = manage(small_site, "copy_to", empty)

    assert done.returncode == 0, done.stderr
    assert "copying: 100%" in done.stderr
    assert "counted on both sides" in done.stdout
    assert values(empty, CLUBS) == ["Furiten", "Haneman"]
    for table in ("ratings_seat", "ratings_historicalplayer", "django_content_type", "auth_permission"):
        assert values(empty, f"SELECT count(*) FROM {table}") == values(small_site, f"SELECT count(*) FROM {table}")
    add_a_game_and_a_club(empty)


def test_a_database_with_data_is_left_alone(small_site: str, site: str) -> None:
    assert "holds data already" in refusal(small_site, "copy_to", site)
    assert values(site, CLUBS) == ["Furiten", "Haneman"]


def test_everything_moves_back_again(site: str, tmp_path: Path) -> None:
    target = sqlite_file(tmp_path)

    assert "counted on both sides" in did(site, "copy_to", target)
    assert values(target, CLUBS) == ["Furiten", "Haneman"]


@pytest.mark.parametrize("address", ["nonsense", "postgres://umaoka:not-to-be-said@127.0.0.1:1/club"])
def test_an_address_that_leads_nowhere_is_answered_in_a_sentence(small_site: str, address: str) -> None:
    sentence = refusal(small_site, "copy_to", address)

    assert "Nothing was copied" in sentence
    assert "not-to-be-said" not in sentence


@pytest.mark.parametrize("command", [["login"], ["demo"], ["rebuild", "--check"], ["copy_to", "sqlite://:memory:"]])
def test_a_database_nobody_has_set_up_is_said_to_be_so(empty: str, command: list[str]) -> None:
    assert "Run `manage.py migrate`" in refusal(empty, *command)


def test_a_database_that_does_not_answer_is_said_to_be_so() -> None:
    sentence = refusal("postgres://umaoka:not-to-be-said@127.0.0.1:1/club", "login")

    assert "cannot be reached" in sentence
    assert "not-to-be-said" not in sentence


def test_several_databases_can_be_had_at_once(tmp_path: Path) -> None:
    with ExitStack() as stack:
        urls = [stack.enter_context(own_database(tmp_path)) for _ in range(2)]

    assert len(set(urls)) == 2
