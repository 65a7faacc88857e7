"""What is decided before the last round: who has passed a cut for certain, who is out, what the others need.

Pure. All of it holds "if nobody ends below zero and without penalties": a hanchan gives at best all points and first
place, at worst none and last place. Everybody is reckoned with alone, so a mark here is never too early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ratings.mahjong.rulesets import Rules
from tournaments.standings.ranking import Row


class Mark(StrEnum):
    CLINCHED = "clinched"
    ELIMINATED = "eliminated"
    OPEN = "open"


@dataclass(frozen=True)
class Prospect:
    """Results are sums over the `rounds` the entry has still to play.

    With less than `needed` the entry is out whatever the others do; with more than `enough` it is through whatever
    they do. None where no number says it: it is decided, no possible result puts the entry out, or none is enough
    without the help of others.
    """

    entry: int
    mark: Mark
    rounds: int = 0
    needed: int | None = None
    enough: int | None = None

    @property
    def is_clinched(self) -> bool:
        return self.mark is Mark.CLINCHED

    @property
    def is_eliminated(self) -> bool:
        return self.mark is Mark.ELIMINATED


def best_result(rules: Rules) -> int:
    """4 · start − target + first uma + oka."""
    return 4 * rules.start_points - rules.target_points + max(uma[0] for uma in _umas(rules)) + rules.oka


def worst_result(rules: Rules) -> int:
    """− target + last uma."""
    return -rules.target_points + min(uma[3] for uma in _umas(rules))


def _umas(rules: Rules) -> list[tuple[int, ...]]:
    return [rules.uma, *(uma for _count, uma in rules.floating_uma or ())]


@dataclass(frozen=True)
class _Chance:
    """What an entry can have in the end, at most and at least, with so many rounds still to play."""

    total: int
    rounds: int
    most: int
    least: int


def prospects(rows: Sequence[Row], top: int, rounds_left: int, rules: Rules) -> list[Prospect]:
    """For each row of the standings, in their order, how it stands towards the first `top`.

    `rounds_left` come after the last round with results; whose table of an earlier one is still missing plays more.
    """
    fixed = rules.substitute_points + rules.substitute_uma
    best, worst = best_result(rules), min(worst_result(rules), fixed)
    missing = rounds_missing(rows)
    # The disqualified are below everybody: nobody has to fear them, and nothing helps them.
    chances: dict[int, _Chance] = {}
    for row in rows:
        if not row.tally.disqualified:
            left = rounds_left + missing[row.entry]
            most, least = (row.total + left * (fixed if row.tally.left else each) for each in (best, worst))
            chances[row.entry] = _Chance(row.total, left, most, least)
    highs = sorted((chance.most for chance in chances.values()), reverse=True)
    lows = sorted((chance.least for chance in chances.values()), reverse=True)
    return [
        _prospect(row.entry, chances[row.entry], top, highs, lows)
        if row.entry in chances
        else Prospect(row.entry, Mark.ELIMINATED)
        for row in rows
    ]


def rounds_missing(rows: Sequence[Row]) -> dict[int, int]:
    """How many tables of rounds with results are still to come in for each entry, by their gaps.

    Rounds before the first record are none: whoever came late does not play them any more.
    """
    last = max((max(row.tally.recorded, default=0) for row in rows), default=0)
    return {
        row.entry: last - min(row.tally.recorded) + 1 - len(row.tally.recorded) if row.tally.recorded else last
        for row in rows
    }


def decided(rows: Sequence[Row], top: int) -> list[Prospect]:
    """After the last round the standings themselves decide, tie-breaks included."""
    marks = (Mark.CLINCHED, Mark.ELIMINATED)
    return [Prospect(row.entry, marks[index >= top]) for index, row in enumerate(rows)]


def _prospect(entry: int, own: _Chance, top: int, highs: list[int], lows: list[int]) -> Prospect:
    threat = _nth_of_others(highs, own.most, top)  # what the one just within the cut can reach at most
    bar = _nth_of_others(lows, own.least, top)  # … and has at least
    if threat is None or own.least > threat:
        return Prospect(entry, Mark.CLINCHED)
    if bar is not None and own.most < bar:
        return Prospect(entry, Mark.ELIMINATED)
    needed = bar - own.total if bar is not None and bar > own.least else None
    enough = threat - own.total if threat < own.most else None
    return Prospect(entry, Mark.OPEN, own.rounds, needed, enough)


def _nth_of_others(ordered: list[int], own: int, number: int) -> int | None:
    """The n-th highest of all values but one's own; None when there are fewer."""
    if len(ordered) <= number:
        return None
    return ordered[number] if own >= ordered[number - 1] else ordered[number - 1]
