"""The worked example of a rules page: one table on which every rule that a set has comes up."""

from __future__ import annotations

from ratings.mahjong.rulesets import Rules
from ratings.mahjong.scoring import Seat, Table

STICKS = 1
# East wins, South and West are level, and a stick is left on the table.
FROM_START = (14_300, -700, -700, -13_900)
MINUTES = 2


def example_table(rules: Rules) -> Table:
    """A tie for second place and a stick left; a chombo and a late player where the rules know a price for them."""
    east, south, west, north = (rules.start_points + points for points in FROM_START)
    latest = MINUTES if rules.late_max_minutes is None else min(MINUTES, rules.late_max_minutes)
    late = latest if rules.late_per_minute else 0
    seats = (
        Seat(east),
        Seat(south),
        Seat(west, chombo=1 if rules.chombo_penalty else 0),
        Seat(north, late_minutes=late),
    )
    return Table(seats, STICKS)
