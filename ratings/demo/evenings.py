"""When the demo plays: seasons of six months, one of which includes today, and evenings with their tables.

The running season starts on the first of a month, three to four months ago, so that there are always games
to read and days still to come.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from ratings.demo.clubs import AUTUMN, SPRING, SUMMER, WINTER, SeasonPlan

DAY = datetime.timedelta(days=1)
ROUND = datetime.timedelta(minutes=100)
MONTHS_BEFORE, MONTHS = 3, 6


class DemoSpan(NamedTuple):
    first: datetime.date
    last: datetime.date
    time_of_year: str
    year: int


class Slot(NamedTuple):
    """A table in one round of an evening."""

    starts: datetime.datetime  # on the club's clock
    turn: int  # the round of the evening, from 0
    table: int


def span(plan: SeasonPlan, today: datetime.date) -> DemoSpan:
    """Return the days of a season, with the time of year and the year of its middle, after which it is named."""
    first = _months_after(today.replace(day=1), -MONTHS_BEFORE - (0 if plan.running else MONTHS))
    middle = _months_after(first, MONTHS // 2)
    return DemoSpan(first, _months_after(first, MONTHS) - DAY, _time_of_year(middle.month), middle.year)


def _months_after(first_of_month: datetime.date, months: int) -> datetime.date:
    years, month = divmod(first_of_month.month - 1 + months, 12)
    return first_of_month.replace(year=first_of_month.year + years, month=month + 1)


def _time_of_year(month: int) -> str:
    return (WINTER, SPRING, SUMMER, AUTUMN)[month % 12 // 3]


def evenings(plan: SeasonPlan, when: DemoSpan, today: datetime.date) -> list[datetime.date]:
    """Return the club's evenings up to yesterday: they are over in every time zone."""
    last = min(when.last, today - DAY)
    days = ((when.first + DAY * n) for n in range((last - when.first).days + 1))
    return [day for day in days if day.weekday() in plan.weekdays]


def slots(
    die: Random, days: Sequence[datetime.date], games: int, starts: datetime.time, most_tables: int
) -> Iterator[list[Slot]]:
    """Yield the tables of each evening, with the games spread over the days.

    An evening has two rounds, or more if there are not enough tables.
    """
    played = 0
    for number, day in enumerate(days, 1):
        due = round(games * number / len(days)) - played
        if number < len(days):
            due = max(0, due + die.choice((-1, 0, 0, 1)))
        played += due
        rounds = max(min(2, due), -(-due // most_tables))
        evening = []
        for turn in range(rounds):
            at = datetime.datetime.combine(day, starts) + ROUND * turn
            tables = due * (turn + 1) // rounds - due * turn // rounds
            late = [datetime.timedelta(minutes=die.randrange(0, 15, 5)) for _table in range(tables)]
            evening += [Slot(at + delay, turn, table) for table, delay in enumerate(late, 1)]
        if evening:
            yield evening
