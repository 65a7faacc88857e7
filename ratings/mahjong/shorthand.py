"""How points are typed: full points, hundreds, thousands with a decimal sign, and all minus signs that people use.

Pure. `311` is 31 100, `-12` is −1200, `31.1` and `31,1` are 31 100, `△12` is −1200, `38 700` is 38 700.
The points that were read are shown beside the typed text, so that a shorthand never surprises.
"""

from __future__ import annotations

import re
from decimal import Decimal

from ratings.mahjong.problems import Problem, Refused, gettext_noop

_ = gettext_noop

MINUS_SIGNS = "-−–—‒﹣△▲▵"
SPACES = re.compile(r"[\s'’_\u2060]+")
WHOLE = re.compile(r"^[0-9]{1,9}$")
THOUSANDS = re.compile(r"^([0-9]{1,6})?[.,]([0-9]{1,3})$")
HUNDREDS_BELOW = 1000
# The full-width forms of ASCII that a Japanese keyboard types. Nothing else becomes a digit: 4² is not 42.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def narrowed(text: str) -> str:
    """Replace full-width digits and signs by those of ASCII."""
    return text.translate(_NARROW)


def read_points(text: str) -> int:
    """Return the game points that the text means; refuse a text that cannot be read."""
    typed = SPACES.sub("", narrowed(text))
    sign = 1
    if typed[:1] and typed[0] in MINUS_SIGNS:
        sign, typed = -1, typed[1:]
    elif typed.startswith("+"):
        typed = typed[1:]
    if WHOLE.match(typed):
        number = int(typed)
        return sign * (number * 100 if number < HUNDREDS_BELOW else number)
    if THOUSANDS.match(typed):
        return sign * int(Decimal(typed.replace(",", ".")) * 1000)
    raise Refused(
        Problem(
            _("“%(text)s” is not a number of points. Type 31100, 311 or 31.1; for a minus, -12 or △12."),
            {"text": text.strip()[:30]},
            code="unreadable",
        )
    )


def write_points(points: int) -> str:
    """Write points for a field that reads shorthand: 900 would be read as hundreds, so it is written 0.9."""
    if 0 < abs(points) < HUNDREDS_BELOW:
        return str(Decimal(points) / 1000)
    return str(points)
