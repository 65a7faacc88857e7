"""Adjustments, which are results without a game: giving and revoking them. A revoked one stays visible, uncounted."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Adjustment, Player, Season
from ratings.services.holds import hold_players
from ratings.services.seasons import lock
from ratings.services.standings import refresh_standings

_ = gettext_noop


def give(
    season: Season,
    player: Player,
    kind: Adjustment.Kind,
    points: int,
    reason: str,
    *,
    by: User | None = None,
    on: datetime.date | None = None,
    round_number: int | None = None,
    submit_key: uuid.UUID | None = None,
) -> Adjustment:
    """Enter an adjustment. `points` are added to the total, so they are negative for a penalty.

    If the same form is sent twice, only one adjustment is entered.
    """
    row = Adjustment(
        player=player, kind=kind, points=points, reason=reason, by=by, round=round_number, submit_key=submit_key
    )
    try:
        return _give(season, row, on)
    except IntegrityError:
        # The first request was for another season, which has its own lock.
        if before := _given(submit_key):
            return before
        raise


def _given(submit_key: uuid.UUID | None) -> Adjustment | None:
    return Adjustment.objects.filter(submit_key=submit_key).first() if submit_key else None


@transaction.atomic
def _give(season: Season, row: Adjustment, on: datetime.date | None) -> Adjustment:
    season = lock(season.pk)
    if before := _given(row.submit_key):  # the first of two requests has committed by now
        return before
    hold_players([row.player_id])
    row.season, row.given_on = season, on or season.today()
    row.save(force_insert=True)
    refresh_standings(season.pk, [row.player_id], initial=season.initial_rating if season.depends_on_order else None)
    return row


@transaction.atomic
def give_many(season: Season, rows: Sequence[Adjustment]) -> None:
    """Enter adjustments that were given earlier in another place, also revoked ones, and refresh standings once."""
    lock(season.pk)
    hold_players(row.player_id for row in rows)
    for row in rows:
        row.save(force_insert=True)  # one by one: bulk writes leave no history
    refresh_standings(season.pk, {row.player_id for row in rows})


@transaction.atomic
def revoke(adjustment: Adjustment, *, by: User | None = None, reason: str) -> Adjustment:
    """Remove an adjustment from every total, and store who revoked it, when and why."""
    season = lock(adjustment.season_id)
    adjustment = Adjustment.objects.get(pk=adjustment.pk)
    if adjustment.revoked_at is not None:
        raise Refused(Problem(_("This entry was revoked already."), code="revoked"))
    adjustment.revoked_at = timezone.now()
    adjustment.revoked_by = by
    adjustment.revoked_reason = reason
    adjustment.save()
    refresh_standings(season.pk, [adjustment.player_id])
    return adjustment
