"""How many tables are scored a second, against a bare loop that only sorts and adds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from ratings.mahjong import scoring
from ratings.mahjong.rulesets import PRESETS, Rules
from ratings.mahjong.rulesets.parameters import Uma
from tests.bench.measure import Figure, Line, Mark, medians
from tests.scale.sheets import draw_sheets

TABLES = 5_000
FULL_RESULTS = 30


def bench() -> Iterator[Line]:
    for preset in ("furiten", "ema-2012", "phoenix"):
        rules = PRESETS[preset].rules
        tables = [sheet.as_table() for sheet in draw_sheets(Random(1), range(1000), TABLES, rules)]
        points = [[seat.points for seat in table.seats] for table in tables]
        quick, whole = medians(partial(score_barely, points, rules.uma), partial(score_all, tables, rules), times=7)
        yield Figure(f"{preset}: tables scored a second", f"{TABLES / whole:,.0f}")
        yield Mark(f"{preset}: full results against a bare loop", whole / quick, at_most=FULL_RESULTS)


def score_barely(tables: list[list[int]], uma: Uma) -> None:
    """The smallest possible scoring, without ties, sticks, rounding and everything else."""
    for p in tables:
        order = sorted(range(4), key=lambda i: -p[i])
        [p[i] - 30000 + uma[k] for k, i in enumerate(order)]


def score_all(tables: list[scoring.Table], rules: Rules) -> None:
    for table in tables:
        scoring.score(table, rules)
