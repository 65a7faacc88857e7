"""Hands that no one won: draws, nagashi mangan, abortive draws and chombo (HANDS §3, 5 to 9)."""

from __future__ import annotations

from collections.abc import Collection

from ratings.mahjong.payments.amounts import MANGAN, amounts
from ratings.mahjong.payments.settlement import (
    EAST,
    EMPTY_TABLE,
    SEATS,
    Bet,
    PayerRole,
    Payment,
    Pot,
    Settlement,
    honba_of,
    refuse,
    seat_problems,
    table_to,
)
from ratings.mahjong.problems import Problem, Term, gettext_noop
from ratings.mahjong.rulesets import Rules
from ratings.mahjong.rulesets.options import ABORTIVE_DRAWS

_ = gettext_noop

NOTEN_SUM = 3000
FOUR_RIICHI, TRIPLE_RON = "four_riichi", "triple_ron"


def draw(rules: Rules, tenpai: Collection[int], pot: Pot = EMPTY_TABLE) -> Settlement:
    """Settle a draw: noten players pay 3000 to tenpai players, or nothing if all four are the same. Bets stay."""
    rules = rules.applied
    refuse(pot.problems() + seat_problems(tenpai))
    ready = [seat for seat in SEATS if seat in tenpai]
    noten = [seat for seat in SEATS if seat not in tenpai]
    each = NOTEN_SUM // (len(ready) * len(noten)) if ready and noten else 0
    dealer_stays = _stays_after_draw(rules, tenpai)
    return Settlement(
        payments=tuple(Payment(payer, payee, each, PayerRole.NOTEN) for payer in noten for payee in ready if each),
        dealer_stays=dealer_stays,
        honba_after=_honba_after_draw(rules, pot, dealer_stays),
        sticks_left=pot.all_sticks(rules),
    )


def abort(rules: Rules, what: str, pot: Pot = EMPTY_TABLE) -> Settlement:
    """Settle an abortive draw: no one pays, the dealer stays with one more honba, bets stay on the table."""
    rules = rules.applied
    refuse(pot.problems(pot.void if what == TRIPLE_RON else None) + _abort_problems(rules, what, pot))
    return Settlement(aborted=True, dealer_stays=True, honba_after=pot.honba + 1, sticks_left=pot.all_sticks(rules))


def chombo(rules: Rules, offender: int, pot: Pot = EMPTY_TABLE) -> Settlement:
    """Settle a chombo: the hand's bets go back, and the hand counts as not played.

    Under some rules the offender also pays a mangan tsumo to the other three.
    """
    refuse(pot.problems() + seat_problems([offender]))
    return Settlement(
        payments=_mangan_backwards(offender) if rules.applied.chombo_payment else (),
        bets=tuple(Bet(seat, 1, returned=True) for seat in SEATS if seat in pot.riichi),
        dealer_stays=True,
        honba_after=pot.honba,
        sticks_left=pot.sticks,
    )


def nagashi_mangan(
    rules: Rules,
    winners: Collection[int],
    tenpai: Collection[int] = (),
    *,
    open_hands: Collection[int] = (),
    pot: Pot = EMPTY_TABLE,
) -> Settlement:
    """Settle nagashi mangan: each winner gets a mangan tsumo instead of noten payments.

    What two winners owe each other cancels out.
    """
    rules = rules.applied
    refuse(
        pot.problems() + seat_problems([*winners, *tenpai, *open_hands]) + _nagashi_problems(rules, winners, open_hands)
    )
    in_turn = [seat for seat in SEATS if seat in winners]  # beginning with the dealer
    stays = not rules.nagashi_dealer_passes and _stays_after_nagashi(rules, winners, tenpai)
    as_win = rules.nagashi_counts_as == "win"
    return Settlement(
        payments=tuple(payment for winner in in_turn for payment in _nagashi_payments(rules, winner, in_turn[0], pot)),
        bets=table_to(rules, in_turn, pot) if rules.nagashi_takes_bets else (),
        dealer_stays=stays,
        honba_after=(pot.honba + 1 if stays else 0) if as_win else _honba_after_draw(rules, pot, stays),
        sticks_left=0 if rules.nagashi_takes_bets else pot.all_sticks(rules),
    )


def _nagashi_payments(rules: Rules, winner: int, first: int, pot: Pot) -> list[Payment]:
    honba = honba_of(rules, pot, first=winner == first) if rules.nagashi_takes_bets else 0
    return [
        Payment(payer, winner, _mangan_share(payer, winner), _role(payer), honba) for payer in SEATS if payer != winner
    ]


def _stays_after_draw(rules: Rules, tenpai: Collection[int]) -> bool:
    return EAST in tenpai and rules.dealer_stays == "win_or_tenpai"


def _stays_after_nagashi(rules: Rules, winners: Collection[int], tenpai: Collection[int]) -> bool:
    if rules.nagashi_counts_as == "win":
        return EAST in winners and rules.dealer_stays != "never"
    return _stays_after_draw(rules, tenpai)


def _honba_after_draw(rules: Rules, pot: Pot, dealer_stays: bool) -> int:
    kept = not dealer_stays and rules.honba_after_noten_dealer == "kept"
    return pot.honba if kept else pot.honba + 1


def _mangan_backwards(offender: int) -> tuple[Payment, ...]:
    return tuple(
        Payment(offender, payee, _mangan_share(payee, offender), PayerRole.OFFENDER)
        for payee in SEATS
        if payee != offender
    )


def _mangan_share(one: int, other: int) -> int:
    """Return what one seat pays the other in a mangan tsumo: double if one of them is the dealer."""
    mangan = amounts(MANGAN.basic)
    return mangan.tsumo_from_dealer if EAST in (one, other) else mangan.tsumo


def _role(seat: int) -> PayerRole:
    return PayerRole.DEALER if seat == EAST else PayerRole.NON_DEALER


def _abort_problems(rules: Rules, what: str, pot: Pot) -> list[Problem]:
    known = set(rules.abortive_draws or ())
    if rules.triple_ron_aborts:
        known.add(TRIPLE_RON)
    if what not in known:
        label = dict(ABORTIVE_DRAWS).get(what, _("three rons"))
        parameter = "triple_ron_aborts" if what == TRIPLE_RON else "abortive_draws"
        message = _("These rules do not have this abortive draw: %(what)s.")
        return [Problem(message, {"what": Term(label)}, code="no_abort", parameter=parameter)]
    if what == FOUR_RIICHI and len(pot.riichi) != len(SEATS):
        return [Problem(_("Four riichi need a bet of each of the four players."), code="not_four_riichi")]
    return []


def _nagashi_problems(rules: Rules, winners: Collection[int], open_hands: Collection[int]) -> list[Problem]:
    if not winners or len(set(winners)) != len(winners):
        return [Problem(_("Name each player with a nagashi mangan once."), code="bad_nagashi")]
    if rules.nagashi_mangan == "none":
        return [Problem(_("These rules have no nagashi mangan."), code="no_nagashi", parameter="nagashi_mangan")]
    if rules.nagashi_mangan == "closed" and any(seat in open_hands for seat in winners):
        return [
            Problem(
                _("Nagashi mangan is for a closed hand only under these rules."),
                code="open_nagashi",
                parameter="nagashi_mangan",
            )
        ]
    return []
