"""Rows → games as they stand in the file, people still by name. Pure but for the rows, which come from a file.

Every cell that cannot be read is a finding with its place; a game with one is left out and the rest is read on, so
that one look shows everything that is wrong.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from clubsite.export import neutral
from ratings import scoring
from ratings.gamesheet import SeatSheet, Sheet
from ratings.imports import values
from ratings.imports.books import Row
from ratings.imports.books import Sheet as FileSheet
from ratings.imports.layouts import LONG, WIND_KEYS, Layout
from ratings.imports.places import Findings, Place
from ratings.names import folded, objection_to_name
from ratings.problems import Problem, Refused, gettext_noop

_ = gettext_noop

Value = TypeVar("Value")
FINAL = "final"
LONGEST_NAME = 120


Moment = Callable[[datetime.date, datetime.time | None], datetime.datetime]  # a day of the file, and its time if any


@dataclass(frozen=True, slots=True)
class FileGame:
    """A game of the file. Its people are keys of `Reading.names`: the name itself, or #12 in our own workbook."""

    place: Place
    sheet: Sheet[str]
    time: str = ""  # as the file gives it: a game without one is not the same as a game at noon
    number: str = ""  # what the file calls the game
    state: str = FINAL
    rules: str = ""  # slug/version, in our own workbook


@dataclass
class Reading:
    """Everything a file says."""

    games: list[FileGame] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    names: dict[str, str] = field(default_factory=dict)  # key -> name, in order of first appearance
    first_seen: dict[str, Place] = field(default_factory=dict)


def digest(game: FileGame, names: Mapping[str, str]) -> str:
    """What makes a game the same when the file comes again: everything it says, not where in the file it says so.

    Digests are stored, so the facts and their order stay as they are.
    """
    sheet = game.sheet
    facts = [
        sheet.played_on.isoformat(),
        game.time,
        game.number,
        sheet.table,
        sheet.sticks_left,
        game.state,
        sheet.comment,
        dict(sheet.variation),
        [[folded(names[seat.player]), *seat.played] for seat in sheet.seats],
    ]
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def unmarked(text: str) -> str:
    """Without the apostrophe that an export put before what looks like a formula."""
    return text[1:] if text.startswith("'") and neutral(text[1:]) != text[1:] else text


class Line:
    """One row being read: each cell asked for becomes a value, or a finding and its fallback."""

    def __init__(self, sheet: FileSheet, row: Row, columns: Mapping[str, int], findings: Findings) -> None:
        self.sheet, self.row, self.columns, self.findings = sheet, row, columns, findings
        self.sound = True

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
        text = unmarked(values.read_text(self.raw(key)))
        if len(text) > longest:
            self.refuse(key, Problem(_("The text is longer than %(most)s letters."), {"most": longest}, code="long"))
        return text[:longest]

    def name(self, key: str, longest: int) -> str:
        """A name of somebody or something; one that nobody could read is refused where it stands."""
        name = self.text(key, longest)
        if name and (problem := objection_to_name(name)):
            self.refuse(key, problem)
        return name

    def points(self, key: str, unit: str, *, needed: bool = True) -> int:
        before = self.findings.wrong_count
        read = self.get(key, lambda value: values.read_number(value, unit), None)
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
        number = self.get(key, values.read_count, 0)
        if number < 0 or number > scoring.LARGEST:
            self.refuse(key, Problem(_("%(value)s must be 0 or more."), {"value": number}, code="negative"))
            return 0
        return number


def read_games(sheet: FileSheet, layout: Layout, moment: Moment, day: datetime.date | None = None) -> Reading:
    """All games of a sheet; `day` is the date of those that have none."""
    reading = Reading()
    tell_oddities(sheet, layout, reading.findings)
    lines = (Line(sheet, row, layout.columns, reading.findings) for row in sheet.rows() if row.number > layout.head_row)
    reader = (_Long if layout.form == LONG else _Wide)(layout, reading, moment, day)
    reader.read(lines)
    return reading


def tell_oddities(sheet: FileSheet, layout: Layout, findings: Findings) -> None:
    """Merged cells below the headings hide what belongs to which game; hidden ones are read like all others."""
    used = set(layout.columns.values())
    for place in sheet.oddities.merged:
        if (place.row or 0) > layout.head_row:
            problem = Problem(_("Cells are merged. Unmerge them and fill in every cell."), code="merged")
            findings.refuse(Place(sheet.title, place.row, place.column), problem)
    for row in sheet.oddities.hidden_rows:
        if row > layout.head_row:
            findings.note(Place(sheet.title, row), _("The row is hidden; it is read like the others."))
    for first, last in sheet.oddities.hidden_columns:
        for column in sorted(used & set(range(first, min(last, 1000) + 1))):
            findings.note(
                Place(sheet.title, layout.head_row, column), _("The column is hidden; it is read like the others.")
            )
    if sheet.hidden:
        findings.note(Place(sheet.title), _("The sheet is hidden; it is read all the same."))


class _Reader:
    def __init__(self, layout: Layout, reading: Reading, moment: Moment, day: datetime.date | None) -> None:
        self.layout, self.reading, self.moment, self.day = layout, reading, moment, day

    def read(self, lines: Iterator[Line]) -> None:
        raise NotImplementedError

    def who(self, line: Line, key: str) -> str:
        before = line.findings.wrong_count
        name = line.name(key, LONGEST_NAME)
        if not name and line.findings.wrong_count == before:
            line.refuse(key, Problem(_("The player's name is missing."), code="no_name"))
        if name:
            self.reading.names.setdefault(name, name)
            self.reading.first_seen.setdefault(name, line.place(key))
        return name

    def day_of(self, line: Line) -> datetime.date:
        before = line.findings.wrong_count
        found = line.get("date", values.read_date, self.day)
        if found is None and line.findings.wrong_count == before:
            problem = Problem(_("The game has no date. Say the day of games without one."), code="no_date")
            line.refuse("date", problem)
        return found or datetime.date.min

    def time_of(self, line: Line) -> datetime.time | None:
        if "time" in self.layout.columns:
            return line.get("time", values.read_time, None)
        value = line.raw("date")
        if isinstance(value, datetime.datetime) and value.time() != datetime.time():
            return value.time()
        return None

    def seat(self, line: Line, before: str = "") -> SeatSheet[str]:
        unit = self.layout.unit
        player = self.who(line, f"{before}player")
        played = scoring.Seat(
            line.points(f"{before}points", unit),
            chombo=line.count(f"{before}chombo"),
            penalty=abs(line.points(f"{before}penalty", unit, needed=False)),
        )
        return SeatSheet(player, played)

    def add(self, line: Line, seats: tuple[SeatSheet[str], ...], number: str, *, winds_unknown: bool = False) -> None:
        """Keeps the game of which `line` is the first row, if everything on it could be read."""
        table = line.get("table", values.read_count, None)
        if table is not None and not 0 <= table <= scoring.LARGEST:
            line.refuse("table", Problem(_("%(value)s is no table."), {"value": table}, code="no_table"))
        day, at = self.day_of(line), self.time_of(line)
        sticks, override, comment = line.count("sticks"), line.text("override"), line.text("comment", 500)
        if line.sound:
            sheet = Sheet(self.moment(day, at), day, seats, sticks, table, override, winds_unknown, comment)
            self.reading.games.append(FileGame(line.place(), sheet, str(at or ""), number))


class _Wide(_Reader):
    """A row a game."""

    def read(self, lines: Iterator[Line]) -> None:
        seats_in = [self.layout.columns[f"{wind}_{key}"] for wind in WIND_KEYS for key in ("player", "points")]
        for line in lines:
            cells = line.row.cells
            if not any(index < len(cells) and cells[index] is not None for index in seats_in):
                continue  # a heading of a day, a sum, a remark: no game
            seats = tuple(self.seat(line, f"{wind}_") for wind in WIND_KEYS)
            self.add(line, seats, line.text("game", 60))


class _Long(_Reader):
    """A row a seat: rows of one date, round and table are one game, wherever they stand."""

    def read(self, lines: Iterator[Line]) -> None:
        tables: dict[tuple[Any, ...], list[Line]] = {}
        for line in lines:
            if line.raw("player") is None and line.raw("points") is None:
                continue
            date = line.raw("date")
            key = (str(date or ""), *(values.read_text(line.raw(name)) for name in ("round", "game", "table")))
            tables.setdefault(key, []).append(line)
        for key, some in tables.items():
            self._table(some, " ".join(part for part in key[1:3] if part))

    def _table(self, lines: list[Line], number: str) -> None:
        first = lines[0]
        if len(lines) != 4:
            message = _("This table has %(count)s rows instead of four. Is a round or table number wrong?")
            first.refuse(None, Problem(message, {"count": len(lines)}, code="not_four"))
        known = any(line.raw("wind") is not None for line in lines)
        seated = [(self._wind(line) if known else index, self.seat(line)) for index, line in enumerate(lines)]
        winds = [wind for wind, _seat in seated]
        sound = all(line.sound for line in lines)
        if sound and len(set(winds)) != 4:
            first.refuse("wind", Problem(_("Two players of this table have the same wind."), code="wind_twice"))
        first.sound = first.sound and sound
        seats = tuple(seat for _wind, seat in sorted(seated, key=lambda pair: pair[0]))
        self.add(first, seats, number, winds_unknown=not known)

    def _wind(self, line: Line) -> int:
        if line.raw("wind") is None:
            line.refuse("wind", Problem(_("The wind is missing."), code="unknown_wind"))
            return 0
        return line.get("wind", values.read_wind, 0)
