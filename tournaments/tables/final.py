"""The ranking of a whole event: finalists above the rest, each with the stage they reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite import components, export
from clubsite.numbers import tone, writer
from ratings.tables.names import Names
from tournaments.models import Tournament
from tournaments.queries.mers import MersReport
from tournaments.queries.standings import StageView
from tournaments.standings import ranking


def rows(ranked: Sequence[ranking.FinalRow], views: Sequence[StageView], sees_hidden: bool) -> SafeString:
    write, names, people = writer(), Names(sees_hidden), views[0].entries if views else {}
    stages = {view.stage.number: escape(view.stage.name) for view in views}
    drawn = []
    for row in ranked:
        entry = people[row.entry]
        named = names.follows(entry.player)
        country = f'<span class="alt">{escape(entry.country)}</span>' if entry.country and named else ""
        state = f" {components.tag(entry.get_status_display(), 'red' if entry.status == 'disqualified' else '')}"
        drawn.append(
            f'<tr><td>{components.rank_tile(row.rank)}</td><th scope="row">{names.cell(entry.player)}'
            f"{country}{state if entry.has_left else ''}</th>"
            f'<td class="numeric total {tone(row.total)}">{write.result(row.total)}</td>'
            f"<td>{stages[row.stage]}</td></tr>"
        )
    return SafeString("".join(drawn))


def tie_break_words(tournament: Tournament) -> str:
    """How equal totals are parted, in the order in which it is asked: `average place, then best game`."""
    labels = [gettext(ranking.EVENT_METRICS[key].label) for key in tournament.tie_breaks if key != "total"]
    lowered = [label[:1].lower() + label[1:] for label in labels]
    return gettext(", then ").join(lowered)


def export_columns() -> list[export.Column]:
    kind = export.Kind
    return [
        export.Column(gettext("Rank"), kind.COUNT),
        export.Column(gettext("Player")),
        export.Column(gettext("Latin")),
        export.Column(gettext("Country"), width=9),
        export.Column(gettext("EMA number"), width=12),
        export.Column(gettext("Team")),
        export.Column(gettext("Total"), kind.RESULT),
        export.Column(gettext("European ranking points"), kind.COUNT),
        export.Column(gettext("Weight"), kind.PLACE),
    ]


def export_rows(report: MersReport, sees_hidden: bool, *, with_points: bool) -> Iterator[list[export.Cell]]:
    names = Names(sees_hidden)
    for row in report.rows:
        player = row.entry.player
        named = names.follows(player)
        yield [
            row.place,
            names.text(player),
            names.latin(player),
            row.entry.country if named else "",
            row.entry.ema_number if named else "",
            row.entry.team if named else "",
            row.total,
            row.points if with_points else None,
            report.weight if with_points else None,
        ]
