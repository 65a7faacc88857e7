"""Reads for imports: what came in before, and what is in the season already."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable

from ratings.models import Adjustment, Hanchan, ImportBatch, ImportedRow, Season, Seat

Seated = frozenset[tuple[int, int]]  # player and points of each seat
GameKey = tuple[datetime.datetime, bool, Seated]


def digests(season: Season) -> set[str]:
    """Of everything imported into the season and not undone."""
    if season._state.adding:
        return set()
    rows = ImportedRow.objects.filter(batch__season=season, batch__state=ImportBatch.State.DONE)
    return set(rows.values_list("digest", flat=True))


def game_keys(season: Season, moments: Iterable[datetime.datetime]) -> set[GameKey]:
    """When, whether void, and with which points who sat together, between the first and last of the moments."""
    between = sorted(moments)
    if season._state.adding or not between:
        return set()
    seats = Seat.objects.filter(season=season, played_at__gte=between[0], played_at__lte=between[-1])
    tables: dict[int, set[tuple[int, int]]] = defaultdict(set)
    frames: dict[int, tuple[datetime.datetime, bool]] = {}
    rows = seats.values_list("hanchan_id", "played_at", "hanchan__status", "player_id", "points")
    for hanchan, at, status, player, points in rows:
        tables[hanchan].add((player, points))
        frames[hanchan] = at, status == Hanchan.Status.VOID
    return {(*frames[hanchan], frozenset(table)) for hanchan, table in tables.items()}


def adjustment_keys(season: Season) -> set[tuple[int, str, int, datetime.date, str]]:
    if season._state.adding:
        return set()
    rows = Adjustment.objects.filter(season=season)
    return set(rows.values_list("player_id", "kind", "points", "given_on", "reason"))


def edited_games(batch: ImportBatch) -> list[Hanchan]:
    """Games of an import that were touched since."""
    return list(Hanchan.objects.filter(imported_as__batch=batch, version__gt=1).order_by("pk")[:20])
