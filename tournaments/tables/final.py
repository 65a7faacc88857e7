"""The ranking of a whole event: finalists above the others, each with the last stage reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite import components
from clubsite.export import Kind
from clubsite.numbers import tone
from clubsite.tables import Cell, Column, ListTable
from ratings.models import Player
from ratings.tables.names import LatinColumn, NameColumn, Names, NamesOnPage
from tournaments.models import Entry, Tournament
from tournaments.queries.mers import MersReport
from tournaments.queries.standings import StageView
from tournaments.standings import ranking


class FinalPlace(NamedTuple):
    """A row of the final ranking."""

    rank: int
    entry: Entry
    total: int
    stage: int
    points: int | None = None  # for the European ranking


@dataclass(frozen=True)
class FinalPage(NamesOnPage):
    stages: Mapping[int, str] = field(default_factory=dict)  # their names
    weight: Fraction | None = None  # in the European ranking


def _player(_page: FinalPage, row: FinalPlace) -> Player:
    return row.entry.player


def _name(page: FinalPage, row: FinalPlace) -> SafeString:
    entry, country, state = row.entry, _if_named("country")(page, row), ""
    if entry.has_left:
        state = f" {components.tag(entry.get_status_display(), 'red' if entry.status == 'disqualified' else '')}"
    shown = format_html('<span class="alt">{}</span>', country) if country else ""
    return SafeString(f"{page.names.cell(entry.player)}{shown}{state}")


def _if_named(fact: str) -> Callable[[FinalPage, FinalPlace], str]:
    """A fact of the entry. It is left out for a hidden player, because it could reveal who it is."""
    return lambda page, row: str(getattr(row.entry, fact)) if page.names.follows(row.entry.player) else ""


class FinalTable(ListTable):
    folds = False

    rank = Column(
        _("Rank"),
        is_spoken=True,
        cell=lambda _page, row: components.rank_tile(row.rank),
        value=lambda _page, row: row.rank,
        kind=Kind.COUNT,
    )
    player = NameColumn(_player, css="", cell=_name)
    latin = LatinColumn(_player, _("Latin"))
    country = Column(_("Country"), value=_if_named("country"), width=9)
    ema_number = Column(_("EMA number"), value=_if_named("ema_number"), width=12)
    team = Column(_("Team"), value=_if_named("team"))
    total = Column(
        _("Total"),
        css="numeric",
        cell_css="numeric total",
        cell=lambda page, row: Cell(page.write.result(row.total), tone(row.total)),
        value=lambda _page, row: row.total,
        kind=Kind.RESULT,
    )
    stage = Column(_("Stage reached"), cell=lambda page, row: page.stages[row.stage])
    points = Column(_("European ranking points"), value=lambda _page, row: row.points, kind=Kind.COUNT)
    weight = Column(_("Weight"), value=lambda page, _row: page.weight, kind=Kind.PLACE)


def drawn(
    ranked: Sequence[ranking.FinalRow], views: Sequence[StageView], sees_hidden: bool, *, on_paper: bool = False
) -> dict[str, SafeString]:
    """The head and the rows for the template."""
    table, people = FinalTable([]), views[0].entries if views else {}
    page = FinalPage(Names(sees_hidden), {view.stage.number: view.stage.name for view in views})
    rows = [FinalPlace(row.rank, people[row.entry], row.total, row.stage) for row in ranked]
    return {"heads": table.heads(page, on_paper=on_paper), "rows": _rows(table, page, rows)}


def _rows(table: FinalTable, page: FinalPage, rows: Sequence[FinalPlace]) -> SafeString:
    """The rows with a line between two stages: below it totals may be higher, because they are of an earlier stage."""
    draw, width = table.row_on(page), table.width_on(page)
    drawn: list[str] = []
    for before, row in zip((None, *rows), rows, strict=False):
        if before is not None and before.stage != row.stage:
            words = gettext("Stage reached: %(stage)s") % {"stage": page.stages[row.stage]}
            drawn.append(components.cut_row(width, words))
        drawn.append(f"<tr>{draw(row)}</tr>")
    return SafeString("".join(drawn))


def file_rows(report: MersReport, *, with_points: bool) -> list[FinalPlace]:
    return [
        FinalPlace(row.place, row.entry, row.total, row.stage, row.points if with_points else None)
        for row in report.rows
    ]


def tie_break_words(tournament: Tournament) -> str:
    """The tie-breaks in their order: `average place, then best game`."""
    labels = [gettext(ranking.EVENT_METRICS[key].label) for key in tournament.tie_breaks if key != "total"]
    lowered = [label[:1].lower() + label[1:] for label in labels]
    return gettext(", then ").join(lowered)
