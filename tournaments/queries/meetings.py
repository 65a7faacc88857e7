"""Who meets whom in the schedule of a stage, as far as it is drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from tournaments.models import Entry, Stage
from tournaments.queries.schedules import seating_of


@dataclass(frozen=True)
class StageMeetings:
    """The numbers of the entries that have a seat, and how often each two share a table, by their places there."""

    numbers: list[int]
    counts: Counter[tuple[int, int]]


def meetings_of(stage: Stage) -> StageMeetings:
    games = [game for tables in seating_of(stage).values() for game in tables]
    seated = {entry for game in games for entry in game}
    entries = dict(Entry.objects.filter(pk__in=seated).order_by("number").values_list("pk", "number"))
    places = {entry: place for place, entry in enumerate(entries)}
    pairs = (sorted(places[entry] for entry in game) for game in games)
    return StageMeetings(list(entries.values()), Counter(pair for game in pairs for pair in combinations(game, 2)))
