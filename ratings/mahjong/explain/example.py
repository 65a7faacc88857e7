"""The worked example of a rules page: one table with ties, a stick left, a chombo and a late player."""

from __future__ import annotations

from ratings.mahjong.rulesets import Rules
from ratings.mahjong.scoring import Seat, Table

STICKS = 1
# East wins, South and West are equal, and a stick is left on the table.
FROM_START = (14_300, -700, -700, -13_900)
MINUTES = 2


def example_table(rules: Rules) -> Table:
    """Return a table with a tie for second place and a stick left; chombo and lateness only if they cost points."""
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
