"""What is paid after a hand, per rule set (RULES §2).

Pure: it knows han, fu and seats, and deliberately not tiles, yaku, players and the players' points. Seats
are the winds of the hand being settled: 0 is East, the dealer, and turns go 0, 1, 2, 3.
"""

from ratings.mahjong.payments.amounts import (
    ANY_FU,
    FU,
    HAN,
    Amounts,
    HandLimit,
    LimitRow,
    PaymentCell,
    PaymentRow,
    Worth,
    Yakuman,
    limits,
    most_yakuman,
    payment_table,
    worth,
    yakuman_worth,
)
from ratings.mahjong.payments.draws import abort, chombo, draw, nagashi_mangan
from ratings.mahjong.payments.hands import Hand, hand_payment, several_rons
from ratings.mahjong.payments.resting import TakenAs, table_taken_as, taken_as
from ratings.mahjong.payments.settlement import (
    EAST,
    EMPTY_TABLE,
    NORTH,
    SOUTH,
    WEST,
    WINDS,
    Bet,
    PayerRole,
    Payment,
    Pot,
    Settlement,
    Win,
)

__all__ = [
    "ANY_FU",
    "EAST",
    "EMPTY_TABLE",
    "FU",
    "HAN",
    "NORTH",
    "SOUTH",
    "WEST",
    "WINDS",
    "Amounts",
    "Bet",
    "Hand",
    "HandLimit",
    "LimitRow",
    "PayerRole",
    "Payment",
    "PaymentCell",
    "PaymentRow",
    "Pot",
    "Settlement",
    "TakenAs",
    "Win",
    "Worth",
    "Yakuman",
    "abort",
    "chombo",
    "draw",
    "hand_payment",
    "limits",
    "most_yakuman",
    "nagashi_mangan",
    "payment_table",
    "several_rons",
    "table_taken_as",
    "taken_as",
    "worth",
    "yakuman_worth",
]
