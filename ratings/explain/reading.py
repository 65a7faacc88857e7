"""A scored table as the explanations read it: what `scoring` decided, asked of its results."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.rulesets import Rules
from ratings.rulesets.parameters import Uma
from ratings.scoring import MID_GAME, NONE, Exact, FourResults, Table, Working


@dataclass(frozen=True)
class Scored:
    table: Table
    rules: Rules
    working: Working

    @property
    def own(self) -> list[int]:
        """The seats whose result follows from the game; the others are substituted and fixed."""
        return [index for index, seat in enumerate(self.table.seats) if seat.substitute == NONE]

    @property
    def results(self) -> FourResults:
        return self.working.results

    @property
    def uma(self) -> Uma:
        """The uma this table was scored by (step 6)."""
        return self.working.uma_table

    def sharing(self, index: int) -> list[int]:
        """The seats that share this one's place, itself included."""
        return [i for i, result in enumerate(self.results) if result.place == self.results[index].place]

    def shares_place(self, index: int) -> bool:
        return len(self.sharing(index)) > 1

    def level_with(self, index: int) -> list[int]:
        """The other seats with as many points, mid-game substitutes aside: those never tie with another kind."""
        seats, results = self.table.seats, self.results
        late = seats[index].substitute == MID_GAME
        return [
            i
            for i in range(4)
            if i != index and results[i].net == results[index].net and (seats[i].substitute == MID_GAME) == late
        ]

    @property
    def sticks_given(self) -> int:
        """What all firsts together were given of the sticks left, a substitute's share included (step 4)."""
        return self.working.sticks * len(self.working.firsts)

    def played_for(self, index: int) -> Exact:
        """What a substituted seat's points, uma and shares come to, before any deduction: nobody gets it (step 7)."""
        working = self.working
        first = working.oka + working.sticks if index in working.firsts else 0
        return whole(self.table.seats[index].points - self.rules.target_points + working.uma[index] + first)


def whole(value: Exact) -> Exact:
    """An int where the value is one."""
    return value.numerator if value.denominator == 1 else value
