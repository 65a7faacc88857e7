"""The score sheet of one hanchan, with the people on it.

The same sheet comes from a form, a phone, a file and the database, and goes to scoring, storage and history. Sheets
differ only in how they name people: by player id, by entry of an event, or by name in a file. `Sheet.map` converts one
into another. Pure. History stores the JSON form, so everything that was ever written here must stay readable.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, NamedTuple, TypeVar

from ratings.mahjong import scoring
from ratings.mahjong.problems import Problem, Term, gettext_noop
from ratings.mahjong.rulesets import Rules

_ = gettext_noop

Who = TypeVar("Who")
Other = TypeVar("Other")


@dataclass(frozen=True)
class SeatSheet(Generic[Who]):
    """One seat: the player who gets the result, what happened, and the substitute who played it, if there was one."""

    player: Who
    played: scoring.Seat
    played_by: Who | None = None

    @property
    def people(self) -> tuple[Who, ...]:
        """The player, then the substitute if there is one."""
        return (self.player,) if self.played_by is None else (self.player, self.played_by)

    def map(self, find: Callable[[Who], Other]) -> SeatSheet[Other]:
        """Return the same seat with its people named in another way."""
        return SeatSheet(find(self.player), self.played, None if self.played_by is None else find(self.played_by))

    def changed(self, **facts: Any) -> SeatSheet[Who]:
        """Return the seat with other facts: points, chombo, lateness, penalty or kind of substitute."""
        return replace(self, played=self.played._replace(**facts))

    def write(self) -> dict[str, Any]:
        return {"player": self.player, **self.played._asdict(), "played_by": self.played_by}


@dataclass(frozen=True)
class Sheet(Generic[Who]):
    """The sheet of a game, seats in order East, South, West, North.

    `played_at` is an aware datetime, and `played_on` is its date in the club's time zone.
    """

    played_at: datetime.datetime
    played_on: datetime.date
    seats: tuple[SeatSheet[Who], ...]
    sticks_left: int = 0
    table: int | None = None
    override: str = ""
    winds_unknown: bool = False
    comment: str = ""
    variation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def people(self) -> Iterator[Who]:
        """Everyone on the sheet, including substitutes."""
        return (person for seat in self.seats for person in seat.people)

    def map(self, find: Callable[[Who], Other]) -> Sheet[Other]:
        """Return the same sheet with its people named in another way."""
        facts = {name: getattr(self, name) for name in GAME_FACTS}
        return Sheet(seats=tuple(seat.map(find) for seat in self.seats), **facts)

    def as_table(self) -> scoring.Table:
        return scoring.Table(tuple(seat.played for seat in self.seats), self.sticks_left, self.override)

    def write(self) -> dict[str, Any]:
        data = dict(vars(self))  # not asdict: it deep-copies every number and takes fifty times as long
        data["played_at"] = self.played_at.astimezone(datetime.UTC).isoformat()
        data["played_on"] = self.played_on.isoformat()
        data["seats"] = [seat.write() for seat in self.seats]
        data["variation"] = dict(self.variation)
        return data


# The facts of the game as a whole; a stored game has columns of the same names.
GAME_FACTS = tuple(each.name for each in fields(Sheet) if each.name != "seats")


def read(data: Mapping[str, Any]) -> Sheet[int]:
    """Read the sheet that a history row stores."""
    return Sheet(
        **{
            **data,
            "played_at": datetime.datetime.fromisoformat(data["played_at"]),
            "played_on": datetime.date.fromisoformat(data["played_on"]),
            "seats": tuple(_read_seat(**seat) for seat in data["seats"]),
        }
    )


def _read_seat(player: int, played_by: int | None = None, **facts: Any) -> SeatSheet[int]:
    return SeatSheet(player, scoring.Seat(**facts), played_by)


def check(sheet: Sheet[int], rules: Rules, *, draft: bool = False) -> list[Problem]:
    """Return what prevents recording the sheet, except for the season's dates. A draft may have a wrong sum."""
    table = sheet.as_table()
    if draft and not table.override:
        table = table._replace(override="draft")
    return [*_check_people(sheet), *scoring.check(table, rules), *_check_winds(sheet, rules)]


def _check_people(sheet: Sheet[int]) -> list[Problem]:
    problems = []
    seen: dict[int, int] = {}
    for index, seat in enumerate(sheet.seats):
        for person in seat.people:
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
        if seat.played_by is not None and seat.played.substitute == scoring.NONE:
            problems.append(
                Problem(
                    _("A substitute played this seat: select whether from the start or from mid-game."),
                    code="played_by_without_substitute",
                    seat=index,
                )
            )
    return problems


WINDS_NEEDED = Problem(
    _("These rules decide by seat, so the winds must be known. Enter the players in order East to North."),
    code="winds_needed",
)


def _check_winds(sheet: Sheet[int], rules: Rules) -> list[Problem]:
    return [WINDS_NEEDED] if sheet.winds_unknown and rules.needs_winds else []


# --- what a correction changed ----------------------------------------------------------------------------

# What can differ between two sheets of one game; the date follows from the time and is not listed separately.
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
    """A field whose value changed; `seat` is 0 … 3 for East … North, None for the game as a whole."""

    field: str
    before: Any
    after: Any
    seat: int | None = None


def changes(before: Sheet[int], after: Sheet[int]) -> list[Change]:
    """Return what differs between two sheets of one game, facts of the whole game first."""
    found = [
        Change(name, old, new)
        for name in _OF_THE_GAME
        if (old := getattr(before, name)) != (new := getattr(after, name))
    ]
    for index, seats in enumerate(zip(before.seats, after.seats, strict=True)):
        was, now = (seat.write() for seat in seats)
        found += [Change(name, was[name], now[name], index) for name in _OF_A_SEAT if was[name] != now[name]]
    return found
