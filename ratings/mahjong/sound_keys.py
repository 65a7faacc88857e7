"""Keys by which a name is found however it is spelled: Шевчук, Shevchuk, Schewtschuk and Szewczuk have one. Pure.

A key says how a word sounds, roughly: sibilants become `s`, their hard kin (ц, ч, cz, tsch) `c`, and г, х, g, h and
kh `h`. Where letters can be read in several ways (`ch` is ч in English and х in Polish), a word has several keys. The
key of the beginning of a word begins the key of the word, so that names are found while they are typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ratings.mahjong.names import folded

MOST_KEYS = 12  # of one word; rarer readings are left out
SHORTEST_KEY = 2  # letters of a key that is searched for, unless the word is shorter
KEY_SIGN = "~"  # marks a key, so that it is never taken for a word

# Letters whose marks say how they sound; all others are folded before they are read.
_MARKED = frozenset("äöüåóąęё")
_MARK = re.compile(r"[’'ʼ`´]")
_NONSENSE = re.compile(r"(.)\1\1")  # no name has one letter three times, but impatient fingers type it
_WORD = re.compile(r"[^\W_]+")
# Written in several ways by languages and people: they do not tell words apart.
_LIKE = str.maketrans({"ґ": "г", "і": "и", "ы": "и", "є": "е", "э": "е", "ў": "у", "ъ": None, "ь": None})

# What is read together, first the longest, and what it may sound like, first the likeliest.
_READINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    # Latin letters: groups of them
    ("schtsch|stsch|shch|szcz", ("sc",)),
    ("tsch|tch|tsh|ts|tz|cz", ("c",)),
    ("scht$", ("st", "sc")),
    ("sch", ("s", "sh")),
    ("sh|sz|zh", ("s",)),
    ("rzh", ("rs",)),
    ("rz", ("s", "rs")),
    ("ch(?=[rl])", ("h", "c", "k")),
    ("ch", ("c", "h")),
    ("ck", ("k", "ck")),
    ("kh|gh", ("h",)),
    ("ph", ("f",)),
    ("th", ("t",)),
    ("(?<=[aeiouy])h(?![aeiouy])", ("h", "")),
    ("c(?=[eiy])", ("c",)),
    ("c", ("k", "c")),
    ("z", ("s", "c")),
    ("j(?=[aeiou])", ("i", "ds")),
    ("ie", ("ie", "i")),
    ("ei", ("ei", "ai")),
    ("[ijy]ou", ("iou", "io")),
    ("ou", ("ou", "o")),
    ("ä|ae", ("a", "e", "ae")),
    ("ö|oe", ("o", "e", "oe")),
    ("ü|ue", ("u", "iu", "ue")),
    ("å", ("a", "o")),
    ("ó", ("o", "u")),
    ("ą", ("a", "on", "om")),
    ("ę", ("e", "en", "em")),
    ("a[ijy]a$", ("aia", "a")),
    ("[jy]o|io", ("io", "e")),
    ("[jy]", ("i",)),
    ("w", ("v",)),
    ("q", ("k",)),
    ("x", ("ks",)),
    ("g", ("h",)),
    ("[abdefhiklmnoprstuv]", ()),
    # Cyrillic letters, after folding
    ("тс|ц|ч", ("c",)),
    ("щ", ("sc", "s")),
    ("[сзшж]", ("s",)),
    ("[гх]", ("h",)),
    ("ё", ("e", "io")),
    ("ю", ("iu",)),
    ("ая$", ("aia", "a")),
    ("я", ("ia",)),
    *((cyrillic, (latin,)) for cyrillic, latin in zip("абвдеиклмнопртуф", "abvdeiklmnoprtuf", strict=True)),
)
_READING = re.compile("|".join(f"({letters})" for letters, _sounds in _READINGS))
_SOUNDS = tuple(sounds for _letters, sounds in _READINGS)
# While a word is typed, its last letter may be the first of a group that sounds otherwise, as `t` of `tsch`.
_MAY_GO_ON = re.compile(r"[cijkprty]$")


def words_of(text: str) -> list[str]:
    """Return the words of a text, without apostrophes and signs for soft letters."""
    return _WORD.findall(_MARK.sub("", unicodedata.normalize("NFC", text)))


def plain(word: str) -> str:
    """Return the word as search compares it: without case, diacritics and differences between и and і, г and ґ."""
    return folded(word).translate(_LIKE)


def keys_of(word: str) -> list[str]:
    """Return the keys of a word, the likeliest reading first; none for nonsense and for scripts it cannot read."""
    if _NONSENSE.search(word):
        return []
    keys = [""]
    for sounds in _read(word):
        keys = list(dict.fromkeys(key + sound for key in keys for sound in sounds))[:MOST_KEYS]
    return [key for key in dict.fromkeys(map(_even, keys)) if key]


def keys_while_typed(word: str) -> list[str]:
    """Return the keys that a word may begin with if it begins with these letters."""
    keys = keys_of(word)
    shorter = keys_of(word[:-1]) if _MAY_GO_ON.search(word) else []
    return list(dict.fromkeys([*keys, *(key for key in shorter if len(key) >= SHORTEST_KEY)]))


def _read(word: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways to read each group of letters. Nothing is yielded for a word that cannot be read as a whole."""
    letters = "".join(_folded_letters(word))
    found: list[tuple[str, ...]] = []
    position = 0
    while position < len(letters):
        match = _READING.match(letters, position)
        if match is None:
            return
        assert match.lastindex is not None
        found.append(_SOUNDS[match.lastindex - 1] or (match.group(),))
        position = match.end()
    yield from found


def _folded_letters(word: str) -> Iterator[str]:
    for letter in unicodedata.normalize("NFC", word.casefold()):
        yield letter if letter in _MARKED else plain(letter)


def _even(key: str) -> str:
    """Return the key without what spellings add or leave out: softening before e, double letters."""
    key = re.sub("i+(?=e)", "", key)
    return re.sub(r"(.)\1+", r"\1", key)


def indexed_words(names: Iterable[str]) -> str:
    """Return the words of the names and their keys, each after a blank: a search looks for a blank and a beginning."""
    words = {word for name in names for word in words_of(name)}
    found = {plain(word) for word in words} | {f"{KEY_SIGN}{key}" for word in words for key in keys_of(word)}
    return "".join(f" {each}" for each in sorted(found))


def is_begun_in(indexed: str, word: str) -> bool:
    """Return whether indexed words contain one that begins with this word, or sounds as if it did."""
    parts = words_of(word)
    return bool(parts) and all(_has(indexed, part) for part in parts)


def _has(indexed: str, part: str) -> bool:
    return f" {plain(part)}" in indexed or any(f"{KEY_SIGN}{key}" in indexed for key in keys_while_typed(part))
