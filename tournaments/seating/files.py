"""Read the input of the command: lists of players, and the JSON of teams, forbidden meetings and history.

The functions take text and never open a file. They check the shapes; request.py checks what the numbers mean.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .errors import SeatingError, gettext_noop
from .request import Apart, Game, Round

_NUMBER = re.compile("[0-9]{1,6}")
TEAM = gettext_noop('a list of player numbers, or {"round1": true, "players": [...]}')
PAIR = gettext_noop('a pair of player numbers, or {"round1": true, "players": [...]}')
ROUND = gettext_noop("a round: a list of tables, each a list of four player numbers")


def read_players(text: str) -> tuple[int, ...]:
    """`52` means players 1 to 52; `1-44,47` names them."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1 and _NUMBER.fullmatch(parts[0]):
        return tuple(range(1, int(parts[0]) + 1))
    players: list[int] = []
    for part in parts:
        first, dash, last = part.partition("-")
        if not _NUMBER.fullmatch(first.strip()) or (dash and not _NUMBER.fullmatch(last.strip())):
            raise SeatingError("players_unreadable", given=text)
        start = int(first)
        end = int(last) if dash else start
        if end < start or end - start > 100_000:
            raise SeatingError("players_unreadable", given=text)
        players += range(start, end + 1)
    return tuple(players)


def read_teams(name: str, text: str) -> tuple[Apart, ...]:
    return tuple(_group(name, number, entry, TEAM) for number, entry in enumerate(_list(name, text, TEAM), 1))


def read_forbidden(name: str, text: str) -> tuple[Apart, ...]:
    return tuple(_group(name, number, entry, PAIR) for number, entry in enumerate(_list(name, text, PAIR), 1))


def read_history(name: str, text: str) -> tuple[Round, ...]:
    """Rounds in the shape that the command prints. Its whole output is accepted too."""
    return tuple(_round(name, number, entry) for number, entry in enumerate(_list(name, text, ROUND), 1))


def _list(name: str, text: str, expected: str) -> list[Any]:
    try:
        loaded = json.loads(text)
    except json.JSONDecodeError as broken:
        raise SeatingError("file_not_json", file=name, line=broken.lineno, column=broken.colno) from broken
    except (ValueError, RecursionError) as broken:  # a number with thousands of digits, or deeply nested brackets
        raise SeatingError("file_not_json", file=name, line=1, column=1) from broken
    if expected is ROUND and isinstance(loaded, dict):
        loaded = loaded.get("rounds")
    if not isinstance(loaded, list):
        raise SeatingError("file_list", file=name, expected=expected)
    return loaded


def _numbers(entry: Any) -> tuple[int, ...] | None:
    if isinstance(entry, list) and all(isinstance(n, int) and not isinstance(n, bool) for n in entry):
        return tuple(entry)
    return None


def _group(name: str, number: int, entry: Any, expected: str) -> Apart:
    round1 = False
    if isinstance(entry, dict):
        round1 = entry.get("round1", False)
        if not isinstance(round1, bool) or not set(entry) <= {"round1", "players"}:
            raise SeatingError("file_shape", file=name, number=number, expected=expected)
        entry = entry.get("players")
    players = _numbers(entry)
    if players is None:
        raise SeatingError("file_shape", file=name, number=number, expected=expected)
    return Apart(players, round1)


def _round(name: str, number: int, entry: Any) -> Round:
    games: list[Game] = []
    for table in entry if isinstance(entry, list) else [None]:
        players = _numbers(table)
        if players is None or len(players) != 4:
            raise SeatingError("file_shape", file=name, number=number, expected=ROUND)
        games.append((players[0], players[1], players[2], players[3]))
    return tuple(games)
