"""The order of names in a list, as readers of a language expect it. Pure, and the same for both databases.

Names in the script of the reader's language come first. A Polish reader looks for Ł after L; for other readers a letter
with a mark is the letter, and decides only between names that are otherwise equal. Cyrillic has one order for all: Ґ
after Г, І after И, and Ё is Е. Nothing is known about how Japanese names are read: kana are sorted by sound and kanji
by their code.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from ratings.mahjong.names import folded

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_POLISH = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
_CYRILLIC = "абвгґдђеєжзиіїйјклљмнњопрстћуўфхцчџшщъыьэюя"
_AFTER_LETTERS = 1000  # larger than the place of any letter of the alphabets

LATIN, CYRILLIC, JAPANESE, OTHER = range(4)
_FIRST_SCRIPT = {"ru": CYRILLIC, "uk": CYRILLIC, "be": CYRILLIC, "bg": CYRILLIC, "ja": JAPANESE}

SortKey = tuple[int, tuple[int, ...], str, str]


@lru_cache(maxsize=64)
def _alphabet(language: str) -> dict[str, int]:
    """The place of each letter. A blank comes before all letters, so that `Anna Z` is before `Annabel`."""
    latin = _POLISH if language == "pl" else _LATIN
    return {letter: place for place, letter in enumerate(f" 0123456789{latin}{_CYRILLIC}")}


@lru_cache(maxsize=16384)
def sort_key(name: str, language: str) -> SortKey:
    """The key by which a list of names is sorted for readers of this language (`pl`, `en-gb`)."""
    language = language.partition("-")[0]
    alphabet = _alphabet(language)
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    script = next((_script(letter) for letter in plain if letter.isalpha()), OTHER)
    group = -1 if script == _FIRST_SCRIPT.get(language, LATIN) else script
    places = [place for letter in plain for place in _places(letter, alphabet)]
    return group, tuple(places), plain, name


def _places(letter: str, alphabet: dict[str, int]) -> list[int]:
    """Where a letter is in the order; nothing for signs such as hyphens, which count only between equal names."""
    if letter in alphabet:
        return [alphabet[letter]]
    if unicodedata.category(letter)[0] not in "LN":
        return []
    if "\u30a1" <= letter <= "\u30f6":
        letter = chr(ord(letter) - 0x60)  # katakana as hiragana
    return [alphabet[part] if part in alphabet else _AFTER_LETTERS + ord(part) for part in folded(letter)]


def _script(letter: str) -> int:
    code = ord(letter)
    if code < 0x0250 or 0x1E00 <= code < 0x1F00:
        return LATIN
    if 0x0400 <= code < 0x0530:
        return CYRILLIC
    return JAPANESE if 0x3040 <= code < 0x3100 or 0x3400 <= code < 0xA000 else OTHER
