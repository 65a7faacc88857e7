"""Finds the players behind the names of a file: known by EMA number or name, new, or to be asked about.

Each name is settled once for the whole file. Exact matches of any kind of name come first, then near matches. A list of
a club's players asks about a name that only a player of other clubs has: the same name is not yet the same person.
An anonymised player is found only by the exact replacement name, as our own files write it, and never as a near match.

All players are read once for the whole file. A name is near if it is the same once transliterated or with its words in
another order, or if it differs by a few typing errors. Players of other clubs who show less than their full name are
found only by the exact name or the EMA number, and are near only by what visitors may read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.contrib.auth.models import User

from ratings.imports.person_rows import FilePerson
from ratings.imports.sheets import Findings, Place
from ratings.mahjong.names import folded, latinised
from ratings.mahjong.problems import Problem, gettext_noop
from ratings.models import Club, Player
from ratings.queries.people import as_seen, living
from ratings.queries.players import known_ids
from ratings.rights import Person

_ = gettext_noop

Answers = dict[str, int | str]  # key in the file -> player, or NEW
NEW = "new"  # a name that belongs to no player yet
MOST_NEAR = 5
LOOKED_AT = 30  # candidates that share the most pairs of letters
TYPING_ERRORS = 3
# By how many lines of the search text strangers may find a player; the first line is the nickname.
STRANGERS_READ = {Player.Visibility.FULL: None, Player.Visibility.NICKNAME: 1, Player.Visibility.HIDDEN: 0}


class Match(NamedTuple):
    exact: list[int]  # one: this is the player; several: the name is ambiguous
    near: list[int]  # the most likely first
    by_number: bool = False  # found by the EMA number, which belongs to one person


class Matcher:
    def __init__(self, user: Person | None = None) -> None:
        """`user` is the user who imports; None is a command, which knows all players."""
        self._exact: dict[str, set[int]] = defaultdict(set)
        self._spelled: dict[str, set[int]] = defaultdict(set)
        self._pairs: dict[str, set[str]] = defaultdict(set)
        self._ema: dict[str, set[int]] = defaultdict(set)
        anonymous = Player.objects.filter(merged_into=None, anonymised_at__isnull=False)
        for pk, name in anonymous.values_list("pk", "native_name"):
            self._exact[folded(name)].add(pk)
        players = living().values_list("pk", "search_text", "ema_number", "visibility")
        known = known_ids(user) if user else None
        for pk, text, number, visibility in players:
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
        if holders := self._ema.get(ema_number):
            return Match(sorted(holders), [], by_number=True)
        exact = self._exact.get(folded(name.strip()), set())
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
    """The name in Latin letters, its words in alphabetical order: `Sokolov Dmitry` is almost `Дмитри Соколов`."""
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
    """The players with these numbers, with no more of their names than the user may see."""
    return {player.pk: player for player in as_seen(Player.objects.in_bulk(set(ids)).values(), user)}


# --- the people of a file ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """A name of the file that does not match exactly one player for certain."""

    key: str
    name: str
    place: Place
    candidates: list[int]
    ambiguous: bool  # the candidates have exactly this name; otherwise a similar one
    elsewhere: bool = False  # the only candidate is a player of other clubs, with exactly this name


@dataclass
class Persons:
    """The people of a list, by their key in the file; None is a new player, or a person not yet settled."""

    known: dict[str, Player | None] = field(default_factory=dict)
    chosen: set[str] = field(default_factory=set)  # keys that were asked about and answered
    questions: list[Question] = field(default_factory=list)


def find_people(
    people: Sequence[FilePerson],
    answers: Answers,
    findings: Findings,
    came_before: Mapping[str, int],
    *,
    here: Club | None = None,
    by: User | None = None,
) -> Persons:
    """Find the players of a list. `came_before`: row digest -> the player it became in an earlier import.

    With `here`, a player of other clubs is found only by the EMA number or by an answer.
    """
    matcher, found = Matcher(by), Persons()
    numbers: dict[str, int | None] = {}
    matches: dict[str, Match] = {}
    for person in people:
        answer = answers.get(person.key) or came_before.get(person.digest)
        if answer:
            numbers[person.key] = answer if isinstance(answer, int) else None
            found.chosen |= {person.key} & answers.keys()
        else:
            matches[person.key] = _match(matcher, person)
    foreign = _players_elsewhere(matches.values(), here) if here else set()
    for person in people:
        match = matches.get(person.key)
        if match is None:
            continue
        elsewhere = not match.by_number and bool(match.exact) and set(match.exact) <= foreign
        sure = len(match.exact) == 1 and not elsewhere
        numbers[person.key] = match.exact[0] if sure else None
        if not sure and (match.exact or match.near):
            found.questions.append(_question(person, match, elsewhere=elsewhere))
    players = players_by_id(pk for pk in numbers.values() if pk)
    for person in people:
        found.known[person.key] = players.get(numbers[person.key] or 0)
        _doubt(found, person)
    _refuse_doubles(people, found, findings)
    return found


def _players_elsewhere(matches: Iterable[Match], here: Club) -> set[int]:
    """The players among exact matches who are not players of the club. Anonymous ones have no name to mistake."""
    exact = {pk for match in matches for pk in match.exact}
    strangers = Player.objects.filter(pk__in=exact, anonymised_at=None).exclude(affiliations__club=here)
    return set(strangers.values_list("pk", flat=True))


def _question(person: FilePerson, match: Match, *, elsewhere: bool = False) -> Question:
    candidates = match.exact or match.near
    elsewhere = elsewhere and len(candidates) == 1
    return Question(person.key, person.name, person.place, candidates, bool(match.exact), elsewhere)


def _match(matcher: Matcher, person: FilePerson) -> Match:
    """Match by number or name. If only the Latin form is the same, it may be another player: the user is asked."""
    match = matcher.match(person.name, person.ema_number)
    if match.exact or not person.latin_name:
        return match
    latin = matcher.match(person.latin_name)
    return Match([], list(dict.fromkeys([*latin.exact, *match.near, *latin.near])))


def _doubt(found: Persons, person: FilePerson) -> None:
    """A namesake with another EMA number is another player, unless an answer says otherwise."""
    player = found.known[person.key]
    if player is None or person.key in found.chosen or not (person.ema_number and player.ema_number):
        return
    if person.ema_number != player.ema_number:
        found.known[person.key] = None
        found.questions.append(_question(person, Match([player.pk], [])))


def _refuse_doubles(people: Sequence[FilePerson], found: Persons, findings: Findings) -> None:
    rows: dict[int, FilePerson] = {}
    for person in people:
        player = found.known[person.key]
        if player is None:
            continue
        first = rows.setdefault(player.pk, person)
        if first is not person:
            message = _("“%(name)s” is the same player as “%(other)s” in row %(row)s.")
            params = {"name": person.name, "other": first.name, "row": first.place.row}
            findings.refuse(person.place, Problem(message, params, code="person_twice"))
