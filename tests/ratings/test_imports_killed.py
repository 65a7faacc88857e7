"""An import whose process is killed in the middle of writing leaves everything as it was."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from django.conf import settings

GAMES = 1200  # written in several statements, so that there is a middle

WORKER = f"""
import datetime, os, signal, sys
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from ratings.models import ImportBatch
from ratings.imports.kinds import Choices
from ratings.imports.read import open_file
from tests.ratings.importing import make_plan
from tests.ratings.importing import write_plan
from tests.cast import make_players, make_season, make_sheet
from ratings.services.hanchans import record_hanchan
from tests.ratings.files import WIDE, csv, wide

season, players = make_season(), make_players()
record_hanchan(season, make_sheet(players, 45200, 31100, 25700, 18000))
names = [player.native_name for player in players]
rows = [wide("2026-04-17", names, [45200, 31100, 25700, 18000], game=number) for number in range({GAMES})]
plan = make_plan(season.club, season, open_file(csv(WIDE, *rows), "old.csv"), Choices())
batch = ImportBatch.objects.create(club=season.club, season=season, file_name="old.csv", content=b"x")
assert len(plan.games) == {GAMES}

def report(done, total):
    assert done < total
    print(done, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

write_plan(plan, batch, report=report)
"""


def test_a_killed_import_leaves_the_old_state(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    done = subprocess.run(
        [sys.executable, "-c", WORKER],
        cwd=settings.BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "clubsite.settings",
            "DATABASE_URL": f"sqlite:///{file}",
            "UMAOKA_VAR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert done.returncode == -signal.SIGKILL, done.stderr
    assert 0 < int(done.stdout) < GAMES, "it was killed in the middle"
    with sqlite3.connect(file) as database:
        counts = [
            database.execute(f"SELECT count(*) FROM ratings_{table}").fetchone()[0]
            for table in ("hanchan", "seat", "hanchanevent", "importedrow", "standing")
        ]
        states = database.execute("SELECT state FROM ratings_importbatch").fetchall()
        games = database.execute("SELECT max(games) FROM ratings_standing").fetchone()[0]
    assert (counts, states, games) == ([1, 4, 1, 0, 4], [("draft",)], 1)
