"""Who the names of a file are: exact names of any kind first, else people written nearly so.

An anonymised player is found by the name that was given instead, as our own files write it, and never as nearly so.

One read of everybody serves the whole file. Near are names that are the same once transliterated or with their words
in another order, and those a few typing errors away. Players of other clubs who show less than their full name are met
by the exact name or the EMA number only, and are near only by what visitors may read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ratings.models import Player
from ratings.names import folded, latinised
from ratings.queries.people import as_seen, living
from ratings.queries.players import known_ids
from ratings.rights import Person

MOST_NEAR = 5
LOOKED_AT = 30  # candidates that share the most pairs of letters
TYPING_ERRORS = 3
# How many lines of the search text strangers may find somebody by: the first is the nickname.
STRANGERS_READ = {Player.Visibility.FULL: None, Player.Visibility.NICKNAME: 1, Player.Visibility.HIDDEN: 0}


class Match(NamedTuple):
    exact: list[int]  # one: it is this player; several: the name is ambiguous
    near: list[int]  # the likeliest first


class Matcher:
    def __init__(self, user: Person | None = None) -> None:
        """For a user, or for a command, which knows everybody."""
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._spelled: dict[str, set[int]] = defaultdict(set)
        self._pairs: dict[str, set[str]] = defaultdict(set)
        self._ema: dict[str, set[int]] = defaultdict(set)
        anonymous = Player.objects.filter(merged_into=None, anonymised_at__isnull=False)
        for pk, name in anonymous.values_list("pk", "native_name"):
            self._exact[folded(name)].add(pk)
        everybody = living().values_list("pk", "search_text", "ema_number", "visibility")
        known = known_ids(user) if user else None
        for pk, text, number, visibility in everybody:
            if number:
                self._ema[number].add(pk)
            lines = text.split("\n")
            for line in {folded(line) for line in lines} - {""}:
                self._exact[line].add(pk)
            near = lines if known is None or pk in known else lines[: STRANGERS_READ[Player.Visibility(visibility)]]
            for line in {folded(line) for line in near} - {""}:
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


def players_by_id(ids: Iterable[int], user: Person | None = None) -> dict[int, Player]:
    """The players of these numbers, for a user as that one may see them."""
    return {player.pk: player for player in as_seen(Player.objects.in_bulk(set(ids)).values(), user)}
