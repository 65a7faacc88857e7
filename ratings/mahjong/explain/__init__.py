"""Why a result is what it is: the steps of RULES §1 as rows, as sentences, and the sum as an account.

Pure. Takes a table, its rules and the working that `scoring` gave, and says what each step did. It computes no
result of its own and knows no names: seats are winds. Figures stay numbers; whoever shows them writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ratings.mahjong.explain.example import example_table
from ratings.mahjong.explain.figures import Scored, account, rows
from ratings.mahjong.explain.phrases import PLACE, POINTS, RESULT, ExplainedRow, Figure, Line, Step, named
from ratings.mahjong.explain.sentences import sentences
from ratings.mahjong.rulesets import Rules
from ratings.mahjong.scoring import Table, Working

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
        """The same with the players' names for winds, where the winds are unknown."""
        seats = tuple(named(steps, names) for steps in self.seats)
        return replace(self, seats=seats, account=named(self.account, names))


def explain(table: Table, rules: Rules, working: Working) -> Explanation:
    """The explanation of what `scoring.work_out(table, rules)` gave."""
    scored = Scored(table, rules, working)
    return Explanation(
        rows=tuple(rows(scored)),
        seats=tuple(tuple(sentences(scored, index)) for index in range(4)),
        account=tuple(account(scored)),
        total=sum(result.total for result in working.results),
    )
