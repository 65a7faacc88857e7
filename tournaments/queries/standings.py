"""Standings of an event, read from its games: after any round, of any stage, and at the end.

This module only fetches the rows; `tournaments.standings.ranking` decides the order. A stage of any size needs three
queries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef

from ratings.mahjong.standings import CARRIED
from ratings.models import Adjustment, Seat
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.standings import prospects, ranking


def entries_of(tournament: Tournament) -> list[Entry]:
    """All entries with everything that a line of the standings shows; one query."""
    return list(tournament.entries.select_related("player", "left_stage"))


def contestants_of(entries: Iterable[Entry]) -> list[ranking.Contestant]:
    """The entries that are or were in the event. Entries that wait for a place or were cancelled are left out."""
    return [entry.as_contestant() for entry in entries if entry.is_in]


def scores_of(stage: Stage, entries: Iterable[Entry]) -> ranking.StageScores:
    """Everything that counts in a stage, by entry and round; two queries."""
    numbers = {entry.player_id: entry.number for entry in entries}
    round_ = Round.objects.filter(stage=stage, number=OuterRef("round"), state=Round.State.CONFIRMED)
    valid = Adjustment.objects.filter(season=stage.season_id, revoked_at=None).order_by("pk")
    extras, confirmed = [], set()
    rows = valid.annotate(confirmed=Exists(round_))
    for player, number, kind, points, done in rows.values_list("player_id", "round", "kind", "points", "confirmed"):
        if player in numbers:
            extras.append(ranking.Extra(numbers[player], number or 0, kind, points))
        if done:
            confirmed.add(number or 0)
    carried = frozenset(extra.entry for extra in extras if extra.kind == CARRIED)
    field = None if stage.number == 1 else carried
    return ranking.StageScores(stage.number, _seats_of(stage, numbers), extras, field, frozenset(confirmed))


def _seats_of(stage: Stage, numbers: dict[int, int]) -> list[ranking.SeatScore]:
    """Seats of the stage's tables, round by round. A game that belongs to no table of the event does not count."""
    seats = Seat.objects.filter(season=stage.season_id, counts=True, hanchan__event_table__isnull=False)
    rows = seats.order_by("hanchan__event_table__round__number", "pk").values_list(
        "player_id",
        "hanchan__event_table__round__number",
        "hanchan__event_table__number",
        "result",
        "place",
        "place_twice",
        "substitute",
        "chombo",
        "penalty",
        "hanchan__corrections",
    )
    return [
        ranking.SeatScore(
            numbers[player],
            number,
            table,
            result or 0,
            place or 0,
            twice or 0,
            own=substitute == Seat.Substitute.NONE,
            chombo=chombo,
            penalty=penalty,
            corrected=bool(corrections),
        )
        for player, number, table, result, place, twice, substitute, chombo, penalty, corrections in rows
        if player in numbers
    ]


@dataclass(frozen=True)
class StageView:
    """The loaded scores of a stage: gives the standings after any round without another query."""

    stage: Stage
    entries: dict[int, Entry]
    contestants: list[ranking.Contestant]
    scores: ranking.StageScores
    tie_breaks: list[str]

    @property
    def last_round(self) -> int:
        """The last round with results. A round that is only published does not count."""
        return self.scores.last_round

    def after(self, round_number: int, *, moves: bool = False) -> ranking.Standings:
        return ranking.standings(self.contestants, self.scores, round_number, self.tie_breaks, moves=moves)

    def at_end(self) -> ranking.Standings:
        """The standings after the last round with results; of a closed stage, with everything that counts in it."""
        closed = self.stage.closed_at is not None
        return self.after(max(self.stage.rounds_planned, self.last_round) if closed else self.last_round)

    def prospects(self, round_number: int, rows: Sequence[ranking.Row] | None = None) -> list[prospects.Prospect]:
        """The prospects of reaching the cut after this stage, in the order of the standings; empty without a cut.

        `rows` are the standings after that round, if they are already loaded.
        """
        top = self.stage.cut_top
        if top is None:
            return []
        rows = self.after(round_number).rows if rows is None else rows
        left = max(0, self.stage.rounds_planned - round_number)
        if not left and (self.stage.closed_at is not None or not any(prospects.rounds_missing(rows).values())):
            return prospects.decided(rows, top)
        return prospects.prospects(rows, top, left, self.stage.rules)


def view_stage(stage: Stage, entries: Sequence[Entry] | None = None) -> StageView:
    """Everything that the standings of a stage need: three queries, or two if the entries are given."""
    found = entries_of(stage.tournament) if entries is None else entries
    return StageView(
        stage,
        {entry.number: entry for entry in found},
        contestants_of(found),
        scores_of(stage, found),
        stage.tournament.tie_breaks,
    )


def hanchans_of(stage: Stage) -> dict[tuple[int, int], int]:
    """The game of each table that has one, by round and table; one query."""
    tables = Table.objects.filter(round__stage=stage, hanchan__isnull=False)
    rows = tables.values_list("round__number", "number", "hanchan_id")
    return {(round_number, table): hanchan for round_number, table, hanchan in rows if hanchan is not None}


def standings_after(stage: Stage, round_number: int | None = None, *, moves: bool = True) -> ranking.Standings:
    """The standings after a round, by default after the last round with results."""
    view = view_stage(stage)
    return view.after(view.last_round if round_number is None else round_number, moves=moves)


def view_event(tournament: Tournament) -> list[StageView]:
    """All stages that are or were open."""
    entries = entries_of(tournament)
    stages = tournament.stages.filter(opened_at__isnull=False).select_related("season__rule_set", "tournament")
    return [view_stage(stage, entries) for stage in stages]


def final_ranking(views: Sequence[StageView]) -> list[ranking.FinalRow]:
    """The current ranking of the whole event; it is final when the last stage is closed."""
    contestants = views[0].contestants if views else []
    return ranking.final_ranking(contestants, [view.at_end() for view in views])


def as_json(tournament: Tournament) -> dict[str, Any]:
    """The standings in the format of EVENT.md: after every confirmed round, and at the end."""
    views = view_event(tournament)
    rounds = Round.objects.filter(stage__tournament=tournament, state=Round.State.CONFIRMED)
    confirmed: dict[int, list[int]] = defaultdict(list)
    for stage, number in rounds.order_by("number").values_list("stage_id", "number"):
        confirmed[stage].append(number)
    return {
        "stages": [
            {
                "name": view.stage.name,
                "after": [
                    {"round": number, "rows": [_line(row) for row in view.after(number).rows]}
                    for number in confirmed[view.stage.pk]
                ],
            }
            for view in views
        ],
        "final": [_line(row) for row in final_ranking(views)],
    }


def _line(row: ranking.Row | ranking.FinalRow) -> dict[str, int]:
    return {"rank": row.rank, "entry": row.entry, "total": row.total}
