"""A score sheet with the people on it: what one hanchan is entered, corrected and remembered as.

Pure. Players are their ids. History keeps the JSON form, so what is written here must stay readable for ever.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ratings import scoring
from ratings.problems import Problem, Term, gettext_noop
from ratings.rulesets import Rules

_ = gettext_noop


@dataclass(frozen=True)
class SeatSheet:
    player: int
    points: int
    chombo: int = 0
    late_minutes: int = 0
    penalty: int = 0
    substitute: str = scoring.NONE
    played_by: int | None = None

    def as_played(self) -> scoring.Seat:
        return scoring.Seat(self.points, self.chombo, self.late_minutes, self.penalty, self.substitute)


@dataclass(frozen=True)
class Sheet:
    """Seats in order East, South, West, North; `played_at` is aware, `played_on` the club's date of it."""

    played_at: datetime.datetime
    played_on: datetime.date
    seats: tuple[SeatSheet, ...]
    sticks_left: int = 0
    table: int | None = None
    override: str = ""
    winds_unknown: bool = False
    comment: str = ""
    variation: Mapping[str, Any] = field(default_factory=dict)

    def as_table(self) -> scoring.Table:
        return scoring.Table(tuple(seat.as_played() for seat in self.seats), self.sticks_left, self.override)

    def write(self) -> dict[str, Any]:
        data = dict(vars(self))  # not asdict, which copies every number deeply: fifty times the work
        data["played_at"] = self.played_at.astimezone(datetime.UTC).isoformat()
        data["played_on"] = self.played_on.isoformat()
        data["seats"] = [dict(vars(seat)) for seat in self.seats]
        data["variation"] = dict(self.variation)
        return data


def read(data: Mapping[str, Any]) -> Sheet:
    """The sheet a history row remembers."""
    return Sheet(
        **{
            **data,
            "played_at": datetime.datetime.fromisoformat(data["played_at"]),
            "played_on": datetime.date.fromisoformat(data["played_on"]),
            "seats": tuple(SeatSheet(**seat) for seat in data["seats"]),
        }
    )


def check(sheet: Sheet, rules: Rules, *, draft: bool = False) -> list[Problem]:
    """What keeps the sheet from being recorded, apart from its season's dates. A draft may have a wrong sum."""
    table = sheet.as_table()
    if draft and not table.override:
        table = table._replace(override="draft")
    return [*_check_people(sheet), *scoring.check(table, rules), *_check_winds(sheet, rules)]


def _check_people(sheet: Sheet) -> list[Problem]:
    problems = []
    seen: dict[int, int] = {}
    for index, seat in enumerate(sheet.seats):
        for person in (seat.player,) if seat.played_by is None else (seat.player, seat.played_by):
            if person in seen:
                problems.append(
                    Problem(
                        _("This player sits at this table already, as %(wind)s. Each seat needs another player."),
                        {"wind": Term(scoring.WINDS[seen[person]])},
                        code="player_twice",
                        seat=index,
                    )
                )
            else:
                seen[person] = index
        if seat.played_by is not None and seat.substitute == scoring.NONE:
            problems.append(
                Problem(
                    _("Somebody else played this seat: say whether from the start or from mid-game."),
                    code="played_by_without_substitute",
                    seat=index,
                )
            )
    return problems


WINDS_NEEDED = Problem(
    _("These rules decide by seat, so the winds must be known. Enter the players in order East to North."),
    code="winds_needed",
)


def _check_winds(sheet: Sheet, rules: Rules) -> list[Problem]:
    return [WINDS_NEEDED] if sheet.winds_unknown and rules.needs_winds else []


# --- what a correction changed ----------------------------------------------------------------------------

# What can differ between two sheets of one game; the date follows from the time and is not named apart.
_OF_THE_GAME = {
    "played_at": _("time"),
    "table": _("table"),
    "sticks_left": _("sticks left"),
    "override": _("reason for a wrong sum"),
    "winds_unknown": _("winds unknown"),
    "comment": _("comment"),
    "variation": _("variation"),
}
_OF_A_SEAT = {
    "player": _("player"),
    "points": _("points"),
    "chombo": _("chombo"),
    "late_minutes": _("minutes late"),
    "penalty": _("penalty"),
    "substitute": _("substitute"),
    "played_by": _("played by"),
}
CHANGE_LABELS = _OF_THE_GAME | _OF_A_SEAT


class Change(NamedTuple):
    """A field that is not what it was; `seat` is 0 … 3 for East … North, None for the game as a whole."""

    field: str
    before: Any
    after: Any
    seat: int | None = None


def changes(before: Sheet, after: Sheet) -> list[Change]:
    """What differs between two sheets of one game, the game's own facts first."""
    found = [
        Change(name, old, new)
        for name in _OF_THE_GAME
        if (old := getattr(before, name)) != (new := getattr(after, name))
    ]
    for index, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        found += [
            Change(name, old, new, index)
            for name in _OF_A_SEAT
            if (old := getattr(was, name)) != (new := getattr(now, name))
        ]
    return found
