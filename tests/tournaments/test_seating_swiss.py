"""Rounds paired one at a time: who meets, how far a player falls, and what past meetings change."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tournaments.seating.errors import SeatingError
from tournaments.seating.request import Apart, Odd, Request, Round
from tournaments.seating.swiss import Score, pair, ranking
from tournaments.seating.verify import certify
from tournaments.seating.ways import BY_RANK, INTERVAL, RANDOM, SWISS, ChosenWay

SIXTEEN = Request(tuple(range(1, 17)), 1)
BY_NUMBER = [Score(player, 1000 - player) for player in range(1, 17)]
FOURS: Round = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))


def tables(request: Request, way: ChosenWay, scores: list[Score] = BY_NUMBER) -> list[set[int]]:
    return [set(game) for game in pair(request, way, scores).rounds[0]]


def test_swiss_seats_neighbours_together_when_nobody_has_met() -> None:
    assert tables(SIXTEEN, SWISS.chosen(max_fall=4)) == [set(game) for game in FOURS]


def test_penalties_count_in_the_standing() -> None:
    scores = [Score(1, 900, penalty=600), Score(2, 500), Score(3, 400)]
    assert ranking(scores) == [2, 3, 1]


def test_equals_keep_the_order_in_which_they_are_named() -> None:
    assert ranking([Score(7, 10), Score(3, 10), Score(5, 20)]) == [5, 7, 3]


def test_swiss_moves_players_to_avoid_repeats_but_lets_nobody_fall_too_far() -> None:
    request = replace(SIXTEEN, history=(FOURS,))
    for bound in (1, 2, 4, 8):
        games = tables(request, SWISS.chosen(max_fall=bound))
        for at, game in enumerate(games):
            assert all(4 * at - (player - 1) <= bound for player in game)
    # with enough room no players meet again: every table takes one player of each former table
    assert certify(request, pair(request, SWISS.chosen(max_fall=12), BY_NUMBER))["excess"].value == 0


def test_swiss_without_room_repeats_rather_than_let_anybody_fall() -> None:
    assert tables(replace(SIXTEEN, history=(FOURS,)), SWISS.chosen(max_fall=0)) == [set(game) for game in FOURS]


@pytest.mark.parametrize(
    ("step", "first"), [(1, {1, 2, 3, 4}), (2, {1, 3, 5, 7}), (4, {1, 5, 9, 13})], ids=["1", "2", "4"]
)
def test_interval_seats_every_kth_rank_together(step: int, first: set[int]) -> None:
    assert tables(SIXTEEN, INTERVAL.chosen(step=step, max_fall=0))[0] == first


def test_interval_spreads_the_last_ranks_as_widely_as_they_go() -> None:
    assert tables(SIXTEEN, INTERVAL.chosen(step=3, max_fall=0)) == [
        {1, 4, 7, 10},
        {2, 5, 8, 11},
        {3, 6, 9, 12},
        {13, 14, 15, 16},
    ]


def test_interval_may_exchange_near_ranks_to_avoid_a_repeat() -> None:
    played: Round = ((1, 5, 2, 6), (3, 7, 4, 8), (9, 13, 10, 14), (11, 15, 12, 16))
    request = replace(SIXTEEN, history=(played,))
    games = tables(request, INTERVAL.chosen(step=4, max_fall=3))
    met = {frozenset(two) for game in played for two in combinations(game, 2)}
    again = [two for game in games for two in combinations(sorted(game), 2) if frozenset(two) in met]
    assert len(again) < 8  # strictly by intervals 1-5, 2-6, … all eight pairs would meet again


def test_final_tables_go_by_rank_whoever_has_met() -> None:
    assert tables(replace(SIXTEEN, history=(FOURS,)), BY_RANK.chosen()) == [set(game) for game in FOURS]


def test_by_lot_avoids_everybody_met_before() -> None:
    request = replace(SIXTEEN, history=(FOURS,))
    assert certify(request, pair(request, RANDOM.chosen()))["excess"].value == 0


def test_club_mates_are_kept_apart_in_a_swiss_round() -> None:
    request = replace(SIXTEEN, teams=(Apart((1, 2)), Apart((5, 6))))
    assert certify(request, pair(request, SWISS.chosen(max_fall=4), BY_NUMBER))["forbidden"].value == 0


def test_the_last_of_those_who_have_not_sat_out_sits_out() -> None:
    request = Request(tuple(range(1, 18)), 1, odd=Odd.BYES)
    scores = [*BY_NUMBER, Score(17, 0)]
    first = pair(request, SWISS.chosen(max_fall=4), scores)
    second = pair(replace(request, history=first.rounds), SWISS.chosen(max_fall=4), scores)
    assert first.byes == ((17,),)
    assert second.byes == ((16,),)


def test_substitutes_come_last_in_the_standing() -> None:
    request = Request(tuple(range(1, 15)), 1, odd=Odd.SUBSTITUTES)
    schedule = pair(request, SWISS.chosen(max_fall=4), BY_NUMBER[:14])
    assert certify(request, schedule)["substitute_pairs"].value == 0
    assert {15, 16}.isdisjoint(schedule.rounds[0][0])


def test_winds_of_past_rounds_are_evened_out() -> None:
    request = replace(SIXTEEN, history=(FOURS,))
    schedule = pair(request, BY_RANK.chosen(), BY_NUMBER)
    assert certify(request, schedule)["wind_range"].value == 1


@pytest.mark.parametrize(
    ("way", "scores", "sentence"),
    [
        (SWISS.chosen(max_fall=4), [*BY_NUMBER[:15], Score(99, 0)], "names player 99"),
        (SWISS.chosen(max_fall=4), BY_NUMBER[:15], "leaves out player 16"),
        (SWISS.chosen(max_fall=4), [*BY_NUMBER, Score(3, 0)], "Player 3 is listed twice"),
        (SWISS.chosen(max_fall=-1), BY_NUMBER, "cannot fall by -1 places"),
        (INTERVAL.chosen(step=5, max_fall=0), BY_NUMBER, "steps go from 1 to 4"),
        (INTERVAL.chosen(step=0, max_fall=0), BY_NUMBER, "steps go from 1 to 4"),
    ],
)
def test_a_standing_that_does_not_fit_is_refused(way: ChosenWay, scores: list[Score], sentence: str) -> None:
    with pytest.raises(SeatingError, match=sentence):
        pair(SIXTEEN, way, scores)
