"""The worked hands of HANDS, each settled by itself: the points of every seat, the dealer, honba and sticks after it.

The vectors describe whole games. What a game adds to single hands (its end, the signal, too few points to bet) is not
tested here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ratings.mahjong.payments import Hand, Pot, Settlement, abort, chombo, draw, nagashi_mangan, several_rons
from ratings.mahjong.payments.hands import hand_payment
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PARAMETERS, PRESETS, Rules, change, write

VECTORS = json.loads((Path(__file__).parent / "data" / "hand-vectors.json").read_text())["vectors"]
OF_A_GAME = {"ended", "no_thousand", "riichi_noten"}  # refused because of earlier hands, or a chombo
NOT_STATED = {name: None for name, parameter in PARAMETERS.items() if parameter.kind.optional}


def rules_of(vector: dict[str, Any]) -> Rules:
    """Rules with the values that the vector names; everything else is "not stated"."""
    preset = PRESETS[vector["preset"]].rules
    unnamed = {name: value for name, value in NOT_STATED.items() if name not in vector["ruleset"]}
    return change(preset, {**unnamed, "printed_values": [], **vector["ruleset"]})


def settle(rules: Rules, before: dict[str, Any], event: dict[str, Any]) -> Settlement:
    """Seats of the game become winds of the hand: the dealer is 0."""

    def wind(seat: int | None) -> int | None:
        return None if seat is None else (seat - before["dealer"]) % 4

    def winds(key: str) -> list[int]:
        return [(seat - before["dealer"]) % 4 for seat in event.get(key, [])]

    pot = Pot(before["honba"], before["pot"], tuple(winds("riichi")), wind(event.get("void_riichi")))
    match event["kind"]:
        case "draw":
            return draw(rules, winds("tenpai"), pot)
        case "nagashi":
            return nagashi_mangan(rules, winds("nagashi"), winds("tenpai"), open_hands=winds("open"), pot=pot)
        case "abort":
            return abort(rules, event["abort"], pot)
        case "chombo":
            return chombo(rules, (event["offender"] - before["dealer"]) % 4, pot)
    keys = ("han", "fu", "limit", "yakuman", "liable_yakuman")
    hands = [
        Hand(
            winner=(win["seat"] - before["dealer"]) % 4,
            discarder=wind(event.get("discarder")),
            liable=wind(win.get("liable")),
            feeder=wind(win.get("feeder")),
            **{key: win[key] for key in keys if key in win},
        )
        for win in event["wins"]
    ]
    return hand_payment(rules, hands[0], pot) if event["kind"] == "tsumo" else several_rons(rules, hands, pot)


def points_after(rules: Rules, before: dict[str, Any], event: dict[str, Any], settled: Settlement) -> list[int]:
    stays = rules.applied.ronned_riichi == "stays" and "void_riichi" in event
    bets = [*event.get("riichi", []), *([event["void_riichi"]] if stays else [])]
    changes = [settled.changes[(seat - before["dealer"]) % 4] for seat in range(4)]
    return [before["points"][seat] - 1000 * bets.count(seat) + changes[seat] for seat in range(4)]


def single_hands() -> Iterator[Any]:
    for vector in VECTORS:
        states = [vector["start"], *vector["states"]]
        for number, event in enumerate(vector["hands"][: len(vector["states"])]):
            if event["kind"] not in ("signal", "stop"):
                name = f"{vector['name']}: {number + 1}"
                yield pytest.param(rules_of(vector), event, states[number], states[number + 1], id=name)


@pytest.mark.parametrize(("rules", "event", "before", "after"), list(single_hands()))
def test_a_worked_hand(rules: Rules, event: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> None:
    settled = settle(rules, before, event)
    assert points_after(rules, before, event, settled) == after["points"]
    assert (settled.honba_after, settled.sticks_left) == (after["honba"], after["pot"])
    if after["ended"] is None:  # after the last hand the dealer stays that of this hand
        assert settled.dealer_stays == (after["dealer"] == before["dealer"])


REFUSED = [vector for vector in VECTORS if "refused" in vector and vector["refused"]["code"] not in OF_A_GAME]


@pytest.mark.parametrize("vector", REFUSED, ids=lambda vector: vector["name"])
def test_a_hand_that_must_be_refused(vector: dict[str, Any]) -> None:
    number = vector["refused"]["hand"]
    before = [vector["start"], *vector["states"]][number]
    with pytest.raises(Refused) as refused:
        settle(rules_of(vector), before, vector["hands"][number])
    assert vector["refused"]["code"] in [problem.code for problem in refused.value.problems]


@pytest.mark.parametrize("vector", [vector for vector in VECTORS if not vector["changes"]], ids=lambda v: v["name"])
def test_the_presets_say_what_the_worked_hands_were_played_by(vector: dict[str, Any]) -> None:
    stated = write(PRESETS[vector["preset"]].rules)
    assert {name: stated[name] for name in vector["ruleset"]} == vector["ruleset"]
