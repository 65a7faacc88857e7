"""After a player was made anonymous, the SQLite files no longer hold the name, neither in free pages nor in the log."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The files are read while the connection is open, as on a running site: closing it would write the log back anyway.
TELL = """
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from ratings.services.anonymising import anonymise
from ratings.services.hanchans import record_hanchan
from ratings.services.players import save_player
from tests.cast import make_players, make_season, make_sheet
call_command("migrate", verbosity=0)
season, players = make_season(), make_players(4)
player = players[0]
player.nickname, player.native_name = "Zverushka", "Дмитрий Кораблёв"
save_player(player, club=season.club)
player.native_name = "Дмитрий Соколов"
save_player(player)
record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000, comment="to " + "x" * 3000))
def found():
    raw = b"".join(path.read_bytes() for path in sorted(Path(settings.VAR_DIR).glob("umaoka.sqlite3*")))
    names = ("Соколов", "соколов", "Кораблёв", "корабл", "Sokolov", "sokolov", "Zverushka", "zverushka")
    return [name for name in names if name.encode() in raw]
print(len(found()))
anonymise(player)
print(found())
"""


def test_no_byte_of_the_files_holds_a_name_that_was_made_anonymous(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", TELL],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "UMAOKA_VAR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    before, after = done.stdout.splitlines()
    assert int(before) >= 6
    assert after == "[]"
