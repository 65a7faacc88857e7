"""One game with everything its page shows: seats, players and history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch

from ratings.mahjong import gamesheet
from ratings.mahjong.gamesheet import Change, Sheet
from ratings.models import Hanchan, HanchanEvent, Player, Seat
from ratings.queries.merges import survivors


def with_table(pk: int) -> Hanchan | None:
    """Return the game with season, rules, seats and the people who sat there. Two queries."""
    seats = Seat.objects.select_related("player", "played_by").order_by("wind")
    games = Hanchan.objects.select_related("season__club", "rule_set__club")
    return games.prefetch_related(Prefetch("seats", seats)).filter(pk=pk).first()


@dataclass(frozen=True)
class HistoryEntry:
    """One event of a game's history, with what it changed compared with the sheet before."""

    event: HanchanEvent
    changes: list[Change]


@dataclass(frozen=True)
class History:
    entries: list[HistoryEntry]
    people: dict[int, Player]  # everybody named in a change


def history_of(hanchan: Hanchan) -> History:
    entries = []
    before: Sheet | None = None
    for event in hanchan.events.select_related("by"):
        sheet = gamesheet.read(event.sheet)
        entries.append(HistoryEntry(event, gamesheet.changes(before, sheet) if before else []))
        before = sheet
    people = _people_today({person for entry in entries for change in entry.changes for person in _people_in(change)})
    return History([_of_people_today(entry, people) for entry in entries], people)


def _people_in(change: Change) -> list[int]:
    named = (change.before, change.after) if change.field in ("player", "played_by") else ()
    return [person for person in named if person]


def _people_today(ids: set[int]) -> dict[int, Player]:
    """Return the current player for each of these ids from old sheets; for a merged player, the survivor."""
    people = Player.objects.in_bulk(ids) if ids else {}
    if any(player.merged_into_id for player in people.values()):
        today = survivors(ids)
        found = Player.objects.in_bulk(set(today.values()))
        people = {old: found[now] for old, now in today.items()}
    return people


def _of_people_today(entry: HistoryEntry, people: dict[int, Player]) -> HistoryEntry:
    """Return the entry without changes that only look like a change of players because two players were merged."""

    def moved(change: Change) -> bool:
        named = _people_in(change)
        return len(named) != 2 or people.get(named[0]) != people.get(named[1])

    return HistoryEntry(entry.event, [change for change in entry.changes if moved(change)])


def handed_in(hanchans: Iterable[int | None]) -> dict[int, list[Sheet[int]]]:
    """Return the sheets handed in for drafts without a user: the last one, and before it the last that differed."""
    events = HanchanEvent.objects.filter(hanchan__in=list(hanchans), action=HanchanEvent.Action.DRAFTED, by=None)
    found: dict[int, list[Sheet[int]]] = {}
    for event in events.order_by("hanchan_id", "version"):
        sheets = found.setdefault(event.hanchan_id, [])
        sheet = gamesheet.read(event.sheet)
        if not sheets or sheets[-1].as_table() != sheet.as_table():
            sheets.append(sheet)
    return {hanchan: sheets[-2:] for hanchan, sheets in found.items()}
