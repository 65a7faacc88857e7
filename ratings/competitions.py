"""The pages of competitions, registered by the app that has them.

A season that belongs to a competition stores the competition's key and nothing else about it. The app that has
competitions knows their pages and registers them in `AppConfig.ready()`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pages:
    """Functions that return addresses: from the key of a competition, and for a game also from its number."""

    competition: Callable[[str], str]
    game: Callable[[str, int], str]


_registered: list[Pages] = []


def register(pages: Pages) -> None:
    _registered[:] = [pages]


def competition_page(key: str) -> str:
    """The page of a competition; empty if the season belongs to no competition or no app has such pages."""
    return _registered[0].competition(key) if key and _registered else ""


def game_page(key: str, hanchan_id: int) -> str:
    """The page where a game of a competition is corrected; empty in the same cases as `competition_page`."""
    return _registered[0].game(key, hanchan_id) if key and _registered else ""
