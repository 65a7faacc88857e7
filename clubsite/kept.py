"""Files that long work has written for people to fetch: kept under var/ for some days, then gone. Knows no app."""

from __future__ import annotations

import time
from pathlib import Path

from django.conf import settings

FOR = 7 * 24 * 3600  # seconds


def folder(name: str) -> Path:
    """A folder for one kind of files, readable by the site alone; what is too old in it is gone."""
    found = Path(settings.VAR_DIR) / name
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in found.iterdir():
        if file.is_file() and _age(file) > FOR:
            file.unlink(missing_ok=True)
    return found


def _age(file: Path) -> float:
    try:
        return time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return 0


def forget(name: str, pattern: str) -> None:
    """Removes those of a folder's files whose names fit."""
    for file in (Path(settings.VAR_DIR) / name).glob(pattern):
        file.unlink(missing_ok=True)
