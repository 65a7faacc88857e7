"""The structure of a settlement: who pays whom, where the bets go, and what stays on the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ratings.mahjong.payments.amounts import Worth
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.rulesets import Rules

_ = gettext_noop

EAST, SOUTH, WEST, NORTH = SEATS = range(4)
WINDS: tuple[str, ...] = (_("East"), _("South"), _("West"), _("North"))
BET = 1000
HONBA = 100  # from each of three payers; a single payer pays all three
FIVE_HONBA = 5


class PayerRole(StrEnum):
    """Why a player pays."""

    DISCARDER = "discarder"
    DEALER = "dealer"
    NON_DEALER = "non_dealer"
    LIABLE = "liable"
    FEEDER = "feeder"
    NOTEN = "noten"
    OFFENDER = "offender"

    @property
    def label(self) -> str:
        return ROLE_LABELS[self]


ROLE_LABELS: dict[PayerRole, str] = {
    PayerRole.DISCARDER: _("discarded the tile"),
    PayerRole.DEALER: _("dealer"),
    PayerRole.NON_DEALER: _("not the dealer"),
    PayerRole.LIABLE: _("liable (pao)"),
    PayerRole.FEEDER: _("fed the kan"),
    PayerRole.NOTEN: _("noten"),
    PayerRole.OFFENDER: _("made the chombo"),
}


@dataclass(frozen=True)
class Payment:
    payer: int
    payee: int
    value: int  # for the hand
    role: PayerRole
    honba: int = 0  # points on top for honba

    @property
    def points(self) -> int:
        return self.value + self.honba


@dataclass(frozen=True)
class Bet:
    """Riichi sticks that go from the table to a seat; `returned` if the seat had bet them itself."""

    payee: int
    sticks: int
    returned: bool = False

    @property
    def points(self) -> int:
        return BET * self.sticks


@dataclass(frozen=True)
class Pot:
    """What is on the table when a hand ends: honba, sticks of earlier hands, and the seats that bet in this hand.

    `void` is the discarder if the winning tile was the discard that declared riichi. The rules say whether that bet
    counts.
    """

    honba: int = 0
    sticks: int = 0
    riichi: tuple[int, ...] = ()
    void: int | None = None

    def bets(self, rules: Rules) -> tuple[int, ...]:
        """Return the seats that have a bet of this hand on the table (HANDS §3.1)."""
        if self.void is None or rules.ronned_riichi != "stays":
            return self.riichi
        return (*self.riichi, self.void)

    def all_sticks(self, rules: Rules) -> int:
        return self.sticks + len(self.bets(rules))

    def problems(self, won_from: int | None = None) -> list[Problem]:
        """Return everything that is wrong with the pot; `won_from` is the discarder of the winning tile, if any."""
        found = []
        if self.honba < 0:
            found.append(Problem(_("Honba cannot be fewer than none."), code="bad_honba"))
        if self.sticks < 0:
            found.append(Problem(_("Riichi sticks cannot be fewer than none."), code="bad_sticks"))
        if len(set(self.riichi)) != len(self.riichi) or any(seat not in SEATS for seat in self.riichi):
            found.append(Problem(_("Each of the four seats can bet once in a hand."), code="bad_riichi"))
        if self.void is not None and (self.void != won_from or self.void in self.riichi):
            message = _("A riichi is void only for the player whose riichi tile is won.")
            found.append(Problem(message, code="not_the_discarders_riichi"))
        return found


EMPTY_TABLE = Pot()


@dataclass(frozen=True)
class Win:
    winner: int
    worth: Worth


@dataclass(frozen=True)
class Settlement:
    """How a hand is settled. The points bet in the hand have already been taken from the players."""

    payments: tuple[Payment, ...] = ()
    bets: tuple[Bet, ...] = ()
    wins: tuple[Win, ...] = ()
    aborted: bool = False
    dealer_stays: bool = False
    honba_after: int = 0
    sticks_left: int = 0

    def received(self, seat: int) -> int:
        """Return what a seat receives: payments and bets."""
        paid = sum(payment.points for payment in self.payments if payment.payee == seat)
        return paid + sum(bet.points for bet in self.bets if bet.payee == seat)

    def paid(self, seat: int) -> int:
        return sum(payment.points for payment in self.payments if payment.payer == seat)

    @property
    def changes(self) -> tuple[int, int, int, int]:
        """What the settlement adds to each seat."""
        east, south, west, north = (self.received(seat) - self.paid(seat) for seat in SEATS)
        return east, south, west, north


def table_to(rules: Rules, winners: Sequence[int], pot: Pot) -> tuple[Bet, ...]:
    """Return who takes the bets; `winners` are in turn order (HANDS §3.2).

    The first winner takes all, or all except the bets that the other winners get back.
    """
    bets = pot.bets(rules)
    own_back = winners if rules.several_rons_bets == "own_back" else winners[:1]
    returned = [Bet(seat, 1, returned=True) for seat in own_back if seat in bets]
    others = pot.all_sticks(rules) - len(returned)
    return tuple(returned + ([Bet(winners[0], others)] if others else []))


def honba_of(rules: Rules, pot: Pot, *, first: bool) -> int:
    """Return what each of three payers adds for honba; `first` is whether the winner is the first in turn."""
    return HONBA * pot.honba if first or rules.several_rons_honba == "each" else 0


def seat_problems(seats: Iterable[int]) -> list[Problem]:
    if all(seat in SEATS for seat in seats):
        return []
    return [Problem(_("A seat is East, South, West or North."), code="bad_seat")]


def refuse(problems: list[Problem]) -> None:
    if problems:
        raise Refused(*problems)
