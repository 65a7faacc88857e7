"""Writes that concern a season as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F

from ratings.models import Season


def lock(season_id: int) -> Season:
    """The season, locked until the transaction ends.

    The first statement of every write to a season: raising the revision locks its row, so that the
    re-aggregation that follows sees every committed game, and outdates every cached page of it.
    """
    Season.objects.filter(pk=season_id).update(revision=F("revision") + 1)
    return Season.objects.select_related("club", "rule_set").get(pk=season_id)


def touch(season_ids: Iterable[int]) -> None:
    """Outdates the pages of several seasons, locking them in order of id so that two writers cannot embrace."""
    for season_id in sorted(set(season_ids)):
        Season.objects.filter(pk=season_id).update(revision=F("revision") + 1)
