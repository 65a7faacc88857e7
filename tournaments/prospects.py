"""What is decided before the last round: who has passed a cut for certain, who is out, what the others need.

Pure. All of it holds "if nobody ends below zero and without penalties": a hanchan gives at best all points and first
place, at worst none and last place. Everybody is reckoned with alone, so a mark here is never too early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ratings.rulesets import Rules
from tournaments.ranking import Row


class Mark(StrEnum):
    CLINCHED = "clinched"
    ELIMINATED = "eliminated"
    OPEN = "open"


@dataclass(frozen=True)
class Prospect:
    """Results are sums over the rounds still to play.

    With less than `needed` the entry is out whatever the others do; with more than `enough` it is through whatever
    they do. None means that nothing is needed (clinched) or nothing helps (eliminated).
    """

    entry: int
    mark: Mark
    needed: int | None = None
    enough: int | None = None


def best_result(rules: Rules) -> int:
    """4 · start − target + first uma + oka."""
    return 4 * rules.start_points - rules.target_points + max(uma[0] for uma in _umas(rules)) + rules.oka


def worst_result(rules: Rules) -> int:
    """− target + last uma."""
    return -rules.target_points + min(uma[3] for uma in _umas(rules))


def _umas(rules: Rules) -> list[tuple[int, ...]]:
    return [rules.uma, *(uma for _count, uma in rules.floating_uma or ())]


def prospects(rows: Sequence[Row], top: int, rounds_left: int, rules: Rules) -> list[Prospect]:
    """For each row of the standings, in their order, how it stands towards the first `top`."""
    fixed = rules.substitute_points + rules.substitute_uma
    best, worst = best_result(rules), min(worst_result(rules), fixed)
    # The disqualified are below everybody: nobody has to fear them, and nothing helps them.
    racing = [row for row in rows if not row.tally.disqualified]
    most = {row.entry: row.total + rounds_left * (fixed if row.tally.left else best) for row in racing}
    least = {row.entry: row.total + rounds_left * (fixed if row.tally.left else worst) for row in racing}
    highs, lows = sorted(most.values(), reverse=True), sorted(least.values(), reverse=True)
    return [
        Prospect(row.entry, Mark.ELIMINATED)
        if row.tally.disqualified
        else _prospect(row, top, most[row.entry], least[row.entry], highs, lows)
        for row in rows
    ]


def decided(rows: Sequence[Row], top: int) -> list[Prospect]:
    """After the last round the standings themselves decide, tie-breaks included."""
    marks = (Mark.CLINCHED, Mark.ELIMINATED)
    return [Prospect(row.entry, marks[index >= top]) for index, row in enumerate(rows)]


def _prospect(row: Row, top: int, most: int, least: int, highs: list[int], lows: list[int]) -> Prospect:
    threat = _nth_of_others(highs, most, top)  # what the one just within the cut can reach at most
    bar = _nth_of_others(lows, least, top)  # … and has at least
    if threat is None or least > threat:
        return Prospect(row.entry, Mark.CLINCHED)
    if bar is not None and most < bar:
        return Prospect(row.entry, Mark.ELIMINATED)
    return Prospect(row.entry, Mark.OPEN, None if bar is None else bar - row.total, threat - row.total)


def _nth_of_others(ordered: list[int], own: int, number: int) -> int | None:
    """The n-th highest of all values but one's own; None when there are fewer."""
    if len(ordered) <= number:
        return None
    return ordered[number] if own >= ordered[number - 1] else ordered[number - 1]
