"""Format numbers: a sign wherever it matters, one decimal for results, no-break spaces between thousands.

The module decides how a number looks in the reader's language; it does not know where the number comes from. Results
are stored in game points and ratings in thousandths, so both are shown divided by 1000. Nothing here returns markup.

Templates use the filters of the same names (templatetags/numbers.py). A table of a thousand cells calls `writer()`
once and uses its methods, because asking Django for the active language costs more than formatting the number.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache

from django.utils import translation
from django.utils.formats import get_format
from django.utils.translation import get_language, pgettext

NO_BREAK = "\u00a0"
MINUS = "\u2212"
MISSING = "\u2013"
ENDLESS = "\u2026"

Number = int | Fraction | Decimal | float


def _grouped(whole: int) -> str:
    """Separate thousands by a no-break space, from 10 000 on."""
    return f"{whole:,}".replace(",", NO_BREAK) if whole >= 10_000 else str(whole)


class Writer:
    """Writes numbers in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        with translation.override(language):
            self.decimal_sign = str(get_format("DECIMAL_SEPARATOR"))
            self.places = (
                pgettext("place", "1st"),
                pgettext("place", "2nd"),
                pgettext("place", "3rd"),
                pgettext("place", "4th"),
            )

    def _fixed(self, value: Number, decimals: int, unit: int = 1) -> tuple[str, bool]:
        """|value / unit| with that many decimals, rounded half away from zero; and whether the text is not zero."""
        above, below = value.as_integer_ratio()
        scale = 10**decimals
        below *= unit
        shown = (2 * abs(above) * scale + below) // (2 * below)
        whole, part = divmod(shown, scale)
        text = f"{_grouped(whole)}{self.decimal_sign}{part:0{decimals}}" if decimals else _grouped(whole)
        return text, shown != 0

    def result(self, value: Number | None) -> str:
        """Game points as a result in thousands: `+12.3`, `−12.3`, and `0.0` without sign. Averages may be fractions."""
        if value is None:
            return MISSING
        if type(value) is int:  # a faster way, for most cells of most tables
            tenths = (abs(value) + 50) // 100
            if not tenths:
                return f"0{self.decimal_sign}0"
            return f"{'+' if value > 0 else MINUS}{_grouped(tenths // 10)}{self.decimal_sign}{tenths % 10}"
        text, visible = self._fixed(value, 1, unit=1000)
        return f"{'+' if value > 0 else MINUS}{text}" if visible else text

    def exact(self, value: Number | str | None) -> str:
        """Game points in thousands with every digit: `+15.0`, `+2.35`; a third of 7000 is `+2.333…`, cut, not rounded.

        Uma and oka shared by three have no last digit. The dots show this, so that no reader adds up rounded thirds."""
        if value is None:
            return MISSING
        thousands = Fraction(value) / 1000
        if not thousands:
            return f"0{self.decimal_sign}0"
        size = abs(thousands)
        decimals = next((d for d in range(1, 7) if 10**d % size.denominator == 0), 0)
        tail = "" if decimals else ENDLESS
        decimals = decimals or next((d for d in range(3, 7) if size * 10**d >= 1), 6)
        whole, part = divmod(int(size * 10**decimals), 10**decimals)
        sign = "+" if thousands > 0 else MINUS
        return f"{sign}{_grouped(whole)}{self.decimal_sign}{part:0{decimals}}{tail}"

    def rating(self, value: Number | None, decimals: int = 1) -> str:
        """A rating kept in thousandths, as a level and not a difference: `1682.4`, or `1682` with no decimals."""
        if value is None:
            return MISSING
        text, visible = self._fixed(value, decimals, unit=1000)
        return MINUS + text if value < 0 and visible else text

    def average_place(self, value: Number | None) -> str:
        return MISSING if value is None else self._fixed(value, 2)[0]

    def percent(self, part: int, whole: int) -> str:
        """Whole percent, with a no-break space before the sign."""
        return f"{self._fixed(Fraction(100 * part, whole), 0)[0]}{NO_BREAK}%" if whole else MISSING

    def ordinal(self, place: int | None) -> str:
        """A place at the table in words: 1st to 4th."""
        if place is None:
            return MISSING
        return self.places[place - 1] if 1 <= place <= 4 else str(place)


@cache
def _writer(language: str) -> Writer:
    return Writer(language)


def writer() -> Writer:
    """The writer of the active language."""
    return _writer(get_language() or "en")


def result(value: Number | None) -> str:
    return writer().result(value)


def exact(value: Number | str | None) -> str:
    return writer().exact(value)


def rating(value: Number | None, decimals: int = 1) -> str:
    return writer().rating(value, decimals)


def average_place(value: Number | None) -> str:
    return writer().average_place(value)


def percent(part: int, whole: int) -> str:
    return writer().percent(part, whole)


def ordinal(place: int | None) -> str:
    return writer().ordinal(place)


def points(value: int | None) -> str:
    """Points of a hanchan: `8000`, `38 700`, `−1200`."""
    if value is None:
        return MISSING
    return _grouped(value) if value >= 0 else MINUS + _grouped(-value)


def signed(value: int | None) -> str:
    """A whole number that is a difference: `+3`, `−1100`, `0`."""
    if value is None:
        return MISSING
    return f"+{_grouped(value)}" if value > 0 else points(value)


def missing(value: object) -> object:
    """The value, or a dash where there is none; zero is a value."""
    return MISSING if value is None or value == "" else value


def unless_zero(value: int | None) -> str:
    """A count that is nearly always zero, such as chombo: `2`. Zero is shown as a dash, to keep the column calm."""
    return points(value) if value else MISSING


def tone(value: Number | str | None, least: int = 100) -> str:
    """The CSS class of a number: `negative`, `zero` or nothing.

    A number that rounds to zero in units of `least` counts as zero. With `least=0` only zero itself does.
    """
    if value is None:
        return ""
    number = Fraction(value) if isinstance(value, str) else value
    above, below = number.as_integer_ratio()
    if above == 0 or 2 * abs(above) < least * below:
        return "zero"
    return "negative" if above < 0 else ""
