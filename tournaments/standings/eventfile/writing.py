"""Write an event as JSON. Some optional keys are left out if they are empty, so that one event has one file."""

from __future__ import annotations

from typing import Any

from ratings.mahjong import rulesets, scoring
from ratings.mahjong.gamesheet import SeatSheet
from tournaments.standings.eventfile.values import Event, FileEntry, FileRound, FileStage, FileTable, Leave, RulesOf

# The order in which a seat's facts are written. A fact without a value is left out.
SEAT_FACTS = ("substitute", "played_by", "late_minutes", "penalty", "chombo")


def write(event: Event) -> dict[str, Any]:
    return {
        "name": event.name,
        "slug": event.slug,
        "club": event.club,
        "ruleset": _ruleset(event.ruleset),
        "dates": [day.isoformat() for day in event.dates],
        "city": event.city,
        "country": event.country,
        "tie_breaks": list(event.tie_breaks),
        "entries": [_entry(entry) for entry in event.entries],
        "stages": [_stage(stage) for stage in event.stages],
        "penalties": [
            {
                "entry": row.entry,
                **_moment(row.stage, row.after_round),
                "points": row.points,
                "reason": row.reason,
                **({"revoked": True} if row.revoked else {}),
            }
            for row in event.penalties
        ],
        "disqualified": [
            {"entry": row.entry, **_moment(row.stage, row.after_round), "reason": row.reason}
            for row in event.disqualified
        ],
        "withdrawn": [_withdrawn(row) for row in event.withdrawn],
    }


def _withdrawn(row: Leave) -> dict[str, Any]:
    moment = _moment(row.stage, row.after_round)
    return {"entry": row.entry, **moment, "keep_results": row.keep_results, "reason": row.reason}


def _moment(stage: int, after_round: int) -> dict[str, int]:
    return {**({"stage": stage - 1} if stage > 1 else {}), "after_round": after_round}


def _ruleset(ruleset: RulesOf) -> str | dict[str, Any]:
    return ruleset.key or rulesets.write(ruleset.rules)


def _entry(entry: FileEntry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "native_name": entry.native_name,
        "latin_first": entry.latin_first,
        "latin_last": entry.latin_last,
        "country": entry.country,
        "ema_number": entry.ema_number,
        **({"team": entry.team} if entry.team else {}),
        "status": "substitute" if entry.is_substitute else "player",
    }


def _stage(stage: FileStage) -> dict[str, Any]:
    data: dict[str, Any] = {"name": stage.name}
    if stage.ruleset is not None:
        data["ruleset"] = _ruleset(stage.ruleset)
    data["rounds"] = [_round(each) for each in stage.rounds]
    if stage.cut is not None:
        data["cut"] = {"top": stage.cut.top, "totals": stage.cut.totals}
    return data


def _round(each: FileRound) -> dict[str, Any]:
    data: dict[str, Any] = {"tables": [_table(table) for table in each.tables], "absent": list(each.absent)}
    if each.byes:
        data["byes"] = list(each.byes)
    return data


def _table(table: FileTable) -> dict[str, Any]:
    data: dict[str, Any] = {"seats": [_seat(seat) for seat in table.seats], "sticks_left": table.sticks_left}
    if table.override:
        data["override"] = table.override
    return data


def _seat(seat: SeatSheet[int]) -> dict[str, Any]:
    facts = seat.write()
    said = {name: facts[name] for name in SEAT_FACTS if facts[name] not in (0, None, scoring.NONE)}
    return {"entry": seat.player, "points": seat.played.points, **said}
