"""Names of people as search and import compare them: no case, no marks. Pure.

SQLite itself folds ASCII only, so what is searched is folded here, for both engines alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# Letters that are one with their stroke or tail, which no decomposition takes apart.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})


def folded(text: str) -> str:
    """No case, no marks, and a space for each control character: PostgreSQL takes no NUL."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_STROKES)
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in bare)


def search_lines(names: Iterable[str]) -> str:
    """Each name plain and folded, a line each: what `Player.search_text` holds."""
    lines = {form for name in names if name.strip() for form in (name.strip().casefold(), folded(name.strip()))}
    return "\n".join(sorted(lines))
