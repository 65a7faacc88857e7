"""The workbook of an event: its sheets, their order, and the page frame. It is for staff, so names are complete."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import IO

from django.utils import timezone
from django.utils.translation import gettext

from clubsite import days
from clubsite.workbooks import Frame, WorkbookSheet
from clubsite.workbooks import write as write_book
from ratings.models import RuleSet
from ratings.workbooks import rules
from ratings.workbooks.unchanged import write_unchanged
from tournaments.models import Tournament
from tournaments.queries.log import referees_log
from tournaments.queries.lookup import revisions
from tournaments.queries.rounds import rounds_of, tables_of
from tournaments.queries.standings import entries_of, view_event
from tournaments.workbooks import check, people, standings
from tournaments.workbooks.halls import Halls


def write(tournament: Tournament, file: IO[bytes]) -> None:
    """Write the workbook of one state. `tournament.club` and `tournament.rule_set` should already be loaded."""

    def write_now() -> None:
        write_book(file, frame_of(tournament, "tournament", timezone.now()), _sheets(tournament))

    write_unchanged(file, lambda: revisions([tournament.pk]), write_now)


def frame_of(tournament: Tournament, kind: str, at: datetime.datetime, mark: str = "") -> Frame:
    """The frame of a workbook. `mark` is put before the title, for example to mark a draft."""
    written = days.long_moment(at, tournament.zone)
    title = f"{mark} – {tournament.name}" if mark else tournament.name
    return Frame(
        kind=kind,
        title=title,
        left=tournament.club.name,
        centre=title,
        right=str(tournament.rule_set),
        foot=gettext("Written by Umaoka on %(when)s") % {"when": written},
        page=gettext("Page %(page)s of %(pages)s"),
    )


def _sheets(tournament: Tournament) -> Iterator[WorkbookSheet]:
    entries = sorted(entries_of(tournament), key=lambda entry: entry.number)
    stages = standings.lay_out(view_event(tournament))
    width = standings.names_width(entries)
    halls = Halls(list(tables_of(rounds_of(tournament))), entries, width)
    log = referees_log(tournament)
    lines = standings.rows(stages, entries)
    yield standings.sheet(stages, entries, lines)
    yield halls.results()
    yield halls.seating()
    yield people.certificate_sheet(list(tournament.stages.all()))
    yield people.entries_sheet(entries)
    yield people.rulings_sheet(log, entries, tournament.zone)
    if standings.has_teams(entries) and stages:
        yield standings.teams_sheet(stages[0], entries)
    yield rules.sheet(_rule_sets(tournament))
    yield check.sheet(stages, halls.played, check.EventLastRows(len(lines) + 1, halls.last_row, len(log) + 1), width)


def _rule_sets(tournament: Tournament) -> list[RuleSet]:
    """The event's own rule set, then those of stages that differ."""
    found = {tournament.rule_set_id: tournament.rule_set}
    for stage in tournament.stages.select_related("season__rule_set"):
        found.setdefault(stage.season.rule_set_id, stage.season.rule_set)
    return list(found.values())
