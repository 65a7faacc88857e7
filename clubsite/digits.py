"""Numbers as people and addresses write them: digits of ASCII or full-width ones, and no more than a row's number has.

`str.isdigit` says yes to ², and `int` gives up with an exception on thousands of digits.
"""

from __future__ import annotations

LONGEST = 15
_FULL_WIDTH = str.maketrans("０１２３４５６７８９", "0123456789")


def whole_number(text: str, longest: int = LONGEST) -> int | None:
    """The number, or None for anything else."""
    plain = text.translate(_FULL_WIDTH)
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= longest else None
