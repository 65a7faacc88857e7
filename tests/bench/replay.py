"""A season of 100 000 hanchans played again by other rules, against the same done with `bulk_update`.

Both read the facts and score every table; the replay also updates the standings and writes an event. The plain way is
measured on a part of the season and multiplied: its time depends only on the number of rows, and the whole season
would take many minutes.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator

from django.db import transaction

from ratings.mahjong import scoring
from ratings.models import Hanchan, RuleSet, Season, Seat
from ratings.queries.replay import rulebook
from ratings.queries.whatif import what_if
from ratings.services.rebuild import rebuild_season
from ratings.services.replay import replay_season
from tests.bench.measure import Figure, Line, Mark, open_scale, timed
from tests.cast import make_rule_set
from tests.scale import store

FASTER = 20
MEGABYTES = 300
PART = 2_000  # hanchans


def bench() -> Iterator[Line]:
    open_scale()
    season = Season.objects.select_related("rule_set").get(club__slug="large")
    other = make_rule_set(season.club, "ema-2012")
    replay = timed(lambda: replay_season(season, other))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    plain = timed(lambda: bulk_update(season, season.rule_set, PART)) * store.HANCHANS / PART
    yield Figure("replaying 100 000 hanchans", f"{replay:.1f} s")
    yield Figure("the same with bulk_update", f"{plain:.0f} s (measured on {PART} hanchans)")
    yield Mark("bulk_update against replay", plain / replay, at_least=FASTER)
    yield Mark("replay: memory of the whole process at its peak", peak, at_most=MEGABYTES, unit=" MB")
    open_scale()
    yield Figure("what-if, nothing stored", f"{timed(lambda: what_if(season, rulebook(other))):.1f} s")
    yield Figure("rebuild --check", f"{timed(lambda: rebuild_season(season.pk, check=True)):.1f} s")


def bulk_update(season: Season, rule_set: RuleSet, hanchans: int) -> None:
    """The obvious first version: objects and `bulk_update`. It does not even have to update the standings."""
    with transaction.atomic():
        found = Hanchan.objects.filter(season=season).prefetch_related("seats")[:hanchans]
        changed = []
        for hanchan in found:
            seats = list(hanchan.seats.all())
            results = scoring.score(hanchan.as_table(), rule_set.rules)
            places = [result.place for result in results]
            for seat, result in zip(seats, results, strict=True):
                seat.place, seat.result = result.place, result.total
                seat.place_twice = 2 * result.place + places.count(result.place) - 1
                changed.append(seat)
        Seat.objects.bulk_update(changed, ["points", "place", "place_twice", "result"], batch_size=500)
