"""What waits for the staff of a club. Apps register what may wait in `AppConfig.ready()`; the desk shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.contrib.auth.models import User

from ratings.models import Club


class WaitingTask(NamedTuple):
    """Something to do: what, in more words, and the page where it is done. `symbol` is one of the sprite."""

    order: int  # the most urgent first: 10 what went wrong, 20 drafts, 30 imports, 40 events, 50 what runs by itself
    symbol: str
    tone: str  # red, brass, green or indigo
    text: str
    detail: str
    action: str
    url: str


Source = Callable[[Club, User], Iterable[WaitingTask]]

_sources: list[Source] = []


def register(*sources: Source) -> None:
    _sources.extend(source for source in sources if source not in _sources)


def waiting_for(club: Club, user: User) -> list[WaitingTask]:
    """What this user can do for the club now, the most urgent first."""
    return sorted(task for source in _sources for task in source(club, user))
