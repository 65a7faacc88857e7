"""Explain a result: the steps of RULES §1 as rows and as sentences, and an account of the sum.

Pure. The input is a table, its rules and the `Working` from `scoring`; the output says what each step did. This package
computes no result itself and knows no names: seats are winds. Figures stay numbers; the caller formats them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ratings.mahjong.explain.figures import Scored, account, rows
from ratings.mahjong.explain.phrases import PLACE, POINTS, RESULT, ExplainedRow, Figure, Line, Step, named
from ratings.mahjong.explain.sentences import sentences
from ratings.mahjong.rulesets import Rules
from ratings.mahjong.scoring import Seat, Table, Working

__all__ = [
    "PLACE",
    "POINTS",
    "RESULT",
    "ExplainedRow",
    "Explanation",
    "Figure",
    "Line",
    "Step",
    "example_table",
    "explain",
]


@dataclass(frozen=True)
class Explanation:
    rows: tuple[ExplainedRow, ...]  # step by step, for all four seats
    seats: tuple[tuple[Step, ...], ...]  # East to North, each in sentences
    account: tuple[Line, ...]  # why the sum is what it is
    total: int  # the sum of the four results, and of the account

    def by_name(self, names: Sequence[str]) -> Explanation:
        """Return the same with the players' names instead of winds, for games whose winds are unknown."""
        seats = tuple(named(steps, names) for steps in self.seats)
        return replace(self, seats=seats, account=named(self.account, names))


def explain(table: Table, rules: Rules, working: Working) -> Explanation:
    """Return the explanation of `working`, which is the result of `scoring.work_out(table, rules)`."""
    scored = Scored(table, rules, working)
    return Explanation(
        rows=tuple(rows(scored)),
        seats=tuple(tuple(sentences(scored, index)) for index in range(4)),
        account=tuple(account(scored)),
        total=sum(result.total for result in working.results),
    )


# The worked example of a rules page: East wins, South and West are equal, and a stick is left on the table.
_POINTS_FROM_START = (14_300, -700, -700, -13_900)
_STICKS = 1
_MINUTES_LATE = 2


def example_table(rules: Rules) -> Table:
    """Return a table with a tie for second place and a stick left; chombo and lateness only if they cost points."""
    east, south, west, north = (rules.start_points + points for points in _POINTS_FROM_START)
    latest = _MINUTES_LATE if rules.late_max_minutes is None else min(_MINUTES_LATE, rules.late_max_minutes)
    late = latest if rules.late_per_minute else 0
    seats = (
        Seat(east),
        Seat(south),
        Seat(west, chombo=1 if rules.chombo_penalty else 0),
        Seat(north, late_minutes=late),
    )
    return Table(seats, _STICKS)
