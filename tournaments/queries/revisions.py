"""The state of an event as revisions: every write to an event raises the revision of one of its seasons."""

from __future__ import annotations

from ratings.models import Season
from tournaments.models import Tournament


def revisions_of(tournament: Tournament) -> tuple[tuple[int, int], ...]:
    seasons = Season.objects.filter(stage__tournament=tournament).order_by("pk")
    return tuple(seasons.values_list("pk", "revision"))
