"""What other apps add to the demo. They register in `AppConfig.ready()`; the clubs exist when a builder is called."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from django.utils.module_loading import import_string

Progress = Callable[[str, int, int], None]  # what is being played, games so far, games in total
Builder = Callable[[datetime.date, int, Progress], None]  # called with the day, the seed and the progress

_names: list[str] = []


def register(name: str) -> None:
    """Register a builder by its dotted path; it is imported when a demo is loaded, not at every start of the site."""
    if name not in _names:
        _names.append(name)


def builders() -> list[Builder]:
    return [import_string(name) for name in _names]
