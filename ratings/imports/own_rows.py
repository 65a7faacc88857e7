"""Reads our own season workbook, column by column as docs/workbook.md describes it (version 1).

Derived values (places, uma, results, ratings, the standings) are not read: they are computed again from the facts.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ratings.imports import values
from ratings.imports.game_rows import FileGame, Reading
from ratings.imports.limits import refuse
from ratings.imports.person_rows import FilePerson
from ratings.imports.sheets import Book, FileSheet, Findings, Place
from ratings.imports.values import FileLine, unmarked
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop

KEYWORDS = "umaoka season 1"
STATES = ("final", "draft", "void")
SEAT_COLUMNS = 13
FIRST_SEAT = 6  # column G
LAST = FIRST_SEAT + 4 * SEAT_COLUMNS

_GAME = ("no", "date", "time", "table", "state", "rules")
_SEAT: tuple[str, ...] = ("player", "no", "played_by", "played_by_no", "points", "place", "uma", "result", "rating")
_SEAT += ("chombo", "late", "penalty", "substitute")
_AFTER = ("sticks", "override", "variation", "winds_unknown", "comment", "moment")
GAME_COLUMNS = {name: index for index, name in enumerate(_GAME)}
GAME_COLUMNS |= {f"{w}_{name}": FIRST_SEAT + w * SEAT_COLUMNS + i for w in range(4) for i, name in enumerate(_SEAT)}
GAME_COLUMNS |= {name: LAST + index for index, name in enumerate(_AFTER)}


def in_order(*names: str) -> dict[str, int]:
    """The columns of a sheet of ours, by position."""
    return {name: index for index, name in enumerate(names)}


PLAYER_COLUMNS = in_order(
    "no",
    "name",
    "latin_first",
    "latin_last",
    "nickname",
    "country",
    "ema_number",
    "visibility",
    "kind",
    "aliases",
    "remark",
)
PENALTY_COLUMNS = in_order(
    "no", "player", "kind", "points", "round", "reason", "given_on", "by", "revoked", "revoked_by", "revoked_reason"
)
RULE_COLUMNS = in_order("rules", "name", "version", "group", "rule", "words", "parameter", "value")
SEASON_COLUMNS = in_order("what", "words", "parameter", "value")
_RULE_PARTS = ("preset", "notes", "paragraphs", "ranges")


@dataclass(frozen=True)
class FileAdjustment:
    place: Place
    who: str
    kind: str
    points: int
    round: int | None
    reason: str
    given_on: datetime.date
    by: str = ""
    revoked: datetime.datetime | None = None  # without a time zone: it is in the club's zone
    revoked_by: str = ""
    revoked_reason: str = ""


@dataclass(frozen=True)
class FileRules:
    code: str  # slug/version
    content: Mapping[str, Any]  # as in a rule-set file
    place: Place

    @property
    def slug(self) -> str:
        return self.code.rpartition("/")[0]

    @property
    def version(self) -> int:
        return int(self.code.rpartition("/")[2])


@dataclass
class OwnReading(Reading):
    players: dict[str, FilePerson] = field(default_factory=dict)
    adjustments: list[FileAdjustment] = field(default_factory=list)
    rules: dict[str, FileRules] = field(default_factory=dict)
    season: dict[str, Any] = field(default_factory=dict)


def read_own(book: Book) -> OwnReading:
    if book.keywords != KEYWORDS:
        raise refuse(_("The workbook was written by another version of the site, which this one cannot read."), "other")
    games = book.sheet_named("umaoka_games")
    if games is None:
        raise refuse(_("The workbook has lost its sheet of games. Export it again."), "no_games")
    reading = OwnReading()
    _each(book, "umaoka_players", PLAYER_COLUMNS, reading, _player)
    _each(book, "umaoka_games", GAME_COLUMNS, reading, _game)
    _each(book, "umaoka_penalties", PENALTY_COLUMNS, reading, _adjustment)
    reading.rules = dict(_rules(book.sheet_named("umaoka_rules"), reading.findings))
    _each(book, "umaoka_season", SEASON_COLUMNS, reading, _season)
    return reading


def _each(
    book: Book, name: str, columns: Mapping[str, int], reading: OwnReading, read: Callable[[FileLine, OwnReading], None]
) -> None:
    sheet = book.sheet_named(name)
    for row in sheet.rows() if sheet else ():
        if sheet and row.number > 1:
            read(FileLine(sheet, row, columns, reading.findings), reading)


# --- people -----------------------------------------------------------------------------------------------


def _player(line: FileLine, reading: OwnReading) -> None:
    key = f"#{values.read_text(line.raw('no'))}"
    # The cell has one alias per line, so the line breaks are kept.
    aliases = (unmarked(str(line.raw("aliases") or ""))).split("\n")
    texts = {name: _exact(line, name) for name in PLAYER_COLUMNS if name not in ("no", "aliases")}
    said = {**texts, "aliases": tuple(alias.strip() for alias in aliases if alias.strip())}
    player = FilePerson(key, line.place("name"), said)
    for alias in player["aliases"]:
        if problem := objection_to_name(alias):
            line.refuse("aliases", problem)
    if not player.name:
        line.refuse("name", Problem(_("The player's name is missing."), code="no_name"))
        return
    reading.players[key] = player
    reading.names[key] = player.name
    reading.first_seen[key] = player.place


def _exact(line: FileLine, key: str) -> str:
    """A text as we wrote it, including its spaces."""
    value = line.raw(key)
    return unmarked(value) if isinstance(value, str) else values.read_text(value)


def _who(line: FileLine, reading: OwnReading, number: str, name: str) -> str | None:
    value = line.raw(number)
    if value is None:
        if line.raw(name) is None:
            return None
        message = _("The player is hidden in this file and cannot be identified. Export it as an admin of the club.")
        line.refuse(name, Problem(message, code="hidden_player"))
        return None
    key = f"#{values.read_text(value)}"
    if key not in reading.players:
        line.refuse(number, Problem(_("There is no player %(no)s in the file."), {"no": key}, code="no_player"))
    return key


# --- games ------------------------------------------------------------------------------------------------


def _game(line: FileLine, reading: OwnReading) -> None:
    seats = tuple(_seat(line, reading, f"{wind}_") for wind in range(4))
    state = _exact(line, "state") or "final"
    if state not in STATES:
        line.refuse("state", Problem(_("“%(value)s” is not a state of a game."), {"value": state[:40]}, code="state"))
    moment = line.raw("moment")
    if not isinstance(moment, datetime.datetime):
        line.refuse("moment", Problem(_("The time of the game is missing."), code="no_date"))
        return
    at = moment.replace(tzinfo=datetime.UTC, microsecond=0)
    sheet = Sheet(
        played_at=at,
        played_on=line.get("date", values.read_date, moment.date()),
        seats=seats,
        table=line.get("table", values.read_count, None),
        sticks_left=line.count("sticks"),
        override=_exact(line, "override"),
        variation=line.get("variation", _json_object, {}),
        winds_unknown=_exact(line, "winds_unknown") == "yes",
        comment=_exact(line, "comment"),
    )
    if line.sound:
        reading.games.append(FileGame(line.place(), sheet, str(at), state=state, rules=_exact(line, "rules")))


def _seat(line: FileLine, reading: OwnReading, before: str) -> SeatSheet[str]:
    who = _who(line, reading, f"{before}no", f"{before}player")
    if who is None and line.sound:
        line.refuse(f"{before}player", Problem(_("The player's name is missing."), code="no_name"))
    played = scoring.Seat(
        line.points(f"{before}points"),
        chombo=line.count(f"{before}chombo"),
        late_minutes=line.count(f"{before}late"),
        penalty=line.count(f"{before}penalty"),
        substitute=_exact(line, f"{before}substitute") or scoring.NONE,
    )
    return SeatSheet(who or "", played, _who(line, reading, f"{before}played_by_no", f"{before}played_by"))


def _json_object(value: Any) -> dict[str, Any]:
    found = _json(value)
    if not isinstance(found, dict):
        raise values.refuse(_("“%(value)s” is not a JSON object."), "bad_json", value)
    return found


def _json(value: Any) -> Any:
    try:
        return json.loads(unmarked(value)) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        raise values.refuse(_("“%(value)s” is not JSON."), "bad_json", value) from error


# --- results without a game, rules, the season ------------------------------------------------------------


def _adjustment(line: FileLine, reading: OwnReading) -> None:
    who = _who(line, reading, "no", "player")
    revoked = line.raw("revoked")
    adjustment = FileAdjustment(
        place=line.place(),
        who=who or "",
        kind=_exact(line, "kind"),
        points=line.get("points", _thousandths, 0),
        round=line.get("round", values.read_count, None),
        reason=_exact(line, "reason"),
        given_on=line.get("given_on", values.read_date, datetime.date.min),
        by=_exact(line, "by"),
        revoked=revoked if isinstance(revoked, datetime.datetime) else None,
        revoked_by=_exact(line, "revoked_by"),
        revoked_reason=_exact(line, "revoked_reason"),
    )
    if line.sound and who:
        reading.adjustments.append(adjustment)


def _thousandths(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise values.refuse(_("“%(value)s” is text, not a number."), "text_for_number", value)
    return round(Decimal(repr(value)) * 1000)


def _rules(sheet: FileSheet | None, findings: Findings) -> Iterator[tuple[str, FileRules]]:
    found: dict[str, dict[str, Any]] = {}
    places: dict[str, Place] = {}
    for row in sheet.rows() if sheet else ():
        line = FileLine(sheet, row, RULE_COLUMNS, findings) if sheet and row.number > 1 else None
        if line is None:
            continue
        code, parameter = _exact(line, "rules"), _exact(line, "parameter")
        content = found.setdefault(code, {"name": _exact(line, "name"), "parameters": {}})
        places.setdefault(code, line.place("rules"))
        value = line.get("value", _json, None)
        if parameter in _RULE_PARTS:
            content[parameter] = value
        elif parameter:
            content["parameters"][parameter] = value
    for code, content in found.items():
        if not re.fullmatch("[0-9]{1,9}", code.rpartition("/")[2]):
            problem = Problem(_("“%(code)s” is not a rule set and version."), {"code": code[:60]}, code="bad_rules")
            findings.refuse(places[code], problem)
            continue
        yield code, FileRules(code, content, places[code])


def _season(line: FileLine, reading: OwnReading) -> None:
    key = _exact(line, "parameter")
    if key:
        reading.season[key] = line.get("value", _json, None)
