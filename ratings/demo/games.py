"""Sheets of a season in the order they are played: who sat where, what happened by chance, and what went wrong.

This module makes score sheets and stores nothing. Players are given by their ids.
"""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from ratings.demo import evenings
from ratings.demo.clubs import ClubPlan, SeasonPlan
from ratings.demo.play import play
from ratings.mahjong import rulesets, scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.rulesets import Ranges, Rules

COMMENTS = (
    "Three riichi in South 4, and nobody won.",
    "Haitei on the last tile of the last hand.",
    "Kokushi musou!",
    "Beginners' table.",
)
WRONG_SUM = "A stick of 1000 was found under the table after everybody had left."


class Regular(NamedTuple):
    """A player as the simulation needs them: how good they are, and how often they come."""

    pk: int
    strength: float
    attendance: float


@dataclass(frozen=True)
class Ground:
    """What all games of a season share."""

    club: ClubPlan
    plan: SeasonPlan
    rules: Rules
    ranges: Ranges
    when: evenings.DemoSpan
    regulars: Sequence[Regular]


def sheets(die: Random, ground: Ground, today: datetime.date, games: int) -> list[Sheet[int]]:
    """Return the season's games in order, incidents included."""
    days = evenings.evenings(ground.plan, ground.when, today)
    made: list[Sheet[int]] = []
    most_tables = len(ground.regulars) // 6
    for evening in evenings.slots(die, days, games, ground.club.starts, most_tables):
        made += _evening(die, ground, evening)
    made.sort(key=lambda sheet: sheet.played_at)
    for number, incident in _incidents(die, ground.plan, len(made)):
        made[number] = _with_incident(die, ground, made[number], *incident)
    return made


def _evening(die: Random, ground: Ground, slots: Sequence[evenings.Slot]) -> Iterator[Sheet[int]]:
    """Yield the games of an evening. The players who came are shuffled for every round."""
    rounds = [list(tables) for _round, tables in groupby(slots, key=lambda slot: slot.turn)]
    largest = max(max(slot.table for slot in tables) for tables in rounds)
    here = _come(die, ground.regulars, 4 * largest)
    for tables in rounds:
        die.shuffle(here)
        for index, slot in enumerate(tables):
            yield _game(die, ground, slot, here[4 * index : 4 * index + 4])


def _come(die: Random, regulars: Sequence[Regular], count: int) -> list[Regular]:
    """Choose different players; those who come often are more likely."""
    return sorted(regulars, key=lambda regular: die.random() ** (1 / regular.attendance), reverse=True)[:count]


def _game(die: Random, ground: Ground, slot: evenings.Slot, four: Sequence[Regular]) -> Sheet[int]:
    variation: Mapping[str, Any] = die.choice(ground.plan.variations) if ground.plan.variations else {}
    rules = rulesets.vary(ground.rules, ground.ranges, variation)
    game = play(die, rules, [regular.strength for regular in four])
    zone = zoneinfo.ZoneInfo(ground.club.time_zone)
    return Sheet(
        played_at=slot.starts.replace(tzinfo=zone).astimezone(datetime.UTC),
        played_on=slot.starts.date(),
        table=slot.table,
        seats=tuple(
            SeatSheet(regular.pk, scoring.Seat(points, chombo))
            for regular, points, chombo in zip(four, game.points, game.chombo, strict=True)
        ),
        sticks_left=game.sticks,
        comment=die.choice(COMMENTS) if die.random() < 0.03 else "",
        variation=variation,
    )


# --- what went wrong --------------------------------------------------------------------------------------


def _incidents(die: Random, plan: SeasonPlan, games: int) -> list[tuple[int, tuple[str, int]]]:
    """Return which game has which incident, at most one each. The last game has none, because it may be the draft."""
    planned = plan.incidents
    wanted = [
        *[("tie", number) for number in range(planned.ties)],
        *[("penalty", points) for points in planned.penalties],
        *[("late", 0)] * planned.late,
        *[("absent", 0)] * planned.absent,
        *[("left_early", 0)] * planned.left_early,
        *[("wrong_sum", 0)] * planned.wrong_sum,
        *[("winds_unknown", 0)] * planned.winds_unknown,
    ]
    numbers = die.sample(range(max(games - 1, 0)), min(len(wanted), max(games - 1, 0)))
    return list(zip(numbers, wanted, strict=False))


def _with_incident(die: Random, ground: Ground, sheet: Sheet[int], kind: str, amount: int) -> Sheet[int]:
    seat = die.randrange(4)
    if kind == "tie":
        return _tied(sheet, amount % 3)
    if kind == "penalty":
        return _reseat(sheet, seat, penalty=amount)
    if kind == "late":
        return _reseat(sheet, seat, late_minutes=die.randint(1, ground.rules.late_max_minutes or 10))
    if kind == "absent":
        late = 25 if ground.rules.late_max_minutes else 0
        stranger = _stranger(die, ground, sheet)
        return _reseat(sheet, seat, stranger, chombo=0, late_minutes=late, substitute=scoring.FROM_START)
    if kind == "left_early":
        left = _reseat(sheet, seat, _stranger(die, ground, sheet), substitute=scoring.MID_GAME)
        return replace(left, comment="Taken ill in the South round.")
    if kind == "wrong_sum":
        return replace(_reseat(sheet, seat, points=sheet.seats[seat].played.points - 1000), override=WRONG_SUM)
    return replace(sheet, winds_unknown=True)


def _stranger(die: Random, ground: Ground, sheet: Sheet[int]) -> int:
    """Choose a player of the club who is not at this table."""
    at_table = {seat.player for seat in sheet.seats}
    return die.choice([regular.pk for regular in ground.regulars if regular.pk not in at_table])


def _reseat(sheet: Sheet[int], index: int, played_by: int | None = None, **facts: Any) -> Sheet[int]:
    seats = list(sheet.seats)
    seats[index] = replace(seats[index].changed(**facts), played_by=played_by)
    return replace(sheet, seats=tuple(seats))


def _tied(sheet: Sheet[int], rank: int) -> Sheet[int]:
    """Make two neighbours in the ranking equal; an odd hundred goes to the last player, or else to the first."""
    order = sorted(range(4), key=lambda i: -sheet.seats[i].played.points)
    upper, lower = order[rank], order[rank + 1]
    hundreds = (sheet.seats[upper].played.points + sheet.seats[lower].played.points) // 100
    rest = order[3] if rank < 2 else order[0]
    tied = _reseat(sheet, upper, points=hundreds // 2 * 100)
    tied = _reseat(tied, lower, points=hundreds // 2 * 100)
    return _reseat(tied, rest, points=tied.seats[rest].played.points + hundreds % 2 * 100)
