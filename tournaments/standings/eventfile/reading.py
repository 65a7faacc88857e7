"""Read an event file strictly. Every refusal says in one sentence what is wrong and where.

Sums of points are not checked here: scoring checks them for every table from any source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ratings.mahjong import scoring, tablefile
from ratings.mahjong.gamesheet import SeatSheet
from ratings.mahjong.problems import Phrase, Refused, gettext_noop
from ratings.mahjong.rulesets import PRESETS
from tournaments.standings import ranking
from tournaments.standings.eventfile import fields
from tournaments.standings.eventfile.fields import HIGHEST_NUMBER, Object
from tournaments.standings.eventfile.values import (
    Cut,
    Event,
    FileEntry,
    FileRound,
    FileStage,
    FileTable,
    Leave,
    Penalty,
    RulesOf,
)
from tournaments.standings.eventfile.where import in_round, located, part, refuse, whole_file

_ = gettext_noop

NEEDED = ("name", "slug", "club", "ruleset", "dates", "entries", "stages")
EVENT_KEYS = (*NEEDED, "city", "country", "tie_breaks", "penalties", "disqualified", "withdrawn")
ENTRY_KEYS = ("number", "native_name", "latin_first", "latin_last", "country", "ema_number", "team", "status")
SEAT_KEYS = ("entry", *scoring.Seat._fields, "played_by")
PENALTY_KEYS = ("entry", "stage", "after_round", "points", "reason", "revoked")
PLAYER, SUBSTITUTE = "player", "substitute"


def read(data: Any) -> Event:
    """Read the event from the JSON of a file."""
    where = whole_file()
    data = fields.an_object(data, where, EVENT_KEYS, NEEDED)
    entries = _entries(data, where)
    known = {entry.number for entry in entries}
    stages = _stages(data, where, known)
    left: dict[int, str] = {}
    return Event(
        name=fields.name(data, "name", where, 120, needed=True),
        slug=fields.pattern(
            data, "slug", where, fields.SLUG, "Latin letters, digits, - and _, at most 50", needed=True
        ),
        club=fields.name(data, "club", where, 120, needed=True),
        ruleset=_ruleset(data, where),
        dates=fields.dates(data, "dates", where),
        city=fields.name(data, "city", where, 120),
        country=fields.pattern(data, "country", where, fields.COUNTRY, "two capital letters"),
        tie_breaks=_tie_breaks(data, where),
        entries=entries,
        stages=stages,
        penalties=tuple(_penalties(data, where, known, stages)),
        disqualified=tuple(_leaves(data, "disqualified", where, known, stages, left)),
        withdrawn=tuple(_leaves(data, "withdrawn", where, known, stages, left)),
    )


def _ruleset(data: Object, where: Phrase) -> RulesOf:
    value = data["ruleset"]
    try:
        rules = tablefile.read_rules(value)
    except Refused as refused:
        raise located(refused.problems[0], where) from refused
    key = value if isinstance(value, str) else next((k for k, p in PRESETS.items() if p.rules == rules), "")
    return RulesOf(key, rules)


def _tie_breaks(data: Object, where: Phrase) -> tuple[str, ...]:
    keys = fields.a_list(data, "tie_breaks", where)
    for key in keys:
        if not isinstance(key, str) or key not in ranking.EVENT_TIE_BREAKS or keys.count(key) > 1:
            options = ", ".join(ranking.EVENT_TIE_BREAKS)
            message = _("“tie_breaks” holds %(value)s; it lists, each once, some of %(options)s.")
            raise refuse(where, message, value=fields.shown(key), options=options)
    return tuple(keys)


def _entries(data: Object, where: Phrase) -> tuple[FileEntry, ...]:
    entries: dict[int, FileEntry] = {}
    for index, row in enumerate(fields.a_list(data, "entries", where), 1):
        at = part("entries", index)
        entry = _entry(fields.an_object(row, at, ENTRY_KEYS, ("number", "native_name", "status")), at)
        if entry.number in entries:
            raise refuse(at, _("number %(number)s is another entry's already."), number=entry.number)
        entries[entry.number] = entry
    if not entries:
        raise refuse(where, _("“entries” is empty; an event has players."))
    return tuple(entries.values())


def _entry(row: Object, at: Phrase) -> FileEntry:
    return FileEntry(
        number=fields.number(row, "number", at, 1, HIGHEST_NUMBER),
        native_name=fields.name(row, "native_name", at, 120, needed=True),
        latin_first=fields.name(row, "latin_first", at, 80),
        latin_last=fields.name(row, "latin_last", at, 80),
        country=fields.pattern(row, "country", at, fields.COUNTRY, "two capital letters"),
        ema_number=fields.pattern(row, "ema_number", at, fields.EMA_NUMBER, "eight digits"),
        team=fields.name(row, "team", at, 80),
        is_substitute=fields.option(row, "status", at, (PLAYER, SUBSTITUTE)) == SUBSTITUTE,
    )


# --- stages, rounds, tables ---------------------------------------------------------------------------------


def _stages(data: Object, where: Phrase, known: set[int]) -> tuple[FileStage, ...]:
    stages = []
    for index, row in enumerate(fields.a_list(data, "stages", where), 1):
        at = part("stages", index)
        row = fields.an_object(row, at, ("name", "ruleset", "rounds", "cut"), ("name", "rounds"))
        name = fields.name(row, "name", at, 120, needed=True)
        rounds = [_round(each, name, n, known) for n, each in enumerate(fields.a_list(row, "rounds", at), 1)]
        ruleset = _ruleset(row, at) if "ruleset" in row else None
        stages.append(FileStage(name, tuple(rounds), ruleset, _cut(row, at)))
    if not stages:
        raise refuse(where, _("“stages” is empty; an event has at least one."))
    return tuple(stages)


def _cut(row: Object, at: Phrase) -> Cut | None:
    if row.get("cut") is None:
        return None
    data = fields.an_object(row["cut"], at, ("top", "totals"), ("top", "totals"))
    return Cut(
        fields.number(data, "top", at, 1, HIGHEST_NUMBER // 10), fields.option(data, "totals", at, ranking.TOTALS)
    )


def _round(data: Any, stage: str, number: int, known: set[int]) -> FileRound:
    at = in_round(stage, number)
    data = fields.an_object(data, at, ("tables", "absent", "byes"), ("tables",))
    seen: dict[int, Phrase] = {}
    tables = [
        _table(table, stage, number, index, known, seen)
        for index, table in enumerate(fields.a_list(data, "tables", at), 1)
    ]
    absent, byes = (_numbers(data, key, at, known, seen) for key in ("absent", "byes"))
    return FileRound(tuple(tables), absent, byes)


def _numbers(data: Object, key: str, at: Phrase, known: set[int], seen: dict[int, Phrase]) -> tuple[int, ...]:
    """A list of entries. Each may be in the round only once."""
    found = []
    for value in fields.a_list(data, key, at):
        number = _known({key: value}, key, at, known)
        _once(number, at, Phrase(_("“%(key)s”"), {"key": key}), seen)
        found.append(number)
    return tuple(found)


def _table(
    data: Any, stage: str, round_number: int, number: int, known: set[int], seen: dict[int, Phrase]
) -> FileTable:
    at = in_round(stage, round_number, number)
    data = fields.an_object(data, at, ("seats", "sticks_left", "override"), ("seats",))
    rows = fields.a_list(data, "seats", at)
    if len(rows) != 4:
        raise refuse(at, _("a hanchan has four seats, this one has %(count)s."), count=len(rows))
    seats = []
    for index, row in enumerate(rows):
        place = in_round(stage, round_number, number, index)
        seat = _seat(row, place, known)
        for person in seat.people:
            _once(person, place, Phrase(_("table %(table)s"), {"table": number}), seen)
        seats.append(seat)
    sticks = fields.number(data, "sticks_left", at, 0, default=0)
    return FileTable(tuple(seats), sticks, fields.text(data, "override", at, 300))


def _seat(data: Any, at: Phrase, known: set[int]) -> SeatSheet[int]:
    data = fields.an_object(data, at, SEAT_KEYS, ("entry", "points"))
    entry = _known(data, "entry", at, known)
    played = scoring.Seat(
        points=fields.number(data, "points", at, -scoring.LARGEST),
        chombo=fields.number(data, "chombo", at, 0, default=0),
        late_minutes=fields.number(data, "late_minutes", at, 0, default=0),
        penalty=fields.number(data, "penalty", at, 0, default=0),
        substitute=fields.option(data, "substitute", at, scoring.SUBSTITUTES, default=scoring.NONE),
    )
    return SeatSheet(entry, played, None if data.get("played_by") is None else _known(data, "played_by", at, known))


def _known(data: Object, key: str, at: Phrase, known: set[int]) -> int:
    number = fields.number(data, key, at, -scoring.LARGEST)
    if number not in known:
        raise refuse(at, _("“%(key)s” is %(number)s, and there is no such entry."), key=key, number=number)
    return number


def _once(number: int, at: Phrase, here: Phrase, seen: dict[int, Phrase]) -> None:
    if number in seen:
        message = _("entry %(number)s is in this round already: %(first)s.")
        raise refuse(at, message, "seated_twice", number=number, first=seen[number])
    seen[number] = here


# --- rulings ------------------------------------------------------------------------------------------------


def _penalties(data: Object, where: Phrase, known: set[int], stages: Sequence[FileStage]) -> list[Penalty]:
    found = []
    for index, row in enumerate(fields.a_list(data, "penalties", where), 1):
        at = part("penalties", index)
        row = fields.an_object(row, at, PENALTY_KEYS, ("entry", "after_round", "points", "reason"))
        stage, after = _moment(row, at, stages)
        points = fields.number(row, "points", at, 0)
        reason = fields.text(row, "reason", at, 300, needed=True)
        revoked = fields.flag(row, "revoked", at, default=False)
        found.append(Penalty(_known(row, "entry", at, known), stage, after, points, reason, revoked))
    return found


def _leaves(
    data: Object, key: str, where: Phrase, known: set[int], stages: Sequence[FileStage], left: dict[int, str]
) -> list[Leave]:
    """The disqualified or withdrawn entries. No entry may leave twice."""
    keys = ["entry", "stage", "after_round", "reason", *(["keep_results"] if key == "withdrawn" else [])]
    found = []
    for index, row in enumerate(fields.a_list(data, key, where), 1):
        at = part(key, index)
        row = fields.an_object(row, at, keys, [name for name in keys if name not in ("stage", "reason")])
        entry = _known(row, "entry", at, known)
        if entry in left:
            raise refuse(at, _("entry %(entry)s has left already, by “%(key)s”."), entry=entry, key=left[entry])
        left[entry] = key
        stage, after = _moment(row, at, stages)
        reason = fields.text(row, "reason", at, 300, needed=key == "disqualified")
        keep = fields.flag(row, "keep_results", at) if key == "withdrawn" else True
        found.append(Leave(entry, stage, after, reason, keep))
    return found


def _moment(row: Object, at: Phrase, stages: Sequence[FileStage]) -> tuple[int, int]:
    """The stage, counted from 1, and the round after which it happened."""
    stage = fields.number(row, "stage", at, 0, len(stages) - 1, default=0)
    return stage + 1, fields.number(row, "after_round", at, 0, len(stages[stage].rounds))
