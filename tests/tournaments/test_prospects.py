"""Clinched, eliminated, and what is still needed: never said too early."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ratings.mahjong.rulesets import PRESETS
from tests.tournaments.scores import people, seat
from tournaments.standings import prospects, ranking
from tournaments.standings.prospects import Mark
from tournaments.standings.ranking import Departure, RoundMoment, Row

EMA = PRESETS["ema-2012"].rules


def rows(*totals: int, **left: Departure) -> list[Row]:
    scores = ranking.StageScores(1, [seat(entry, 1, total) for entry, total in enumerate(totals, 1)])
    return ranking.standings(people(len(totals), **left), scores, 1, ()).rows


def marks(found: list[prospects.Prospect]) -> dict[int, Mark]:
    return {one.entry: one.mark for one in found}


def test_the_best_and_the_worst_hanchan() -> None:
    assert (prospects.best_result(EMA), prospects.worst_result(EMA)) == (120_000, -60_000)
    tenhou = PRESETS["tenhou"].rules  # 4 · 25000 − 30000 + 20000 + oka 20000; −30000 − 20000
    assert (prospects.best_result(tenhou), prospects.worst_result(tenhou)) == (110_000, -50_000)
    jpml = PRESETS["jpml-a"].rules  # the floating uma that helps or hurts most
    assert (prospects.best_result(jpml), prospects.worst_result(jpml)) == (102_000, -42_000)


def test_far_ahead_is_clinched_and_far_behind_eliminated() -> None:
    found = prospects.prospects(rows(400_000, 100_000, 90_000, -300_000), 2, 1, EMA)

    assert marks(found) == {1: Mark.CLINCHED, 2: Mark.OPEN, 3: Mark.OPEN, 4: Mark.ELIMINATED}


def test_with_more_rounds_to_play_less_is_decided() -> None:
    found = prospects.prospects(rows(400_000, 100_000, 90_000, -300_000), 2, 4, EMA)

    assert set(marks(found).values()) == {Mark.OPEN}


def test_what_is_needed_and_what_is_enough_is_named() -> None:
    _first, second, third, _fourth = prospects.prospects(rows(200_000, 90_000, 70_000, 60_000), 2, 1, EMA)

    # Of the others the second best ends with at most 190000 (seen by the third: 210000), at least 10000 (30000).
    assert (second.needed, second.enough) == (None, 100_000)
    assert (third.needed, third.enough) == (-40_000, None)


def test_what_no_result_can_reach_is_no_number() -> None:
    """One hanchan gives at most +120.0 and at least −60.0: event.md A18."""
    first, second, third = prospects.prospects(rows(50_000, 40_000, 0), 1, 1, EMA)

    # The leader has at least −10000 and at most 170000 in the end, the second at most 160000.
    assert (first.needed, first.enough) == (None, 110_000)  # −70000 would be needed to fall out for certain
    assert (second.needed, second.enough) == (-50_000, None)  # 130000 would be enough
    assert (third.needed, third.enough) == (-10_000, None)


def test_a_table_that_is_still_missing_is_played_as_well() -> None:
    seats = [seat(entry, 1, total) for entry, total in enumerate((200_000, 100_000, 90_000, 80_000), 1)]
    scores = ranking.StageScores(1, [*seats, *(seat(entry, 2, 0) for entry in (2, 3, 4))])
    standing = ranking.standings(people(4), scores, 2, ()).rows
    found = {one.entry: one for one in prospects.prospects(standing, 2, 0, EMA)}

    assert prospects.rounds_missing(standing) == {1: 1, 2: 0, 3: 0, 4: 0}
    assert found[1].mark == Mark.CLINCHED  # 140000 at least
    assert prospects.prospects(standing, 1, 1, EMA)[0].rounds == 2


def test_nothing_is_missing_of_rounds_before_somebody_came() -> None:
    scores = ranking.StageScores(1, [seat(1, 1, 100), seat(1, 2, 100), seat(2, 2, 900)])

    assert prospects.rounds_missing(ranking.standings(people(2), scores, 2, ()).rows) == {1: 0, 2: 0}


def test_the_disqualified_threaten_nobody() -> None:
    crew = rows(300_000, 250_000, 0, n1=Departure(RoundMoment(1, 1), disqualified=True))

    found = marks(prospects.prospects(crew, 1, 1, EMA))

    assert found == {2: Mark.CLINCHED, 3: Mark.ELIMINATED, 1: Mark.ELIMINATED}


def test_whoever_withdrew_gets_the_fixed_result_and_no_more() -> None:
    crew = rows(0, -10_000, n2=Departure(RoundMoment(1, 1)))

    assert marks(prospects.prospects(crew, 1, 1, EMA))[1] == Mark.OPEN  # 1 may still fall to −60000
    assert marks(prospects.prospects(rows(31_000, -10_000, n2=Departure(RoundMoment(1, 1))), 1, 1, EMA)) == {
        1: Mark.CLINCHED,
        2: Mark.ELIMINATED,
    }


def test_after_the_last_round_the_standings_decide() -> None:
    assert marks(prospects.decided(rows(300, 200, 200, 100), 2)) == {
        1: Mark.CLINCHED,
        2: Mark.CLINCHED,
        3: Mark.ELIMINATED,
        4: Mark.ELIMINATED,
    }


def test_with_places_for_all_everybody_is_through() -> None:
    assert set(marks(prospects.prospects(rows(100, 0, -100), 3, 2, EMA)).values()) == {Mark.CLINCHED}


hundreds = st.integers(-3000, 3000).map(lambda value: 100 * value)


@given(
    st.lists(hundreds, min_size=4, max_size=8),
    st.integers(1, 3),
    st.lists(st.integers(-600, 1200).map(lambda value: 100 * value), min_size=8, max_size=8),
)
def test_no_outcome_of_a_round_contradicts_a_mark(totals: list[int], top: int, results: list[int]) -> None:
    found = marks(prospects.prospects(rows(*totals), top, 1, EMA))
    final = {entry: total + result for entry, (total, result) in enumerate(zip(totals, results, strict=False), 1)}

    for entry, mark in found.items():
        above = sum(other > final[entry] for other in final.values())
        at_least = sum(other >= final[entry] for other in final.values())
        assert mark != Mark.CLINCHED or at_least <= top
        assert mark != Mark.ELIMINATED or above >= top
