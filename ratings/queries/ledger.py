"""The penalty ledger of a season: all adjustments, and penalties given within games."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.contrib.auth.models import User

from ratings.models import Adjustment, Player, Season, Seat


@dataclass(frozen=True)
class LedgerEntry:
    player: Player
    kind: str
    points: int
    given_on: datetime.date
    reason: str = ""
    by: User | None = None
    revoked_on: datetime.date | None = None
    revoked_by: User | None = None
    revoked_reason: str = ""
    hanchan_id: int | None = None  # given within this game
    adjustment_id: int | None = None

    @property
    def is_revoked(self) -> bool:
        return self.revoked_on is not None


def ledger(season: Season, player: int | None = None) -> list[LedgerEntry]:
    """Return the entries, newest first, revoked ones included."""
    mine = {} if player is None else {"player_id": player}
    adjustments = Adjustment.objects.filter(season=season, **mine).select_related("player", "by", "revoked_by")
    seats = Seat.objects.filter(season=season, counts=True, penalty__gt=0, **mine).select_related("player")
    entries = [_of_adjustment(adjustment, season) for adjustment in adjustments]
    entries += [_of_seat(seat) for seat in seats.order_by("-played_at", "wind")]
    return sorted(entries, key=lambda entry: entry.given_on, reverse=True)


def _of_adjustment(adjustment: Adjustment, season: Season) -> LedgerEntry:
    revoked = adjustment.revoked_at
    return LedgerEntry(
        adjustment.player,
        adjustment.kind,
        adjustment.points,
        adjustment.given_on,
        adjustment.reason,
        adjustment.by,
        revoked.astimezone(season.club.zone).date() if revoked else None,
        adjustment.revoked_by,
        adjustment.revoked_reason,
        adjustment_id=adjustment.pk,
    )


def _of_seat(seat: Seat) -> LedgerEntry:
    return LedgerEntry(seat.player, Adjustment.Kind.PENALTY, -seat.penalty, seat.played_on, hanchan_id=seat.hanchan_id)
