"""Read numbers as people and URLs write them: ASCII or full-width digits, and no more digits than the id of a row has.

`str.isdigit` is true for ², and `int` raises an exception for thousands of digits.
"""

from __future__ import annotations

LONGEST = 15
_FULL_WIDTH = str.maketrans("０１２３４５６７８９", "0123456789")


def only_plain_digits(text: str) -> bool:
    """Whether the text has no other numerals, such as ² or ٤, which `int` or `Decimal` may accept."""
    return not any(letter.isnumeric() for letter in text.translate(_FULL_WIDTH) if not letter.isascii())


def whole_number(text: str, longest: int = LONGEST) -> int | None:
    """The number, or None for anything else."""
    plain = text.translate(_FULL_WIDTH)
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= longest else None
