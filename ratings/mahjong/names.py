"""Names as search and import compare them (no case, no marks), and the addresses made from them. Pure.

SQLite itself folds ASCII only, so what is searched is folded here, for both engines alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop

# Control characters, lines' and paragraphs' ends, halves of letters.
_NO_PART_OF_TEXT = ("Cc", "Cs", "Zl", "Zp")
# Embeddings, overrides and isolates: they turn the letters around them, and those of whatever stands beside the name.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters by their category, and nothing to be seen.
_EMPTY_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")

# Letters that are one with their stroke or tail, which no decomposition takes apart.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})

# Russian, Ukrainian and Belarusian once folded, which takes й, ё, ї and ў apart into и, е, і and у.
_LATIN = dict(zip("абвгґдезиіклмнопрстуфыэ", "abvggdeziiklmnoprstufye", strict=True))
_LATIN |= {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ye"}
_LATIN |= dict.fromkeys("ъь’'", "")
_TO_LATIN = str.maketrans(_LATIN)


def objection_to_name(name: str) -> Problem | None:
    """What keeps a text from being the name of anybody or anything; every door that takes a name asks this.

    Joiners between letters stay: some scripts need them. They are only not enough of a name.
    """
    if any(letter in _TURNING or unicodedata.category(letter) in _NO_PART_OF_TEXT for letter in name):
        message = _("A name cannot hold line breaks or signs that turn the text around. Type it instead of pasting it.")
        return Problem(message, code="unseen_signs")
    if not any(unicodedata.category(letter)[0] in "LN" and letter not in _EMPTY_LETTERS for letter in name):
        return Problem(_("A name needs at least one letter or digit that can be seen."), code="nothing_seen")
    return None


def folded(text: str) -> str:
    """No case, no marks, and a space for each control character: PostgreSQL takes no NUL."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_STROKES)
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in bare)


def latinised(text: str) -> str:
    """Folded, and Cyrillic in Latin letters: `Дмитрий` and `Dmitrii` are one."""
    return folded(text).translate(_TO_LATIN)


def search_lines(names: Iterable[str]) -> str:
    """Each name plain and folded, a line each: what `Player.search_text` holds."""
    lines = {form for name in names if name.strip() for form in (name.strip().casefold(), folded(name.strip()))}
    return "\n".join(sorted(lines))


def slug_from(name: str, otherwise: str, taken: Collection[str] = (), *, longest: int = 50) -> str:
    """`Весна 2026` → `vesna-2026`; `otherwise` stands in for a name of which nothing is left, such as `春`.

    A number is added when the address is taken.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", folded(name).translate(_TO_LATIN)).strip("-")
    wanted = plain[: longest - 4].strip("-") or otherwise
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
