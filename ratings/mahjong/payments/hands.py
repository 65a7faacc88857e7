"""Won hands: by ron or tsumo, with a liable player or a fed kan, and several rons at once (HANDS §3, 1 to 4).

A hand that is not possible is refused with a sentence for each problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.mahjong.payments.amounts import (
    HAN,
    NAMED,
    Amounts,
    Worth,
    Yakuman,
    counts_as_yakuman,
    gives,
    impossible,
    limit_worth,
    most_yakuman,
    shown,
    worth,
    yakuman_worth,
)
from ratings.mahjong.payments.draws import TRIPLE_RON, abort
from ratings.mahjong.payments.settlement import (
    EAST,
    EMPTY_TABLE,
    FIVE_HONBA,
    SEATS,
    PayerRole,
    Payment,
    Pot,
    Settlement,
    Win,
    honba_of,
    refuse,
    seat_problems,
    table_to,
)
from ratings.mahjong.problems import Problem, Term, gettext_noop
from ratings.mahjong.rulesets import PARAMETERS, Rules

_ = gettext_noop


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A won hand: han and fu, a limit by its name, or a number of yakuman. Without a discarder it is a tsumo."""

    winner: int
    discarder: int | None = None
    han: int = 0
    fu: int = 0
    limit: str = ""  # mangan, haneman, baiman or sanbaiman; han may be given too
    yakuman: Yakuman = 0
    liable: int | None = None  # the player who fed the set that made the yakuman certain (pao)
    liable_yakuman: Yakuman | None = None  # for how many of the yakuman this player is liable; None means all
    feeder: int | None = None  # the player who fed the open kan, if this is a rinshan after it

    @property
    def by_tsumo(self) -> bool:
        return self.discarder is None

    @property
    def by_dealer(self) -> bool:
        return self.winner == EAST


def hand_payment(rules: Rules, hand: Hand, pot: Pot = EMPTY_TABLE) -> Settlement:
    """Settle a hand with one winner: who pays how much. The winner gets all bets."""
    refuse(pot.problems(hand.discarder) + hand_problems(rules, hand, pot.honba))
    return _settle(rules.applied, [hand], pot)


def several_rons(rules: Rules, hands: Sequence[Hand], pot: Pot = EMPTY_TABLE) -> Settlement:
    """Settle a discard that one or more players claim: who is paid under these rules, and who takes the bets."""
    refuse(_claim_problems(rules, hands) + pot.problems(hands[0].discarder if hands else None))
    if len(hands) == 3 and rules.applied.triple_ron_aborts:  # whatever the hands are
        return abort(rules, TRIPLE_RON, pot)
    refuse([problem for hand in hands for problem in hand_problems(rules, hand, pot.honba)])
    in_turn = sorted(hands, key=lambda hand: _turns_after(hand.discarder, hand.winner))
    return _settle(rules.applied, in_turn if rules.several_rons == "all" else in_turn[:1], pot)


def hand_problems(rules: Rules, hand: Hand, honba: int = 0) -> list[Problem]:
    """Return everything that is wrong with a hand under these rules."""
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
    if hand.yakuman and (hand.han or hand.fu or hand.limit):
        return [Problem(_("Enter han and fu or a number of yakuman, not both."), code="han_and_yakuman")]
    if hand.yakuman:
        return [] if counts_as_yakuman(rules, hand.yakuman) else [_bad_yakuman(rules, hand.yakuman)]
    if hand.limit:
        return _limit_problems(rules, hand)
    found = impossible(rules, hand.han, hand.fu, tsumo=hand.by_tsumo)
    if found:
        return [found]
    if honba >= FIVE_HONBA and hand.han < 2 and rules.five_honba_minimum in ("two_han", "two_yaku"):
        return [Problem(_("From 5 honba on these rules ask for two han at least."), code="below_minimum")]
    return []


def _bad_yakuman(rules: Rules, count: Yakuman) -> Problem:
    most = most_yakuman(rules)
    if 1 <= count <= most:
        message = _("Under these rules no yakuman is worth one and a half: enter a whole number, not %(count)s.")
    elif most > 1:
        message = _("Under these rules a hand counts as 1 to %(most)s yakuman, not %(count)s.")
    else:
        message = _("Under these rules a hand counts as one yakuman, not %(count)s.")
    return Problem(message, {"most": shown(most), "count": shown(count)}, code="bad_yakuman")


def _limit_problems(rules: Rules, hand: Hand) -> list[Problem]:
    """Check a limit given by its name. If han are given too, they must reach it, and the fu must be possible."""
    if hand.limit not in NAMED:
        message = _("A limit is mangan, haneman, baiman or sanbaiman, not “%(limit)s”.")
        return [Problem(message, {"limit": hand.limit[:20]}, code="bad_limit")]
    if not hand.han and not hand.fu:
        return []
    if hand.fu or hand.han > HAN[-1] or hand.han < 1:
        found = impossible(rules, hand.han, hand.fu, tsumo=hand.by_tsumo)
        if found:
            return [found]
    if gives(rules, hand.han, hand.fu, hand.limit):
        return []
    message = _("%(han)s han do not give a %(limit)s here.")
    return [Problem(message, {"han": hand.han, "limit": Term(NAMED[hand.limit].label)}, code="bad_limit")]


def _liability_problems(rules: Rules, hand: Hand) -> list[Problem]:
    if hand.liable is None:
        return []
    if rules.pao == ():
        return [Problem(_("These rules have no liability (pao)."), code="no_pao", parameter="pao")]
    if not hand.yakuman:
        return [Problem(_("A player can be liable (pao) for a yakuman only."), code="pao_without_yakuman")]
    if hand.liable_yakuman is not None and not 0 < hand.liable_yakuman <= hand.yakuman:
        message = _("A player can be liable for 1 to %(most)s of the yakuman, not %(count)s.")
        params = {"most": shown(hand.yakuman), "count": shown(hand.liable_yakuman)}
        return [Problem(message, params, code="bad_liable_yakuman")]
    return []


def _claim_problems(rules: Rules, hands: Sequence[Hand]) -> list[Problem]:
    seats = [problem for hand in hands for problem in _seat_problems(hand)]
    winners = {hand.winner for hand in hands}
    discarders = {hand.discarder for hand in hands}
    if not 1 <= len(hands) <= 3 or len(winners) != len(hands) or len(discarders) != 1 or None in discarders:
        return [Problem(_("Several rons are one to three different winners on one discard."), code="bad_claims")]
    if seats:
        return seats
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
    """Pay every hand with the honba that its winner gets; the rules say who takes the bets.

    `hands` are in turn order.
    """
    wins = [Win(hand.winner, _worth(rules, hand)) for hand in hands]
    payments = [
        payment
        for hand, win in zip(hands, wins, strict=True)
        for payment in _payments(rules, hand, win.worth, honba_of(rules, pot, first=hand is hands[0]))
    ]
    dealer_stays = rules.dealer_stays != "never" and any(hand.by_dealer for hand in hands)
    return Settlement(
        payments=tuple(payments),
        bets=table_to(rules, [hand.winner for hand in hands], pot),
        wins=tuple(wins),
        dealer_stays=dealer_stays,
        honba_after=pot.honba + 1 if dealer_stays else 0,
    )


def _worth(rules: Rules, hand: Hand) -> Worth:
    if hand.limit:
        return limit_worth(hand.limit)
    return yakuman_worth(hand.yakuman) if hand.yakuman else worth(rules, hand.han, hand.fu)


def _payments(rules: Rules, hand: Hand, worth: Worth, honba: int) -> list[Payment]:
    """Return the payments for a hand. `honba` is what each of three payers adds; a single payer pays all three."""
    if hand.liable is not None and hand.liable != hand.discarder:
        return _with_liable(rules, hand, hand.liable, honba)
    if hand.discarder is not None:
        points = _ron_points(hand, worth.amounts)
        return [Payment(hand.discarder, hand.winner, points, PayerRole.DISCARDER, 3 * honba)]
    shared = _tsumo(hand, worth.amounts, honba)
    if hand.feeder is not None and rules.rinshan_after_open_kan == "feeder":
        return [_alone(hand.feeder, PayerRole.FEEDER, shared)]
    return shared


def _with_liable(rules: Rules, hand: Hand, liable: int, honba: int) -> list[Payment]:
    """Return the payments if a player is liable for some or all of the yakuman (HANDS §3.4)."""
    answered = hand.yakuman
    if rules.pao_covers == "yakuman" and hand.liable_yakuman is not None:
        answered = hand.liable_yakuman
    covered, others = yakuman_worth(answered).amounts, yakuman_worth(hand.yakuman - answered).amounts
    if hand.discarder is None:
        alone = _alone(liable, PayerRole.LIABLE, _tsumo(hand, covered, honba))
        return [alone, *(_tsumo(hand, others, 0) if answered != hand.yakuman else [])]
    half = _ron_points(hand, covered) // 2  # half of a yakuman is always whole hundreds
    rest = _ron_points(hand, covered) - half + _ron_points(hand, others)
    by_liable = 3 * honba if rules.pao_honba == "liable" else 0
    return [
        Payment(hand.discarder, hand.winner, rest, PayerRole.DISCARDER, 3 * honba - by_liable),
        Payment(liable, hand.winner, half, PayerRole.LIABLE, by_liable),
    ]


def _ron_points(hand: Hand, paid: Amounts) -> int:
    return paid.dealer_ron if hand.by_dealer else paid.ron


def _tsumo(hand: Hand, paid: Amounts, honba: int) -> list[Payment]:
    payments = []
    for payer in SEATS:
        if payer == hand.winner:
            continue
        if payer == EAST:
            points, role = paid.tsumo_from_dealer, PayerRole.DEALER
        else:
            points, role = paid.dealer_tsumo if hand.by_dealer else paid.tsumo, PayerRole.NON_DEALER
        payments.append(Payment(payer, hand.winner, points, role, honba))
    return payments


def _alone(payer: int, role: PayerRole, shared: list[Payment]) -> Payment:
    """Return one payment, in which one player pays what all three would have paid."""
    points = sum(payment.value for payment in shared)
    return Payment(payer, shared[0].payee, points, role, sum(payment.honba for payment in shared))


def _turns_after(discarder: int | None, winner: int) -> int:
    return (winner - (discarder or 0)) % 4
