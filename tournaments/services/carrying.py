"""Update the totals carried into later stages when an earlier stage is corrected."""

from __future__ import annotations

from django.db import transaction

from ratings.models import Adjustment
from ratings.services.player_rows import freshen, save_with_history
from ratings.services.seasons import lock
from ratings.services.standings import refresh_standings
from tournaments.models import Stage
from tournaments.queries.standings import contestants_of, scores_of
from tournaments.standings import ranking


def next_stage(stage: Stage) -> Stage | None:
    return Stage.objects.filter(tournament=stage.tournament_id, number=stage.number + 1).first()


@transaction.atomic
def carry_again(stage: Stage) -> None:
    """After a change in a stage, recompute the totals carried into the next stage, and so on to the last.

    The players of the next stage stay the same, because its pairings are published. Without an open next stage this
    costs one query.
    """
    following = next_stage(stage)
    if following is None or following.opened_at is None:
        return
    lock(following.season_id)
    freshen(stage)
    totals = totals_of(stage)
    rows = Adjustment.objects.filter(season=following.season_id, kind=Adjustment.Kind.CARRIED, revoked_at=None)
    changed = []
    for row in rows:
        points = ranking.carried(totals.get(row.player_id, 0), stage.cut_totals)
        if points != row.points:
            row.points = points
            save_with_history(row, None, "the stage before was corrected")
            changed.append(row.player_id)
    if changed:
        refresh_standings(following.season_id, changed)
        carry_again(following)


def totals_of(stage: Stage) -> dict[int, int]:
    """Totals by player at the end of a stage, for all players in its standings."""
    entries = list(stage.tournament.entries.select_related("left_stage"))
    players = {entry.number: entry.player_id for entry in entries}
    table = ranking.standings(contestants_of(entries), scores_of(stage, entries), stage.rounds_planned, ())
    return {players[row.entry]: row.total for row in table.rows}
