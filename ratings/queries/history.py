"""The history of a row, read from its simple-history rows: who changed what, when and why.

Hanchans have another kind of history (`HanchanEvent`), which is not read here.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext, pgettext

from clubsite import days
from ratings.models import Season

MOST = 200
NOTHING = "–"
Formatters = Mapping[str, Callable[[Any], str]]


@dataclass(frozen=True)
class HistoryChange:
    label: str
    old: str
    new: str


# Changes of a column that holds many values, from its old and its new value.
Splitters = Mapping[str, Callable[[Any, Any], list[HistoryChange]]]


@dataclass(frozen=True)
class Happening:
    at: datetime.datetime
    by: User | None
    subject: str
    action: str
    reason: str
    changes: tuple[HistoryChange, ...]


def newest_change(row: Any) -> int:
    """Return the number of the row's last stored change; 0 for a row without history."""
    return int(row.history.order_by("-history_id").values_list("history_id", flat=True).first() or 0)


def happenings(
    records: Any, formatters: Formatters | None = None, splitters: Splitters | None = None
) -> list[Happening]:
    """Return the newest changes, newest first. `records` are historical rows of one model, of one row or of many."""
    newest = list(records.select_related("history_user").order_by("-history_date", "-history_id")[:MOST])
    by_row: dict[int, list[Any]] = {}
    for record in newest:
        by_row.setdefault(record.id, []).append(record)
    told = [
        _told(record, before, formatters or {}, splitters or {})
        for rows in by_row.values()
        for record, before in pairwise([*rows, None])
    ]
    return sorted(told, key=lambda happening: happening.at, reverse=True)


def season_happenings(season: Season) -> list[Happening]:
    """Return the events of a season as a whole: other rules from now on, or for all its games."""
    events = season.events.select_related("by")[:MOST]
    return [
        Happening(
            at=event.at,
            by=event.by,
            subject=str(season),
            action=str(event.get_action_display()),
            reason=event.reason,
            changes=tuple(_event_changes(event.details)),
        )
        for event in events
    ]


def _event_changes(details: Mapping[str, Any]) -> list[HistoryChange]:
    """Return the rules before and after, and by how much a replay shifted points."""
    before = details["from"] if isinstance(details["from"], list) else [details["from"]]
    changes = [HistoryChange(gettext("rule set"), ", ".join(map(_rules, before)) or NOTHING, _rules(details["to"]))]
    if "games" in details:
        changes.append(HistoryChange(gettext("games replayed"), NOTHING, str(details["games"])))
    for shift, games in details.get("shifts", {}).items():
        text = gettext("%(shift)s in %(games)s games") % {"shift": shift, "games": games}
        changes.append(HistoryChange(gettext("points of every seat"), NOTHING, text))
    return changes


def _rules(named: Mapping[str, Any]) -> str:
    return gettext("%(name)s, version %(version)s") % {"name": named["name"], "version": named["version"]}


def _told(record: Any, before: Any, formatters: Formatters, splitters: Splitters) -> Happening:
    return Happening(
        at=record.history_date,
        by=record.history_user,
        subject=_existing(lambda: str(record.instance)),
        action=_action(record.history_type),
        reason=record.history_change_reason or "",
        changes=tuple(_changes(record, before, formatters, splitters)) if before is not None else (),
    )


def _action(kind: str) -> str:
    if kind == "+":
        return pgettext("history", "added")
    return pgettext("history", "removed") if kind == "-" else pgettext("history", "changed")


def _changes(record: Any, before: Any, formatters: Formatters, splitters: Splitters) -> list[HistoryChange]:
    changes: list[HistoryChange] = []
    for field in record.tracked_fields:
        was, now = getattr(before, field.attname), getattr(record, field.attname)
        if was != now and field.name in splitters:
            changes += splitters[field.name](was, now)
        elif was != now:
            old, new = (_shown(row, field, formatters) for row in (before, record))
            changes.append(HistoryChange(str(field.verbose_name), old, new))
    return changes


def _shown(record: Any, field: Any, formatters: Formatters) -> str:
    """Return a stored value in words: choices by their labels, related rows by their names."""
    value = getattr(record, field.attname)
    if value in (None, "", []):
        return NOTHING
    if field.name in formatters:
        return formatters[field.name](value)
    if field.is_relation:
        return _existing(lambda: str(getattr(record, field.name))) or f"#{value}"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, datetime.datetime):
        return days.moment(value)
    if isinstance(value, datetime.date):
        return days.day(value)
    return str(getattr(record, f"get_{field.name}_display")() if field.choices else value)


def _existing(name: Callable[[], str]) -> str:
    """Return the name, or an empty string if a row that it depends on no longer exists."""
    try:
        return name()
    except ObjectDoesNotExist:
        return ""
