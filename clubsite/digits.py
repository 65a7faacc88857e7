"""Numbers as people and addresses write them: digits of ASCII or full-width ones, and no more than a row's number has.

`str.isdigit` says yes to ², and `int` gives up with an exception on thousands of digits.
"""

from __future__ import annotations

LONGEST = 15
_FULL_WIDTH = str.maketrans("０１２３４５６７８９", "0123456789")


def only_plain_digits(text: str) -> bool:
    """Whether no other numeral is in it, such as ² or ٤, which `int` or `Decimal` may read."""
    return not any(letter.isnumeric() for letter in text.translate(_FULL_WIDTH) if not letter.isascii())


def whole_number(text: str, longest: int = LONGEST) -> int | None:
    """The number, or None for anything else."""
    plain = text.translate(_FULL_WIDTH)
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= longest else None
