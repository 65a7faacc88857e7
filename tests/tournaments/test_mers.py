"""European ranking (RULES §3): base ranks, weights, and the mean over several events."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import mers
from tournaments.standings.mers import Result

DAY = datetime.date(2026, 4, 19)
YEAR_BEFORE = datetime.date(2025, 4, 19)


def results(*rows: tuple[int, float], day: datetime.date = DAY) -> list[Result]:
    return [Result(points, Fraction(weight), day) for points, weight in rows]


class TestTheRankOverSeveralEvents:
    def test_the_check_of_the_rules(self) -> None:
        found = results((900, 2), (800, 1.5), (700, 1), (475, 2))

        means = mers.averages(found)

        assert means is not None
        assert [round(float(mean), 2) for mean in means] == [620.00, 715.38]
        assert round(float(mers.rank(found) or 0), 2) == 667.69

    def test_one_result_is_not_enough(self) -> None:
        assert mers.rank(results((1000, 3))) is None

    def test_a_result_of_no_weight_any_more_does_not_count(self) -> None:
        assert mers.rank(results((1000, 3), (1000, 0))) is None

    def test_of_ten_results_nine_count_in_a_and_four_in_b(self) -> None:
        found = results(*((1000 - 100 * i, 1) for i in range(10)))

        assert mers.averages(found) == (Fraction(600), Fraction(850))

    def test_of_six_results_six_count_in_a(self) -> None:
        """5 + ⌈0.8⌉."""
        found = results((600, 1), (500, 1), (400, 1), (300, 1), (200, 1), (100, 1))

        assert mers.averages(found) == (Fraction(350), Fraction(450))

    def test_of_eleven_results_ten_count_in_a(self) -> None:
        """5 + ⌈4.8⌉: the worst is left out."""
        found = results(*((110 - 10 * i, 1) for i in range(11)))

        assert mers.averages(found) == (Fraction(65), Fraction(95))

    def test_of_equal_base_ranks_at_the_edge_of_a_the_newer_counts(self) -> None:
        """Nine of ten count in A: 8 × 1000 and one of the zeros, that of weight 1. The older weighs 3."""
        eight = results(*[(1000, 1)] * 8)
        found = [*results((0, 3), day=YEAR_BEFORE), *eight, *results((0, 1))]

        assert mers.averages(found) == (Fraction(8000, 9), Fraction(1000))

    def test_of_equal_base_ranks_at_the_edge_of_b_the_heavier_counts(self) -> None:
        """A: (2700 + 600 + 1200) / 6. B: 3 × 900 and the 600 of weight 2, (2700 + 1200) / 5; the newer weighs 1."""
        found = [*results((900, 1), (900, 1), (900, 1), (600, 1)), *results((600, 2), day=YEAR_BEFORE)]

        assert mers.averages(found) == (Fraction(750), Fraction(780))

    @given(st.lists(st.tuples(st.integers(0, 1000), st.sampled_from([0.5, 1, 1.5, 2, 3, 6])), min_size=2, max_size=30))
    def test_a_rank_never_leaves_the_scale_and_the_order_of_events_is_nothing(
        self, rows: list[tuple[int, float]]
    ) -> None:
        rank = mers.rank(results(*rows))

        assert rank is not None
        assert 0 <= rank <= 1000
        assert rank == mers.rank(results(*reversed(rows)))


class TestABaseRank:
    @pytest.mark.parametrize(
        ("place", "players", "points"),
        [
            (1, 22, 1000),
            (22, 22, 0),
            (2, 22, 952),
            (2, 3, 500),
            (2, 17, 938),
            (16, 17, 63),
            (17, 20, 158),
            (1, 2, 1000),
            (1, 1, 0),
        ],
    )
    def test_is_rounded_half_up(self, place: int, players: int, points: int) -> None:
        assert mers.base_rank(place, players) == points

    def test_a_place_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(ValueError, match="place 23 of 22"):
            mers.base_rank(23, 22)


class TestTheWeight:
    @pytest.mark.parametrize(
        ("facts", "weight"),
        [
            ((1, 40, 5, False), 1),
            ((2, 41, 6, False), 3),
            ((2, 80, 9, False), 3),
            ((3, 81, 10, False), 5),
            ((5, 200, 30, True), 6),
            ((1, 12, 1, True), 2),
            ((2, 40, 6, False), 2.5),
        ],
    )
    def test_comes_from_days_players_countries_and_championship(
        self, facts: tuple[int, int, int, bool], weight: float
    ) -> None:
        assert mers.weight(*facts) == Fraction(weight)

    @pytest.mark.parametrize(
        ("today", "factor"),
        [
            ((2026, 4, 18), 0),  # not over yet
            ((2026, 4, 19), 1),
            ((2027, 4, 19), 1),
            ((2027, 4, 20), Fraction(1, 2)),
            ((2028, 4, 19), Fraction(1, 2)),
            ((2028, 4, 20), 0),
        ],
    )
    def test_is_halved_the_day_after_the_first_anniversary_and_gone_the_day_after_the_second(
        self, today: tuple[int, int, int], factor: Fraction
    ) -> None:
        assert mers.age_factor(DAY, datetime.date(*today)) == factor

    def test_of_an_event_on_a_leap_day_is_halved_in_march(self) -> None:
        leap = datetime.date(2024, 2, 29)

        assert mers.age_factor(leap, datetime.date(2025, 2, 28)) == 1
        assert mers.age_factor(leap, datetime.date(2025, 3, 1)) == Fraction(1, 2)
