"""Which column of a sheet holds what: recognised by its headings, or told by somebody. Pure.

Games have two forms: *wide*, a row a game with a player and points for each wind; *long*, a row a seat. Lists of people
have one each (`headings`). A layout is plain data, so that it can be kept and used for the next file with the same
headings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ratings.imports import headings
from ratings.imports.headings import ENTRIES, LABELS_OF_LISTS, PLAYERS
from ratings.imports.values import HUNDREDS, POINTS, THOUSANDS, UNITS, WINDS, read_text
from ratings.names import folded
from ratings.problems import Problem, gettext_noop

_ = gettext_noop

WIDE, LONG = "wide", "long"
GAMES = (WIDE, LONG)
LISTS = (PLAYERS, ENTRIES)
WIND_KEYS = ("e", "s", "w", "n")
SEARCHED_ROWS = 25  # for the headings

GAME_LABELS = {
    "date": _("date"),
    "time": _("time"),
    "game": _("number of the game"),
    "table": _("table"),
    "sticks": _("riichi sticks left"),
    "override": _("reason for a wrong sum"),
    "comment": _("comment"),
}
SEAT_LABELS = {"player": _("player"), "points": _("points"), "penalty": _("penalty"), "chombo": _("chombo")}
LONG_LABELS = {"round": _("round"), "wind": _("wind")}

_GAME_WORDS = {
    "date": ("date", "day", "дата", "день", "data", "dzien", "datum", "日付", "日"),
    "time": ("time", "played at", "время", "час", "godzina", "czas", "zeit", "時刻"),
    "game": ("game", "no", "nr", "№", "number", "hanchan", "игра", "гра", "gra", "spiel", "半荘"),
    "table": ("table", "стол", "стіл", "stol", "stolik", "tisch", "卓"),
    "sticks": (
        *("sticks", "sticks left", "riichi sticks", "kyotaku", "палочки", "палички", "палички на столі", "patyczki"),
        *("pozostale patyczki", "供託"),
    ),
    "override": ("reason for a wrong sum",),
    "comment": ("comment", "note", "notes", "remark", "комментарий", "примечание", "komentarz", "備考"),
}
_SEAT_WORDS = {
    "player": ("", "player", "name", "игрок", "имя", "гравець", "gracz", "spieler", "選手", "名前"),
    "points": ("points", "score", "pts", "очки", "бали", "punkty", "punkte", "得点", "点", "点数"),
    "penalty": ("penalty", "penalties", "штраф", "штрафы", "штрафи", "kara", "kary", "strafe", "罰"),
    "chombo": ("chombo", "чомбо", "チョンボ"),
}
_LONG_WORDS = {
    "round": ("round", "раунд", "тур", "runda", "runde", "回戦"),
    "wind": ("wind", "seat", "ветер", "вітер", "wiatr", "место", "家", "風"),
}


@dataclass(frozen=True)
class Layout:
    form: str
    columns: Mapping[str, int]  # what -> column, from 0
    unit: str = POINTS
    unit_said: bool = False  # by a heading or a person, not assumed
    sheet: str = ""
    head_row: int = 1
    heads: tuple[str, ...] = field(default=())

    def write(self) -> dict[str, Any]:
        return {**vars(self), "columns": dict(self.columns), "heads": list(self.heads)}

    @property
    def digest(self) -> str:
        return digest_of(self.heads, self.form)


def read_layout(data: Mapping[str, Any]) -> Layout:
    return replace(Layout(**{**data, "heads": tuple(data["heads"])}), columns=dict(data["columns"]))


def keys_of(form: str) -> dict[str, tuple[str, ...]]:
    """Everything a column of this form can be, as labels to be put side by side."""
    if form in LISTS:
        return {key: (label,) for key, label in LABELS_OF_LISTS[form].items()}
    if form == LONG:
        return {key: (label,) for key, label in (GAME_LABELS | LONG_LABELS | SEAT_LABELS).items()}
    winds = (_("East"), _("South"), _("West"), _("North"))
    seats: dict[str, tuple[str, ...]] = {
        f"{wind}_{key}": (winds[index], label)
        for key, label in SEAT_LABELS.items()
        for index, wind in enumerate(WIND_KEYS)
    }
    return {**{key: (label,) for key, label in GAME_LABELS.items()}, **seats}


def digest_of(heads: Sequence[str], form: str = "") -> str:
    """The same headings may be those of games and of a list of people, each remembered by itself."""
    purpose = [form] if form in LISTS else []
    return hashlib.sha256("\x1f".join([*purpose, *(_plain(head) for head in heads)]).encode()).hexdigest()


def heads_of(cells: Iterable[Any]) -> tuple[str, ...]:
    return tuple(read_text(cell)[:60] for cell in cells)


def _plain(head: str) -> str:
    words = re.sub(r"\(.*?\)|\[.*?\]", " ", folded(head))
    return " ".join(re.sub(r"[^\w№]+", " ", words).split())


def _words(table: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {" ".join(folded(word).split()): key for key, words in table.items() for word in words}


_GAME, _SEAT, _LONG = _words(_GAME_WORDS), _words(_SEAT_WORDS), _words(_LONG_WORDS)
_LISTS = {form: _words(headings.WORDS_OF_LISTS[form]) for form in LISTS}


def recognise(heads: Sequence[str], forms: Sequence[str] = GAMES) -> tuple[str, dict[str, int]] | None:
    """The form of a sheet with these headings and its columns; None when they are no headings of ours."""
    for form in forms:
        columns: dict[str, int] = {}
        for index, head in enumerate(heads):
            key = _key(form, _plain(head)) if head else None
            if key:
                columns.setdefault(key, index)
        if not missing(form, columns):
            return form, columns
    return None


def _key(form: str, head: str) -> str | None:
    if form in LISTS:
        return _LISTS[form].get(head) if head else None
    return _wide_key(head) if form == WIDE else _long_key(head)


def _wide_key(head: str) -> str | None:
    if head in _GAME:
        return _GAME[head]
    if head in _LONG and _LONG[head] == "round":
        return "game"
    first, _space, rest = head.partition(" ")
    for wind, what in ((first, rest), (head.rpartition(" ")[2], head.rpartition(" ")[0])):
        if wind in WINDS and not wind.isdigit() and what in _SEAT:
            return f"{WIND_KEYS[WINDS[wind]]}_{_SEAT[what]}"
    return None


def _long_key(head: str) -> str | None:
    return (_LONG.get(head) or _GAME.get(head) or _SEAT.get(head)) if head else None


def missing(form: str, columns: Mapping[str, int]) -> list[str]:
    """What a layout cannot do without."""
    if form in LISTS:
        return [] if "name" in columns or {"latin_first", "latin_last"} <= columns.keys() else ["name"]
    if form == WIDE:
        return [f"{wind}_{key}" for wind in WIND_KEYS for key in ("player", "points") if f"{wind}_{key}" not in columns]
    needed = [key for key in ("player", "points") if key not in columns]
    return needed if {"round", "game", "table"} & columns.keys() else [*needed, "round"]


def check(layout: Layout) -> list[Problem]:
    problems = []
    lacking = missing(layout.form, layout.columns)
    if lacking:
        message = _("Say which columns hold: %(what)s.")
        problems.append(Problem(message, {"what": ", ".join(lacking)}, code="columns_missing"))
    used = list(layout.columns.values())
    if len(used) != len(set(used)):
        problems.append(Problem(_("A column can hold one thing only; one is named twice."), code="column_twice"))
    if layout.unit not in UNITS:
        problems.append(Problem(_("The unit must be points, hundreds or thousands."), code="bad_unit"))
    return problems


def unit_in(heads: Iterable[str]) -> str | None:
    """The unit that the headings themselves name, as in “E points (thousands)”."""
    together = folded(" ".join(heads))
    if re.search(r"thousand|\bk\b|тыс|tys", together):
        return THOUSANDS
    return HUNDREDS if re.search(r"hundred|сот|setk", together) else None
