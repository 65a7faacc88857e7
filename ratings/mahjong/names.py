"""Names as search and import compare them (without case and diacritics), and the slugs made from them. Pure.

SQLite ignores case for ASCII only, so texts for search are folded here, in the same way for both databases.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from ratings.mahjong.problems import Problem, gettext_noop

_ = gettext_noop

# Control characters, surrogates, line separators, paragraph separators.
_NO_PART_OF_TEXT = ("Cc", "Cs", "Zl", "Zp")
# Embeddings, overrides and isolates: they change the direction of letters, also of the text beside the name.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters according to their category, but invisible.
_EMPTY_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")

# Letters with a stroke, and ligatures: Unicode does not decompose them.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})

# Russian, Ukrainian and Belarusian letters after folding, which turns й, ё, ї and ў into и, е, і and у.
_LATIN = dict(zip("абвгґдезиіклмнопрстуфыэ", "abvggdeziiklmnoprstufye", strict=True))
_LATIN |= {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ye"}
_LATIN |= dict.fromkeys("ъь’'", "")
_TO_LATIN = str.maketrans(_LATIN)


def objection_to_name(name: str) -> Problem | None:
    """Return why a text cannot be a name of a person or thing, or None. Everything that accepts a name calls this.

    Joiners between letters are allowed, because some scripts need them, but a name cannot consist of joiners alone.
    """
    if any(letter in _TURNING or unicodedata.category(letter) in _NO_PART_OF_TEXT for letter in name):
        message = _("A name cannot hold line breaks or signs that turn the text around. Type it instead of pasting it.")
        return Problem(message, code="unseen_signs")
    if not any(unicodedata.category(letter)[0] in "LN" and letter not in _EMPTY_LETTERS for letter in name):
        return Problem(_("A name needs at least one letter or digit that can be seen."), code="nothing_seen")
    return None


def folded(text: str) -> str:
    """Remove case and diacritics, and replace each control character with a space: PostgreSQL cannot store NUL."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_STROKES)
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in bare)


def latinised(text: str) -> str:
    """Fold the text and write Cyrillic in Latin letters: `Дмитрий` and `Dmitrii` become equal."""
    return folded(text).translate(_TO_LATIN)


def search_lines(names: Iterable[str]) -> str:
    """Return each name without case and folded, one per line: the value of `Player.search_text`."""
    lines = {form for name in names if name.strip() for form in (name.strip().casefold(), folded(name.strip()))}
    return "\n".join(sorted(lines))


def slug_from(name: str, otherwise: str, taken: Collection[str] = (), *, longest: int = 50) -> str:
    """Make a slug: `Весна 2026` → `vesna-2026`. `otherwise` is used if no letter can be written, as for `春`.

    A number is added if the slug is taken.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", folded(name).translate(_TO_LATIN)).strip("-")
    wanted = plain[: longest - 4].strip("-") or otherwise
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
