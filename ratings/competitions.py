"""The pages of competitions, registered by the app that has them.

A season that belongs to a competition stores the competition's key and nothing else about it. What its pages are is
known to the app above, which registers them in `AppConfig.ready()`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pages:
    """Addresses by the key of a competition, and for a game by its number too."""

    competition: Callable[[str], str]
    game: Callable[[str, int], str]


_registered: list[Pages] = []


def register(pages: Pages) -> None:
    _registered[:] = [pages]


def competition_page(key: str) -> str:
    """The page of a competition; nothing for a season that belongs to none, or where no app has such pages."""
    return _registered[0].competition(key) if key and _registered else ""


def game_page(key: str, hanchan_id: int) -> str:
    """Where a game of a competition is corrected; nothing where `competition_page` has none."""
    return _registered[0].game(key, hanchan_id) if key and _registered else ""
