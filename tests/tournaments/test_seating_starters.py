"""Every shipped data file is developed into a schedule and checked by the verifier."""

from __future__ import annotations

import pytest

from tournaments.seating.design import linear
from tournaments.seating.problem import Rounds
from tournaments.seating.request import Request, Schedule
from tournaments.seating.starters import entry_key, names, starter
from tournaments.seating.verify import Certificate, certify

SMALL = ("cyclic", "zr3", "cube", "frobenius")


def judged(rounds: Rounds, players: int) -> Certificate:
    games = tuple(
        tuple((s[t] + 1, s[t + 1] + 1, s[t + 2] + 1, s[t + 3] + 1) for t in range(0, len(s), 4)) for s in rounds
    )
    request = Request(tuple(range(1, players + 1)), len(games))
    return certify(request, Schedule(games, tuple(() for _ in games), moves=0))


@pytest.mark.parametrize(("kind", "players", "rounds"), [(kind, *name) for kind in SMALL for name in names(kind)])
def test_every_starter_develops_into_a_design_without_repeats(kind: str, players: int, rounds: int) -> None:
    made = starter(kind, players, rounds)
    assert len(made) == rounds
    assert judged(made, players)["max_meetings"].value == 1


def test_every_rotation_is_repeat_free_and_has_the_common_opponents_it_claims() -> None:
    for players, rounds in names("rotations"):
        certificate = judged(starter("rotations", players, rounds), players)
        assert certificate["max_meetings"].value == 1, (players, rounds)
        without, fewest = entry_key("rotations", players, rounds)[:2]
        assert certificate["zero_indirect"].value == without, (players, rounds)
        assert certificate["min_indirect"].value in (-fewest, None), (players, rounds)


def test_every_schedule_past_the_limit_has_the_repeats_it_claims() -> None:
    for players, rounds in names("schedules"):
        certificate = judged(starter("schedules", players, rounds), players)
        claimed = entry_key("schedules", players, rounds)
        assert [certificate["max_meetings"].value, certificate["excess"].value] == list(claimed), (players, rounds)


@pytest.mark.parametrize(("players", "rounds"), [(20, 5), (28, 7), (64, 8), (180, 15), (400, 15), (404, 33)])
def test_designs_by_formula_are_repeat_free(players: int, rounds: int) -> None:
    made = linear(players, rounds)
    assert made is not None
    assert judged(made, players)["max_meetings"].value == 1


def test_no_formula_is_offered_beyond_the_number_of_tables() -> None:
    assert linear(20, 6) is None
