"""Entries for lists: all entries of the event, and those to check in."""

from __future__ import annotations

from clubsite.numbers import writer
from ratings.mahjong.names import folded
from ratings.mahjong.sorting import SortKey, sort_key
from ratings.mahjong.sound_keys import is_begun_in
from tournaments.models import Entry, Tournament

ORDER = {
    Entry.Status.CHECKED_IN: 0,
    Entry.Status.CONFIRMED: 0,
    Entry.Status.REGISTERED: 0,
    Entry.Status.SUBSTITUTE: 1,
    Entry.Status.WITHDRAWN: 2,
    Entry.Status.DISQUALIFIED: 2,
    Entry.Status.WAITING: 3,
    Entry.Status.CANCELLED: 4,
}


def in_order(tournament: Tournament) -> list[Entry]:
    """Players, substitutes, those who left, those who wait (in the order of arrival), and those who cancelled."""
    entries = tournament.entries.select_related("player", "left_stage")

    def place(entry: Entry) -> tuple[int, float]:
        waiting = entry.status == Entry.Status.WAITING
        return ORDER[Entry.Status(entry.status)], entry.registered_at.timestamp() if waiting else entry.number

    return sorted(entries, key=place)


def at_the_door(tournament: Tournament, typed: str) -> list[Entry]:
    """Entries that may be checked in and match the typed name or number; those not yet checked in come first."""
    found = tournament.entries.exclude(status__in=(*Entry.LEFT, *Entry.NOT_IN)).select_related("player")
    words = typed.split()
    fitting = [entry for entry in found if _fits(entry, words)]
    language = writer().language

    def place(entry: Entry) -> tuple[bool, SortKey]:
        return entry.checked_in_at is not None, sort_key(entry.player.native_name, language)

    return sorted(fitting, key=place)


def _fits(entry: Entry, words: list[str]) -> bool:
    return all(_is_in(word, entry) for word in words)


def _is_in(word: str, entry: Entry) -> bool:
    player = entry.player
    return word == str(entry.number) or folded(word) in player.search_text or is_begun_in(player.search_words, word)


def last_registered(tournament: Tournament, count: int) -> list[Entry]:
    """The players who registered last: they would wait if one table less is played."""
    playing = tournament.entries.filter(status__in=Entry.PLAYING, substitute_kind="").select_related("player")
    return list(playing.order_by("-registered_at", "-pk")[:count])
