"""Files written for people to fetch: kept under var/, readable by the site alone, for some days. Knows no app."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from clubsite import private

FOR = 7 * 24 * 3600  # seconds
FOLDERS = ("workbooks",)
MOST_BYTES = 512 * 1024 * 1024  # of one folder; what was written longest ago goes first


def folder(name: str) -> Path:
    """A folder for one kind of files; what is too old in it, or more than the disk is meant to hold, is gone."""
    found = Path(settings.VAR_DIR) / name
    private.make_folder(found)
    _prune(found)
    return found


def prune() -> None:
    """Every folder there is, also where nobody comes for a file any more."""
    for name in FOLDERS:
        if (place := Path(settings.VAR_DIR) / name).is_dir():
            _prune(place)


def _prune(place: Path) -> None:
    room = MOST_BYTES
    for age, size, file in sorted(_files(place), key=lambda known: known[0]):
        room -= size
        if age > FOR or room < 0:
            file.unlink(missing_ok=True)


@contextmanager
def write(name: str, file_name: Callable[[], str]) -> Iterator[IO[bytes]]:
    """A file of a folder, which appears under its name when it is whole, or not at all.

    The name is asked for last: it may tell of what was written.
    """
    place = folder(name)
    draft = place / f"{secrets.token_hex(8)}.part"
    private.make_file(draft)
    try:
        with draft.open("w+b") as file:
            yield file
        os.replace(draft, place / file_name())
    finally:
        draft.unlink(missing_ok=True)


def forget(name: str, pattern: str) -> None:
    """Removes those of a folder's files whose names fit."""
    for file in (Path(settings.VAR_DIR) / name).glob(pattern):
        file.unlink(missing_ok=True)


def forget_all() -> None:
    for name in FOLDERS:
        forget(name, "*")


def _files(place: Path) -> Iterator[tuple[float, int, Path]]:
    """Age in seconds, size, path; a file another process removes meanwhile is left out."""
    now = time.time()
    for file in place.iterdir():
        try:
            known = file.stat()
        except FileNotFoundError:
            continue
        if file.is_file():
            yield now - known.st_mtime, known.st_size, file
