"""Rating formulas of RULES §1, checked by hand-worked figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.formulas import (
    FORMULAS,
    RATING,
    Formula,
    Rated,
    RatedGame,
    Rater,
    elo_changes,
    fold,
    tenhou_changes,
)
from ratings.mahjong.standings import primary_metric

NEW = Rated(1_500_000, 0)
PLAIN = (2, 4, 6, 8)


def rater(key: str) -> Rater:
    changes = FORMULAS[key].changes
    assert changes is not None
    return Rater(changes)


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
class TestADeclaration:
    def test_ranks_by_a_metric_of_standings(self, formula: Formula) -> None:
        assert primary_metric(formula.key).key == formula.figure.metric
        assert formula.depends_on_order == (formula.figure is RATING)

    def test_fits_its_column(self, formula: Formula) -> None:
        assert len(formula.key) <= 8

    def test_leaves_the_table_as_rich_as_it_was_when_four_equals_play(self, formula: Formula) -> None:
        if formula.changes:
            assert sum(formula.changes([Rated(formula.initial, 0)] * 4, PLAIN, 32)) == 0


def test_first_tenhou_game_of_four_equals_moves_by_the_place() -> None:
    assert tenhou_changes([NEW] * 4, PLAIN) == [30_000, 10_000, -10_000, -30_000]


def test_tenhou_pulls_towards_the_table_average() -> None:
    # A = 1550, R = 1400 with n = 100: K = 0.8, ΔR = 0.8·(30 + 150/40) = 27.0
    before = [Rated(1_400_000, 100), Rated(1_600_000, 0), Rated(1_600_000, 0), Rated(1_600_000, 0)]
    changes = tenhou_changes(before, PLAIN)
    assert changes[0] == 27_000
    assert changes[1] == 8_750  # 10 + (1550 − 1600)/40


@pytest.mark.parametrize(("games", "change"), [(0, 30_000), (399, 6_060), (400, 6_000), (1000, 6_000)])
def test_tenhou_k_falls_to_a_fifth_at_400_games(games: int, change: int) -> None:
    assert tenhou_changes([Rated(1_500_000, games)] * 4, PLAIN)[0] == change


def test_tenhou_rounds_the_rating_half_away_from_zero() -> None:
    # Σ − 4R is 80, 80, 80 and −240, that is ½ and −1½ thousandths; it is the rating after that is rounded:
    # 1530.0005, 1510.0005, 1490.0005, 1470.0785.
    before = [Rated(1_500_000, 0), Rated(1_500_000, 0), Rated(1_500_000, 0), Rated(1_500_080, 0)]
    after = [b.rating + change for b, change in zip(before, tenhou_changes(before, PLAIN), strict=True)]
    assert after == [1_530_001, 1_510_001, 1_490_001, 1_470_079]


def test_tied_places_take_the_mean_in_tenhou() -> None:
    assert tenhou_changes([NEW] * 4, (3, 3, 6, 8)) == [20_000, 20_000, -10_000, -30_000]


def test_elo_of_four_equals() -> None:
    # S − E = 1/2 − 1/4, 1/3 − 1/4, …; times 3·32
    assert elo_changes([NEW] * 4, PLAIN, 32) == [24_000, 8_000, -8_000, -24_000]


def test_elo_expects_more_of_the_stronger() -> None:
    before = [Rated(1_900_000, 0), NEW, NEW, NEW]
    # E = 3·(1/(1 + 10^−1))/6 = 0.4545…; S = 1/2; ΔR = 96·0.0454… = 4.3636…
    assert elo_changes(before, PLAIN, 32)[0] == 4_364


def test_a_substituted_game_changes_nobodys_rating() -> None:
    state: dict[int, Rated] = {}
    game = RatedGame("g", (1, 2, 3, 4), PLAIN, True)
    assert list(fold([game], state, rater("elo"))) == [("g", [None] * 4)]
    assert state == {}


def test_folding_carries_rating_and_count_from_game_to_game() -> None:
    state: dict[int, Rated] = {}
    games = [RatedGame(n, (1, 2, 3, 4), PLAIN, False) for n in range(2)]
    after = dict(fold(games, state, rater("tenhou")))
    assert after[0] == [1_530_000, 1_510_000, 1_490_000, 1_470_000]
    # K = 0.998, A = 1500: 0.998·(30 − 30/40) = 29.1915 → 29.192
    assert after[1][0] == 1_530_000 + 29_192
    assert state[1] == Rated(1_559_192, 2)


@given(st.lists(st.integers(1_000_000, 2_200_000), min_size=4, max_size=4), st.permutations(PLAIN))
def test_elo_neither_makes_nor_loses_points_but_for_rounding(ratings: list[int], places: list[int]) -> None:
    changes = elo_changes([Rated(r, 10) for r in ratings], places, 32)
    assert abs(sum(changes)) <= 2
