"""Where the built season is kept: one SQLite file under var/, made again when its sources have changed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HANCHANS, PLAYERS = 100_000, 2_000
# What decides the rows of the file: the tables, the facts, and what is derived from them.
MADE_FROM = (
    "ratings/migrations/*.py",
    "tournaments/migrations/*.py",
    "ratings/rulesets/*.py",
    "ratings/mahjong/scoring.py",
    "ratings/mahjong/formulas.py",
    "ratings/mahjong/gamesheet.py",
    "ratings/mahjong/names.py",
    "ratings/queries/standings.py",
    "ratings/services/players.py",
    "ratings/services/standings.py",
    "tests/scale/season.py",
    "tests/scale/sheets.py",
)


def folder() -> Path:
    return Path(os.environ.get("UMAOKA_VAR") or ROOT / "var").resolve() / "scale"


def place(hanchans: int, players: int, formula: str) -> Path:
    sources = [path for pattern in MADE_FROM for path in sorted(ROOT.glob(pattern))]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    return folder() / f"{formula}-{hanchans}-{players}-{digest}.sqlite3"


def ready(hanchans: int = HANCHANS, players: int = PLAYERS, formula: str = "sum") -> Path:
    """The file; a separate process builds it if it does not exist. Copy it before you write to it."""
    path = place(hanchans, players, formula)
    if not path.exists():
        sizes = ["--hanchans", str(hanchans), "--players", str(players), "--formula", formula]
        subprocess.run([sys.executable, "-m", "tests.scale", *sizes], cwd=ROOT, check=True)
    return path


def outdated(path: Path) -> list[Path]:
    """Files of the same size that older sources made."""
    same_size = path.name.rsplit("-", 1)[0]
    return [other for other in path.parent.glob(f"{same_size}-*.sqlite3") if other != path]
