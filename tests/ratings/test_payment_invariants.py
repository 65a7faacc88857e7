"""What holds for every hand, under every preset."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratings.mahjong.payments import (
    ANY_FU,
    EAST,
    SOUTH,
    WEST,
    Hand,
    Pot,
    chombo,
    draw,
    hand_payment,
    most_yakuman,
    nagashi_mangan,
    payment_table,
    several_rons,
)
from ratings.mahjong.payments.amounts import Amounts
from ratings.mahjong.payments.hands import hand_problems
from ratings.mahjong.rulesets import PRESETS, Rules

ALL = [preset.rules for preset in PRESETS.values()]

pots = st.builds(
    Pot,
    honba=st.integers(0, 12),
    sticks=st.integers(0, 6),
    riichi=st.sets(st.integers(0, 3)).map(lambda seats: tuple(sorted(seats))),
)
seats = st.integers(0, 3)


@st.composite
def settled_hands(draw_from: st.DrawFn) -> tuple[Rules, Hand, Pot]:
    rules = draw_from(st.sampled_from(ALL))
    if draw_from(st.booleans()):
        value: dict[str, Any] = {"han": draw_from(st.integers(1, 20)), "fu": draw_from(st.sampled_from(ANY_FU))}
    else:
        value = {"yakuman": draw_from(st.integers(1, int(most_yakuman(rules))))}
    winner = draw_from(seats)
    others = st.none() | seats.filter(lambda seat: seat != winner)
    discarder = draw_from(others)
    hand = Hand(
        winner=winner,
        discarder=discarder,
        liable=draw_from(others) if "yakuman" in value else None,
        feeder=draw_from(others) if discarder is None else None,
        **value,
    )
    return rules, hand, draw_from(pots)


valid_hands = settled_hands().filter(lambda case: not hand_problems(case[0], case[1], case[2].honba))


@given(valid_hands)
def test_payers_pay_what_the_winner_gets_but_for_the_sticks(case: tuple[Rules, Hand, Pot]) -> None:
    rules, hand, pot = case
    settled = hand_payment(rules, hand, pot)
    assert sum(settled.paid(seat) for seat in range(4)) == settled.received(hand.winner) - 1000 * pot.all_sticks(rules)
    assert sum(settled.changes) == 1000 * pot.all_sticks(rules)
    assert settled.paid(hand.winner) == 0


@given(valid_hands)
def test_every_payment_is_whole_hundreds_and_more_than_nothing(case: tuple[Rules, Hand, Pot]) -> None:
    settled = hand_payment(*case)
    assert all(payment.points > 0 and payment.points % 100 == 0 for payment in settled.payments)


@given(valid_hands)
def test_honba_add_300_each_whoever_pays(case: tuple[Rules, Hand, Pot]) -> None:
    rules, hand, pot = case
    without = hand_payment(rules, hand, replace(pot, honba=0))
    assert hand_payment(rules, hand, pot).received(hand.winner) == without.received(hand.winner) + 300 * pot.honba


@given(valid_hands)
def test_who_pays_does_not_change_what_a_ron_or_a_tsumo_brings(case: tuple[Rules, Hand, Pot]) -> None:
    rules, hand, pot = case
    plain = replace(hand, liable=None, feeder=None)
    assert hand_payment(rules, hand, pot).received(hand.winner) == hand_payment(rules, plain, pot).received(hand.winner)


@pytest.mark.parametrize("key", PRESETS)
def test_more_han_or_fu_never_pay_less_and_the_dealer_never_gets_less(key: str) -> None:
    rows = [[cell.worth.amounts for cell in row.cells] for row in payment_table(PRESETS[key].rules)]
    for row in [*rows, *map(list, zip(*rows, strict=True))]:
        for less, more in pairwise(row):
            assert less.ron <= more.ron
            assert less.dealer_ron <= more.dealer_ron
            assert _tsumo(less) <= _tsumo(more)
            assert less.dealer_tsumo <= more.dealer_tsumo
        assert all(paid.dealer_ron > paid.ron and 3 * paid.dealer_tsumo > _tsumo(paid) for paid in row)


def _tsumo(paid: Amounts) -> int:
    """What all three pay together to a winner who is not the dealer."""
    return 2 * paid.tsumo + paid.tsumo_from_dealer


@given(st.sampled_from(ALL), st.integers(5, 25), st.booleans(), st.booleans())
def test_one_more_han_never_pays_less_beyond_mangan(rules: Rules, han: int, ron: bool, dealer: bool) -> None:
    winner, discarder = (EAST if dealer else SOUTH), (WEST if ron else None)
    less, more = (Hand(winner=winner, discarder=discarder, han=count) for count in (han, han + 1))
    assert hand_payment(rules, less).received(winner) <= hand_payment(rules, more).received(winner)


@given(st.sampled_from(ALL), st.sets(seats), pots)
def test_a_draw_moves_points_and_makes_none(rules: Rules, tenpai: set[int], pot: Pot) -> None:
    settled = draw(rules, tenpai, pot)
    assert sum(settled.changes) == 0
    assert settled.sticks_left == pot.all_sticks(rules)
    assert sum(payment.points for payment in settled.payments) == (3000 if len(tenpai) in (1, 2, 3) else 0)


@given(st.sampled_from(ALL), seats, pots)
def test_a_chombo_gives_back_this_hands_bets_and_no_more(rules: Rules, offender: int, pot: Pot) -> None:
    settled = chombo(rules, offender, pot)
    assert sum(settled.changes) == 1000 * len(pot.riichi)
    assert settled.sticks_left == pot.sticks


@given(seats, st.sets(seats, min_size=1, max_size=3), pots)
def test_several_rons_hand_out_each_stick_once(discarder: int, winners: set[int], pot: Pot) -> None:
    hands = [Hand(winner=seat, discarder=discarder, han=2, fu=30) for seat in winners - {discarder}]
    assume(hands)
    for rules in (rules for rules in ALL if rules.several_rons):
        settled = several_rons(rules, hands, pot)
        assert sum(settled.changes) + 1000 * settled.sticks_left == 1000 * pot.all_sticks(rules)


@given(st.sampled_from(ALL), st.sets(seats, min_size=1), st.sets(seats), pots)
def test_nagashi_moves_points_and_hands_out_each_stick_once(
    rules: Rules, winners: set[int], tenpai: set[int], pot: Pot
) -> None:
    assume(rules.nagashi_mangan != "none")
    settled = nagashi_mangan(rules, winners, tenpai, pot=pot)
    assert sum(settled.changes) + 1000 * settled.sticks_left == 1000 * pot.all_sticks(rules)
