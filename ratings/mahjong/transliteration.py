"""Cyrillic names in Latin letters, as the schemes in use write them. Pure.

No scheme is right for everybody: Шевчук is Shevchuk in a passport, Schewtschuk in a German list and Szewczuk in a
Polish one. `latin_forms` gives them all, so that one can be proposed and all can be compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

UKRAINIAN = "uk"
RUSSIAN = "ru"

_VOWELS = frozenset("аеёиоуыэюяіїє")
_SIGNS = frozenset("ьъ’'ʼ`")
_ONLY_UKRAINIAN = frozenset("іїєґ")
_ONLY_RUSSIAN = frozenset("ыэёъ")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_WORDS = re.compile(r"[\w’'ʼ`]+|[^\w’'ʼ`]+")


@dataclass(frozen=True)
class Scheme:
    """One way to write Cyrillic letters in Latin ones. What is not named is written as in the common table."""

    letters: Mapping[str, str]
    at_start: Mapping[str, str] = field(default_factory=dict)  # at the start of a word
    after_vowel: Mapping[str, str] = field(default_factory=dict)  # also after a sign, and at the start
    endings: Mapping[str, str] = field(default_factory=dict)  # of Cyrillic words
    groups: Mapping[str, str] = field(default_factory=dict)  # letters that are written together

    def write(self, word: str) -> str:
        low = word.lower()
        written, index = [], 0
        ending = next((each for each in self.endings if low.endswith(each) and len(low) > len(each)), "")
        stem = len(low) - len(ending)
        while index < stem:
            group = next((each for each in self.groups if low.startswith(each, index)), low[index])
            written.append(_in_case(word[index : index + len(group)], self._letter(low, index, group)))
            index += len(group)
        if ending:
            written.append(_in_case(word[stem:], self.endings[ending]))
        latin = "".join(written)
        return latin.upper() if len(word) > 1 and word.isupper() else latin

    def _letter(self, low: str, index: int, group: str) -> str:
        if group in self.groups:
            return self.groups[group]
        starts = index == 0
        if starts and group in self.at_start:
            return self.at_start[group]
        if group in self.after_vowel and (starts or low[index - 1] in _VOWELS | _SIGNS):
            return self.after_vowel[group]
        return self.letters.get(group, _COMMON.get(group, group))


def _in_case(original: str, latin: str) -> str:
    """Return Latin letters of which the first is as large as the first of the original ones."""
    return latin if original[0].islower() else latin[:1].upper() + latin[1:]


def _letters(pairs: str) -> dict[str, str]:
    """Read `ж=zh х=kh`."""
    return dict(pair.split("=") for pair in pairs.split())


_COMMON: Mapping[str, str] = {
    **dict(zip("абвгґдезиіїйклмнопрстуўфыэ", "abvggdeziiiyklmnoprstuufye", strict=True)),
    **_letters("ё=e є=ye ж=zh х=kh ц=ts ч=ch ш=sh щ=shch ю=yu я=ya"),
    **dict.fromkeys(_SIGNS, ""),
}

ENGLISH = Scheme({}, after_vowel={"е": "ye", "ё": "yo"}, endings={"ий": "y", "ый": "y"})
PLAIN_ENGLISH = Scheme({"ё": "yo"}, endings={"ий": "i", "ый": "y"})
PASSPORT = Scheme(_letters("й=i ю=iu я=ia ъ=ie"))
UKRAINIAN_PASSPORT = Scheme(
    _letters("г=h и=y й=i ї=i є=ie ю=iu я=ia"),
    at_start=_letters("й=y ї=yi є=ye ю=yu я=ya"),
    groups={"зг": "zgh"},
)
GERMAN = Scheme(
    _letters("в=w ж=sch з=s й=i х=ch ц=z ч=tsch ш=sch щ=schtsch ю=ju я=ja ё=jo є=je ї=ji"),
    after_vowel={"е": "je"},
    endings={"ий": "i", "ый": "y"},
)
POLISH = Scheme(
    _letters("в=w ж=ż й=j х=ch ц=c ч=cz ш=sz щ=szcz ю=ju я=ja ё=jo є=je ї=ji"),
    after_vowel={"е": "je"},
    endings={"ский": "ski", "ський": "ski", "цкий": "cki", "цький": "cki", "ий": "y", "ый": "y"},
    groups={"ль": "l", "ла": "ła", "ло": "ło", "лу": "łu", "лы": "ły"},
)
SCIENTIFIC = Scheme(_letters("ж=ž й=j х=h ц=c ч=č ш=š щ=šč ю=ju я=ja ё=ë є=je ї=ji"))

SCHEMES: tuple[Scheme, ...] = (ENGLISH, PASSPORT, UKRAINIAN_PASSPORT, PLAIN_ENGLISH, GERMAN, POLISH, SCIENTIFIC)


class LatinName(NamedTuple):
    first: str
    last: str


def is_cyrillic(text: str) -> bool:
    """Return whether the text has a Cyrillic letter."""
    return _CYRILLIC.search(text) is not None


def language_of(text: str) -> str:
    """Return the language that the letters of a Cyrillic text belong to, or an empty text if they fit several."""
    letters = set(text.lower())
    if letters & _ONLY_UKRAINIAN:
        return UKRAINIAN
    return RUSSIAN if letters & _ONLY_RUSSIAN else ""


def latin_forms(text: str, language: str = "") -> list[str]:
    """Return how a name is written in Latin letters, the best form first. Each form is in the case of the name.

    `language` says which scheme comes first for a Cyrillic name whose letters do not: a Ukrainian passport writes
    Hryhorii, a Russian one Grigorii. A Latin name gives itself and its forms without diacritics. Other scripts, and
    names of several scripts, give none.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if is_cyrillic(name):
        forms = [_write(name, scheme) for scheme in _in_order(language_of(name) or language)]
        return list(dict.fromkeys(form for form in forms if form and form.isprintable() and _is_latin(form)))
    return list(dict.fromkeys([name, *_without_marks(name)])) if name and _is_latin(name) else []


def proposed_latin(text: str, language: str = "") -> LatinName:
    """Return the first and last name to propose for a Cyrillic name; both are empty for other names.

    The last word of several is taken for the last name: so names are written in lists and on score sheets.
    """
    forms = latin_forms(text, language) if is_cyrillic(text) else []
    first, _blank, last = forms[0].rpartition(" ") if forms else ("", "", "")
    return LatinName(first, last) if first else LatinName(last, "")


def _in_order(language: str) -> Iterator[Scheme]:
    first = UKRAINIAN_PASSPORT if language == UKRAINIAN else ENGLISH
    yield first
    yield from (scheme for scheme in SCHEMES if scheme is not first)


def _write(name: str, scheme: Scheme) -> str:
    return "".join(scheme.write(part) if is_cyrillic(part) else part for part in _WORDS.findall(name))


def _is_latin(text: str) -> bool:
    return all(not letter.isalpha() or "LATIN" in unicodedata.name(letter, "") for letter in text)


_GERMAN_VOWELS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_LONG_VOWELS = str.maketrans({"ō": "ou", "ū": "uu", "Ō": "Ou", "Ū": "Uu"})
_STROKES = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "œ": "oe"})


def _without_marks(name: str) -> Iterator[str]:
    """Yield a Latin name in plain letters: with `ü` as `ue` and as `u`, with `ō` as `ou` and as `o`."""
    for spelled in (name.translate(_GERMAN_VOWELS), name.translate(_LONG_VOWELS), name):
        plain = unicodedata.normalize("NFKD", spelled.translate(_STROKES))
        yield "".join(letter for letter in plain if not unicodedata.combining(letter))
