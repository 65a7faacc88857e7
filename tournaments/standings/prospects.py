"""What is decided before the last round: who has certainly passed a cut, who is out, and what the others need.

Pure computation. It holds "if no player ends below zero and without penalties": the best result of a hanchan is all
points and first place, the worst is no points and last place. Every entry is considered alone, so a mark never comes
too early.
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
    """The chances of an entry. Results are sums over the `rounds` that the entry still has to play.

    With less than `needed` the entry is out, whatever the others do. With more than `enough` it passes, whatever they
    do. Both are None if it is decided already. `needed` is None if no possible result puts the entry out; `enough` is
    None if no possible result is enough without help from others.
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
    """The highest and the lowest total that an entry can reach in the rounds it still has to play."""

    total: int
    rounds: int
    most: int
    least: int


def prospects(rows: Sequence[Row], top: int, rounds_left: int, rules: Rules) -> list[Prospect]:
    """For each row of the standings, in order, its chance to be among the first `top`.

    `rounds_left` are the rounds after the last round with results. An entry whose table of an earlier round is still
    missing plays more rounds.
    """
    fixed = rules.substitute_points + rules.substitute_uma
    best, worst = best_result(rules), min(worst_result(rules), fixed)
    missing = rounds_missing(rows)
    # Disqualified entries are below all others: they threaten no one, and no result helps them.
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
    """For each entry, how many tables of rounds with results are still missing, counted by the gaps in its records.

    Rounds before the first record of an entry are not gaps: an entry that came late does not play them any more.
    """
    last = max((max(row.tally.recorded, default=0) for row in rows), default=0)
    return {
        row.entry: last - min(row.tally.recorded) + 1 - len(row.tally.recorded) if row.tally.recorded else last
        for row in rows
    }


def decided(rows: Sequence[Row], top: int) -> list[Prospect]:
    """After the last round the standings decide, including tie-breaks."""
    marks = (Mark.CLINCHED, Mark.ELIMINATED)
    return [Prospect(row.entry, marks[index >= top]) for index, row in enumerate(rows)]


def _prospect(entry: int, own: _Chance, top: int, highs: list[int], lows: list[int]) -> Prospect:
    threat = _nth_of_others(highs, own.most, top)  # the most that the last entry within the cut can reach
    bar = _nth_of_others(lows, own.least, top)  # … and the least that it will have
    if threat is None or own.least > threat:
        return Prospect(entry, Mark.CLINCHED)
    if bar is not None and own.most < bar:
        return Prospect(entry, Mark.ELIMINATED)
    needed = bar - own.total if bar is not None and bar > own.least else None
    enough = threat - own.total if threat < own.most else None
    return Prospect(entry, Mark.OPEN, own.rounds, needed, enough)


def _nth_of_others(ordered: list[int], own: int, number: int) -> int | None:
    """The n-th highest of all values except the entry's own. None if there are fewer."""
    if len(ordered) <= number:
        return None
    return ordered[number] if own >= ordered[number - 1] else ordered[number - 1]
