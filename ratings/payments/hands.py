"""Won hands: by ron or tsumo, with a liable player or a fed kan, and several rons at once.

A hand that cannot be is refused with a sentence for each thing that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.payments.amounts import Worth, impossible, most_yakuman, worth, yakuman_worth
from ratings.payments.draws import abort
from ratings.payments.settlement import (
    EAST,
    EMPTY_TABLE,
    FIVE_HONBA,
    HONBA,
    SEATS,
    Bet,
    Payment,
    Pot,
    Role,
    Settlement,
    Win,
    refuse,
    seat_problems,
)
from ratings.problems import Problem, Term, gettext_noop
from ratings.rulesets import PARAMETERS, Rules

_ = gettext_noop


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A won hand: han and fu, or a number of yakuman. Without a discarder it is a tsumo."""

    winner: int
    discarder: int | None = None
    han: int = 0
    fu: int = 0
    yakuman: int = 0
    liable: int | None = None  # who fed the set that made the yakuman certain (pao)
    feeder: int | None = None  # who fed the open kan, when this is a rinshan after it

    @property
    def by_tsumo(self) -> bool:
        return self.discarder is None

    @property
    def by_dealer(self) -> bool:
        return self.winner == EAST


def hand_payment(rules: Rules, hand: Hand, pot: Pot = EMPTY_TABLE) -> Settlement:
    """One winner: who pays how much, and all bets to the winner."""
    refuse(pot.problems() + hand_problems(rules, hand, pot.honba))
    return _settle(rules, [hand], pot)


def several_rons(rules: Rules, hands: Sequence[Hand], pot: Pot = EMPTY_TABLE) -> Settlement:
    """One discard, one or more who claim it: who is paid under these rules, and who takes the bets."""
    problems = pot.problems()
    for hand in hands:
        problems += hand_problems(rules, hand, pot.honba)
    refuse(problems + _claim_problems(rules, hands))
    if len(hands) == 3 and rules.triple_ron_aborts:
        return abort(pot)
    in_turn = sorted(hands, key=lambda hand: _turns_after(hand.discarder, hand.winner))
    return _settle(rules, in_turn if rules.several_rons == "all" else in_turn[:1], pot)


def hand_problems(rules: Rules, hand: Hand, honba: int = 0) -> list[Problem]:
    """Everything that is wrong with a hand under these rules."""
    return _seat_problems(hand) + _value_problems(rules, hand, honba) + _liability_problems(rules, hand)


def _seat_problems(hand: Hand) -> list[Problem]:
    others = [seat for seat in (hand.discarder, hand.liable, hand.feeder) if seat is not None]
    found = seat_problems([hand.winner, *others])
    if hand.winner in others:
        found.append(Problem(_("The winner cannot be the one who pays."), code="winner_pays", seat=hand.winner))
    if hand.feeder is not None and not hand.by_tsumo:
        found.append(Problem(_("A win on the tile after a kan is a tsumo, not a ron."), code="rinshan_ron"))
    return found


def _value_problems(rules: Rules, hand: Hand, honba: int) -> list[Problem]:
    if hand.yakuman and (hand.han or hand.fu):
        return [Problem(_("Give han and fu or a number of yakuman, not both."), code="han_and_yakuman")]
    if hand.yakuman:
        most = most_yakuman(rules)
        if 1 <= hand.yakuman <= most:
            return []
        return [
            Problem(
                _("Under these rules a hand counts as 1 to %(most)s yakuman, not %(count)s.")
                if most > 1
                else _("Under these rules a hand counts as one yakuman, not %(count)s."),
                {"most": most, "count": hand.yakuman},
                code="bad_yakuman",
            )
        ]
    found = impossible(rules, hand.han, hand.fu, tsumo=hand.by_tsumo)
    if found:
        return [found]
    if honba >= FIVE_HONBA and hand.han < 2 and rules.five_honba_minimum in ("two_han", "two_yaku"):
        return [Problem(_("From 5 honba on these rules ask for two han at least."), code="below_minimum")]
    return []


def _liability_problems(rules: Rules, hand: Hand) -> list[Problem]:
    if hand.liable is None:
        return []
    if rules.pao == ():
        return [Problem(_("These rules know no liability (pao)."), code="no_pao", parameter="pao")]
    if not hand.yakuman:
        return [Problem(_("A player can be liable (pao) for a yakuman only."), code="pao_without_yakuman")]
    return []


def _claim_problems(rules: Rules, hands: Sequence[Hand]) -> list[Problem]:
    winners = {hand.winner for hand in hands}
    discarders = {hand.discarder for hand in hands}
    if not 1 <= len(hands) <= 3 or len(winners) != len(hands) or len(discarders) != 1 or None in discarders:
        return [Problem(_("Several rons are one to three different winners on one discard."), code="bad_claims")]
    aborts = len(hands) == 3 and rules.triple_ron_aborts
    if len(hands) > 1 and rules.several_rons is None and not aborts:
        return [
            Problem(
                _("These rules do not state “%(label)s”: who is paid is for the players to agree."),
                {"label": Term(PARAMETERS["several_rons"].label)},
                code="not_stated",
                parameter="several_rons",
            )
        ]
    return []


def _settle(rules: Rules, hands: Sequence[Hand], pot: Pot) -> Settlement:
    """Every hand is paid with its honba; the first takes the bets, but for the other winners' own."""
    wins = [Win(hand.winner, _worth(rules, hand)) for hand in hands]
    payments = [
        payment
        for hand, win in zip(hands, wins, strict=True)
        for payment in _payments(rules, hand, win.worth, pot.honba)
    ]
    dealer_won = any(hand.by_dealer for hand in hands)
    return Settlement(
        payments=tuple(payments),
        bets=_bets([hand.winner for hand in hands], pot),
        wins=tuple(wins),
        dealer_stays=dealer_won,
        honba_after=pot.honba + 1 if dealer_won else 0,
    )


def _worth(rules: Rules, hand: Hand) -> Worth:
    return yakuman_worth(hand.yakuman) if hand.yakuman else worth(rules, hand.han, hand.fu)


def _bets(winners: Sequence[int], pot: Pot) -> tuple[Bet, ...]:
    returned = [Bet(seat, 1, returned=True) for seat in winners if seat in pot.riichi]
    others = pot.all_sticks - len(returned)
    return tuple(returned + ([Bet(winners[0], others)] if others else []))


def _payments(rules: Rules, hand: Hand, worth: Worth, honba: int) -> list[Payment]:
    if hand.discarder is not None:
        return _ron(hand, hand.discarder, worth, honba)
    shared = _tsumo(hand, worth, honba)
    if hand.liable is not None:
        return [_alone(hand.liable, Role.LIABLE, shared)]
    if hand.feeder is not None and rules.rinshan_after_open_kan == "feeder":
        return [_alone(hand.feeder, Role.FEEDER, shared)]
    return shared


def _ron(hand: Hand, discarder: int, worth: Worth, honba: int) -> list[Payment]:
    points = worth.amounts.dealer_ron if hand.by_dealer else worth.amounts.ron
    on_top = 3 * HONBA * honba
    if hand.liable is None or hand.liable == discarder:
        return [Payment(discarder, hand.winner, points, Role.DISCARDER, on_top)]
    half = points // 2  # of a yakuman: always whole hundreds
    return [
        Payment(discarder, hand.winner, points - half, Role.DISCARDER, on_top),
        Payment(hand.liable, hand.winner, half, Role.LIABLE),
    ]


def _tsumo(hand: Hand, worth: Worth, honba: int) -> list[Payment]:
    paid = worth.amounts
    payments = []
    for payer in SEATS:
        if payer == hand.winner:
            continue
        if payer == EAST:
            points, role = paid.tsumo_from_dealer, Role.DEALER
        else:
            points, role = paid.dealer_tsumo if hand.by_dealer else paid.tsumo, Role.NON_DEALER
        payments.append(Payment(payer, hand.winner, points, role, HONBA * honba))
    return payments


def _alone(payer: int, role: Role, shared: list[Payment]) -> Payment:
    """One pays what all three would have paid."""
    points = sum(payment.value for payment in shared)
    return Payment(payer, shared[0].payee, points, role, sum(payment.honba for payment in shared))


def _turns_after(discarder: int | None, winner: int) -> int:
    return (winner - (discarder or 0)) % 4
