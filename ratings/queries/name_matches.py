"""Who the names of a file are: exact names of any kind first, else people written nearly so.

One read of everybody serves the whole file. Near are names that are the same once transliterated or with their words
in another order, and those a few typing errors away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ratings.models import Player
from ratings.names import folded, latinised
from ratings.queries.people import living

MOST_NEAR = 5
LOOKED_AT = 30  # candidates that share the most pairs of letters
TYPING_ERRORS = 3


class Match(NamedTuple):
    exact: list[int]  # one: it is this player; several: the name is ambiguous
    near: list[int]  # the likeliest first


class Matcher:
    def __init__(self) -> None:
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._spelled: dict[str, set[int]] = defaultdict(set)
        self._pairs: dict[str, set[str]] = defaultdict(set)
        self._ema: dict[str, set[int]] = defaultdict(set)
        for pk, lines, number in living().values_list("pk", "search_text", "ema_number"):
            if number:
                self._ema[number].add(pk)
            for line in {folded(line) for line in lines.split("\n")} - {""}:
                self._exact[line].add(pk)
                self._spelled[spelled(line)].add(pk)
        for spelling in self._spelled:
            for pair in _pairs(spelling):
                self._pairs[pair].add(spelling)

    def match(self, name: str, ema_number: str = "") -> Match:
        exact = self._ema.get(ema_number) or self._exact.get(folded(name.strip()), set())
        return Match(sorted(exact), []) if exact else Match([], self._near(spelled(name)))

    def _near(self, wanted: str) -> list[int]:
        shared: dict[str, int] = defaultdict(int)
        for pair in _pairs(wanted):
            for spelling in self._pairs.get(pair, ()):
                shared[spelling] += 1
        likely = sorted(shared, key=lambda spelling: (-shared[spelling], spelling))[:LOOKED_AT]
        most = min(TYPING_ERRORS, max(1, len(wanted) // 4))
        found: dict[int, int] = {}
        for spelling in likely:
            errors = distance(wanted, spelling, most)
            for pk in self._spelled[spelling] if errors <= most else ():
                found[pk] = min(errors, found.get(pk, errors))
        return sorted(found, key=lambda pk: (found[pk], pk))[:MOST_NEAR]


def spelled(name: str) -> str:
    """In Latin letters, the words in order of the alphabet: `Sokolov Dmitry` is `Дмитри Соколов`, almost."""
    return " ".join(sorted(latinised(name).replace("-", " ").replace(".", " ").split()))


def _pairs(text: str) -> set[str]:
    return {text[index : index + 2] for index in range(len(text) - 1)} or {text}


def distance(one: str, other: str, most: int) -> int:
    """Typing errors between two names: letters added, left out, changed or swapped; `most` + 1 when there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, previous[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def players_by_id(ids: Iterable[int]) -> dict[int, Player]:
    return Player.objects.in_bulk(set(ids))
