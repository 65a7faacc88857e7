"""Who the people of a list are: known by EMA number or name, somebody new, or to be asked about, once for the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from ratings.imports.lists import FilePerson
from ratings.imports.places import Findings, Place
from ratings.models import Player
from ratings.problems import Problem, gettext_noop
from ratings.queries.name_matches import Match, Matcher, players_by_id
from ratings.services.imports.files import Choices

_ = gettext_noop


@dataclass(frozen=True)
class Question:
    """A name of the file that could be nobody or several; asked once for the whole file."""

    key: str
    name: str
    place: Place
    candidates: list[int]
    ambiguous: bool  # these are all called so; else they are only written nearly so


@dataclass
class Persons:
    """Everybody of a list, by their key in the file; whoever is None is new, or not yet settled."""

    known: dict[str, Player | None] = field(default_factory=dict)
    chosen: set[str] = field(default_factory=set)  # keys somebody answered for
    questions: list[Question] = field(default_factory=list)


def find_people(
    people: Sequence[FilePerson],
    choices: Choices,
    findings: Findings,
    came_before: Mapping[str, int],
    *,
    by: User | None = None,
) -> Persons:
    """`came_before`: whom a row of the same content became when the file was imported earlier."""
    matcher, found = Matcher(by), Persons()
    numbers: dict[str, int | None] = {}
    for person in people:
        answer = choices.names.get(person.key) or came_before.get(person.digest)
        if answer:
            numbers[person.key] = answer if isinstance(answer, int) else None
            found.chosen |= {person.key} & choices.names.keys()
            continue
        match = _match(matcher, person)
        numbers[person.key] = match.exact[0] if len(match.exact) == 1 else None
        if len(match.exact) != 1 and (match.exact or match.near):
            found.questions.append(_question(person, match.exact or match.near, ambiguous=bool(match.exact)))
    players = players_by_id(pk for pk in numbers.values() if pk)
    for person in people:
        found.known[person.key] = players.get(numbers[person.key] or 0)
        _doubt(found, person)
    _refuse_doubles(people, found, findings)
    return found


def _question(person: FilePerson, candidates: list[int], *, ambiguous: bool) -> Question:
    return Question(person.key, person.name, person.place, candidates, ambiguous)


def _match(matcher: Matcher, person: FilePerson) -> Match:
    """By number, or by the name itself. One whose Latin form alone is the same may be somebody else: it is asked."""
    match = matcher.match(person.name, person.ema_number)
    if match.exact or not person.latin_name:
        return match
    latin = matcher.match(person.latin_name)
    return Match([], list(dict.fromkeys([*latin.exact, *match.near, *latin.near])))


def _doubt(found: Persons, person: FilePerson) -> None:
    """A namesake with another EMA number is somebody else, unless somebody says so."""
    player = found.known[person.key]
    if player is None or person.key in found.chosen or not (person.ema_number and player.ema_number):
        return
    if person.ema_number != player.ema_number:
        found.known[person.key] = None
        found.questions.append(_question(person, [player.pk], ambiguous=True))


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
