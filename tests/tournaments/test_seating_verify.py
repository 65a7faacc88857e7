"""The verifier on schedules small enough to count by hand: it must find every fault, and prove no more than is true."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tournaments.seating.request import Apart, Odd, Request, Round, Schedule
from tournaments.seating.verify import BrokenScheduleError, Certificate, certify

SQUARE: tuple[Round, ...] = (
    ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)),
    ((5, 1, 13, 9), (6, 2, 14, 10), (7, 3, 15, 11), (8, 4, 16, 12)),
)
SIXTEEN = Request(tuple(range(1, 17)), 2)


def judged(request: Request, *rounds: Round, byes: tuple[tuple[int, ...], ...] | None = None) -> Certificate:
    return certify(request, Schedule(rounds, byes or tuple(() for _ in rounds), moves=0))


def test_a_square_has_no_repeat_and_is_proved_optimal() -> None:
    certificate = judged(SIXTEEN, *SQUARE)
    assert certificate["excess"].as_dict() == {"value": 0, "bound": 0, "optimal": True}
    assert certificate["max_meetings"].as_dict() == {"value": 1, "bound": 1, "optimal": True}


def test_the_same_round_twice_repeats_every_meeting() -> None:
    certificate = judged(SIXTEEN, SQUARE[0], SQUARE[0])
    assert certificate["excess"].value == 24
    assert certificate["max_meetings"].value == 2
    assert not certificate["excess"].optimal
    assert certificate["wind_range"].value == 2
    assert certificate["table_repeats"].value == 16


def test_pairs_of_a_square_who_never_meet_share_two_opponents() -> None:
    certificate = judged(SIXTEEN, *SQUARE)
    assert certificate["min_indirect"].value == 2
    assert certificate["zero_indirect"].as_dict() == {"value": 0, "bound": 0, "optimal": True}


def test_after_one_round_no_two_players_of_different_tables_share_an_opponent() -> None:
    certificate = judged(replace(SIXTEEN, rounds=1), SQUARE[0])
    assert certificate["zero_indirect"].as_dict() == {"value": 96, "bound": 96, "optimal": True}
    assert certificate["min_indirect"].as_dict() == {"value": 0, "bound": 0, "optimal": True}


def test_forbidden_meetings_are_counted_once_for_every_game() -> None:
    request = replace(SIXTEEN, teams=(Apart((1, 2, 9)),), forbidden=(Apart((5, 6)), Apart((13, 1))))
    # 1-2 and 5-6 in round 1; 1-9 and 1-13 in round 2
    assert judged(request, *SQUARE)["forbidden"].as_dict() == {"value": 4, "bound": 0, "optimal": False}


def test_a_rule_for_round_1_does_not_bind_later_rounds() -> None:
    request = replace(SIXTEEN, forbidden=(Apart((1, 9), round1=True), Apart((1, 2), round1=True)))
    assert judged(request, *SQUARE)["forbidden"].value == 1


def test_a_rule_for_round_1_is_moot_after_a_history() -> None:
    request = replace(SIXTEEN, rounds=1, forbidden=(Apart((1, 9), round1=True),), history=SQUARE[:1])
    assert judged(request, SQUARE[1])["forbidden"].value == 0


def test_a_club_larger_than_the_tables_has_a_bound_above_zero() -> None:
    request = replace(SIXTEEN, teams=(Apart((1, 2, 5, 6, 9, 13)),))
    # six players at four tables: at least two pairs in each of two rounds
    assert judged(request, *SQUARE)["forbidden"].bound == 4


def test_past_meetings_count_as_repeats() -> None:
    request = replace(SIXTEEN, rounds=1, history=(SQUARE[0],))
    assert judged(request, SQUARE[0])["excess"].value == 24
    assert judged(request, SQUARE[1])["excess"].value == 0


def test_meetings_with_those_who_dropped_out_are_no_repeats() -> None:
    played: Round = ((1, 13, 5, 14), (2, 15, 6, 16), (3, 7, 11, 9), (4, 8, 12, 10))
    request = Request(tuple(range(1, 13)), 1, history=(played,))
    # of the past meetings only 9-11 and 10-12 come again
    assert judged(request, ((2, 1, 4, 3), (6, 5, 8, 7), (10, 9, 12, 11)))["excess"].value == 2


def test_those_who_dropped_out_are_still_common_opponents() -> None:
    request = Request(tuple(range(1, 9)), 1, history=(((1, 9, 10, 11),), ((5, 9, 12, 13),)))
    # 16 pairs sit at different tables, and only 1 and 5 have an opponent in common
    assert judged(request, ((1, 2, 3, 4), (5, 6, 7, 8)))["zero_indirect"].value == 15


TURNS: tuple[Round, ...] = (((1, 2, 3, 4),), ((2, 3, 4, 1),), ((3, 4, 1, 2),), ((4, 1, 2, 3),))


def test_winds_are_judged_after_every_round_and_not_only_at_the_end() -> None:
    doubled = tuple(turn for turn in TURNS for _ in range(2))
    four = Request((1, 2, 3, 4), 8)
    assert judged(four, *doubled)["wind_range"].value == 2
    assert judged(four, *TURNS, *TURNS)["wind_range"].as_dict() == {"value": 1, "bound": 1, "optimal": True}


def test_winds_played_before_count() -> None:
    request = Request((1, 2, 3, 4), 1, history=(TURNS[0], TURNS[0]))
    assert judged(request, TURNS[0])["wind_range"].as_dict() == {"value": 3, "bound": 2, "optimal": False}
    assert judged(request, TURNS[1])["wind_range"].as_dict() == {"value": 2, "bound": 2, "optimal": True}


def test_four_players_cannot_help_meeting_in_every_round() -> None:
    certificate = judged(Request((1, 2, 3, 4), 4), *TURNS)
    assert certificate["excess"].as_dict() == {"value": 18, "bound": 18, "optimal": True}
    assert certificate["max_meetings"].as_dict() == {"value": 4, "bound": 4, "optimal": True}
    assert certificate["min_indirect"].value is None


@pytest.mark.parametrize(
    ("players", "rounds", "excess", "most"),
    [(8, 2, 4, 2), (12, 2, 3, 2), (16, 5, 0, 1), (16, 6, 24, 2), (20, 7, 20, 2), (24, 8, 12, 2), (28, 10, 42, 2)],
)
def test_the_bounds_are_the_counting_bounds(players: int, rounds: int, excess: int, most: int) -> None:
    order = range(1, players + 1)
    games = tuple((first, first + 1, first + 2, first + 3) for first in order[::4])
    certificate = judged(Request(tuple(order), rounds), *([games] * rounds))
    assert certificate["excess"].bound == excess
    assert certificate["max_meetings"].bound == most


def test_teams_shorten_the_list_of_possible_opponents() -> None:
    teams = tuple(Apart((first, first + 1, first + 2, first + 3)) for first in range(1, 17, 4))
    rounds = [SQUARE[1]] * 5
    # twelve opponents for fifteen places: three repeats each, two players to a repeat
    assert judged(Request(tuple(range(1, 17)), 5, teams=teams), *rounds)["excess"].bound == 24


def test_nobody_sits_out_twice_before_all_have_once() -> None:
    request = Request((1, 2, 3, 4, 5), 2, odd=Odd.BYES)
    fair = judged(request, ((1, 2, 3, 4),), ((5, 1, 2, 3),), byes=((5,), (4,)))
    unfair = judged(request, ((1, 2, 3, 4),), ((2, 3, 4, 1),), byes=((5,), (5,)))
    assert fair["byes"].as_dict() == {"value": 1, "bound": 1, "optimal": True}
    assert unfair["byes"].as_dict() == {"value": 2, "bound": 1, "optimal": False}


def test_substitutes_are_kept_apart_and_spread() -> None:
    request = Request((1, 2, 3, 4, 5, 6), 1, odd=Odd.SUBSTITUTES)
    apart = judged(request, ((1, 2, 7, 3), (4, 5, 8, 6)))
    together = judged(request, ((1, 2, 3, 4), (5, 6, 7, 8)))
    assert apart["substitutes"].as_dict() == {"value": 1, "bound": 1, "optimal": True}
    assert apart["substitute_pairs"].optimal
    assert together["substitutes"].value == 2
    assert together["substitute_pairs"].as_dict() == {"value": 1, "bound": 0, "optimal": False}


def test_stationary_players_are_not_blamed_for_staying() -> None:
    request = replace(SIXTEEN, stationary=((1, 1), (6, 2), (11, 3), (16, 4)))
    assert judged(request, *SQUARE)["table_repeats"].value == 0
    with pytest.raises(BrokenScheduleError, match="player 1 does not stay at table 2"):
        judged(replace(SIXTEEN, stationary=((1, 2),)), *SQUARE)


@pytest.mark.parametrize(
    "games",
    [
        ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)),
        ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 15)),
        ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 17)),
    ],
    ids=["a table is missing", "somebody sits twice", "a stranger sits down"],
)
def test_what_is_no_schedule_is_refused(games: Round) -> None:
    with pytest.raises(BrokenScheduleError, match="round 1"):
        judged(replace(SIXTEEN, rounds=1), games)


def test_a_missing_round_is_refused() -> None:
    with pytest.raises(BrokenScheduleError, match="1 rounds instead of 2"):
        judged(SIXTEEN, SQUARE[0])


def test_the_certificate_names_the_moves_only_when_the_search_was_stopped() -> None:
    schedule = Schedule(SQUARE, ((), ()), moves=512, stopped=True)
    assert certify(SIXTEEN, schedule).as_dict()["moves"] == 512
    assert "moves" not in certify(SIXTEEN, replace(schedule, stopped=False)).as_dict()
