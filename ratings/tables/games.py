"""The list of games: when, which table, and the four players in order of place with their results."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable, Sequence

from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2 import Table

from clubsite import components, export
from clubsite.numbers import MISSING, Writer, tone, writer
from ratings.models import Hanchan, Seat
from ratings.tables import drawing
from ratings.tables.names import Names

PLACES = 4


class GamesTable(Table):
    day = drawing.Column(_("Date"), css="when", orderable=False)
    table = drawing.Column(_("Table"), css="numeric table-cell", orderable=False)
    first = drawing.Column(_("1st"), css="seat", orderable=False)
    second = drawing.Column(_("2nd"), css="seat", orderable=False)
    third = drawing.Column(_("3rd"), css="seat", orderable=False)
    fourth = drawing.Column(_("4th"), css="seat", orderable=False)


def rows(games: Iterable[Hanchan], names: Names, highlighted: int | None = None) -> SafeString:
    """The games of a page; `highlighted` is the player whose games these are."""
    write = writer()
    return drawing.body(_row(game, names, highlighted, write) for game in games)


def _row(game: Hanchan, names: Names, highlighted: int | None, write: Writer) -> str:
    url = escape(game.get_absolute_url())
    seats: Sequence[Seat] = game.by_place  # type: ignore[attr-defined]
    word = escape(gettext("table"))
    table = f' data-l="{word}"' if game.table else ""
    return (
        f'<th role="rowheader" scope="row" class="when"><a href="{url}">{escape(_date(game))}</a>{_tags(game)}</th>'
        f'<td role="cell" class="numeric table-cell{"" if game.table else " off"}"{table}>{game.table or MISSING}</td>'
        + "".join(_seat(seat, url, names, seat.player_id == highlighted, write) for seat in seats)
    )


def _date(game: Hanchan) -> str:
    return date_format(game.played_on, "j E Y")


def _tags(game: Hanchan) -> str:
    found = [""]
    if game.status == Hanchan.Status.DRAFT:
        found.append(components.tag(gettext("draft")))
    if game.status == Hanchan.Status.VOID:
        found.append(components.tag(gettext("void"), "red"))
    if game.corrections:
        found.append(components.tag(gettext("corrected"), "brass"))
    return " ".join(found)


def _seat(seat: Seat, url: str, names: Names, highlighted: bool, write: Writer) -> str:
    kind = f" {tone(seat.result)}" if tone(seat.result) else ""
    mine = " mine" if highlighted else ""
    return (
        f'<td role="cell" class="seat{mine}"><span class="seat-inner">{components.place_chip(seat.place, write)}'
        f'<span class="who">{names.cell(seat.player)}</span>'
        f'<a class="num{kind}" href="{url}">{write.result(seat.result)}</a></span></td>'
    )


# --- files ------------------------------------------------------------------------------------------------


def export_columns() -> list[export.Column]:
    columns = [
        export.Column(gettext("Played"), export.Kind.TIME),
        export.Column(gettext("Table"), export.Kind.COUNT),
        export.Column(gettext("Hanchan"), export.Kind.COUNT),
        export.Column(gettext("State"), width=12),
    ]
    for number in range(1, PLACES + 1):
        said = {"number": number}
        columns += [
            export.Column(gettext("Player %(number)d") % said),
            export.Column(gettext("Place %(number)d") % said, export.Kind.COUNT),
            export.Column(gettext("Points %(number)d") % said, export.Kind.POINTS),
            export.Column(gettext("Result %(number)d") % said, export.Kind.RESULT),
        ]
    return columns


def export_rows(games: Iterable[Hanchan], zone: zoneinfo.ZoneInfo, names: Names) -> Iterable[list[export.Cell]]:
    for game in games:
        cells: list[export.Cell] = [
            game.played_at.astimezone(zone).replace(tzinfo=None),  # workbooks know no zones
            game.table,
            game.pk,
            _state(game),
        ]
        for seat in game.by_place:  # type: ignore[attr-defined]
            cells += [names.text(seat.player), seat.place, seat.points, seat.result]
        yield cells


def _state(game: Hanchan) -> str:
    if game.status == Hanchan.Status.FINAL and game.corrections:
        return gettext("corrected")
    return str(game.get_status_display())
