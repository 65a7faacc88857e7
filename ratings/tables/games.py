"""The list of games: when, which table, and the four players in order of place with points and results."""

from __future__ import annotations

import datetime
import zoneinfo
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubsite import components, days, export, numbers
from clubsite.export import Kind
from clubsite.numbers import MISSING, tone
from clubsite.tables import Cell, Column, ExportField, ListTable
from ratings.models import Hanchan, Seat
from ratings.tables.names import NamesOnPage


@dataclass(frozen=True)
class GamesPage(NamesOnPage):
    zone: zoneinfo.ZoneInfo  # of the club
    highlighted: int | None = None  # the player whose games these are


def _date(page: GamesPage, game: Hanchan) -> SafeString:
    url, day = escape(game.get_absolute_url()), escape(days.day(game.played_on))
    time = escape(days.clock_time(game.played_at, page.zone))
    return SafeString(f'<a href="{url}">{day}</a> <span class="alt">{time}</span>{_tags(game)}')


def _tags(game: Hanchan) -> str:
    found = [""]
    if game.status == Hanchan.Status.DRAFT:
        found.append(components.tag(gettext("draft")))
    if game.status == Hanchan.Status.VOID:
        found.append(components.tag(gettext("void"), "red"))
    if game.corrections:
        found.append(components.tag(gettext("corrected"), "brass"))
    return " ".join(found)


def _marks(seat: Seat) -> str:
    """What explains a result that does not follow from place and points."""
    found = ""
    if seat.is_substituted:
        found += components.tag(gettext("substitute"))
    if seat.chombo:
        words = ngettext("chombo", "%(count)d chombo", seat.chombo) % {"count": seat.chombo}
        found += components.tag(words, "red")
    return f'<span class="marks">{found}</span>' if found else ""


def _played(page: GamesPage, game: Hanchan) -> datetime.datetime:
    return game.played_at.astimezone(page.zone).replace(tzinfo=None)  # workbooks know no zones


def _table(_page: GamesPage, game: Hanchan) -> Cell:
    return Cell(str(game.table), label=gettext("table")) if game.table else Cell(MISSING, "off")


def _state(_page: GamesPage, game: Hanchan) -> str:
    if game.status == Hanchan.Status.FINAL and game.corrections:
        return gettext("corrected")
    return str(game.get_status_display())


class PlaceColumn(Column):
    """The player at one of the four places. In a file the name, place, points and result are columns of their own."""

    def __init__(self, heading: Any, number: int) -> None:
        super().__init__(heading, css="seat", cell=self._seat)
        self.number = number

    def _of(self, game: Hanchan) -> Seat:
        seat: Seat = game.by_place[self.number - 1]  # type: ignore[attr-defined]
        return seat

    def _seat(self, page: GamesPage, game: Hanchan) -> Cell:
        seat, url = self._of(game), escape(game.get_absolute_url())
        css = f"num {tone(seat.result)}".rstrip()
        drawn = (
            f'<span class="seat-inner">{components.place_chip(seat.place, page.write)}'
            f'<span class="who">{page.names.cell(seat.player)}</span>'
            f'<span class="points">{numbers.points(seat.points)}</span>{_marks(seat)}'
            f'<a class="{css}" href="{url}">{page.write.result(seat.result)}</a></span>'
        )
        return Cell(SafeString(drawn), "mine" if seat.player_id == page.highlighted else "")

    def fields(self) -> list[ExportField]:
        said = {"number": self.number}

        def name(page: GamesPage, game: Hanchan) -> export.Cell:
            return page.names.text(self._of(game).player)

        return [
            ExportField(gettext("Player %(number)d") % said, name),
            ExportField(gettext("Place %(number)d") % said, lambda _page, game: self._of(game).place, Kind.COUNT),
            ExportField(gettext("Points %(number)d") % said, lambda _page, game: self._of(game).points, Kind.POINTS),
            ExportField(gettext("Result %(number)d") % said, lambda _page, game: self._of(game).result, Kind.RESULT),
        ]


class GamesTable(ListTable):
    day = Column(_("Date"), label=_("Played"), css="when", is_row_head=True, cell=_date, value=_played, kind=Kind.TIME)
    table = Column(
        _("Table"),
        css="numeric table-cell",
        cell=_table,
        value=lambda _page, game: game.table,
        kind=Kind.COUNT,
    )
    hanchan = Column(_("Hanchan"), value=lambda _page, game: game.pk, kind=Kind.COUNT)
    state = Column(_("State"), value=_state, width=12)
    first = PlaceColumn(_("1st"), 1)
    second = PlaceColumn(_("2nd"), 2)
    third = PlaceColumn(_("3rd"), 3)
    fourth = PlaceColumn(_("4th"), 4)
