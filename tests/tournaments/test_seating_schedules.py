"""Whole schedules of the kinds organisers ask for, judged by the verifier. Quality only, never time."""

from __future__ import annotations

import pytest

from tournaments.seating.budget import Progress
from tournaments.seating.errors import SeatingError
from tournaments.seating.plan import make
from tournaments.seating.request import Apart, Odd, Request, Schedule, notes
from tournaments.seating.verify import Certificate, certify

QUICK = 3_000
LIMITS = {16: 5, 20: 5, 24: 7, 28: 9, 32: 10, 36: 11, 40: 13, 44: 14}


def field(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))


def teams_of(size: int, players: int) -> tuple[Apart, ...]:
    return tuple(Apart(tuple(range(first, first + size))) for first in range(1, players + 1, size))


def made(request: Request) -> tuple[Schedule, Certificate]:
    schedule = make(request)
    return schedule, certify(request, schedule)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(16, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (44, 14), (48, 15), (52, 17), (76, 25)],
)
def test_the_largest_fields_without_repeats_have_none_and_even_winds(players: int, rounds: int) -> None:
    _, certificate = made(Request(field(players), rounds, moves=QUICK))
    assert certificate["excess"].value == 0
    assert certificate["wind_range"].value == 1


@pytest.mark.parametrize("players", range(16, 173, 4))
def test_the_whole_grid_is_repeat_free(players: int) -> None:
    for rounds in range(2, min(15, LIMITS.get(players, 15)) + 1):
        _, certificate = made(Request(field(players), rounds, moves=0))
        assert certificate["excess"].value == 0, rounds
        assert certificate["wind_range"].value == 1, rounds


@pytest.mark.parametrize(("players", "rounds"), [(176, 12), (256, 15), (400, 15)])
def test_large_fields_are_repeat_free(players: int, rounds: int) -> None:
    _, certificate = made(Request(field(players), rounds, moves=QUICK))
    assert certificate["excess"].value == 0
    assert certificate["wind_range"].value == 1
    assert certificate["zero_indirect"].value == 0


@pytest.mark.parametrize(
    ("players", "rounds", "excess"),
    [
        (20, 6, 6),
        (20, 7, 20),
        (20, 8, 50),
        (20, 9, 80),
        (20, 10, 110),
        (24, 8, 23),
        (24, 9, 49),
        (24, 10, 84),
        (28, 10, 42),
        (16, 8, 72),
    ],
)
def test_past_the_limit_repeats_are_few_and_nobody_meets_three_times(players: int, rounds: int, excess: int) -> None:
    _, certificate = made(Request(field(players), rounds))
    repeats = certificate["excess"].value
    assert repeats is not None
    assert repeats <= excess
    assert certificate["max_meetings"].value == 2


@pytest.mark.parametrize(
    ("players", "rounds", "fewest"), [(48, 6, 5), (64, 8, 6), (80, 8, 4), (92, 10, 6), (128, 10, 3), (172, 15, 7)]
)
def test_pairs_who_never_meet_share_many_opponents(players: int, rounds: int, fewest: int) -> None:
    _, certificate = made(Request(field(players), rounds, moves=QUICK))
    common = certificate["min_indirect"].value
    assert common is not None
    assert common >= fewest
    assert certificate["excess"].value == 0


@pytest.mark.parametrize(("players", "rounds"), [(32, 9), (48, 7), (64, 8), (128, 10)])
def test_teams_of_four_never_meet_and_nobody_repeats(players: int, rounds: int) -> None:
    _, certificate = made(Request(field(players), rounds, teams=teams_of(4, players), moves=20_000))
    assert certificate["forbidden"].value == 0
    assert certificate["excess"].value == 0


def test_a_club_larger_than_a_quarter_is_kept_apart_as_far_as_possible() -> None:
    request = Request(field(32), 4, teams=(Apart(field(12)),), moves=200_000)
    _, certificate = made(request)
    assert certificate["forbidden"].as_dict() == {"value": 16, "bound": 16, "optimal": True}
    assert [str(note) for note in notes(request)] == [
        "12 players cannot be kept apart at 8 tables; a group of at most 8 can. "
        "They are kept apart as far as possible; meetings in every round: 4."
    ]


def test_listed_pairs_and_rules_for_round_1_are_kept() -> None:
    first = tuple(Apart((at, at + 10), round1=True) for at in range(1, 11))
    always = tuple(Apart((at, at + 1)) for at in range(1, 24, 2))
    request = Request(field(24), 5, forbidden=first + always, moves=200_000)
    _, certificate = made(request)
    assert certificate["forbidden"].value == 0
    assert certificate["excess"].value == 0


@pytest.mark.parametrize("seed", [0, 1])
def test_after_drop_outs_the_rest_is_rescheduled_without_repeats(seed: int) -> None:
    played = make(Request(field(48), 4, moves=QUICK, seed=seed))
    _, certificate = made(Request(field(44), 6, history=played.rounds, seed=seed))
    assert certificate["excess"].value == 0
    assert certificate["wind_range"].value == 1


def test_late_arrivals_join_with_winds_of_their_own() -> None:
    played = make(Request(field(32), 3, moves=QUICK))
    _, certificate = made(Request(field(36), 3, history=played.rounds, moves=200_000))
    assert certificate["excess"].value == 0
    assert certificate["wind_range"].optimal


@pytest.mark.parametrize(("players", "rounds"), [(18, 4), (22, 5), (30, 6), (50, 8)])
def test_substitutes_fill_up_without_repeats(players: int, rounds: int) -> None:
    request = Request(field(players), rounds, odd=Odd.SUBSTITUTES)
    schedule, certificate = made(request)
    assert request.substitutes == (players + 1, players + 2)
    assert certificate["excess"].value == 0
    assert certificate["substitutes"].optimal
    assert certificate["substitute_pairs"].value == 0
    assert schedule.byes == ((),) * rounds


def test_byes_are_shared_out_and_nobody_repeats() -> None:
    schedule, certificate = made(Request(field(50), 8, odd=Odd.BYES, moves=200_000))
    assert certificate["excess"].value == 0
    assert certificate["byes"].value == 1
    assert [len(resting) for resting in schedule.byes] == [2] * 8


def test_three_byes_a_round_come_from_a_design_with_one_player_more() -> None:
    _, certificate = made(Request(field(23), 7, odd=Odd.BYES, moves=QUICK))
    assert certificate["excess"].value == 0
    assert certificate["byes"].value == 1
    assert certificate["wind_range"].value == 1


def test_a_stationary_player_keeps_his_table_and_never_meets_another() -> None:
    request = Request(field(24), 5, stationary=((7, 2), (8, 5)), moves=100_000)
    schedule, certificate = made(request)
    assert all(7 in games[1] and 8 in games[4] for games in schedule.rounds)
    assert certificate["excess"].value == 0


def test_tables_change_wherever_there_are_enough_of_them() -> None:
    _, certificate = made(Request(field(20), 5, moves=100_000))
    assert certificate["table_repeats"].as_dict() == {"value": 0, "bound": 0, "optimal": True}


def test_other_seeds_give_other_schedules() -> None:
    assert make(Request(field(16), 3, seed=1)).rounds != make(Request(field(16), 3, seed=2)).rounds


def test_progress_is_reported_and_a_stop_keeps_the_best_so_far() -> None:
    reports: list[Progress] = []
    request = Request(field(24), 8, teams=teams_of(2, 24), moves=10_000_000)
    schedule = make(request, reports.append, stop=lambda: len(reports) >= 5)
    assert schedule.stopped
    assert schedule.moves < 10_000
    assert {report.stage for report in reports} >= {"meetings"}
    assert certify(request, schedule).moves == schedule.moves


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (Request(field(18), 4), "18 players do not fill tables of four: allow byes"),
        (Request(field(3), 4), "there are only 3: find 1 more"),
        (Request(field(16), 0), "0 rounds cannot be drawn"),
        (Request((1, 2, 2, 4), 1), "Player 2 is listed twice"),
        (Request(field(16), 2, teams=(Apart((1, 99)),)), "Player 99 in the teams"),
        (Request(field(16), 2, forbidden=(Apart((1, 1)),)), "Player 1 is twice"),
        (Request(field(16), 2, teams=(Apart((1, 2)), Apart((2, 3)))), "Player 2 is in two teams"),
        (Request(field(8), 2, forbidden=tuple(Apart((1, at)) for at in range(2, 8))), "Opponents left to player 1: 1"),
        (Request(field(16), 2, history=(((1, 2, 3, 3),),)), "Round 1, table 1 of the history"),
        (Request(field(16), 2, history=(((1, 2, 3, 4), (5, 6, 7, 1)),)), "Player 1 sits at two tables in round 1"),
        (Request(field(16), 2, stationary=((1, 5),)), "There is no table 5"),
        (Request(field(16), 2, stationary=((1, 2), (3, 2))), "cannot both stay at table 2"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(request_: Request, sentence: str) -> None:
    with pytest.raises(SeatingError) as refused:
        make(request_)
    assert sentence in str(refused.value)
    assert str(refused.value) == refused.value.template % refused.value.params
