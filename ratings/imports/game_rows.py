"""Rows → games as they are in the file, with people still by name. Pure, except that the rows come from a file.

A file of games has one of two forms. *Wide*: a row is a game, with a player and points for each wind. *Long*: a row is
a seat. A game with a cell that cannot be read is left out.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ratings.imports import values
from ratings.imports.columns import ImportColumn, Layout, RowForm, all_lines, by_heading, lines, plain
from ratings.imports.sheets import FileRow, FileSheet, Findings, Place
from ratings.imports.values import WINDS, FileLine
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.names import folded
from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop

FINAL = "final"
WIND_KEYS = ("e", "s", "w", "n")
TRIED_ROWS = 200  # to find the unit
ANY_MOMENT = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # when only the points matter

Moment = Callable[[datetime.date, datetime.time | None], datetime.datetime]  # from a day of the file and its time


# --- columns ----------------------------------------------------------------------------------------------


def _table(line: FileLine, key: str) -> int | None:
    table = line.get(key, values.read_count, None)
    if table is not None and not 0 <= table <= scoring.LARGEST:
        line.refuse(key, Problem(_("%(value)s is not a table."), {"value": table}, code="no_table"))
    return table


def _date(line: FileLine, key: str) -> datetime.date | None:
    return line.get(key, values.read_date, None)


def _time(line: FileLine, key: str) -> datetime.time | None:
    return line.get(key, values.read_time, None)


def _number(line: FileLine, key: str) -> str:
    return line.text(key, 60)


# `into` is a field of the game's Sheet.
GAME = (
    ImportColumn(
        "date",
        _("date"),
        (
            *("date", "day", "дата", "день", "дата игры", "дата гри", "data", "data gry", "dzien"),
            *("datum", "日付", "日"),
        ),
        _date,
    ),
    ImportColumn(
        "time",
        _("time"),
        (
            *("time", "played at", "время", "время начала", "начало", "час", "час початку", "початок"),
            *("godzina", "czas", "poczatek", "zeit", "時刻"),
        ),
        _time,
    ),
    ImportColumn(
        "game",
        _("number of the game"),
        (
            *("game", "no", "nr", "№", "number", "hanchan", "игра", "номер", "номер игры", "ханчан"),
            *("гра", "номер гри", "gra", "numer", "numer gry", "nr gry", "spiel", "半荘"),
        ),
        _number,
    ),
    ImportColumn(
        "table",
        _("table"),
        ("table", "стол", "номер стола", "стіл", "номер столу", "stol", "stolik", "numer stolu", "tisch", "卓"),
        _table,
        into="table",
    ),
    ImportColumn(
        "sticks",
        _("riichi sticks left"),
        (
            *("sticks", "sticks left", "riichi sticks", "kyotaku", "палочки", "палочки на столе", "палочки риичи"),
            *("риичи-палочки", "остаток палочек", "палички", "палички на столі", "палички ріічі", "ріічі-палички"),
            *("залишок паличок", "patyczki", "pozostale patyczki", "patyczki riichi", "patyczki na stole", "供託"),
        ),
        FileLine.count,
        into="sticks_left",
    ),
    ImportColumn("override", _("reason for a wrong sum"), ("reason for a wrong sum",), FileLine.text, into="override"),
    ImportColumn(
        "comment",
        _("comment"),
        (
            *("comment", "note", "notes", "remark", "комментарий", "примечание", "примечания"),
            *("коментар", "примітка", "примітки", "komentarz", "uwaga", "uwagi", "備考"),
        ),
        lambda line, key: line.text(key, 500),
        into="comment",
    ),
)
# `into` is a field of scoring.Seat. The wide form has each of these columns for every wind.
SEAT = (
    ImportColumn(
        "player",
        _("player"),
        ("", "player", "name", "игрок", "имя", "гравець", "ім’я", "gracz", "imie", "spieler", "選手", "名前"),
        FileLine.name,
    ),
    ImportColumn(
        "points",
        _("points"),
        ("points", "score", "pts", "очки", "бали", "punkty", "punkte", "得点", "点", "点数"),
        FileLine.points,
        into="points",
    ),
    ImportColumn(
        "penalty",
        _("penalty"),
        ("penalty", "penalties", "штраф", "штрафы", "штрафи", "kara", "kary", "strafe", "罰"),
        lambda line, key: abs(line.points(key, needed=False)),
        into="penalty",
    ),
    ImportColumn("chombo", _("chombo"), ("chombo", "чомбо", "チョンボ"), FileLine.count, into="chombo"),
)
# Which rows belong to one table, and who had which wind: only in the long form.
ROUND = ImportColumn("round", _("round"), ("round", "раунд", "тур", "runda", "runde", "回戦"), _number)
WIND = ImportColumn(
    "wind",
    _("wind"),
    ("wind", "seat", "ветер", "вітер", "wiatr", "место", "місце", "miejsce", "家", "風"),
    lambda line, key: line.get(key, values.read_wind, 0),
)


class WideForm(RowForm):
    """A row is a game."""

    key = "wide"

    def __init__(self) -> None:
        winds = (_("East"), _("South"), _("West"), _("North"))
        self.labels = {column.key: (column.label,) for column in GAME} | {
            f"{wind}_{column.key}": (label, column.label)
            for column in SEAT
            for wind, label in zip(WIND_KEYS, winds, strict=True)
        }
        self._game = by_heading([ROUND]) | by_heading(GAME)
        self._seat = by_heading(SEAT)

    def key_of(self, heading: str) -> str | None:
        if found := self._game.get(heading):
            return "game" if found == ROUND.key else found
        first, _space, rest = heading.partition(" ")
        before, _space, last = heading.rpartition(" ")
        for wind, what in ((first, rest), (last, before)):
            if wind in WINDS and not wind.isdigit() and what in self._seat:
                return f"{WIND_KEYS[WINDS[wind]]}_{self._seat[what]}"
        return None

    def keys_of(self, heads: Sequence[str]) -> list[str | None]:
        """Also `East, Points, South, Points, …`: points after a player, without a wind, are those of the player."""
        keys, wind = super().keys_of(heads), ""
        for index, (head, key) in enumerate(zip(heads, keys, strict=True)):
            if key and key.endswith("_player"):
                wind = key[0]
            elif key is None and head and wind and plain(head) in self._seat:
                keys[index] = f"{wind}_{self._seat[plain(head)]}"
        return keys

    def missing(self, columns: Mapping[str, int]) -> list[str]:
        needed = (f"{wind}_{key}" for wind in WIND_KEYS for key in ("player", "points"))
        return [key for key in needed if key not in columns]


class LongForm(RowForm):
    """A row is a seat."""

    key = "long"

    def __init__(self) -> None:
        columns = (*GAME, ROUND, WIND, *SEAT)
        self.labels = {column.key: (column.label,) for column in columns}
        self._keys = by_heading(SEAT) | by_heading(GAME) | by_heading([ROUND, WIND])

    def key_of(self, heading: str) -> str | None:
        return self._keys.get(heading) if heading else None

    def missing(self, columns: Mapping[str, int]) -> list[str]:
        needed = [key for key in ("player", "points") if key not in columns]
        return needed if {"round", "game", "table"} & columns.keys() else [*needed, "round"]


WIDE, LONG = WideForm(), LongForm()
FORMS = (WIDE, LONG)


# --- games ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileGame:
    """A game of the file. Its people are keys of `Reading.names`: the name itself, or #12 in our own workbook."""

    place: Place
    sheet: Sheet[str]
    time: str = ""  # as the file gives it: a game without a time is not the same as a game at noon
    number: str = ""  # what the file calls the game
    state: str = FINAL
    rules: str = ""  # slug/version, in our own workbook


@dataclass
class Reading:
    """Everything that was read from a file."""

    games: list[FileGame] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    names: dict[str, str] = field(default_factory=dict)  # key -> name, in order of first appearance
    first_seen: dict[str, Place] = field(default_factory=dict)
    together: dict[int, list[int]] = field(default_factory=dict)  # in the long form: first row of a table -> its rows


def digest(game: FileGame, names: Mapping[str, str]) -> str:
    """The digest by which a game is recognised when the file is imported again.

    It covers the facts of the game, except `override`, `winds_unknown`, `played_by` and the rules; the place in the
    file is not part of it. Digests are stored, so the facts and their order must not change.
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


def read_games(sheet: FileSheet, layout: Layout, moment: Moment, day: datetime.date | None = None) -> Reading:
    """All games of a sheet; `day` is the date of games without one."""
    reading = Reading()
    is_long = layout.form == LONG.key
    # A table in the long form is left out as a whole, so its reader sees also the rows that are left out.
    rows = (all_lines if is_long else lines)(sheet, layout, reading.findings)
    (_Long if is_long else _Wide)(layout, reading, moment, day).read(rows)
    return reading


def settle_unit(sheet: FileSheet, layout: Layout, full_sum: int) -> Layout:
    """The layout with the unit in which the most of the first tables have the right sum; points if no table has."""

    def some() -> Iterator[FileRow]:
        return islice(sheet.rows(), layout.head_row + TRIED_ROWS)

    def right(unit: str) -> int:
        first = replace(sheet, rows=some)
        games = read_games(first, replace(layout, unit=unit), lambda _day, _at: ANY_MOMENT, ANY_MOMENT.date()).games
        tables = (game.sheet.as_table() for game in games)
        sums = (sum(seat.points for seat in table.seats) + scoring.STICK * table.sticks_left for table in tables)
        return sum(found == full_sum for found in sums)

    return replace(layout, unit=max(values.UNITS, key=right))


class _Reader:
    def __init__(self, layout: Layout, reading: Reading, moment: Moment, day: datetime.date | None) -> None:
        self.layout, self.reading, self.moment, self.day = layout, reading, moment, day

    def read(self, rows: Iterator[FileLine]) -> None:
        raise NotImplementedError

    def who(self, line: FileLine, key: str) -> str:
        before = line.findings.wrong_count
        name = line.name(key)
        if not name and line.findings.wrong_count == before:
            line.refuse(key, Problem(_("The player's name is missing."), code="no_name"))
        if name:
            self.reading.names.setdefault(name, name)
            self.reading.first_seen.setdefault(name, line.place(key))
        return name

    def day_of(self, line: FileLine) -> datetime.date:
        before = line.findings.wrong_count
        found = _date(line, "date") or self.day
        if found is None and line.findings.wrong_count == before:
            problem = Problem(_("The game has no date. Enter a day for games without one."), code="no_date")
            line.refuse("date", problem)
        return found or datetime.date.min

    def time_of(self, line: FileLine) -> datetime.time | None:
        if "time" in self.layout.columns:
            return _time(line, "time")
        value = line.raw("date")
        if isinstance(value, datetime.datetime) and value.time() != datetime.time():
            return value.time()
        return None

    def seat(self, line: FileLine, before: str = "") -> SeatSheet[str]:
        player = self.who(line, f"{before}player")
        return SeatSheet(player, scoring.Seat(**filled(SEAT, line, before)))

    def add(
        self, line: FileLine, seats: tuple[SeatSheet[str], ...], number: str, *, winds_unknown: bool = False
    ) -> None:
        """Adds the game whose first row is `line`, if everything in it could be read."""
        day, at = self.day_of(line), self.time_of(line)
        facts = filled(GAME, line)
        if line.sound:
            sheet = Sheet(self.moment(day, at), day, seats, winds_unknown=winds_unknown, **facts)
            self.reading.games.append(FileGame(line.place(), sheet, str(at or ""), number))


def filled(columns: tuple[ImportColumn, ...], line: FileLine, before: str = "") -> dict[str, Any]:
    """The values of the fields that these columns fill, read from a row."""
    return {column.into: column.read(line, before + column.key) for column in columns if column.into}


class _Wide(_Reader):
    """A row is a game."""

    def read(self, rows: Iterator[FileLine]) -> None:
        seats_in = [self.layout.columns[f"{wind}_{key}"] for wind in WIND_KEYS for key in ("player", "points")]
        for line in rows:
            cells = line.row.cells
            if not any(index < len(cells) and cells[index] is not None for index in seats_in):
                continue  # not a game: the heading of a day, a sum or a remark
            seats = tuple(self.seat(line, f"{wind}_") for wind in WIND_KEYS)
            self.add(line, seats, _number(line, "game"))


class _Long(_Reader):
    """A row is a seat. Rows with the same date, round, game and table are one game, wherever they are in the sheet.

    A game of which one row is left out is left out.
    """

    def read(self, rows: Iterator[FileLine]) -> None:
        tables: dict[tuple[Any, ...], list[FileLine]] = {}
        for line in rows:
            if line.raw("player") is None and line.raw("points") is None:
                continue
            date = line.raw("date")
            key = (str(date or ""), *(values.read_text(line.raw(name)) for name in ("round", "game", "table")))
            tables.setdefault(key, []).append(line)
        for key, some in tables.items():
            numbers = [line.row.number for line in some]
            if any(line.is_left_out for line in some):
                self.reading.findings.left_out.update(numbers)
                continue
            self.reading.together[numbers[0]] = numbers
            self._table(some, " ".join(part for part in key[1:3] if part))

    def _table(self, rows: list[FileLine], number: str) -> None:
        first = rows[0]
        if len(rows) != 4:
            message = _("This table has %(count)s rows instead of four. Is a round or table number wrong?")
            first.refuse(None, Problem(message, {"count": len(rows)}, code="not_four"))
        known = any(line.raw("wind") is not None for line in rows)
        seated = [(self._wind(line) if known else index, self.seat(line)) for index, line in enumerate(rows)]
        winds = [wind for wind, _seat in seated]
        sound = all(line.sound for line in rows)
        if sound and len(set(winds)) != 4:
            first.refuse("wind", Problem(_("Two players of this table have the same wind."), code="wind_twice"))
        first.sound = first.sound and sound
        seats = tuple(seat for _wind, seat in sorted(seated, key=lambda pair: pair[0]))
        self.add(first, seats, number, winds_unknown=not known)

    def _wind(self, line: FileLine) -> int:
        if line.raw("wind") is None:
            line.refuse("wind", Problem(_("The wind is missing."), code="unknown_wind"))
            return 0
        return int(WIND.read(line, "wind"))
