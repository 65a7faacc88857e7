"""The players of a club as a list that can be searched and sorted by what is shown, and by nothing else."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import Table
from django_tables2.data import TableListData

from clubsite import export
from clubsite.numbers import MISSING
from ratings.models import Affiliation
from ratings.queries.club_players import ClubPlayer
from ratings.tables import drawing
from ratings.tables.names import Names


class ClubPlayersTable(Table):
    player = drawing.Column(_("Player"), css="name-cell")
    kind = drawing.Column(_("Regular or guest"), css="kind-cell", most_first=True)
    seasons = drawing.Column(_("Seasons"), css="numeric seasons-cell", most_first=True)
    games = drawing.Column(_("Games"), css="numeric games-cell", most_first=True)
    last_played_on = drawing.Column(_("Last played"), css="when", most_first=True)

    class Meta:
        order_by_field = drawing.SORT


class ClubPlayerRows(TableListData):
    """Sorted by what the reader sees: the true name of a hidden player decides nothing."""

    def __init__(self, rows: Iterable[ClubPlayer], names: Names) -> None:
        super().__init__(sorted(rows, key=lambda row: _name_key(row, names)))
        self.names = names

    def order_by(self, aliases: Iterable[str]) -> None:
        for alias in reversed(tuple(aliases)):
            self.data.sort(key=lambda row: self._key(alias.removeprefix("-"), row), reverse=alias.startswith("-"))

    def _key(self, column: str, row: ClubPlayer) -> Any:
        if column == "player":
            return _name_key(row, self.names)
        if column == "last_played_on":
            return row.last_played_on or datetime.date.min
        return getattr(row, column)


def _name_key(row: ClubPlayer, names: Names) -> str:
    return names.text(row.player).casefold()


def matching(rows: Iterable[ClubPlayer], query: str, names: Names) -> list[ClubPlayer]:
    """Those whose shown names hold every word of the query, whatever its case."""
    words = query.casefold().split()
    return [row for row in rows if all(word in _searched(row, names) for word in words)]


def _searched(row: ClubPlayer, names: Names) -> str:
    player = row.player
    if names.sees_hidden and not player.anonymised_at:
        return f"{player.search_text} {player.native_name} {player.latin_name} {player.nickname}".casefold()
    if not names.follows(player):
        return ""
    nickname = player.nickname if player.visibility == player.Visibility.FULL else ""
    return f"{player.public_name} {player.public_latin} {nickname}".casefold()


def rows(page: Iterable[ClubPlayer], names: Names) -> SafeString:
    return drawing.body(_row(row, names) for row in page)


def _row(row: ClubPlayer, names: Names) -> str:
    last = date_format(row.last_played_on, "j E Y") if row.last_played_on else MISSING
    seasons, games = escape(gettext("seasons")), escape(gettext("games"))
    return (
        f'<th role="rowheader" scope="row" class="name-cell">{names.cell(row.player)}</th>'
        f'<td role="cell" class="kind-cell">{escape(kind_of(row))}</td>'
        f'<td role="cell" class="numeric seasons-cell" data-l="{seasons}">{row.seasons or MISSING}</td>'
        f'<td role="cell" class="numeric games-cell" data-l="{games}">{row.games or MISSING}</td>'
        f'<td role="cell" class="when">{last}</td>'
    )


def kind_of(row: ClubPlayer) -> str:
    return str(Affiliation.Kind(row.kind).label)


# --- files ------------------------------------------------------------------------------------------------


def export_columns() -> list[export.Column]:
    return [
        export.Column(gettext("Player"), width=30),
        export.Column(gettext("Name in Latin letters"), width=26),
        export.Column(gettext("Regular or guest")),
        export.Column(gettext("Seasons"), export.Kind.COUNT),
        export.Column(gettext("Games"), export.Kind.COUNT),
        export.Column(gettext("Last played"), export.Kind.DATE),
    ]


def export_rows(found: Sequence[ClubPlayer], names: Names) -> Iterable[list[export.Cell]]:
    for row in found:
        yield [
            names.text(row.player),
            names.latin(row.player),
            kind_of(row),
            row.seasons,
            row.games,
            row.last_played_on,
        ]
