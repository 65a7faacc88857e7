"""Cells → facts: points in a column's unit, dates, times, winds, names. Pure.

The unit of the column decides what a number means; the shorthand of the entry page does not apply. A number that was
read although it is not written plainly (`31,1`, `△12`, `38 700`) has a remark. `FileLine` is a row being read: a cell
that cannot be read is a finding with its place, and reading continues, so that the user sees all findings at once.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple, TypeVar

from clubsite.export import neutral
from ratings.imports.sheets import FileRow, FileSheet, Findings, Place
from ratings.mahjong import scoring
from ratings.mahjong.names import folded, objection_to_name
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.shorthand import MINUS_SIGNS, SPACES, narrowed

_ = gettext_noop

Value = TypeVar("Value")
LONGEST_NAME = 120

POINTS, HUNDREDS, THOUSANDS = "points", "hundreds", "thousands"
UNITS = {POINTS: 1, HUNDREDS: 100, THOUSANDS: 1000}
UNIT_LABELS = {POINTS: _("points (31100)"), HUNDREDS: _("hundreds (311)"), THOUSANDS: _("thousands (31.1)")}

_GROUPED = re.compile(r"^[0-9]{1,3}([.,][0-9]{3})+$")
_NUMBER = re.compile(r"^[0-9]{1,12}([.,][0-9]{1,6})?$")
_ISO = re.compile(r"^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})$")
_EUROPEAN = re.compile(r"^([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4}|[0-9]{2})\.?$")
_SLASHES = re.compile(r"^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})$")
_SHORT_YEAR = re.compile(r"^[0-9]{1,2}([/-])[0-9]{1,2}\1[0-9]{2}$")  # 15/09/26 or 26-09-15: the year may be anywhere
_JAPANESE = re.compile(r"^([0-9]{4})[/年]([0-9]{1,2})[/月]([0-9]{1,2})日?$")
_TIME = re.compile(r"^([0-9]{1,2})[:.]([0-9]{2})(?::([0-9]{2}))?$")

_WINDS = (
    ("e", "east", "ton", "東", "东", "в", "восток", "вост", "схід", "сх", "wschod", "ost", "1"),
    ("s", "south", "nan", "南", "ю", "юг", "південь", "пд", "poludnie", "sud", "2"),
    ("w", "west", "sha", "shaa", "xia", "西", "з", "запад", "захід", "зх", "zachod", "3"),
    ("n", "north", "pei", "北", "с", "север", "північ", "пн", "polnoc", "nord", "4"),
)
WINDS = {folded(word): index for index, words in enumerate(_WINDS) for word in words}


class Read(NamedTuple):
    value: int
    remark: str = ""  # how it was written, if not as a plain number


def refuse(message: str, code: str, value: object) -> Refused:
    return Refused(Problem(message, {"value": str(value).strip()[:40]}, code=code))


def read_text(value: Any) -> str:
    """The content of a cell as one line of text; a whole number without decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(unicodedata.normalize("NFC", str(value)).replace("\0", " ").split())


def read_number(value: Any, unit: str = POINTS) -> Read:
    """A number of game points, written in the unit of its column."""
    remark = ""
    if isinstance(value, bool | datetime.date | datetime.time | datetime.timedelta):
        raise refuse(_("“%(value)s” is not a number."), "not_a_number", value)
    if isinstance(value, int):
        number = Decimal(value)
    elif isinstance(value, float):
        number = Decimal(repr(value))
        if not number.is_finite():
            raise refuse(_("“%(value)s” is not a number."), "not_a_number", value)
        number = round(number, 6)  # 31.1 computed by a spreadsheet may be 31.099999999999998
    else:
        number, remark = _typed(str(value), unit)
    try:
        scaled = number * UNITS[unit]
        whole = int(scaled)
    except (InvalidOperation, OverflowError) as error:
        raise refuse(_("“%(value)s” is not a number."), "not_a_number", value) from error
    if whole != scaled:
        raise refuse(_("“%(value)s” is not a whole number of points. Is the unit of the column right?"), "parts", value)
    if abs(whole) > 10**9:
        raise refuse(_("“%(value)s” is more than a game can have."), "too_large", value)
    return Read(whole, remark)


def _typed(text: str, unit: str) -> tuple[Decimal, str]:
    """A number in a text cell."""
    bare = SPACES.sub("", narrowed(text))
    sign = 1
    if bare[:1] and bare[0] in MINUS_SIGNS:
        sign, bare = -1, bare[1:]
    elif bare.startswith("+"):
        bare = bare[1:]
    if unit == POINTS and _GROUPED.match(bare):
        bare = bare.replace(",", "").replace(".", "")
    if not bare.isascii() or not _NUMBER.match(bare):
        raise refuse(_("“%(value)s” is text, not a number."), "text_for_number", text)
    plain = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text.strip()) is not None
    return sign * Decimal(bare.replace(",", ".")), "" if plain else text.strip()[:40]


def read_count(value: Any) -> int:
    """A whole number of things: a table, sticks, chombo, minutes."""
    return read_number(value).value


def read_date(value: Any) -> datetime.date:
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    text = narrowed(str(value)).strip()
    day = text.split("T")[0].split(" ")[0] if _ISO.match(text[:10]) else text
    try:
        if found := _ISO.match(day) or _JAPANESE.match(day):
            return datetime.date(*(int(part) for part in found.groups()))
        if found := _EUROPEAN.match(text):
            year, month, date = (int(part) for part in reversed(found.groups()))
            return datetime.date(year if year >= 100 else 2000 + year, month, date)
        if _SHORT_YEAR.match(text):
            raise _two_dates(value)
        if found := _SLASHES.match(text):
            first, second, year = (int(part) for part in found.groups())
            if first > 12 or first == second:
                return datetime.date(year, second, first)
            if second > 12:
                return datetime.date(year, first, second)
            raise _two_dates(value)
    except Refused:
        raise
    except ValueError as error:
        raise refuse(_("“%(value)s” is not a date of the calendar."), "no_date", value) from error
    raise refuse(_("“%(value)s” is not a date. Write it as 2026-04-16 or 16.04.2026."), "no_date", value)


def _two_dates(value: Any) -> Refused:
    return refuse(_("“%(value)s” may be two dates. Write it as 2026-04-16 or 16.04.2026."), "two_dates", value)


def read_time(value: Any) -> datetime.time:
    if isinstance(value, datetime.datetime):
        return value.time().replace(tzinfo=None)
    if isinstance(value, datetime.time):
        return value.replace(tzinfo=None)
    if isinstance(value, datetime.timedelta) and datetime.timedelta() <= value < datetime.timedelta(days=1):
        return (datetime.datetime.min + value).time()
    if found := _TIME.match(str(value).strip()):
        try:
            hour, minute, second = (int(part or 0) for part in found.groups())
            return datetime.time(hour, minute, second)
        except ValueError:
            pass
    raise refuse(_("“%(value)s” is not a time. Write it as 19:30."), "no_time", value)


def read_wind(value: Any) -> int:
    """0 … 3 for East … North."""
    wind = WINDS.get(folded(read_text(value)).strip(" .)"))
    if wind is None:
        raise refuse(_("“%(value)s” is not a wind. Use E, S, W, N or 東南西北."), "unknown_wind", value)
    return wind


# --- rows -------------------------------------------------------------------------------------------------


def unmarked(text: str) -> str:
    """The text without the apostrophe that an export puts before a text that looks like a formula."""
    return text[1:] if text.startswith("'") and neutral(text[1:]) != text[1:] else text


class FileLine:
    """One row being read. Each cell gives a value, or a finding and a fallback value."""

    def __init__(
        self, sheet: FileSheet, row: FileRow, columns: Mapping[str, int], findings: Findings, unit: str = POINTS
    ) -> None:
        """`unit` is the unit of the columns of points."""
        self.sheet, self.row, self.columns, self.findings, self.unit = sheet, row, columns, findings, unit
        self.sound = True

    @property
    def is_left_out(self) -> bool:
        return self.row.number in self.sheet.left_out

    def place(self, key: str | None = None) -> Place:
        return Place(self.sheet.title, self.row.number, self.columns.get(key) if key else None)

    def raw(self, key: str) -> Any:
        index = self.columns.get(key)
        value = self.row.cells[index] if index is not None and index < len(self.row.cells) else None
        if value is None and index is not None and (self.row.number, index) in self.sheet.oddities.no_values:
            self.refuse(
                key,
                Problem(
                    _("The formula was never computed. Open the file in a spreadsheet and save it, or paste values."),
                    code="no_value",
                ),
            )
        return None if isinstance(value, str) and not value.strip() else value

    def refuse(self, key: str | None, problem: Problem) -> None:
        self.sound = False
        self.findings.refuse(self.place(key), problem)

    def get(self, key: str, read: Callable[[Any], Value], otherwise: Value) -> Value:
        value = self.raw(key)
        if value is None:
            return otherwise
        try:
            return read(value)
        except Refused as refused:
            for problem in refused.problems:
                self.refuse(key, problem)
            return otherwise

    def text(self, key: str, longest: int = 300) -> str:
        text = unmarked(read_text(self.raw(key)))
        if len(text) > longest:
            self.refuse(key, Problem(_("The text is longer than %(most)s characters."), {"most": longest}, code="long"))
        return text[:longest]

    def name(self, key: str, longest: int = LONGEST_NAME) -> str:
        """A name. Refuses a name that `objection_to_name` objects to, such as an invisible one."""
        name = self.text(key, longest)
        if name and (problem := objection_to_name(name)):
            self.refuse(key, problem)
        return name

    def points(self, key: str, *, needed: bool = True) -> int:
        before = self.findings.wrong_count
        read = self.get(key, lambda value: read_number(value, self.unit), None)
        if read is None:
            if needed and self.findings.wrong_count == before:
                self.refuse(key, Problem(_("The points are missing."), code="no_points"))
            return 0
        if read.remark:
            self.findings.note(
                self.place(key), _("“%(text)s” was read as %(points)s points."), text=read.remark, points=read.value
            )
        return read.value

    def count(self, key: str) -> int:
        number = self.get(key, read_count, 0)
        if number < 0 or number > scoring.LARGEST:
            self.refuse(key, Problem(_("%(value)s must be 0 or more."), {"value": number}, code="negative"))
            return 0
        return number
