"""What recording and correcting a game cost in a season of 100 games and in one of 100 000.

Both seasons are in one database. Games are entered at the end of each season, as on a club evening; corrections take
games from all over the season. With formulas that do not depend on order, the size must make no difference.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.mahjong.gamesheet import Sheet
from ratings.models import Hanchan, Season
from ratings.services.hanchans import change_hanchan, record_hanchan, sheet_of
from tests.bench.measure import Figure, Line, Mark, medians, milliseconds, open_scale
from tests.scale.sheets import draw_sheets

SAME_COST = 1.5
TIMES = 41


def bench() -> Iterator[Line]:
    open_scale()
    small, large = (Season.objects.select_related("rule_set").get(club__slug=slug) for slug in ("small", "large"))
    yield from compare("recording a game", recorder(small), recorder(large))
    yield from compare("correcting a game", corrector(small), corrector(large))


def compare(what: str, in_small: Callable[[], object], in_large: Callable[[], object]) -> Iterator[Line]:
    little, much = medians(in_small, in_large, times=TIMES, warm_up=3)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        in_large()
    yield Figure(what, f"{milliseconds(little)} in a season of 100, {milliseconds(much)} in one of 100 000")
    yield Figure(f"{what}: queries", str(len(queries)))
    yield Mark(f"{what}: 100 000 games against 100", much / little, at_most=SAME_COST)


def recorder(season: Season) -> Callable[[], Hanchan]:
    players = list(season.standings.order_by("player_id").values_list("player_id", flat=True))
    sheets = draw_sheets(Random(5), players, 10_000, season.rule_set.rules)
    last = Hanchan.objects.filter(season=season).latest("played_at", "pk")

    def record() -> Hanchan:
        return record_hanchan(season, replace(next(sheets), played_at=last.played_at, played_on=last.played_on))

    return record


def corrector(season: Season) -> Callable[[], Hanchan]:
    die = Random(6)
    games = list(Hanchan.objects.filter(season=season, sticks_left=0).order_by("pk").values_list("pk", flat=True))

    def correct() -> Hanchan:
        hanchan = Hanchan.objects.select_related("season").get(pk=die.choice(games))
        return change_hanchan(hanchan, shifted(sheet_of(hanchan)), version=hanchan.version, reason="bench")

    return correct


def shifted(sheet: Sheet) -> Sheet:
    """The same game with a stick from East to North."""
    east, south, west, north = sheet.seats
    moved = (
        east.changed(points=east.played.points - 1000),
        south,
        west,
        north.changed(points=north.played.points + 1000),
    )
    return replace(sheet, seats=moved, played_at=sheet.played_at.astimezone(datetime.UTC))
