"""The workbook of a season: its sheets in order, and its title, headers and footers."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from typing import IO

from django.utils import timezone
from django.utils.translation import gettext

from clubsite import days
from clubsite.workbooks import Frame, WorkbookSheet
from clubsite.workbooks import write as write_book
from ratings.models import Season
from ratings.queries.leaderboard import lines as standing_lines
from ratings.queries.players import strangers_in
from ratings.queries.workbooks import adjustments_of, everybody_in, hanchans_of, rule_sets_in
from ratings.workbooks import check, penalties, rules, standings
from ratings.workbooks.games import Games
from ratings.workbooks.people import People
from ratings.workbooks.unchanged import write_unchanged

Report = Callable[[int, int], None]  # called with the games written so far and in total


def nobody_asks(_done: int, _total: int) -> None:
    """Show no progress."""


def write(season: Season, file: IO[bytes], *, sees_hidden: bool, report: Report = nobody_asks) -> None:
    """Write the workbook as the reader may see it; `season.club` and `season.rule_set` should be loaded already.

    If a game is entered meanwhile, the sheets would contradict each other, so the workbook is written again.
    """

    def revision() -> int:
        season.refresh_from_db(fields=["revision"])
        return season.revision

    def write_now() -> None:
        at = timezone.now()
        write_book(file, _frame(season, at), _sheets(season, at, sees_hidden, report))

    write_unchanged(file, revision, write_now)


def _frame(season: Season, at: datetime.datetime) -> Frame:
    written = days.long_moment(at, season.club.zone)
    return Frame(
        kind="season",
        title=f"{season.club.name} – {season.name}",
        left=season.club.name,
        centre=season.name,
        right=str(season.rule_set),
        foot=gettext("Written by Umaoka on %(when)s") % {"when": written},
        page=gettext("Page %(page)s of %(pages)s"),
    )


def _sheets(season: Season, at: datetime.datetime, sees_hidden: bool, report: Report) -> Iterator[WorkbookSheet]:
    """Yield the sheets one by one: a sheet may need values that are known only after an earlier one is written."""
    count = hanchans_of(season, uncounted=sees_hidden).count()
    people = People(everybody_in(season), sees_hidden, strangers_in(season) if sees_hidden else ())
    rule_sets = rule_sets_in(season)
    lines = [line for line in standing_lines(season) if line.player_id in people.names]
    adjustments = list(adjustments_of(season))
    checked = count <= check.AT_MOST
    games = Games(season, people, rule_sets, remember=checked)
    yield standings.sheet(season, lines, people)
    yield games.sheet(lambda done: report(done, count))
    yield people.sheet()
    yield penalties.sheet(adjustments, people, season.club.zone)
    yield rules.sheet(rule_sets)
    yield rules.season_sheet(season, {"games": games.written, "players": len(people.listed)}, at)
    if checked:
        last = check.SeasonLastRows(len(lines) + 1, games.written + 1, len(adjustments) + 1)
        yield check.sheet(people, [line.player_id for line in lines], games.played, last)
    report(count, count)
