"""Rows → people as they stand in the file: players of a club, or entries of an event. Pure but for the rows.

Every cell that cannot be read is a finding with its place; who the people are is for `ratings.services.imports`.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from clubsite.countries import THREE_LETTERS
from ratings.imports import values
from ratings.imports.books import Sheet
from ratings.imports.games import LONGEST_NAME, Line, tell_oddities, unmarked
from ratings.imports.layouts import Layout
from ratings.imports.limits import refuse as refuse_file
from ratings.imports.places import Findings, Place
from ratings.names import folded, objection_to_name
from ratings.problems import Problem, gettext_noop

_ = gettext_noop

MOST_PEOPLE = 5_000  # in one file; more of them is no list of people
LARGEST_NUMBER = 9_999
LENGTHS = {"latin_first": 80, "latin_last": 80, "nickname": 60, "team": 80}

_TWO_LETTERS = {three: two for two, three in THREE_LETTERS.items()}


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {folded(word): value for value, words in table.items() for word in words.split("|")}


_KINDS = _by_word(
    {
        "regular": "regular|regulars|member|yes|постоянный|член клуба|постійний|stały|członek|mitglied|会員",
        "guest": "guest|visitor|no|гость|гість|gość|gast|ゲスト",
    }
)
_VISIBILITIES = _by_word({"full": "full|full name", "nickname": "nickname|nickname only", "hidden": "hidden"})
_STATES = _by_word(
    {
        "waiting": "waiting|on the waiting list|waiting list|лист ожидания|lista oczekujących|warteliste",
        "registered": "registered|entered|зарегистрирован|zarejestrowany|angemeldet",
        "confirmed": "confirmed|подтвержден|potwierdzony|bestätigt",
        "checked_in": "checked in|checked_in|present|на месте|obecny|anwesend",
        "permanent": "permanent substitute|permanent|substitute|запасной|rezerwowy|ersatz",
        "occasional": "occasional substitute|occasional",
    }
)


@dataclass(frozen=True, slots=True)
class FilePerson:
    """A row of a list. `key` is the name, or the name and the row when a name comes twice."""

    key: str
    place: Place
    name: str
    latin_first: str = ""
    latin_last: str = ""
    nickname: str = ""
    country: str = ""
    ema_number: str = ""
    aliases: tuple[str, ...] = ()
    kind: str = ""  # regular, guest
    visibility: str = ""
    number: int | None = None  # this and the rest: of entries
    team: str = ""
    status: str = ""  # as Entry.Status; or permanent, occasional of substitutes

    @property
    def latin_name(self) -> str:
        return f"{self.latin_first} {self.latin_last}".strip()

    @property
    def digest(self) -> str:
        """What makes a row the same when the file comes again: all it says, not where it stands."""
        facts = {name: value for name, value in asdict(self).items() if name not in ("key", "place")}
        return hashlib.sha256(json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


@dataclass
class ListReading:
    people: list[FilePerson] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)


def read_people(sheet: Sheet, layout: Layout) -> ListReading:
    """Everybody of a sheet; rows without any name are passed over."""
    reading = ListReading()
    tell_oddities(sheet, layout, reading.findings)
    seen: dict[tuple[str, str], int] = {}
    for row in sheet.rows():
        if row.number <= layout.head_row:
            continue
        line = Line(sheet, row, layout.columns, reading.findings)
        person = _person(line)
        if person is None:
            continue
        same = (folded(person.name), person.ema_number)
        if same in seen:
            message = _("“%(name)s” stands in row %(row)s already. Delete one of the two.")
            line.refuse("name", Problem(message, {"name": person.name, "row": seen[same]}, code="person_twice"))
        seen.setdefault(same, row.number)
        if line.sound:
            reading.people.append(person)
        if len(seen) > MOST_PEOPLE:
            message = _("The sheet has more than %(most)s people. Split the file.")
            raise refuse_file(message, "too_many_people", most=MOST_PEOPLE)
    return _with_keys(reading)


def _with_keys(reading: ListReading) -> ListReading:
    names = [person.name for person in reading.people]
    twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    for index, person in enumerate(reading.people):
        if person.name in twice:
            reading.people[index] = replace(person, key=f"{person.name} ({person.place.row})")
    return reading


def _person(line: Line) -> FilePerson | None:
    name = line.name("name", LONGEST_NAME)
    texts = {key: line.name(key, longest) for key, longest in LENGTHS.items()}
    if not name:
        name = f"{texts['latin_first']} {texts['latin_last']}".strip()
        if not is_latin(name):  # the only name there is, in its own letters
            texts["latin_first"] = texts["latin_last"] = ""
    if not name:
        if any(cell is not None for cell in line.row.cells) and _says_something(line):
            line.refuse("name", Problem(_("The player's name is missing."), code="no_name"))
        return None
    for key in ("latin_first", "latin_last"):
        if not is_latin(texts[key]):
            line.findings.note(line.place(key), _("“%(text)s” is not in Latin letters."), text=texts[key])
    return FilePerson(
        key=name,
        place=line.place("name" if "name" in line.columns else "latin_last"),
        name=name,
        country=line.get("country", read_country, ""),
        ema_number=_ema_number(line),
        aliases=_aliases(line),
        kind=line.get("kind", read_kind, ""),
        visibility=line.get("visibility", read_visibility, ""),
        number=_number(line),
        status=line.get("status", read_status, ""),
        **texts,
    )


def _says_something(line: Line) -> bool:
    """A row with an EMA number or a nickname is somebody; a remark below the list is not."""
    return any(line.raw(key) is not None for key in ("ema_number", "nickname"))


def is_latin(text: str) -> bool:
    return all(unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha())


def _aliases(line: Line) -> tuple[str, ...]:
    """A cell may hold several, apart by semicolons or lines."""
    value = line.raw("aliases")
    names = (values.read_text(part) for part in re.split(r"[;\n]", unmarked(str(value)))) if value is not None else ()
    found = tuple(dict.fromkeys(name[:LONGEST_NAME] for name in names if name))
    for problem in filter(None, map(objection_to_name, found)):
        line.refuse("aliases", problem)
    return found


def _number(line: Line) -> int | None:
    number = line.get("number", values.read_count, None)
    if number is not None and not 1 <= number <= LARGEST_NUMBER:
        message = _("%(value)s is no number of an entry: use 1 to %(most)s.")
        line.refuse("number", Problem(message, {"value": number, "most": LARGEST_NUMBER}, code="bad_number"))
        return None
    return number


def _ema_number(line: Line) -> str:
    """Spreadsheets drop the leading zero of what they take for a number."""
    number = line.get("ema_number", read_ema_number, "")
    if number and len(number) < 8:
        number = number.zfill(8)
        line.findings.note(line.place("ema_number"), _("The EMA number was read as %(number)s."), number=number)
    return number


def read_ema_number(value: Any) -> str:
    text = re.sub(r"\s", "", unmarked(values.read_text(value)))
    if not (text.isascii() and text.isdigit() and 7 <= len(text) <= 8):
        raise values.refuse(_("“%(value)s” is no EMA number: it has eight digits."), "bad_ema", value)
    return text


def read_country(value: Any) -> str:
    text = values.read_text(value).upper()
    if re.fullmatch(r"[A-Z]{2}", text):
        return text
    if text in _TWO_LETTERS:
        return _TWO_LETTERS[text]
    raise values.refuse(_("“%(value)s” is no country: use its two or three letters, PL or POL."), "bad_country", value)


def _word(value: Any, words: Mapping[str, str]) -> str | None:
    return words.get(" ".join(folded(values.read_text(value)).split()))


def read_kind(value: Any) -> str:
    found = _word(value, _KINDS)
    if found is None:
        raise values.refuse(_("“%(value)s” is neither regular nor guest."), "bad_kind", value)
    return found


def read_visibility(value: Any) -> str:
    found = _word(value, _VISIBILITIES)
    if found is None:
        raise values.refuse(_("“%(value)s” is none of full, nickname and hidden."), "bad_visibility", value)
    return found


def read_status(value: Any) -> str:
    found = _word(value, _STATES)
    if found is None:
        raise values.refuse(
            _(
                "“%(value)s” is no state to enter somebody in. Use registered, confirmed, checked in, waiting, "
                "or permanent or occasional substitute."
            ),
            "bad_status",
            value,
        )
    return found
