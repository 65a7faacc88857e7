"""Rows → people as they are in the file. Pure, except that the rows come from a file.

The kind of a list decides its columns: those of `PERSON`, and its own. A cell that cannot be read is a finding with its
place. `names` finds out who the people are.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from clubsite.countries import THREE_LETTERS
from ratings.imports import values
from ratings.imports.columns import ImportColumn, Layout, RowForm, by_heading, lines
from ratings.imports.limits import refuse as refuse_file
from ratings.imports.sheets import FileSheet, Findings, Place
from ratings.imports.values import LONGEST_NAME, FileLine, unmarked
from ratings.mahjong.names import folded, objection_to_name
from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop

MOST_PEOPLE = 5_000  # in one file; a file with more is not a list of people

_TWO_LETTERS = {three: two for two, three in THREE_LETTERS.items()}


# --- columns ----------------------------------------------------------------------------------------------


def name_of(longest: int = LONGEST_NAME) -> Callable[[FileLine, str], str]:
    return lambda line, key: line.name(key, longest)


def cell(read: Callable[[Any], Any], otherwise: Any = "") -> Callable[[FileLine, str], Any]:
    """Reads a cell that may be empty."""
    return lambda line, key: line.get(key, read, otherwise)


def one_of(words: Mapping[str, str], message: str, code: str) -> Callable[[FileLine, str], str]:
    """Reads a cell that holds one of some words (value -> its words, separated by |). Other texts are refused."""
    values_of = {folded(word): value for value, some in words.items() for word in some.split("|")}

    def read(value: Any) -> str:
        found = values_of.get(" ".join(folded(values.read_text(value)).split()))
        if found is None:
            raise values.refuse(message, code, value)
        return found

    return cell(read)


def is_latin(text: str) -> bool:
    return all(unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha())


def _aliases(line: FileLine, key: str) -> tuple[str, ...]:
    """A cell may hold several aliases, separated by semicolons or line breaks."""
    value = line.raw(key)
    names = (values.read_text(part) for part in re.split(r"[;\n]", unmarked(str(value)))) if value is not None else ()
    found = tuple(dict.fromkeys(name[:LONGEST_NAME] for name in names if name))
    for problem in filter(None, map(objection_to_name, found)):
        line.refuse(key, problem)
    return found


def _ema_number(line: FileLine, key: str) -> str:
    """Add the leading zero that spreadsheets remove because they take the text for a number."""
    number = line.get(key, read_ema_number, "")
    if number and len(number) < 8:
        number = number.zfill(8)
        line.findings.note(line.place(key), _("The EMA number was read as %(number)s."), number=number)
    return number


def read_ema_number(value: Any) -> str:
    text = re.sub(r"\s", "", unmarked(values.read_text(value)))
    if not (text.isascii() and text.isdigit() and 7 <= len(text) <= 8):
        raise values.refuse(_("“%(value)s” is not an EMA number: it must have eight digits."), "bad_ema", value)
    return text


def read_country(value: Any) -> str:
    text = values.read_text(value).upper()
    if re.fullmatch(r"[A-Z]{2}", text):
        return text
    if text in _TWO_LETTERS:
        return _TWO_LETTERS[text]
    raise values.refuse(
        _("“%(value)s” is not a country: use its two or three letters, PL or POL."), "bad_country", value
    )


# The columns of every list. `into` is a field of Player.
PERSON = (
    ImportColumn(
        "name",
        _("name"),
        (
            *("name", "native name", "full name", "player", "имя", "игрок", "фио", "имя и фамилия", "фамилия имя"),
            *("гравець", "ім я", "gracz", "imię i nazwisko", "nazwisko i imię", "spieler", "名前", "氏名", "選手"),
        ),
        name_of(),
    ),
    ImportColumn(
        "latin_first",
        _("first name in Latin letters"),
        (
            *("first name in latin letters", "latin first name", "latin first", "first name", "given name"),
            *("имя латиницей", "имя латинскими буквами", "imię", "vorname"),
        ),
        name_of(80),
        into="latin_first",
    ),
    ImportColumn(
        "latin_last",
        _("last name in Latin letters"),
        (
            *("last name in latin letters", "latin last name", "latin last", "last name", "surname", "family name"),
            *("фамилия латиницей", "фамилия латинскими буквами", "nazwisko", "nachname"),
        ),
        name_of(80),
        into="latin_last",
    ),
    ImportColumn(
        "nickname",
        _("nickname"),
        ("nickname", "nick", "ник", "никнейм", "нік", "pseudonim", "ksywka", "spitzname", "ニックネーム"),
        name_of(60),
        into="nickname",
    ),
    ImportColumn(
        "country",
        _("country"),
        ("country", "nationality", "страна", "країна", "kraj", "land", "国", "国籍"),
        cell(read_country),
        into="country",
    ),
    ImportColumn(
        "ema_number",
        _("EMA number"),
        (
            *("ema number", "ema no", "ema id", "ema", "ema nr", "номер ema", "numer ema", "nr ema", "ema nummer"),
            "ema番号",
        ),
        _ema_number,
        into="ema_number",
    ),
    ImportColumn(
        "aliases",
        _("aliases"),
        ("aliases", "alias", "other names", "also known as", "другие имена", "inne nazwy", "andere namen", "別名"),
        _aliases,
    ),
)


class PersonForm(RowForm):
    """A row is a person."""

    def __init__(self, key: str, own_columns: Iterable[ImportColumn]) -> None:
        self.key = self.remembered_as = key
        self.columns = (*PERSON, *own_columns)
        self.labels = {column.key: (column.label,) for column in self.columns}
        self._keys = by_heading(self.columns)

    def key_of(self, heading: str) -> str | None:
        return self._keys.get(heading)

    def missing(self, columns: Mapping[str, int]) -> list[str]:
        return [] if "name" in columns or {"latin_first", "latin_last"} <= columns.keys() else ["name"]

    def lacking(self, keys: list[str]) -> Problem:
        return Problem(_("Select the column with the names."), code="columns_missing")


# --- people -----------------------------------------------------------------------------------------------

# The digest of a row always includes these columns, also when empty. Columns declared later are included if not empty.
_ALWAYS = {
    **dict.fromkeys(("name", "latin_first", "latin_last", "nickname", "country", "ema_number"), ""),
    "aliases": (),
    "kind": "",
    "visibility": "",
    "number": None,
    "team": "",
    "status": "",
}


@dataclass(frozen=True, slots=True)
class FilePerson:
    """A row of a list. `key` is the name, or the name and the row if two rows have the name; #12 in our own workbook.

    `person["country"]` is the value of the row in this column of its kind.
    """

    key: str
    place: Place
    said: Mapping[str, Any]

    def __getitem__(self, column: str) -> Any:
        return self.said[column]

    @property
    def name(self) -> str:
        return str(self.said["name"])

    @property
    def ema_number(self) -> str:
        return str(self.said["ema_number"])

    @property
    def latin_name(self) -> str:
        return f"{self['latin_first']} {self['latin_last']}".strip()

    def filled(self, columns: Iterable[ImportColumn]) -> dict[str, Any]:
        """The values of the fields that these columns fill."""
        return {column.into: self[column.key] for column in columns if column.into}

    @property
    def digest(self) -> str:
        """The digest by which a row is recognised when the file is imported again: all its values, not its place.

        Digests are stored.
        """
        facts = _ALWAYS | {key: value for key, value in self.said.items() if key in _ALWAYS or value}
        return hashlib.sha256(json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


@dataclass
class PeopleReading:
    people: list[FilePerson] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)


def read_people(sheet: FileSheet, layout: Layout, form: PersonForm) -> PeopleReading:
    """The people of a sheet. Rows without any name are skipped, or refused if they have an EMA number or a nickname."""
    reading = PeopleReading()
    seen: dict[tuple[str, str], int] = {}
    for line in lines(sheet, layout, reading.findings):
        person = _person(line, form.columns)
        if person is None:
            continue
        same = (folded(person.name), person.ema_number)
        if same in seen:
            message = _("“%(name)s” is in row %(row)s already. Delete one of the two.")
            line.refuse("name", Problem(message, {"name": person.name, "row": seen[same]}, code="person_twice"))
        seen.setdefault(same, line.row.number)
        if line.sound:
            reading.people.append(person)
        if len(seen) > MOST_PEOPLE:
            message = _("The sheet has more than %(most)s people. Split the file.")
            raise refuse_file(message, "too_many_people", most=MOST_PEOPLE)
    return _with_keys(reading)


def _with_keys(reading: PeopleReading) -> PeopleReading:
    names = [person.name for person in reading.people]
    twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    for index, person in enumerate(reading.people):
        if person.name in twice:
            reading.people[index] = replace(person, key=f"{person.name} ({person.place.row})")
    return reading


def _person(line: FileLine, columns: Iterable[ImportColumn]) -> FilePerson | None:
    names = {column.key: column.read(line, column.key) for column in PERSON[:3]}
    if not names["name"]:
        names["name"] = f"{names['latin_first']} {names['latin_last']}".strip()
        if not is_latin(names["name"]):  # it is the only name, and not in Latin letters
            names["latin_first"] = names["latin_last"] = ""
    if not names["name"]:
        if _says_something(line):
            line.refuse("name", Problem(_("The player's name is missing."), code="no_name"))
        return None
    for key in ("latin_first", "latin_last"):
        if not is_latin(names[key]):
            line.findings.note(line.place(key), _("“%(text)s” is not in Latin letters."), text=names[key])
    said = names | {column.key: column.read(line, column.key) for column in columns if column.key not in names}
    return FilePerson(names["name"], line.place("name" if "name" in line.columns else "latin_last"), said)


def _says_something(line: FileLine) -> bool:
    """A row with an EMA number or a nickname is a person; a remark below the list is not."""
    return any(line.raw(key) is not None for key in ("ema_number", "nickname"))
