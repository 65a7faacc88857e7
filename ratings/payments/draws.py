"""Hands that nobody won: draws, nagashi mangan, abortive draws and chombo."""

from __future__ import annotations

from collections.abc import Collection

from ratings.payments.amounts import MANGAN, amounts
from ratings.payments.settlement import (
    EAST,
    EMPTY_TABLE,
    HONBA,
    SEATS,
    Bet,
    Payment,
    Pot,
    Role,
    Settlement,
    refuse,
    seat_problems,
)
from ratings.problems import Problem, gettext_noop
from ratings.rulesets import Rules

_ = gettext_noop

NOTEN_SUM = 3000


def draw(rules: Rules, tenpai: Collection[int], pot: Pot = EMPTY_TABLE) -> Settlement:
    """3000 from the noten to the tenpai, nothing when all four are the same; bets stay on the table."""
    refuse(pot.problems() + seat_problems(tenpai))
    ready = [seat for seat in SEATS if seat in tenpai]
    noten = [seat for seat in SEATS if seat not in tenpai]
    each = NOTEN_SUM // (len(ready) * len(noten)) if ready and noten else 0
    dealer_stays = EAST in ready
    kept = not dealer_stays and rules.honba_after_noten_dealer == "kept"
    return Settlement(
        payments=tuple(Payment(payer, payee, each, Role.NOTEN) for payer in noten for payee in ready if each),
        dealer_stays=dealer_stays,
        honba_after=pot.honba if kept else pot.honba + 1,
        sticks_left=pot.all_sticks,
    )


def abort(pot: Pot = EMPTY_TABLE) -> Settlement:
    """An abortive draw: nobody pays, the dealer stays with one more honba, bets stay on the table."""
    refuse(pot.problems())
    return Settlement(aborted=True, dealer_stays=True, honba_after=pot.honba + 1, sticks_left=pot.all_sticks)


def chombo(rules: Rules, offender: int, pot: Pot = EMPTY_TABLE) -> Settlement:
    """A mangan tsumo backwards; the hand's bets go back, and it is as if it had not been played."""
    refuse(pot.problems() + seat_problems([offender]))
    return Settlement(
        payments=() if rules.chombo_payment is False else _mangan_backwards(offender),
        bets=tuple(Bet(seat, 1, returned=True) for seat in SEATS if seat in pot.riichi),
        dealer_stays=True,
        honba_after=pot.honba,
        sticks_left=pot.sticks,
    )


def nagashi_mangan(
    rules: Rules,
    winner: int,
    tenpai: Collection[int] = (),
    *,
    open_hand: bool = False,
    pot: Pot = EMPTY_TABLE,
) -> Settlement:
    """A mangan tsumo instead of the noten payments. Whether the dealer stays is decided as after a draw."""
    refuse(pot.problems() + seat_problems([winner, *tenpai]) + _nagashi_problems(rules, open_hand))
    honba = HONBA * pot.honba if rules.nagashi_takes_bets else 0
    bets = (Bet(winner, pot.all_sticks),) if rules.nagashi_takes_bets and pot.all_sticks else ()
    payers = [seat for seat in SEATS if seat != winner]
    return Settlement(
        payments=tuple(Payment(payer, winner, _mangan_share(payer, winner), _role(payer), honba) for payer in payers),
        bets=bets,
        dealer_stays=EAST in tenpai and not rules.nagashi_dealer_passes,
        sticks_left=0 if rules.nagashi_takes_bets else pot.all_sticks,
    )


def _mangan_backwards(offender: int) -> tuple[Payment, ...]:
    return tuple(
        Payment(offender, payee, _mangan_share(payee, offender), Role.OFFENDER) for payee in SEATS if payee != offender
    )


def _mangan_share(one: int, other: int) -> int:
    """What passes between two seats in a mangan tsumo: double where one of them is the dealer."""
    mangan = amounts(MANGAN.basic)
    return mangan.tsumo_from_dealer if EAST in (one, other) else mangan.tsumo


def _role(seat: int) -> Role:
    return Role.DEALER if seat == EAST else Role.NON_DEALER


def _nagashi_problems(rules: Rules, open_hand: bool) -> list[Problem]:
    if rules.nagashi_mangan == "none":
        return [Problem(_("These rules know no nagashi mangan."), code="no_nagashi", parameter="nagashi_mangan")]
    if rules.nagashi_mangan == "closed" and open_hand:
        return [
            Problem(
                _("Nagashi mangan is for a closed hand only under these rules."),
                code="open_nagashi",
                parameter="nagashi_mangan",
            )
        ]
    return []
