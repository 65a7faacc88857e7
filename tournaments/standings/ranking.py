"""Standings of an event: the ranks after any round, who passes the cut, and the final ranking.

Pure computation, according to EVENT.md. Entries are given by their numbers, and results are already scored. The ranking
uses `rank`, the only ranking function of the project, with the metrics of `ratings.mahjong.standings` and two that
only events have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.scoring import round_to
from ratings.mahjong.standings import ABSENCE, BYE, CARRIED, COUNT, METRICS, TIE_BREAKS, Metric, Tally, rank

_ = gettext_noop

MISSED = (ABSENCE, BYE)  # records of a round in which an entry had no seat
CARRY, HALVE, RESET = "carry", "halve", "reset"
TOTALS = (CARRY, HALVE, RESET)
HEAD_TO_HEAD = "head_to_head"
EVENT_TIE_BREAKS = (*TIE_BREAKS, HEAD_TO_HEAD)


class RoundMoment(NamedTuple):
    """The moment after a round of a stage. Both count from 1; round 0 is before the first round."""

    stage: int
    round: int


@dataclass(frozen=True)
class Departure:
    """An entry left the event after this moment: disqualified, or withdrawn with or without its results."""

    after: RoundMoment
    disqualified: bool = False
    keep_results: bool = True


@dataclass(frozen=True)
class Contestant:
    number: int
    team: str = ""
    ranked: bool = True  # substitutes are not
    left: Departure | None = None

    def has_left(self, moment: RoundMoment) -> bool:
        return self.left is not None and self.left.after <= moment

    def is_out(self, moment: RoundMoment) -> bool:
        """Whether the entry is removed from the standings."""
        return self.left is not None and not self.left.keep_results and self.has_left(moment)

    def is_disqualified(self, moment: RoundMoment) -> bool:
        return self.left is not None and self.left.disqualified and self.has_left(moment)


class SeatScore(NamedTuple):
    """One seat of a finished table. `own` is false if a substitute played."""

    entry: int
    round: int
    table: int
    result: int
    place: int
    place_twice: int
    own: bool = True
    chombo: int = 0
    penalty: int = 0
    corrected: bool = False


class Extra(NamedTuple):
    """A result without a game. Revoked ones are not passed in."""

    entry: int
    round: int
    kind: str
    points: int


@dataclass(frozen=True)
class StageScores:
    """Everything that happened in one stage. `field` are its entries; None for the first stage, which is open to all.

    `confirmed` only has to list rounds that were confirmed without a table, which a file may contain.
    """

    number: int
    seats: Sequence[SeatScore] = ()
    extras: Sequence[Extra] = ()
    field: frozenset[int] | None = None
    confirmed: frozenset[int] = frozenset()

    @cached_property
    def played(self) -> frozenset[int]:
        """The played rounds. A round is played as soon as one of its tables has a result, or it is confirmed.

        Absences and byes are written when a round is published. They count as soon as the round is played.
        """
        return self.confirmed | {seat.round for seat in self.seats}

    @property
    def last_round(self) -> int:
        """The last played round, or 0 before the first. Standings, wall and phones show this round."""
        return max(self.played, default=0)

    def counts(self, extra: Extra) -> bool:
        return extra.kind not in MISSED or extra.round in self.played


@dataclass
class EntryTally(Tally):
    """The total of an entry up to a round, and what it is made of."""

    entry: int = 0
    team: str = ""
    disqualified: bool = False
    left: bool = False
    carried: int = 0  # part of the adjustments: points carried from the stage before
    fines: int = 0  # part of the adjustments: penalties and bonuses on the total
    by_round: dict[int, int] = field(default_factory=dict)  # from a seat or an absence; a round with neither has no key
    absent: set[int] = field(default_factory=set)
    byes: set[int] = field(default_factory=set)
    substituted: set[int] = field(default_factory=set)
    corrected: set[int] = field(default_factory=set)
    tables: dict[tuple[int, int], int] = field(default_factory=dict)  # own seats: (round, table) -> place

    @property
    def total(self) -> int:
        return self.results + self.adjustments

    @property
    def recorded(self) -> set[int]:
        """The rounds with a result, an absence or a bye."""
        return self.by_round.keys() | self.byes

    def add_seat(self, seat: SeatScore) -> None:
        self.add(seat.result, seat.place, seat.place_twice, own=seat.own, chombo=seat.chombo, penalty=seat.penalty)
        self.by_round[seat.round] = seat.result
        if seat.corrected:
            self.corrected.add(seat.round)
        if seat.own:
            self.tables[seat.round, seat.table] = seat.place
        else:
            self.substituted.add(seat.round)

    def add_extra(self, extra: Extra) -> None:
        self.adjust(extra.kind, extra.points)
        if extra.kind == ABSENCE:
            self.by_round[extra.round] = self.by_round.get(extra.round, 0) + extra.points
            self.absent.add(extra.round)
        elif extra.kind == BYE:
            self.byes.add(extra.round)
        elif extra.kind == CARRIED:
            self.carried += extra.points
        else:
            self.fines += extra.points


class HeadToHead(Metric):
    """Games finished above minus games finished below the other tied entries; only if all of them have met."""

    def sort_keys(self, aggregates: Sequence[Any]) -> list[int]:
        balance = dict.fromkeys(range(len(aggregates)), 0)
        for (i, one), (j, other) in combinations(enumerate(aggregates), 2):
            shared = one.tables.keys() & other.tables.keys()
            if not shared:
                return [0] * len(aggregates)
            for table in shared:
                above = (other.tables[table] > one.tables[table]) - (other.tables[table] < one.tables[table])
                balance[i] += above
                balance[j] -= above
        return list(balance.values())


# Disqualified entries are below all others, whatever their total.
NOT_DISQUALIFIED = Metric("not_disqualified", "", "", COUNT, lambda tally: int(not tally.disqualified))
EVENT_METRICS = {
    **METRICS,
    HEAD_TO_HEAD: HeadToHead(HEAD_TO_HEAD, _("Head to head, if all have met"), _("Head to head"), COUNT, lambda _t: 0),
}


@dataclass(frozen=True)
class Row:
    """A line of the standings. `moved` is how many ranks it rose since the round before, None if it had no rank."""

    rank: int
    tally: EntryTally
    moved: int | None = None

    @property
    def entry(self) -> int:
        return self.tally.entry

    @property
    def total(self) -> int:
        return self.tally.total


@dataclass(frozen=True)
class Standings:
    """The standings after a round: the ranking, and separately the substitutes, who have no rank."""

    after: RoundMoment
    rows: list[Row]
    outside: list[EntryTally]


def standings(
    contestants: Iterable[Contestant],
    scores: StageScores,
    after: int,
    tie_breaks: Sequence[str],
    *,
    moves: bool = False,
) -> Standings:
    """The standings of a stage after a round, as known today.

    An entry is ranked if it has a result, an absence or a bye of a played round (EVENT.md). In a later stage all
    entries that reached the stage are ranked.
    """
    contestants = sorted(contestants, key=lambda one: one.number)
    now = RoundMoment(scores.number, after)
    tallies = _tallies(contestants, scores, now)
    there = [one for one in contestants if one.number in tallies]
    took_part = [one for one in there if scores.field is not None or tallies[one.number].recorded]
    ranked = [tallies[one.number] for one in took_part if one.ranked]
    order = rank(ranked, metrics(tie_breaks))
    before = _ranks_before(contestants, scores, after, tie_breaks) if moves else {}
    rows = [Row(place, tally, before[tally.entry] - place if tally.entry in before else None) for place, tally in order]
    unranked = [tallies[one.number] for one in there if not one.ranked]
    outside = [tally for _place, tally in rank([t for t in unranked if t.games], [METRICS["total"]])]
    return Standings(now, rows, outside)


def metrics(tie_breaks: Iterable[str]) -> list[Metric]:
    keys = [key for key in tie_breaks if key != "total"]
    return [NOT_DISQUALIFIED, METRICS["total"], *(EVENT_METRICS[key] for key in keys)]


def _ranks_before(
    contestants: Sequence[Contestant], scores: StageScores, after: int, tie_breaks: Sequence[str]
) -> dict[int, int]:
    if after < 1 or (after == 1 and not any(extra.round == 0 and extra.points for extra in scores.extras)):
        return {}  # before the first round there is an order only if totals were carried
    return {row.entry: row.rank for row in standings(contestants, scores, after - 1, tie_breaks).rows}


def _tallies(contestants: Sequence[Contestant], scores: StageScores, now: RoundMoment) -> dict[int, EntryTally]:
    tallies = {
        one.number: EntryTally(
            entry=one.number, team=one.team, disqualified=one.is_disqualified(now), left=one.has_left(now)
        )
        for one in contestants
        if not one.is_out(now) and (scores.field is None or one.number in scores.field or not one.ranked)
    }
    for seat in scores.seats:
        if seat.round <= now.round and seat.entry in tallies:
            tallies[seat.entry].add_seat(seat)
    for extra in scores.extras:
        if extra.round <= now.round and extra.entry in tallies and scores.counts(extra):
            tallies[extra.entry].add_extra(extra)
    return tallies


# --- the cut ------------------------------------------------------------------------------------------------


def carried(total: int, totals: str) -> int:
    """The part of a total that is carried into the next stage. Halves are rounded half away from zero to hundreds."""
    if totals == CARRY:
        return total
    return round_to(total, 200, "half_away") // 2 if totals == HALVE else 0


def passes(rows: Sequence[Row], top: int | None) -> list[int]:
    """The first N entries of the standings, best first. All entries if there is no cut."""
    return [row.entry for row in rows[:top]]


def tied_at_cut(rows: Sequence[Row], top: int | None) -> list[int]:
    """Entries that share a rank across the cut, so that only some pass. The organiser or a play-off decides."""
    if top is None or top >= len(rows) or rows[top - 1].rank != rows[top].rank:
        return []
    return [row.entry for row in rows if row.rank == rows[top].rank]


def line_up(rows: Sequence[Row], top: int | None, playing: Collection[int]) -> list[int]:
    """The entries of the next stage, when it is known who plays there.

    They are the first N. Another entry may only be there because of a tie at the cut, or in place of one that left.
    """
    chosen, by_entry = passes(rows, top), {row.entry: row for row in rows}
    tied = set(tied_at_cut(rows, top))
    for row in rows:
        if row.entry not in playing or row.entry in chosen:
            continue
        idle = [one for one in chosen if one not in playing and (by_entry[one].tally.left or {one, row.entry} <= tied)]
        if not idle:
            break
        chosen[chosen.index(idle[-1])] = row.entry
    for entry in sorted(playing):
        if entry not in chosen:
            raise Refused(Problem(_("Entry %(entry)s did not reach this stage."), {"entry": entry}, code="not_reached"))
    return [row.entry for row in rows if row.entry in chosen]


# --- the end ------------------------------------------------------------------------------------------------


class FinalRow(NamedTuple):
    rank: int
    entry: int
    total: int
    stage: int  # the last one the entry was in


def final_ranking(contestants: Iterable[Contestant], stages: Sequence[Standings]) -> list[FinalRow]:
    """The last stage's standings, then those who did not reach it in the order of the stage before, and so on.

    Disqualified entries are last in the final table, even finalists (RULES, EMA conduct). Entries that were removed
    from the standings are not in it.
    """
    people = {one.number: one for one in contestants}
    end = stages[-1].after if stages else RoundMoment(0, 0)
    placed: list[FinalRow] = []
    disqualified: list[FinalRow] = []
    seen: set[int] = set()
    for stage in reversed(stages):
        fresh = [row for row in stage.rows if row.entry not in seen and not people[row.entry].is_out(end)]
        seen.update(row.entry for row in stage.rows)
        stays = [row for row in fresh if not people[row.entry].is_disqualified(end)]
        leaves = [row for row in fresh if people[row.entry].is_disqualified(end)]
        placed += _below(stays, len(placed), stage.after.stage)
        disqualified += _below(leaves, len(disqualified), stage.after.stage)
    return placed + [row._replace(rank=row.rank + len(placed)) for row in disqualified]


def _below(rows: Sequence[Row], above: int, stage: int) -> list[FinalRow]:
    """Rows of one stage below those already placed. Entries that shared a rank still share it."""
    places: dict[int, int] = {}
    for index, row in enumerate(rows):
        places.setdefault(row.rank, above + index + 1)
    return [FinalRow(places[row.rank], row.entry, row.total, stage) for row in rows]


# --- teams --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TeamRow:
    rank: int
    team: str
    total: int
    members: list[Row]


def over_all_stages(contestants: Iterable[Contestant], stages: Sequence[Standings]) -> list[Row]:
    """The sum of all stages for each entry, best first. A carried total counts only in the stage where it was made.

    Entries that were removed from the standings are left out.
    """
    end = stages[-1].after if stages else RoundMoment(0, 0)
    out = {one.number for one in contestants if one.is_out(end)}
    sums: dict[int, EntryTally] = {}
    for stage in stages:
        for row in stage.rows:
            if row.entry not in out:
                tally = sums.setdefault(row.entry, EntryTally(entry=row.entry, team=row.tally.team))
                tally.results += row.total - row.tally.carried
    return [Row(place, tally) for place, tally in rank(list(sums.values()), [METRICS["total"]])]


def team_standings(rows: Iterable[Row]) -> list[TeamRow]:
    """Teams by the sum of their members' totals. Teams with equal sums share a rank."""
    members: Mapping[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.tally.team:
            members[row.tally.team].append(row)
    sums = [EntryTally(team=team, results=sum(row.total for row in mine)) for team, mine in sorted(members.items())]
    return [TeamRow(place, one.team, one.total, members[one.team]) for place, one in rank(sums, [METRICS["total"]])]
