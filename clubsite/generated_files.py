"""Generated files for download, kept under var/ for some days and readable only by the site. Does not know the apps."""

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
MOST_BYTES = 512 * 1024 * 1024  # of one folder; the oldest files are removed first


def folder(name: str) -> Path:
    """The folder for one kind of file. Files that are too old, or too many for MOST_BYTES, are removed first."""
    found = Path(settings.VAR_DIR) / name
    private.make_folder(found)
    _prune(found)
    return found


def prune() -> int:
    """Prune every folder, also those from which no one downloads any more. Return the number of files."""
    places = [Path(settings.VAR_DIR) / name for name in FOLDERS]
    return sum(_prune(place) for place in places if place.is_dir())


def _prune(place: Path) -> int:
    room, count = MOST_BYTES, 0
    for age, size, file in sorted(_files(place), key=lambda known: known[0]):
        room -= size
        if age > FOR or room < 0:
            file.unlink(missing_ok=True)
            count += 1
    return count


@contextmanager
def write(name: str, file_name: Callable[[], str]) -> Iterator[IO[bytes]]:
    """Write a file into a folder. It gets its name only when it is complete; otherwise it is removed.

    `file_name` is called last, because the name may depend on what was written.
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
    """Remove the files of a folder whose names match the pattern."""
    for file in (Path(settings.VAR_DIR) / name).glob(pattern):
        file.unlink(missing_ok=True)


def forget_all() -> None:
    for name in FOLDERS:
        forget(name, "*")


def _files(place: Path) -> Iterator[tuple[float, int, Path]]:
    """Age in seconds, size and path of each file. A file that another process removes meanwhile is left out."""
    now = time.time()
    for file in place.iterdir():
        try:
            known = file.stat()
        except FileNotFoundError:
            continue
        if file.is_file():
            yield now - known.st_mtime, known.st_size, file
