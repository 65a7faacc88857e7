"""Metrics and the one ranking function."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ratings.mahjong.standings import METRICS, Tally, rank, ranking_metrics


@dataclass
class Kept(Tally):
    name: str = ""


def ranked(rows: list[Kept], formula: str = "sum", *tie_breaks: str) -> list[tuple[int, str]]:
    return [(place, row.name) for place, row in rank(rows, ranking_metrics(formula, tie_breaks))]


def test_equal_totals_share_a_rank_and_the_next_is_skipped() -> None:
    rows = [Kept(name="a", results=5), Kept(name="b", results=9), Kept(name="c", results=5), Kept(name="d", results=1)]
    assert ranked(rows) == [(1, "b"), (2, "a"), (2, "c"), (4, "d")]


def test_a_declared_tie_break_decides_among_equals() -> None:
    rows = [
        Kept(name="worse", results=5, placed=2, place_twice=12),
        Kept(name="better", results=5, placed=2, place_twice=6),
        Kept(name="same", results=5, placed=4, place_twice=12),
    ]
    assert ranked(rows, "sum", "average_place") == [(1, "better"), (1, "same"), (3, "worse")]


def test_adjustments_are_in_the_total_and_in_the_average() -> None:
    row = Kept(results=30_000, adjustments=-10_000, games=8)
    assert METRICS["total"].value(row) == 20_000
    assert METRICS["average"].value(row) == 2_500


def test_averages_are_compared_as_fractions() -> None:
    third = Kept(name="third", results=10, games=3)
    nearly = Kept(name="nearly", results=333_333_333, games=100_000_000)
    assert METRICS["average"].value(third) == Fraction(10, 3)
    assert ranked([nearly, third], "average")[0] == (1, "third")


def test_nobody_without_games_stands_above_somebody_with_one() -> None:
    assert ranked([Kept(name="none"), Kept(name="poor", results=-50, games=1)], "average") == [(1, "poor"), (2, "none")]


def test_a_tied_place_counts_as_the_mean_in_the_average_place() -> None:
    assert METRICS["average_place"].value(Kept(placed=2, place_twice=3 + 8)) == Fraction(11, 4)


def test_elo_seasons_are_ranked_by_rating() -> None:
    rows = [Kept(name="low", results=99, rating=1_400_000), Kept(name="high", results=-99, rating=1_600_000)]
    assert ranked(rows, "elo")[0] == (1, "high")
