"""A scored table as the explanations read it: what `scoring` decided, asked of its results."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ratings.rulesets import Rules
from ratings.rulesets.parameters import Uma
from ratings.scoring import MID_GAME, NONE, STICK, Exact, SeatResult, Table


@dataclass(frozen=True)
class Scored:
    table: Table
    rules: Rules
    results: tuple[SeatResult, ...]

    @property
    def own(self) -> list[int]:
        """The seats whose result follows from the game; the others are substituted and fixed."""
        return [index for index, seat in enumerate(self.table.seats) if seat.substitute == NONE]

    @property
    def uma(self) -> Uma:
        """The uma this table was scored by (step 6)."""
        if self.rules.floating_uma is None:
            return self.rules.uma
        return dict(self.rules.floating_uma).get(self.at_or_above_start, self.rules.uma)

    @property
    def at_or_above_start(self) -> int:
        """What a floating uma is chosen by."""
        return sum(result.net >= self.rules.start_points for result in self.results)

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
        if self.rules.leftover_sticks == "lost":
            return 0
        firsts = sum(result.place == 1 for result in self.results)
        return self.table.sticks_left * STICK // firsts // 100 * 100 * firsts

    def late_in_net(self, index: int) -> int:
        """What lateness took off before placing (step 2); a substituted seat keeps its minutes and pays nothing."""
        seat = self.table.seats[index]
        if self.rules.late_applies != "net" or seat.substitute != NONE:
            return 0
        return seat.late_minutes * self.rules.late_per_minute

    def penalty_in_net(self, index: int) -> int:
        """What a penalty took off before placing (step 2), a substituted seat's too."""
        return 0 if self.rules.penalty_off_result else self.table.seats[index].penalty

    def played_for(self, index: int) -> Exact:
        """What a substituted seat's points, uma and shares come to, before any deduction: nobody gets it (step 7)."""
        shared = len(self.sharing(index))
        place = self.results[index].place
        uma = Fraction(sum(self.uma[place - 1 : place - 1 + shared]), shared)
        first = Fraction(self.rules.oka + self.sticks_given, shared) if place == 1 else 0
        return whole(self.table.seats[index].points - self.rules.target_points + uma + first)


def whole(value: Exact) -> Exact:
    """An int where the value is one."""
    return value.numerator if value.denominator == 1 else value
