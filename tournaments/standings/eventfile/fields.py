"""Read single values of an event file strictly: a decimal or a true/false in place of a number is refused."""

from __future__ import annotations

import datetime
import json
import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Phrase, gettext_noop
from ratings.mahjong.rulesets.parameters import is_integer
from ratings.mahjong.scoring import LARGEST
from tournaments.standings.eventfile.where import refuse

_ = gettext_noop

Object = Mapping[str, Any]
COUNTRY = re.compile(r"[A-Z]{2}")
EMA_NUMBER = re.compile(r"[0-9]{8}")
SLUG = re.compile(r"[-a-zA-Z0-9_]{1,50}")
HIGHEST_NUMBER = 99_999


def an_object(value: Any, where: Phrase, known: Collection[str], needed: Collection[str]) -> Object:
    """A JSON object with all needed keys and no unknown key."""
    if not isinstance(value, Mapping):
        raise refuse(where, _("must be a JSON object, not %(value)s."), value=shown(value))
    for key in value:
        if key not in known:
            keys = ", ".join(known)
            raise refuse(where, _("has no key %(key)s; the keys are %(keys)s."), key=shown(key), keys=keys)
    for key in needed:
        if key not in value:
            raise refuse(where, _("“%(key)s” is missing."), key=key)
    return value


def a_list(data: Object, key: str, where: Phrase) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise refuse(where, _("“%(key)s” must be a list, not %(value)s."), key=key, value=shown(value))
    return value


def text(data: Object, key: str, where: Phrase, longest: int, *, needed: bool = False) -> str:
    """A text. If it is not needed, it may be missing or null."""
    value = data.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise refuse(where, _("“%(key)s” must be a text, not %(value)s."), key=key, value=shown(value))
    if needed and not value.strip():
        raise refuse(where, _("“%(key)s” is empty."), key=key)
    if len(value) > longest:
        message = _("“%(key)s” has %(length)s characters; %(longest)s are the most.")
        raise refuse(where, message, key=key, length=len(value), longest=longest)
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in value):
        raise refuse(where, _("“%(key)s” holds a character that is not a letter, sign or space."), key=key)
    return value


def name(data: Object, key: str, where: Phrase, longest: int, *, needed: bool = False) -> str:
    """A text that people can read as a name."""
    value = text(data, key, where, longest, needed=needed)
    if value and (problem := objection_to_name(value)):
        raise refuse(where, _("“%(key)s”: %(problem)s"), key=key, problem=problem)
    return value


def pattern(data: Object, key: str, where: Phrase, form: re.Pattern[str], meaning: str, *, needed: bool = False) -> str:
    """A text of a certain form, which `meaning` describes."""
    value = text(data, key, where, 300, needed=needed)
    if value and not form.fullmatch(value):
        raise refuse(
            where, _("“%(key)s” is %(value)s; it must be %(meaning)s."), key=key, value=shown(value), meaning=meaning
        )
    return value


def number(data: Object, key: str, where: Phrase, low: int, high: int = LARGEST, default: int | None = None) -> int:
    value = data.get(key, default)
    if not is_integer(value):
        raise refuse(where, _("“%(key)s” must be a whole number, not %(value)s."), key=key, value=shown(value))
    return within(int(value), key, where, low, high)


def within(value: int, key: str, where: Phrase, low: int, high: int) -> int:
    if not low <= value <= high:
        message = _("“%(key)s” is %(value)s; it must be from %(low)s to %(high)s.")
        raise refuse(where, message, key=key, value=shown(value), low=low, high=high)
    return value


def flag(data: Object, key: str, where: Phrase, *, default: bool | None = None) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise refuse(where, _("“%(key)s” must be true or false, not %(value)s."), key=key, value=shown(value))
    return value


def option(data: Object, key: str, where: Phrase, options: Collection[str], default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or value not in options:
        message = _("“%(key)s” is %(value)s; it must be one of %(options)s.")
        raise refuse(where, message, key=key, value=shown(value), options=", ".join(options))
    return value


def dates(data: Object, key: str, where: Phrase) -> tuple[datetime.date, ...]:
    """One day or several in order, as YYYY-MM-DD."""
    days = []
    for value in a_list(data, key, where):
        try:
            day = datetime.date.fromisoformat(value)
        except (TypeError, ValueError):
            day = None
        if day is None or day.isoformat() != value:
            raise refuse(where, _("“%(key)s” holds %(value)s; write YYYY-MM-DD."), key=key, value=shown(value))
        days.append(day)
    if not days or days != sorted(days):
        raise refuse(where, _("“%(key)s” must list the days in order, at least one."), key=key)
    return tuple(days)


def shown(value: object) -> str:
    """A value of the file for a sentence, cut if it is long. JSON escapes control characters."""
    try:
        shown_value = json.dumps(value, ensure_ascii=False)
        shown_value.encode()
    except (ValueError, RecursionError):
        shown_value = type(value).__name__
    return shown_value if len(shown_value) <= 60 else shown_value[:57] + "…"
