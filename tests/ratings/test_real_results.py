"""Results that were really played for: Tenhou's own numbers, and those of every log that holds them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ratings.mahjong.rulesets import PRESETS
from ratings.mahjong.scoring import Seat, Table, check, score

TENHOU = PRESETS["tenhou"].rules

# Final points and results in thousands, as Tenhou published them; in the first four a seat lies at a half.
PUBLISHED = [
    ((11_500, 16_100, 60_200, 12_200), (-38, -4, 70, -28)),
    ((27_200, 30_500, 22_500, 19_800), (7, 40, -17, -30)),
    ((22_500, 23_000, 38_800, 15_700), (-17, 3, 48, -34)),
    ((39_400, 16_300, 21_500, 22_800), (49, -34, -18, 3)),
]

SHARED = Path(os.environ.get("UMAOKA_SHARED") or Path(__file__).parents[3] / "shared")
LOGS = sorted((SHARED / "hands" / "mjlog").glob("*"))
OWARI = re.compile(r'owari="([^"]*)"')


def totals(points: tuple[int, ...]) -> list[int]:
    table = Table(tuple(Seat(each) for each in points))
    assert check(table, TENHOU) == []
    return [result.total for result in score(table, TENHOU)]


@pytest.mark.parametrize(("points", "published"), PUBLISHED, ids=str)
def test_a_published_result_is_ours(points: tuple[int, ...], published: tuple[int, ...]) -> None:
    assert totals(points) == [1000 * each for each in published]


def final_results() -> dict[str, list[str]]:
    """By file, the numbers of `owari`: points in hundreds and result in thousands, four times."""
    found = {path.name: OWARI.search(path.read_text("utf-8")) for path in LOGS if path.suffix == ".mjlog"}
    return {name: match.group(1).split(",")[:8] for name, match in found.items() if match}


@pytest.mark.skipif(not LOGS, reason="the logs are not here: set UMAOKA_SHARED to the folder that holds hands/mjlog")
def test_every_log_that_holds_a_result_agrees() -> None:
    results = final_results()
    assert len(results) == 23
    for name, numbers in results.items():
        points = tuple(100 * int(each) for each in numbers[::2])
        stated = [round(1000 * float(each)) for each in numbers[1::2]]
        if any(each % 1000 for each in stated):  # logs of October 2023: as published, not rounded
            unrounded = [r.total - r.rounding - r.balance for r in score(Table(tuple(map(Seat, points))), TENHOU)]
            assert unrounded == stated, name
        else:
            assert totals(points) == stated, name
