"""A hanchan played at random, hand by hand, until the rules end it.

There are no tiles, only the frequencies of wins, draws and discards that another player wins on, and better players
win more and discard such tiles less. Hands are paid by `ratings.mahjong.payments`. So points are as they would be at a
real table, and always add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random

from ratings.mahjong import payments
from ratings.mahjong.payments import Hand, Pot, Settlement
from ratings.mahjong.rulesets import Rules

SEATS = range(4)
BET = 1000
MOST_HANDS = 40  # no real hanchan is longer

DRAWN, CHOMBO, RIICHI, TENPAI, TSUMO, YAKUMAN = 0.15, 0.004, 0.19, 0.42, 0.4, 0.0012
HAN = ((1, 26), (2, 25), (3, 19), (4, 12), (5, 7), (6, 5), (7, 3), (8, 2), (10, 0.5), (11, 0.3))
FU = ((30, 68), (40, 22), (50, 5), (25, 5))
SKILL_AT_WINNING, SKILL_AT_FOLDING = 0.16, 0.22


@dataclass
class DemoGame:
    """The state of a game: points and chombo by seat, sticks and honba on the table, and the hand."""

    points: list[int]
    chombo: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    sticks: int = 0
    honba: int = 0
    hand: int = 0  # 0 is East 1, 7 is South 4

    @property
    def dealer(self) -> int:
        return self.hand % 4


def play(die: Random, rules: Rules, strengths: Sequence[float]) -> DemoGame:
    """Play one game of four players, East to North; strength 0 is an average player, 1 a good one."""
    game = DemoGame([rules.start_points] * 4)
    hands = 4 if rules.length == "east" else 8
    for _ in range(MOST_HANDS):
        riichi = tuple(seat for seat in SEATS if game.points[seat] >= BET and die.random() < RIICHI)
        settlement = _settle(die, rules, game, strengths, riichi)
        _pay(game, settlement, riichi)
        last = game.hand == hands - 1
        if not settlement.dealer_stays:
            game.hand += 1
        elif last and rules.leading_dealer_ends and game.points[game.dealer] == max(game.points):
            break
        if game.hand == hands or _ended(rules, game):
            break
    return game


def _ended(rules: Rules, game: DemoGame) -> bool:
    lowest = min(game.points)
    return (rules.ends_early == "zero" and lowest <= 0) or (rules.ends_early == "below_zero" and lowest < 0)


def _settle(
    die: Random, rules: Rules, game: DemoGame, strengths: Sequence[float], riichi: tuple[int, ...]
) -> Settlement:
    """Choose how the hand ends. Payments need the winds of the hand, so seats are counted from the dealer."""
    pot = Pot(game.honba, game.sticks, tuple(_wind(game, seat) for seat in riichi))
    fate = die.random()
    if fate < CHOMBO:
        offender = _draw_seat(die, [exp(-strength) for strength in strengths])
        game.chombo[offender] += 1
        return payments.chombo(rules, _wind(game, offender), pot)
    if fate < CHOMBO + DRAWN:
        tenpai = [_wind(game, seat) for seat in SEATS if seat in riichi or die.random() < TENPAI]
        return payments.draw(rules, tenpai, pot)
    winner = _draw_seat(die, [exp(SKILL_AT_WINNING * strengths[seat]) * (2 if seat in riichi else 1) for seat in SEATS])
    discarder = None
    if die.random() >= TSUMO:
        careless = [0 if seat == winner else exp(-SKILL_AT_FOLDING * strengths[seat]) for seat in SEATS]
        discarder = _draw_seat(die, careless)
    return payments.hand_payment(rules, _won(die, rules, game, winner, discarder, winner in riichi), pot)


def _won(die: Random, rules: Rules, game: DemoGame, winner: int, discarder: int | None, riichi: bool) -> Hand:
    wind = _wind(game, winner)
    from_wind = None if discarder is None else _wind(game, discarder)
    if die.random() < YAKUMAN:
        return Hand(winner=wind, discarder=from_wind, yakuman=1)
    least = max(rules.minimum_han or 1, 2 if game.honba >= 5 else 1)
    han = max(_draw(die, HAN) + riichi, least)
    fu = _draw(die, FU)
    if fu == 25 and han < 3:  # seven pairs have at least two han, by tsumo three
        fu = 30
    return Hand(winner=wind, discarder=from_wind, han=han, fu=fu if han <= 4 else 0)


def _pay(game: DemoGame, settlement: Settlement, riichi: tuple[int, ...]) -> None:
    for seat in riichi:
        game.points[seat] -= BET
    for wind, change in enumerate(settlement.changes):
        game.points[(game.dealer + wind) % 4] += change
    game.sticks = settlement.sticks_left
    game.honba = settlement.honba_after


def _wind(game: DemoGame, seat: int) -> int:
    return (seat - game.dealer) % 4


def _draw_seat(die: Random, weights: Sequence[float]) -> int:
    return die.choices(SEATS, weights)[0]


def _draw(die: Random, weighted: Sequence[tuple[int, float]]) -> int:
    values, weights = zip(*weighted, strict=True)
    drawn: int = die.choices(values, weights)[0]
    return drawn
