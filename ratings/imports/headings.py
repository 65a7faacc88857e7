"""What the columns of lists of people are called: players of a club, entries of an event. Pure data.

As with games, headings are known in English, Russian, Ukrainian, Polish, German and Japanese words.
"""

from __future__ import annotations

from ratings.problems import gettext_noop

_ = gettext_noop

PLAYERS, ENTRIES = "players", "entries"

_PERSON_LABELS = {
    "name": _("name"),
    "latin_first": _("first name in Latin letters"),
    "latin_last": _("last name in Latin letters"),
    "nickname": _("nickname"),
    "country": _("country"),
    "ema_number": _("EMA number"),
    "aliases": _("aliases"),
}
LABELS_OF_LISTS = {
    PLAYERS: {**_PERSON_LABELS, "kind": _("regular or guest"), "visibility": _("shown as")},
    ENTRIES: {**_PERSON_LABELS, "number": _("number"), "team": _("team"), "status": _("state")},
}

_PERSON_WORDS: dict[str, tuple[str, ...]] = {
    "name": (
        *(
            "name",
            "native name",
            "full name",
            "player",
            "имя",
            "игрок",
            "фио",
            "имя и фамилия",
            "фамилия имя",
            "гравець",
        ),
        *("ім я", "gracz", "imię i nazwisko", "nazwisko i imię", "spieler", "名前", "氏名", "選手"),
    ),
    "latin_first": (
        *("first name in latin letters", "latin first name", "latin first", "first name", "given name"),
        *("имя латиницей", "имя латинскими буквами", "imię", "vorname"),
    ),
    "latin_last": (
        *("last name in latin letters", "latin last name", "latin last", "last name", "surname", "family name"),
        *("фамилия латиницей", "фамилия латинскими буквами", "nazwisko", "nachname"),
    ),
    "nickname": ("nickname", "nick", "ник", "никнейм", "нік", "pseudonim", "ksywka", "spitzname", "ニックネーム"),
    "country": ("country", "nationality", "страна", "країна", "kraj", "land", "国", "国籍"),
    "ema_number": (
        *("ema number", "ema no", "ema id", "ema", "ema nr", "номер ema", "numer ema", "nr ema", "ema nummer"),
        "ema番号",
    ),
    "aliases": (
        "aliases",
        "alias",
        "other names",
        "also known as",
        "другие имена",
        "inne nazwy",
        "andere namen",
        "別名",
    ),
}
WORDS_OF_LISTS: dict[str, dict[str, tuple[str, ...]]] = {
    PLAYERS: {
        **_PERSON_WORDS,
        "kind": (
            *("in the club", "regular guest", "regular or guest", "kind", "membership", "в клубе", "постоянный гость"),
            *("w klubie", "im verein", "会員"),
        ),
        "visibility": ("shown as",),
    },
    ENTRIES: {
        **_PERSON_WORDS,
        "number": ("number", "no", "nr", "№", "start number", "номер", "numer", "nummer", "番号"),
        "team": ("team", "команда", "drużyna", "mannschaft", "チーム"),
        "status": ("state", "status", "статус", "состояние", "стан", "stan", "状態"),
    },
}
