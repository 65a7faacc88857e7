"""Addresses made from names in any script, as far as their letters have a plain Latin spelling."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.text import slugify

from clubsite.names import folded

# Russian, Ukrainian and Belarusian after `folded`, which takes й, ё, ї and ў apart into и, е, і and у.
_LATIN = dict(zip("абвгґдезиіклмнопрстуфыэ", "abvggdeziiklmnoprstufye", strict=True))
_LATIN |= {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ye"}
_LATIN |= dict.fromkeys("ъь’'", "")
_TO_LATIN = str.maketrans(_LATIN)


def slug_from(name: str, otherwise: str, taken: Collection[str] = (), *, longest: int = 50) -> str:
    """`Весна 2026` → `vesna-2026`. `otherwise` stands in for a name that leaves nothing, such as `春`.

    A number is added when the address is taken.
    """
    wanted = slugify(folded(name).translate(_TO_LATIN))[: longest - 4].strip("-") or otherwise
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
