"""One game with all that its page shows: seats, people, and what was done to it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch

from ratings import gamesheet
from ratings.gamesheet import Change, Sheet
from ratings.models import Hanchan, HanchanEvent, Player, Seat


def with_table(pk: int) -> Hanchan | None:
    """The game with season, rules, seats and whoever sat there; two queries."""
    seats = Seat.objects.select_related("player", "played_by").order_by("wind")
    games = Hanchan.objects.select_related("season__club", "rule_set__club")
    return games.prefetch_related(Prefetch("seats", seats)).filter(pk=pk).first()


@dataclass(frozen=True)
class Entry:
    """One event of a game's history, with what it changed in the sheet before it."""

    event: HanchanEvent
    changes: list[Change]


@dataclass(frozen=True)
class History:
    entries: list[Entry]
    people: dict[int, Player]  # everybody a change names


def history_of(hanchan: Hanchan) -> History:
    entries = []
    before: Sheet | None = None
    for event in hanchan.events.select_related("by"):
        sheet = gamesheet.read(event.sheet)
        entries.append(Entry(event, gamesheet.changes(before, sheet) if before else []))
        before = sheet
    named = {
        person
        for entry in entries
        for change in entry.changes
        if change.field in ("player", "played_by")
        for person in (change.before, change.after)
        if person
    }
    return History(entries, Player.objects.in_bulk(named) if named else {})
