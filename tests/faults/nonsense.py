"""Input that makes no sense: bytes that are no text, numbers too large for a column, impossible dates, long texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, quote_plus

from hypothesis import strategies as st

NUMBERS = ("0", "-1", "00", "2147483648", "-2147483649", "9223372036854775808", "9" * 40, "-" + "9" * 40, "9" * 5000)
ODD_NUMBERS = (
    "1e309",
    "1e5",
    "NaN",
    "-inf",
    "0x10",
    "1_000",
    "1.5",
    "1,5",
    "½",
    "²",
    "١٢٣",
    "１２３",
    "一",
    "−5",
    "+5",
    "5-",
)
DAYS = ("0001-01-01", "9999-12-31", "10000-01-01", "2026-02-30", "1800-01-01", "2026-04-16T25:61", "24:00", "23:59:60")
ODD_DAYS = ("0000-00-00", "12-31", "٢٠٢٦-٠٤-١٦", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00")
TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfffx",
    "\ufffe",
    "\x7f\x1b[2J",
    "\r\n",
    "\t",
    "\u202etxet\u202c",
    "\u2028",
)
LONG_TEXTS = ("Z" + "\u0301" * 200, "🀄" * 150, "ﷺ" * 60, "İı", "ß" * 300, "\u200b", "A" * 100_000, "é" * 5_000)
SIGNS = (
    "'",
    '"',
    "\\",
    "%",
    "%s",
    "{}",
    "{{ x }}",
    "<b>",
    "../../x",
    "None",
    "null",
    "true",
    "[]",
    '{"a": [1]}',
    "-",
    "_",
)
WORDS = ("a/b", "a?b=c", "a#b", ";", "1;2", "1 2", "x" * 51, "on", "--", "new", "all")
PIECES = (*NUMBERS, *ODD_NUMBERS, *DAYS, *ODD_DAYS, *TEXTS, *LONG_TEXTS, *SIGNS, *WORDS)

pieces = st.sampled_from(PIECES) | st.text(max_size=20) | st.integers(-(10**20), 10**20).map(str)
values = st.lists(pieces, min_size=1, max_size=3)  # several where one is expected


def encoded(data: Mapping[str, Sequence[str]]) -> str:
    """Encode values as a form does. Invalid UTF-8 is sent too: no browser does that, but any script can."""
    pairs = ((name, value) for name, several in data.items() for value in several)
    return "&".join(f"{_plus(name)}={_plus(value)}" for name, value in pairs)


def _plus(text: str) -> str:
    return quote_plus(text, errors="surrogatepass")


def segment(text: str) -> str:
    """Encode a value as a part of an address."""
    return quote(text, safe="", errors="surrogatepass")
