"""The players of a club as a list. It is searched and sorted only by what the reader sees."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite import days
from clubsite.export import Kind
from clubsite.numbers import MISSING
from clubsite.tables import Cell, Column, ListTable, SortedRows
from ratings.mahjong.sound_keys import indexed_words, is_begun_in
from ratings.models import Affiliation, Player
from ratings.queries.club_players import ClubPlayer
from ratings.tables.names import LatinColumn, NameColumn, Names, NamesOnPage


def _player(_page: NamesOnPage, row: ClubPlayer) -> Player:
    return row.player


def _name(page: NamesOnPage, row: ClubPlayer) -> SafeString:
    """The name, and for staff the remark that tells two people of one name apart."""
    name = page.names.cell(row.player)
    if not page.names.sees_hidden or not row.player.remark:
        return name
    return format_html('{} <small class="soft">{}</small>', name, row.player.remark)


def _kind(_page: NamesOnPage, row: ClubPlayer) -> str:
    return str(Affiliation.Kind(row.kind).label)


def _seasons(_page: NamesOnPage, row: ClubPlayer) -> Cell:
    return Cell(str(row.seasons or MISSING), label=gettext("seasons"))


def _games(_page: NamesOnPage, row: ClubPlayer) -> Cell:
    return Cell(str(row.games or MISSING), label=gettext("games"))


def _last_played(_page: NamesOnPage, row: ClubPlayer) -> str:
    return days.day(row.last_played_on)


class ClubPlayersTable(ListTable):
    player = NameColumn(_player, cell=_name, width=30, sortable=True)
    latin = LatinColumn(_player, width=26)
    kind = Column(
        _("Regular or guest"),
        css="kind-cell",
        cell=_kind,
        value=_kind,
        key=lambda _page, row: row.kind,
        most_first=True,
    )
    seasons = Column(
        _("Seasons"),
        css="numeric seasons-cell",
        cell=_seasons,
        value=lambda _page, row: row.seasons,
        key=lambda _page, row: row.seasons,
        kind=Kind.COUNT,
        most_first=True,
    )
    games = Column(
        _("Games"),
        css="numeric games-cell",
        cell=_games,
        value=lambda _page, row: row.games,
        key=lambda _page, row: row.games,
        kind=Kind.COUNT,
        most_first=True,
    )
    last_played_on = Column(
        _("Last played"),
        css="when",
        cell=_last_played,
        value=lambda _page, row: row.last_played_on,
        key=lambda _page, row: row.last_played_on or datetime.date.min,
        kind=Kind.DATE,
        most_first=True,
    )


def build(found: Iterable[ClubPlayer], page: NamesOnPage, order_by: Iterable[str]) -> ClubPlayersTable:
    """The players by name, unless the reader chose another order."""
    by_name = sorted(found, key=lambda row: page.names.place(row.player))
    return ClubPlayersTable(SortedRows(by_name, page), order_by=list(order_by))


def matching(rows: Iterable[ClubPlayer], query: str, names: Names) -> list[ClubPlayer]:
    """The players whose visible names contain every word of the query, or a word that sounds as if it began so."""
    words = query.casefold().split()
    return [row for row in rows if all(_is_in(word, *_searched(row, names)) for word in words)]


def _is_in(word: str, text: str, indexed: str) -> bool:
    return word in text or is_begun_in(indexed, word)


def _searched(row: ClubPlayer, names: Names) -> tuple[str, str]:
    """Return the names to search, and their words as `sound_keys` writes them."""
    player = row.player
    if names.sees_hidden and not player.anonymised_at:
        text = f"{player.search_text} {player.native_name} {player.latin_name} {player.nickname}".casefold()
        return text, player.search_words
    if not names.follows(player):
        return "", ""
    nickname = player.nickname if player.visibility == player.Visibility.FULL else ""
    shown = f"{player.public_name} {player.public_latin} {nickname}".casefold()
    return shown, indexed_words([shown])
