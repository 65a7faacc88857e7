"""Rule sets stored before parameters were added: they are read unchanged and give the same results as then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ratings.mahjong.payments import Hand, hand_payment
from ratings.mahjong.rulesets import PARAMETERS, files, write
from ratings.mahjong.scoring import Seat, Table, score

# As the site wrote them in November 2026, before the parameters of HANDS §4 were declared.
STORED: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "rule-sets-2026-11.json").read_text())
ADDED_SINCE = {
    *("penalty_applies", "one_and_half_yakuman", "nagashi_counts_as", "several_rons_honba", "several_rons_bets"),
    *("abortive_draws", "ronned_riichi", "riichi_below_1000", "pao_covers", "pao_honba", "dealer_stays"),
    *("leading_dealer_on", "leading_dealer_choice", "extra_round", "extra_target", "extra_ends"),
    *("chombo_after_signal", "hand_begins"),
}


@pytest.mark.parametrize("key", STORED)
def test_what_was_stored_reads_as_it_was_and_the_rest_is_not_stated(key: str) -> None:
    written = write(files.read_file(STORED[key]).rules)
    assert {name: written[name] for name in STORED[key]["parameters"]} == STORED[key]["parameters"]
    assert {name for name in written if name not in STORED[key]["parameters"]} == ADDED_SINCE
    assert {written[name] for name in ADDED_SINCE} == {None}


def test_every_parameter_was_there_or_was_added_since() -> None:
    assert STORED["furiten"]["parameters"].keys() | ADDED_SINCE == PARAMETERS.keys()


def test_a_stored_tenhou_set_keeps_its_way_of_rounding_and_its_results() -> None:
    rules = files.read_file(STORED["tenhou"]).rules
    table = Table(tuple(Seat(points) for points in (22_500, 23_000, 38_800, 15_700)))
    assert [result.total for result in score(table, rules)] == [-18_000, 3_000, 49_000, -34_000]


def test_a_stored_wrc_set_keeps_paying_thirteen_han_as_yakuman() -> None:
    rules = files.read_file(STORED["wrc"]).rules
    assert hand_payment(rules, Hand(winner=1, discarder=2, han=13)).received(1) == 32_000


@pytest.mark.parametrize("key", STORED)
def test_a_penalty_is_taken_before_placing_as_it_was(key: str) -> None:
    rules = files.read_file(STORED[key]).rules
    start = rules.start_points
    table = Table((Seat(start + 1000, penalty=8000), Seat(start), Seat(start), Seat(start - 1000)))
    east = score(table, rules)[0]
    assert (east.place, east.net, east.penalty) == (4, start - 7000, 0)
