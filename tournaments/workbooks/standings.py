"""The sheets of standings and teams: the final ranking with a column for each round, stage after stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext

from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, fitting
from tournaments.models import Entry
from tournaments.queries.standings import StageView, final_ranking
from tournaments.standings import ranking

BEFORE = 6  # number of columns before those of the first stage


@dataclass(frozen=True)
class StageColumns:
    """The columns of a stage, counted from 0: carried total, rounds, penalties, stage total."""

    view: StageView
    standings: ranking.Standings
    first: int
    rounds: int

    @property
    def has_carried(self) -> bool:
        return self.view.stage.number > 1

    @property
    def carried(self) -> int | None:
        return self.first if self.has_carried else None

    @property
    def first_round(self) -> int:
        return self.first + self.has_carried

    @property
    def penalties(self) -> int:
        return self.first_round + self.rounds

    @property
    def total(self) -> int:
        return self.penalties + 1

    def heads(self) -> list[str]:
        stage = self.view.stage
        rounds = [gettext("R%(number)s") % {"number": number} for number in range(1, self.rounds + 1)]
        heads = [gettext("Carried over")] if self.has_carried else []
        heads += [*rounds, gettext("Penalties"), gettext("Stage total")]
        return [f"{stage.name} {head}" for head in heads]

    def cells(self, tally: ranking.EntryTally | None) -> list[Cell]:
        if tally is None:
            return [None] * (self.total - self.first + 1)
        rounds: list[Cell] = [tally.by_round.get(number) for number in range(1, self.rounds + 1)]
        carried: list[Cell] = [tally.carried] if self.has_carried else []
        return [*carried, *rounds, tally.fines, tally.total]


def lay_out(views: Sequence[StageView]) -> list[StageColumns]:
    found: list[StageColumns] = []
    first = BEFORE
    for view in views:
        rounds = max(view.stage.rounds_planned, view.last_round)
        found.append(StageColumns(view, view.at_end(), first, rounds))
        first = found[-1].total + 1
    return found


def name_of(entry: Entry) -> str:
    """The player's stored name, because event workbooks are for staff. An anonymised player has a number instead."""
    return entry.player.native_name


def names_width(entries: Sequence[Entry]) -> int:
    return fitting(map(name_of, entries), least=16)


def sheet(stages: Sequence[StageColumns], entries: Sequence[Entry], lines: Sequence[list[Cell]]) -> WorkbookSheet:
    heads = [head for stage in stages for head in stage.heads()]
    columns = [
        ExportColumn(gettext("Rank"), Kind.COUNT),
        ExportColumn(gettext("No."), Kind.COUNT),
        ExportColumn(gettext("Player"), width=names_width(entries)),
        ExportColumn(
            gettext("Name in Latin letters"), width=fitting((entry.player.latin_name for entry in entries), least=16)
        ),
        ExportColumn(gettext("Country"), width=10),
        ExportColumn(gettext("Team"), width=fitting(entry.team for entry in entries)),
        *(ExportColumn(head, Kind.RESULT, 11) for head in heads),
        ExportColumn(gettext("Total"), Kind.RESULT, 10),
        ExportColumn(gettext("Games"), Kind.COUNT),
        ExportColumn(gettext("Average place"), Kind.PLACE, 9),
    ]
    return WorkbookSheet(gettext("Standings"), columns, lines, name="standings", frozen_columns=3)


def rows(stages: Sequence[StageColumns], entries: Sequence[Entry]) -> list[list[Cell]]:
    by_number = {entry.number: entry for entry in entries}
    tallies = [
        {row.entry: row.tally for row in stage.standings.rows} | {out.entry: out for out in stage.standings.outside}
        for stage in stages
    ]
    ranked = final_ranking([stage.view for stage in stages])
    found = [_row(final.rank, by_number[final.entry], stages, tallies, final.total) for final in ranked]
    listed = {final.entry for final in ranked}
    outside = [out.entry for stage in stages for out in stage.standings.outside]  # substitutes have no rank
    others = dict.fromkeys(number for number in outside if number not in listed)
    return found + [_row(None, by_number[number], stages, tallies, None) for number in others]


def _row(
    rank: int | None,
    entry: Entry,
    stages: Sequence[StageColumns],
    tallies: Sequence[dict[int, ranking.EntryTally]],
    total: int | None,
) -> list[Cell]:
    own = [found.get(entry.number) for found in tallies]
    there = [tally for tally in own if tally is not None]
    placed, twice = sum(tally.placed for tally in there), sum(tally.place_twice for tally in there)
    row: list[Cell] = [rank, entry.number, name_of(entry), entry.player.latin_name, entry.country, entry.team]
    for stage, tally in zip(stages, own, strict=True):
        row += stage.cells(tally)
    average = Fraction(twice, 2 * placed) if placed else None
    return [*row, total, sum(tally.games for tally in there), average]


def has_teams(entries: Sequence[Entry]) -> bool:
    return any(entry.team for entry in entries)


def teams_sheet(stage: StageColumns, entries: Sequence[Entry]) -> WorkbookSheet:
    """The teams by the first stage, in which all members play.

    There is one row for each member; the team's total is in the row of its first member.
    """
    columns = [
        ExportColumn(gettext("Rank"), Kind.COUNT),
        ExportColumn(gettext("Team"), width=fitting((entry.team for entry in entries), least=16)),
        ExportColumn(gettext("Team total"), Kind.RESULT, 11),
        ExportColumn(gettext("No."), Kind.COUNT),
        ExportColumn(gettext("Player"), width=names_width(entries)),
        ExportColumn(gettext("Total"), Kind.RESULT, 10),
    ]
    return WorkbookSheet(gettext("Teams"), columns, _team_rows(stage, entries), name="teams", frozen_columns=2)


def _team_rows(stage: StageColumns, entries: Sequence[Entry]) -> Iterator[list[Cell]]:
    by_number = {entry.number: entry for entry in entries}
    for team in ranking.team_standings(stage.standings.rows):
        for index, member in enumerate(team.members):
            total = None if index else team.total
            yield [team.rank, team.team, total, member.entry, name_of(by_number[member.entry]), member.total]
