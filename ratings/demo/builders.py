"""What other apps add to the demo, and how they take it off again. They register in `AppConfig.ready()`.

The clubs exist when a builder or a remover is called.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

from django.utils.module_loading import import_string

Progress = Callable[[str, int, int], None]  # what is being played, games so far, games in total
Builder = Callable[[datetime.date, int, Progress], None]  # called with the day, the seed and the progress
Remover = Callable[[list[int]], None]  # called with the clubs; takes off what holds their games, seasons and players

_names: list[str] = []
_removers: list[str] = []


def register(name: str, remover: str) -> None:
    """Register a builder and its remover by their dotted paths; they are imported when they are needed."""
    if name not in _names:
        _names.append(name)
        _removers.append(remover)


def builders() -> list[Builder]:
    return [import_string(name) for name in _names]


def removers() -> list[Remover]:
    return [import_string(name) for name in _removers]
