"""Who pays whom: won hands, several rons, liability, draws, nagashi mangan and chombo, per rule set."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ratings.mahjong.payments import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Bet,
    Hand,
    PayerRole,
    Payment,
    Pot,
    Settlement,
    abort,
    chombo,
    draw,
    hand_payment,
    most_yakuman,
    nagashi_mangan,
    several_rons,
)
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS, Rules

FURITEN, EMA_2012, PHOENIX, BASIC = (PRESETS[key].rules for key in ("furiten", "ema-2012", "phoenix", "basic"))
EMA_2025, TENHOU = PRESETS["ema-2025"].rules, PRESETS["tenhou"].rules
KEYS = list(PRESETS)


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


# Ron and tsumo


def test_ron_is_paid_by_the_discarder_alone() -> None:
    settled = hand_payment(EMA_2012, Hand(winner=WEST, discarder=NORTH, han=3, fu=40))
    assert settled.payments == (Payment(NORTH, WEST, 5200, PayerRole.DISCARDER),)
    assert settled.changes == (0, 0, 5200, -5200)


def test_tsumo_costs_the_dealer_twice() -> None:
    settled = hand_payment(EMA_2012, Hand(winner=WEST, han=3, fu=40))
    assert settled.payments == (
        Payment(EAST, WEST, 2600, PayerRole.DEALER),
        Payment(SOUTH, WEST, 1300, PayerRole.NON_DEALER),
        Payment(NORTH, WEST, 1300, PayerRole.NON_DEALER),
    )


def test_dealer_tsumo_costs_all_three_the_same() -> None:
    assert hand_payment(EMA_2012, Hand(winner=EAST, han=3, fu=40)).changes == (7800, -2600, -2600, -2600)


def test_honba_are_300_on_ron_and_100_from_each_on_tsumo() -> None:
    pot = Pot(honba=2)
    ron = hand_payment(EMA_2012, Hand(winner=EAST, discarder=SOUTH, han=2, fu=30), pot)
    tsumo = hand_payment(EMA_2012, Hand(winner=SOUTH, han=2, fu=30), pot)
    assert ron.changes == (3500, -3500, 0, 0)
    assert [payment.honba for payment in ron.payments] == [600]
    assert tsumo.changes == (-1200, 2600, -700, -700)


def test_the_winner_takes_all_sticks_and_the_own_one_is_told_apart() -> None:
    settled = hand_payment(EMA_2012, Hand(winner=SOUTH, discarder=WEST, han=2, fu=30), Pot(sticks=3, riichi=(1, 2)))
    assert settled.bets == (Bet(SOUTH, 1, returned=True), Bet(SOUTH, 4))
    assert settled.received(SOUTH) == 7000
    assert settled.sticks_left == 0


def test_after_a_win_the_dealer_stays_only_as_a_winner() -> None:
    stays = hand_payment(EMA_2012, Hand(winner=EAST, han=2, fu=30), Pot(honba=3))
    passes = hand_payment(EMA_2012, Hand(winner=SOUTH, han=2, fu=30), Pot(honba=3))
    assert (stays.dealer_stays, stays.honba_after) == (True, 4)
    assert (passes.dealer_stays, passes.honba_after) == (False, 0)


@pytest.mark.parametrize("rules", [EMA_2012, PHOENIX])
def test_from_five_honba_one_han_is_too_few(rules: Rules) -> None:
    hand = Hand(winner=SOUTH, discarder=WEST, han=1, fu=30)
    assert hand_payment(rules, hand, Pot(honba=4)).received(SOUTH) == 2200
    with pytest.raises(Refused) as refused:
        hand_payment(rules, hand, Pot(honba=5))
    assert codes(refused) == ["below_minimum"]


@pytest.mark.parametrize("rules", [FURITEN, BASIC])
def test_other_rules_know_no_minimum_from_five_honba(rules: Rules) -> None:
    hand = Hand(winner=SOUTH, discarder=WEST, han=1, fu=30)
    assert hand_payment(rules, hand, Pot(honba=5)).received(SOUTH) == 2500


@pytest.mark.parametrize(
    ("pot", "code"),
    [
        (Pot(honba=-1), "bad_honba"),
        (Pot(sticks=-1), "bad_sticks"),
        (Pot(riichi=(1, 1)), "bad_riichi"),
        (Pot(riichi=(4,)), "bad_riichi"),
    ],
)
def test_what_cannot_lie_on_the_table_is_refused(pot: Pot, code: str) -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(EMA_2012, Hand(winner=SOUTH, han=2, fu=30), pot)
    assert codes(refused) == [code]


# Yakuman


@pytest.mark.parametrize(
    ("key", "most"), [("furiten", 1), ("ema-2012", 2), ("phoenix", 2), ("basic", 6), ("tenhou", 6)]
)
def test_how_many_yakuman_a_hand_may_count(key: str, most: int) -> None:
    assert most_yakuman(PRESETS[key].rules) == most


@pytest.mark.parametrize("rules", [EMA_2012, PHOENIX])
def test_double_yakuman_pays_twice(rules: Rules) -> None:
    assert hand_payment(rules, Hand(winner=SOUTH, discarder=EAST, yakuman=2)).received(SOUTH) == 64_000
    assert hand_payment(rules, Hand(winner=EAST, yakuman=2)).changes == (96_000, -32_000, -32_000, -32_000)


def test_one_and_a_half_yakuman_pay_half_more() -> None:
    """The Polish sheet's ×6 on a base of ×4."""
    polish = replace(PHOENIX, one_and_half_yakuman=("big_four_winds", "suuankou_tanki"), double_yakuman=("nine_wait",))
    worth = Fraction(3, 2)
    assert hand_payment(polish, Hand(winner=SOUTH, discarder=EAST, yakuman=worth)).received(SOUTH) == 48_000
    assert hand_payment(polish, Hand(winner=EAST, discarder=SOUTH, yakuman=worth)).received(EAST) == 72_000
    assert hand_payment(polish, Hand(winner=SOUTH, yakuman=worth)).changes == (-24_000, 48_000, -12_000, -12_000)
    assert hand_payment(polish, Hand(winner=EAST, yakuman=worth)).changes == (72_000, -24_000, -24_000, -24_000)
    assert hand_payment(polish, Hand(winner=SOUTH, discarder=EAST, yakuman=2)).received(SOUTH) == 64_000
    settled = hand_payment(polish, Hand(winner=SOUTH, discarder=EAST, yakuman=worth, liable=WEST), Pot(honba=1))
    assert [(payment.payer, payment.points) for payment in settled.payments] == [(EAST, 24_300), (WEST, 24_000)]


@pytest.mark.parametrize("rules", [PHOENIX, BASIC, TENHOU])
def test_halves_of_yakuman_need_a_rule(rules: Rules) -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(rules, Hand(winner=SOUTH, yakuman=Fraction(3, 2)))
    assert refused.value.problems[0].sentence() == (
        "Under these rules no yakuman is worth one and a half: enter a whole number, not 1.5."
    )


def test_yakuman_add_up_where_the_rules_say_so() -> None:
    adding = replace(PHOENIX, yakuman_add_up=True)
    assert hand_payment(adding, Hand(winner=SOUTH, discarder=EAST, yakuman=3)).received(SOUTH) == 96_000


# Liability (pao)


@pytest.mark.parametrize("rules", [FURITEN, EMA_2012, PHOENIX])
def test_on_tsumo_the_liable_player_pays_all(rules: Rules) -> None:
    settled = hand_payment(rules, Hand(winner=SOUTH, yakuman=1, liable=WEST), Pot(honba=2))
    assert settled.payments == (Payment(WEST, SOUTH, 32_000, PayerRole.LIABLE, honba=600),)


@pytest.mark.parametrize("rules", [FURITEN, EMA_2012, PHOENIX])
def test_on_ron_discarder_and_liable_pay_half_and_the_discarder_the_honba(rules: Rules) -> None:
    settled = hand_payment(rules, Hand(winner=EAST, discarder=NORTH, yakuman=1, liable=WEST), Pot(honba=2))
    assert settled.payments == (
        Payment(NORTH, EAST, 24_000, PayerRole.DISCARDER, honba=600),
        Payment(WEST, EAST, 24_000, PayerRole.LIABLE),
    )


def test_a_liable_discarder_pays_all() -> None:
    settled = hand_payment(PHOENIX, Hand(winner=SOUTH, discarder=WEST, yakuman=1, liable=WEST))
    assert settled.payments == (Payment(WEST, SOUTH, 32_000, PayerRole.DISCARDER),)


def test_nobody_is_liable_for_less_than_a_yakuman() -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(PHOENIX, Hand(winner=SOUTH, han=5, liable=WEST))
    assert codes(refused) == ["pao_without_yakuman"]


def test_liability_is_refused_where_the_rules_know_none() -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(replace(PHOENIX, pao=()), Hand(winner=SOUTH, yakuman=1, liable=WEST))
    assert codes(refused) == ["no_pao"]


TWO_YAKUMAN: dict[str, Any] = {"yakuman": 2, "liable": WEST, "liable_yakuman": 1}


def test_the_liable_player_may_answer_for_the_whole_hand_or_for_the_one_yakuman_only() -> None:
    one_only = replace(TENHOU, pao_covers="yakuman")
    pot = Pot(honba=1)
    whole = hand_payment(TENHOU, Hand(winner=SOUTH, **TWO_YAKUMAN), pot)
    assert whole.changes == (0, 64_300, -64_300, 0)
    shared = hand_payment(one_only, Hand(winner=SOUTH, **TWO_YAKUMAN), pot)
    assert shared.changes == (-16_000, 64_300, -40_300, -8_000)
    ron = hand_payment(one_only, Hand(winner=SOUTH, discarder=NORTH, **TWO_YAKUMAN), pot)
    assert ron.changes == (0, 64_300, -16_300, -48_000)


def test_the_honba_of_a_ron_may_be_the_liable_players() -> None:
    settled = hand_payment(TENHOU, Hand(winner=EAST, discarder=NORTH, yakuman=1, liable=WEST), Pot(honba=2))
    assert settled.payments == (
        Payment(NORTH, EAST, 24_000, PayerRole.DISCARDER),
        Payment(WEST, EAST, 24_000, PayerRole.LIABLE, honba=600),
    )


@pytest.mark.parametrize("count", [0, 3])
def test_a_player_is_liable_for_some_of_the_yakuman_there_are(count: int) -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(TENHOU, Hand(winner=SOUTH, yakuman=2, liable=WEST, liable_yakuman=count))
    assert codes(refused) == ["bad_liable_yakuman"]


# A hand of which only the limit is known


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ({"limit": "mangan"}, 8_000),
        ({"limit": "haneman"}, 12_000),
        ({"limit": "baiman"}, 16_000),
        ({"limit": "sanbaiman"}, 24_000),
        ({"limit": "mangan", "han": 3}, 8_000),
        ({"limit": "mangan", "han": 4, "fu": 40}, 8_000),
        ({"limit": "haneman", "han": 7}, 12_000),
    ],
)
def test_a_limit_may_be_told_by_its_name(hand: dict[str, Any], points: int) -> None:
    assert hand_payment(EMA_2012, Hand(winner=SOUTH, discarder=EAST, **hand)).received(SOUTH) == points


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ({"limit": "ippatsu"}, "bad_limit"),
        ({"limit": "yakuman"}, "bad_limit"),
        ({"limit": "mangan", "han": 2}, "bad_limit"),
        ({"limit": "mangan", "han": 4, "fu": 30}, "bad_limit"),
        ({"limit": "baiman", "han": 6}, "bad_limit"),
        ({"limit": "mangan", "han": 3, "fu": 33}, "bad_fu"),
        ({"limit": "mangan", "yakuman": 1}, "han_and_yakuman"),
    ],
)
def test_a_limit_the_han_do_not_give_is_refused(hand: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(EMA_2012, Hand(winner=SOUTH, discarder=EAST, **hand))
    assert codes(refused) == [code]


# A riichi whose tile is won


def test_the_bet_of_a_riichi_whose_tile_is_won_goes_back_or_stays() -> None:
    hand, pot = Hand(winner=SOUTH, discarder=WEST, han=2, fu=30), Pot(sticks=1, void=WEST)
    assert hand_payment(EMA_2025, hand, pot).bets == (Bet(SOUTH, 1),)
    assert hand_payment(replace(EMA_2025, ronned_riichi=None), hand, pot).bets == (Bet(SOUTH, 1),)
    assert hand_payment(replace(EMA_2025, ronned_riichi="stays"), hand, pot).bets == (Bet(SOUTH, 2),)


@pytest.mark.parametrize("pot", [Pot(void=NORTH), Pot(void=WEST, riichi=(WEST,))])
def test_only_the_discarders_riichi_can_be_void(pot: Pot) -> None:
    with pytest.raises(Refused) as refused:
        hand_payment(EMA_2025, Hand(winner=SOUTH, discarder=WEST, han=2, fu=30), pot)
    assert codes(refused) == ["not_the_discarders_riichi"]
    with pytest.raises(Refused):
        draw(EMA_2025, (), Pot(void=WEST))


# Rinshan after an open kan


def test_in_furiten_the_feeder_of_the_kan_pays_for_all_three() -> None:
    settled = hand_payment(FURITEN, Hand(winner=SOUTH, han=2, fu=40, feeder=NORTH), Pot(honba=1))
    assert settled.payments == (Payment(NORTH, SOUTH, 2700, PayerRole.FEEDER, honba=300),)  # 700 + 700 + 1300


@pytest.mark.parametrize("rules", [EMA_2012, PHOENIX, BASIC])
def test_elsewhere_a_fed_kan_is_shared_like_any_tsumo(rules: Rules) -> None:
    fed = hand_payment(rules, Hand(winner=SOUTH, han=2, fu=40, feeder=NORTH))
    assert fed == hand_payment(rules, Hand(winner=SOUTH, han=2, fu=40))


def test_the_liable_player_comes_before_the_feeder() -> None:
    settled = hand_payment(FURITEN, Hand(winner=SOUTH, yakuman=1, liable=WEST, feeder=NORTH))
    assert [payment.payer for payment in settled.payments] == [WEST]


# Several rons: North discards, West and South (two and three turns later) claim


CLAIMS = [
    Hand(winner=WEST, discarder=NORTH, han=2, fu=30),
    Hand(winner=SOUTH, discarder=NORTH, han=3, fu=30),
]
THREE = [*CLAIMS, Hand(winner=EAST, discarder=NORTH, han=1, fu=30)]


def test_ema_pays_every_winner_hand_and_honba() -> None:
    settled = several_rons(EMA_2012, CLAIMS, Pot(honba=1))
    assert settled.payments == (
        Payment(NORTH, SOUTH, 3900, PayerRole.DISCARDER, honba=300),
        Payment(NORTH, WEST, 2000, PayerRole.DISCARDER, honba=300),
    )


def test_ema_gives_other_bets_to_the_next_in_turn_and_each_winner_the_own_one() -> None:
    settled = several_rons(EMA_2012, CLAIMS, Pot(sticks=2, riichi=(EAST, WEST)))
    assert settled.bets == (Bet(WEST, 1, returned=True), Bet(SOUTH, 3))
    assert settled.received(WEST) == 3000
    assert settled.received(SOUTH) == 6900


def test_tenhou_gives_honba_and_every_bet_to_the_first_in_turn() -> None:
    settled = several_rons(TENHOU, CLAIMS, Pot(honba=1, sticks=2, riichi=(EAST, WEST)))
    assert settled.payments == (
        Payment(NORTH, SOUTH, 3900, PayerRole.DISCARDER, honba=300),
        Payment(NORTH, WEST, 2000, PayerRole.DISCARDER),
    )
    assert settled.bets == (Bet(SOUTH, 4),)


def test_where_no_rule_says_who_gets_the_honba_every_winner_does() -> None:
    silent = replace(EMA_2012, several_rons_honba=None, several_rons_bets=None)
    pot = Pot(honba=2, sticks=1, riichi=(WEST,))
    assert several_rons(silent, CLAIMS, pot) == several_rons(EMA_2012, CLAIMS, pot)


def test_ema_pays_three_winners() -> None:
    settled = several_rons(EMA_2012, THREE)
    assert settled.changes == (1500, 3900, 2000, -7400)
    assert [win.winner for win in settled.wins] == [EAST, SOUTH, WEST]
    assert settled.dealer_stays


@pytest.mark.parametrize("rules", [FURITEN, PHOENIX])
def test_only_the_next_in_turn_is_paid_and_takes_every_bet(rules: Rules) -> None:
    settled = several_rons(rules, CLAIMS, Pot(honba=1, sticks=1, riichi=(EAST, WEST)))
    assert settled.payments == (Payment(NORTH, SOUTH, 3900, PayerRole.DISCARDER, honba=300),)
    assert settled.bets == (Bet(SOUTH, 3),)


def test_phoenix_example_of_two_claims() -> None:
    east_discards = [
        Hand(winner=NORTH, discarder=EAST, han=2, fu=30),
        Hand(winner=SOUTH, discarder=EAST, han=2, fu=30),
    ]
    assert [win.winner for win in several_rons(PHOENIX, east_discards).wins] == [SOUTH]


@pytest.mark.parametrize("rules", [FURITEN, PHOENIX, BASIC])
def test_three_rons_abort_the_hand_and_bets_stay(rules: Rules) -> None:
    settled = several_rons(rules, THREE, Pot(honba=1, sticks=1, riichi=(SOUTH,)))
    assert settled == Settlement(aborted=True, dealer_stays=True, honba_after=2, sticks_left=2)


def test_two_rons_are_refused_where_no_rule_says_who_is_paid() -> None:
    with pytest.raises(Refused) as refused:
        several_rons(BASIC, CLAIMS)
    assert refused.value.problems[0].parameter == "several_rons"
    assert "Several rons" in str(refused.value)


def test_a_single_claim_is_an_ordinary_ron() -> None:
    assert several_rons(BASIC, CLAIMS[:1]) == hand_payment(BASIC, CLAIMS[0])


@pytest.mark.parametrize(
    "claims",
    [
        [],
        [CLAIMS[0], CLAIMS[0]],
        [CLAIMS[0], Hand(winner=SOUTH, discarder=EAST, han=2, fu=30)],
        [Hand(winner=SOUTH, han=2, fu=30)],
    ],
)
def test_claims_that_do_not_fit_together_are_refused(claims: list[Hand]) -> None:
    with pytest.raises(Refused) as refused:
        several_rons(EMA_2012, claims)
    assert codes(refused) == ["bad_claims"]


# Draws


@pytest.mark.parametrize(
    ("tenpai", "changes"),
    [
        ((), (0, 0, 0, 0)),
        ((1,), (-1000, 3000, -1000, -1000)),
        ((1, 3), (-1500, 1500, -1500, 1500)),
        ((0, 1, 2), (1000, 1000, 1000, -3000)),
        ((0, 1, 2, 3), (0, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_draw_moves_3000_from_noten_to_tenpai(
    key: str, tenpai: tuple[int, ...], changes: tuple[int, int, int, int]
) -> None:
    assert draw(PRESETS[key].rules, tenpai).changes == changes


def test_nobody_pays_nothing() -> None:
    assert draw(EMA_2012, ()).payments == ()


@pytest.mark.parametrize(("rules", "honba"), [(FURITEN, 3), (EMA_2012, 3), (BASIC, 3), (PHOENIX, 2)])
def test_honba_after_a_draw_with_the_dealer_noten(rules: Rules, honba: int) -> None:
    settled = draw(rules, (SOUTH,), Pot(honba=2, sticks=1, riichi=(SOUTH,)))
    assert (settled.dealer_stays, settled.honba_after, settled.sticks_left) == (False, honba, 2)


@pytest.mark.parametrize("rules", [FURITEN, EMA_2012, BASIC, PHOENIX])
def test_a_tenpai_dealer_stays_with_one_more_honba(rules: Rules) -> None:
    settled = draw(rules, (EAST,), Pot(honba=2))
    assert (settled.dealer_stays, settled.honba_after) == (True, 3)


def test_a_fifth_seat_cannot_be_tenpai() -> None:
    with pytest.raises(Refused) as refused:
        draw(EMA_2012, (4,))
    assert codes(refused) == ["bad_seat"]


def test_an_abortive_draw_costs_nobody_anything() -> None:
    assert abort(EMA_2012, "four_winds", Pot(honba=1, riichi=(1, 2))) == Settlement(
        aborted=True, dealer_stays=True, honba_after=2, sticks_left=2
    )


@pytest.mark.parametrize("what", ["nine_terminals", "four_winds", "four_kans", "triple_ron", "tea"])
def test_an_abortive_draw_the_rules_do_not_have_is_refused(what: str) -> None:
    with pytest.raises(Refused) as refused:
        abort(EMA_2025, what)
    assert codes(refused) == ["no_abort"]


def test_where_no_rule_says_which_abortive_draws_there_are_all_four_are_taken() -> None:
    silent = replace(EMA_2025, abortive_draws=None)
    for what in ("nine_terminals", "four_winds", "four_kans"):
        assert abort(silent, what).aborted
    assert abort(silent, "four_riichi", Pot(riichi=(0, 1, 2, 3))).sticks_left == 4


def test_four_riichi_need_four_bets() -> None:
    with pytest.raises(Refused) as refused:
        abort(EMA_2012, "four_riichi", Pot(riichi=(0, 1, 2)))
    assert codes(refused) == ["not_four_riichi"]


# Nagashi mangan


@pytest.mark.parametrize("rules", [EMA_2012, PHOENIX, BASIC])
def test_nagashi_is_paid_as_a_mangan_tsumo(rules: Rules) -> None:
    assert nagashi_mangan(rules, [SOUTH]).changes == (-4000, 8000, -2000, -2000)
    assert nagashi_mangan(rules, [EAST]).changes == (12_000, -4000, -4000, -4000)


def test_in_ema_nagashi_takes_honba_and_bets() -> None:
    settled = nagashi_mangan(EMA_2012, [SOUTH], pot=Pot(honba=2, sticks=1, riichi=(WEST,)))
    assert settled.changes == (-4200, 10_600, -2200, -2200)
    assert (settled.received(SOUTH), settled.sticks_left) == (10_600, 0)


def test_in_phoenix_nagashi_leaves_honba_and_bets_alone() -> None:
    settled = nagashi_mangan(PHOENIX, [SOUTH], pot=Pot(honba=2, sticks=1, riichi=(WEST,)))
    assert (settled.received(SOUTH), settled.sticks_left) == (8000, 2)


def test_in_phoenix_the_dealer_passes_after_nagashi_whoever_made_it() -> None:
    settled = nagashi_mangan(PHOENIX, [EAST], tenpai=(EAST,), pot=Pot(honba=2))
    assert (settled.dealer_stays, settled.honba_after) == (False, 2)


def test_a_nagashi_that_counts_as_a_draw_keeps_a_tenpai_dealer() -> None:
    settled = nagashi_mangan(TENHOU, [SOUTH], tenpai=(EAST,), pot=Pot(honba=2))
    assert (settled.dealer_stays, settled.honba_after) == (True, 3)
    settled = nagashi_mangan(TENHOU, [EAST], pot=Pot(honba=2))
    assert (settled.dealer_stays, settled.honba_after) == (False, 3)


def test_a_nagashi_that_counts_as_a_win_keeps_the_dealer_who_made_it() -> None:
    settled = nagashi_mangan(EMA_2012, [SOUTH], tenpai=(EAST,), pot=Pot(honba=2))
    assert (settled.dealer_stays, settled.honba_after) == (False, 0)
    settled = nagashi_mangan(EMA_2012, [EAST], pot=Pot(honba=2))
    assert (settled.dealer_stays, settled.honba_after) == (True, 3)


@pytest.mark.parametrize(
    ("winners", "changes"),
    [
        # HANDS §3.6: one after another; what two of them owe each other cancels out.
        ((EAST, SOUTH), (8_000, 4_000, -6_000, -6_000)),
        ((SOUTH, WEST), (-8_000, 6_000, 6_000, -4_000)),
        ((SOUTH, WEST, NORTH), (-12_000, 4_000, 4_000, 4_000)),
        ((EAST, SOUTH, WEST, NORTH), (0, 0, 0, 0)),
    ],
)
def test_several_nagashi_are_all_paid(winners: tuple[int, ...], changes: tuple[int, ...]) -> None:
    assert nagashi_mangan(TENHOU, winners).changes == changes


def test_of_several_nagashi_the_first_from_the_dealer_on_takes_the_bets() -> None:
    pot = Pot(honba=1, sticks=2, riichi=(WEST, NORTH))
    settled = nagashi_mangan(EMA_2012, [NORTH, SOUTH], pot=pot)
    assert settled.bets == (Bet(NORTH, 1, returned=True), Bet(SOUTH, 3))
    assert {payment.honba for payment in settled.payments} == {100}
    to_first = replace(EMA_2012, several_rons_honba="first", several_rons_bets="first")
    settled = nagashi_mangan(to_first, [NORTH, SOUTH], pot=pot)
    assert settled.bets == (Bet(SOUTH, 4),)
    assert [payment.honba for payment in settled.payments if payment.payee == NORTH] == [0, 0, 0]


@pytest.mark.parametrize("winners", [(), (SOUTH, SOUTH)])
def test_nagashi_names_each_player_once(winners: tuple[int, ...]) -> None:
    with pytest.raises(Refused) as refused:
        nagashi_mangan(TENHOU, winners)
    assert codes(refused) == ["bad_nagashi"]


def test_furiten_knows_no_nagashi() -> None:
    with pytest.raises(Refused) as refused:
        nagashi_mangan(FURITEN, [SOUTH])
    assert codes(refused) == ["no_nagashi"]


def test_an_open_nagashi_counts_in_phoenix_but_not_in_ema() -> None:
    assert nagashi_mangan(PHOENIX, [SOUTH], open_hands=[SOUTH]).received(SOUTH) == 8000
    with pytest.raises(Refused) as refused:
        nagashi_mangan(EMA_2012, [SOUTH], open_hands=[SOUTH])
    assert codes(refused) == ["open_nagashi"]


# Chombo


@pytest.mark.parametrize("rules", [FURITEN, EMA_2012, PHOENIX, BASIC])
def test_a_chombo_is_a_mangan_backwards(rules: Rules) -> None:
    assert chombo(rules, WEST).changes == (4000, 2000, -8000, 2000)
    assert chombo(rules, EAST).changes == (-12_000, 4000, 4000, 4000)


def test_after_a_chombo_the_bets_of_the_hand_go_back_and_no_honba_counts() -> None:
    settled = chombo(EMA_2012, WEST, Pot(honba=2, sticks=1, riichi=(NORTH, WEST)))
    assert settled.changes == (4000, 2000, -7000, 3000)
    assert settled.bets == (Bet(WEST, 1, returned=True), Bet(NORTH, 1, returned=True))
    assert (settled.dealer_stays, settled.honba_after, settled.sticks_left) == (True, 2, 1)


def test_a_chombo_may_cost_nothing_at_the_table() -> None:
    assert chombo(replace(EMA_2012, chombo_payment=False), WEST).payments == ()


def test_where_no_rule_says_what_a_chombo_costs_it_is_paid_once() -> None:
    """HANDS §3.8: a mangan at the table when nothing comes off the result."""
    silent = replace(EMA_2012, chombo_payment=None)
    assert chombo(silent, WEST).changes == (4000, 2000, -8000, 2000)
    assert chombo(replace(silent, chombo_penalty=20_000), WEST).payments == ()


# Who deals next


def test_a_dealer_who_never_stays_passes_after_a_win_and_after_a_draw() -> None:
    never = replace(TENHOU, dealer_stays="never")
    won = hand_payment(never, Hand(winner=EAST, han=2, fu=30), Pot(honba=1))
    assert (won.dealer_stays, won.honba_after) == (False, 0)
    drawn = draw(never, (EAST,), Pot(honba=1))
    assert (drawn.dealer_stays, drawn.honba_after) == (False, 2)


def test_where_only_a_win_keeps_the_dealer_a_tenpai_one_passes() -> None:
    win_only = replace(TENHOU, dealer_stays="win")
    assert not draw(win_only, (EAST,)).dealer_stays
    assert hand_payment(win_only, Hand(winner=EAST, han=2, fu=30)).dealer_stays
