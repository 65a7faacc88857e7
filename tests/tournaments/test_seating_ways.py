"""The declarations of the ways: each says all that form, page and engine need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import stored
from tournaments.seating.request import Request
from tournaments.seating.swiss import Score, pair
from tournaments.seating.ways import OPTIONS, WAYS, Way

every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@every_way
def test_its_sentence_has_no_gap_left(way: Way) -> None:
    assert "%(" not in way.sentence % way.chosen().gaps


@every_way
def test_what_it_needs_is_asked_for_in_a_sentence(way: Way) -> None:
    assert all(option.missing for option in way.needs)
    assert all(option.least <= option.default <= option.most for option in (*way.needs, *way.takes))


@every_way
def test_its_stored_form_is_kept_as_a_golden_file(way: Way) -> None:
    assert (Path(stored.__file__).parent / "drawings" / f"{way.key}.json").exists()


@pytest.mark.parametrize("way", [way for way in WAYS.values() if not way.is_whole], ids=lambda way: way.key)
def test_a_single_round_seats_everybody_once(way: Way) -> None:
    players = tuple(range(1, 17))
    scores = [Score(player, -player) for player in players]
    schedule = pair(Request(players, 1), way.chosen(), scores)
    assert sorted(player for game in schedule.rounds[0] for player in game) == list(players)


def test_an_option_that_is_not_given_has_its_default() -> None:
    told = WAYS["swiss"].chosen(max_fall=2).options
    assert told == {name: option.default for name, option in OPTIONS.items()} | {"max_fall": 2}
