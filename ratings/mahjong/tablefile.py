"""A table and its results as JSON, for scripts and files.

A table is read strictly: an unknown key is refused, and so is a text, a decimal or a true/false in place of a number.
The message says where. Scoring itself is not done here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ratings.mahjong import rulesets, scoring
from ratings.mahjong.problems import Phrase, Problem, Refused, Term, gettext_noop
from ratings.mahjong.rulesets import PRESETS, Rules
from ratings.mahjong.rulesets.parameters import is_integer

_ = gettext_noop

NUMBERS = tuple(name for name in scoring.Seat._fields if name != "substitute")
SEAT_KEYS = {*NUMBERS, "substitute", "player"}
TABLE_KEYS = {"ruleset", "seats", "sticks_left", "override"}


def read_table(data: Any) -> scoring.Table:
    """Read the table in a JSON object; `read_rules` reads its rule set."""
    if not isinstance(data, Mapping):
        raise _refuse(_("a table must be a JSON object with “seats”, not %(value)s."), value=_shown(data))
    _known_keys(data, TABLE_KEYS, Phrase(_("the table")))
    if "seats" not in data:
        raise _refuse(_("the table has no “seats”."))
    seats = data["seats"]
    if not isinstance(seats, list):
        raise _refuse(_("“seats” must be a list of four seats, not %(value)s."), value=_shown(seats))
    if len(seats) != 4:
        raise _refuse(_("a hanchan has four seats, this one has %(count)s."), code="not_four", count=len(seats))
    sticks = _number(data, "sticks_left", None)
    override = data.get("override") or ""
    if not isinstance(override, str):
        raise _refuse(_("“override” must be a written reason, not %(value)s."), value=_shown(override))
    return scoring.Table(tuple(_read_seat(index, seat) for index, seat in enumerate(seats)), sticks, override.strip())


def read_rules(value: Any) -> Rules:
    """Read the rules of a table: a preset's key, or an object of parameters (see `rulesets.read`)."""
    if isinstance(value, str):
        if value not in PRESETS:
            raise _refuse(
                _("there is no rule set %(key)s; the keys are %(keys)s."), key=_shown(value), keys=", ".join(PRESETS)
            )
        return PRESETS[value].rules
    if isinstance(value, Mapping):
        return rulesets.read(value)
    raise _refuse(_("“ruleset” must be a preset's key or an object of parameters, not %(value)s."), value=_shown(value))


def write_results(results: tuple[scoring.SeatResult, ...]) -> dict[str, Any]:
    """Write whole values as integers and others as fractions in text: "7000/3"."""
    return {
        "seats": [
            {name: value if isinstance(value, int) else str(value) for name, value in result._asdict().items()}
            for result in results
        ],
        "sum": sum(result.total for result in results),
    }


def _read_seat(index: int, data: Any) -> scoring.Seat:
    if not isinstance(data, Mapping):
        raise _refuse(_("a seat must be a JSON object, not %(value)s."), seat=index, value=_shown(data))
    _known_keys(data, SEAT_KEYS, Phrase(_("a seat")), index)
    if "points" not in data:
        raise _refuse(_("the seat has no “points”."), seat=index)
    if "player" in data and not isinstance(data["player"], str | int | None):
        raise _refuse(
            _("“player” must be a name or a number, not %(value)s."), seat=index, value=_shown(data["player"])
        )
    substitute = data.get("substitute", scoring.NONE)
    if substitute not in scoring.SUBSTITUTES:
        raise _refuse(
            _("“substitute” is %(value)s; it must be one of %(options)s."),
            seat=index,
            value=_shown(substitute),
            options=", ".join(scoring.SUBSTITUTES),
        )
    return scoring.Seat(**{name: _number(data, name, index) for name in NUMBERS}, substitute=substitute)


def _number(data: Mapping[str, Any], name: str, seat: int | None) -> int:
    value = data.get(name, 0)
    if not is_integer(value):
        raise _refuse(_("“%(name)s” must be a whole number, not %(value)s."), seat=seat, name=name, value=_shown(value))
    return int(value)


def _known_keys(data: Mapping[str, Any], known: set[str], what: Phrase, seat: int | None = None) -> None:
    for key in data:
        if key not in known:
            raise _refuse(
                _("%(what)s has no key %(key)s; the keys are %(keys)s."),
                seat=seat,
                what=what,
                key=_shown(key),
                keys=", ".join(sorted(known)),
            )


def _refuse(message: str, seat: int | None = None, code: str = "bad_sheet", **params: object) -> Refused:
    return Refused(Problem(message, params, code=code, seat=seat))


def located(problem: Problem, table: int) -> Problem:
    """Return the same problem with its table and, if known, its seat in the message."""
    if problem.seat is None:
        return Problem(_("Table %(table)s: %(what)s"), {"table": table, "what": problem}, code=problem.code)
    return Problem(
        _("Table %(table)s, %(wind)s: %(what)s"),
        {"table": table, "wind": Term(scoring.WINDS[problem.seat]), "what": problem},
        code=problem.code,
        seat=problem.seat,
    )


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"
