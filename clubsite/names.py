"""Guess the language of a person's name from its letters and the person's country.

Browsers use `lang` to choose Japanese or Chinese glyphs, and screen readers use it to choose a voice. The database
holds no language for a player. If the guess would be too uncertain, there is no language.
"""

from __future__ import annotations

from functools import lru_cache

_LATIN = {"PL": "pl", "DE": "de", "AT": "de", "FR": "fr", "NL": "nl", "DK": "da", "SE": "sv", "FI": "fi", "NO": "nb"}
_LATIN |= {"CZ": "cs", "SK": "sk", "HU": "hu", "RO": "ro", "IT": "it", "ES": "es", "PT": "pt", "LT": "lt", "LV": "lv"}
_CYRILLIC = {"UA": "uk", "BG": "bg", "RS": "sr", "BY": "be"}
_HAN = {"CN": "zh-Hans", "SG": "zh-Hans", "TW": "zh-Hant", "HK": "zh-Hant", "MO": "zh-Hant", "KR": "ko"}
_OWN_SCRIPT = {"hangul": "ko", "hebrew": "he", "arabic": "ar", "greek": "el", "georgian": "ka", "armenian": "hy"}
_BELARUSIAN_ONLY = frozenset("ўЎіІ")


@lru_cache(maxsize=4096)
def language_of(name: str, country: str = "") -> str:
    """A BCP 47 tag, or an empty text. `country` is an ISO code of two letters, as stored with players."""
    script = next((found for letter in name if (found := _script(letter))), "")
    match script:
        case "cyrillic":
            language = _CYRILLIC.get(country, "ru")
            # In Belarus most names are written in Russian, unless they have letters that Russian lacks.
            return "ru" if language == "be" and _BELARUSIAN_ONLY.isdisjoint(name) else language
        case "kana":
            return "ja"
        case "han":
            return "ja" if any(_script(letter) == "kana" for letter in name) else _HAN.get(country, "ja")
        case "latin":
            return _LATIN.get(country, "")
    return _OWN_SCRIPT.get(script, "")


_RANGES = (
    (0x0041, 0x024F, "latin"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0530, 0x058F, "armenian"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0600, 0x06FF, "arabic"),
    (0x10A0, 0x10FF, "georgian"),
    (0x3040, 0x30FF, "kana"),
    (0x3400, 0x9FFF, "han"),
    (0xAC00, 0xD7AF, "hangul"),
)


def _script(letter: str) -> str:
    code = ord(letter)
    return next((script for first, last, script in _RANGES if first <= code <= last and letter.isalpha()), "")
