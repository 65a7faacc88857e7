"""The results workbook for the European ranking (RULES §3): nineteen columns, with the federation's own headings.

While anything is missing, it is refused with a list of what is missing. A draft can be written anyway and is marked
as a draft.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from django.utils import timezone

from clubsite.countries import three_letters
from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, fitting
from clubsite.workbooks import write as write_book
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.workbooks.unchanged import write_unchanged
from tournaments.models import Entry, Round, Tournament
from tournaments.queries.lookup import revisions
from tournaments.queries.mers import MersReport, MersRow, kept_totals, mers_report
from tournaments.queries.rounds import rounds_of
from tournaments.workbooks.event import frame_of
from tournaments.workbooks.standings import name_of

_ = gettext_noop

DRAFT = "DRAFT"
RESULTS = "Results"  # the sheet is in the federation's language, not in the reader's


def write(tournament: Tournament, file: IO[bytes], *, draft: bool = False) -> list[Problem]:
    """Write the workbook of one state and return what is missing. Without `draft`, refuse if anything is missing."""
    return write_unchanged(file, lambda: revisions([tournament.pk]), lambda: _write(tournament, file, draft))


def _write(tournament: Tournament, file: IO[bytes], draft: bool) -> list[Problem]:
    report = mers_report(tournament)
    problems = missing(tournament, report)
    if problems and not draft:
        raise Refused(*problems)
    mark = DRAFT if draft else ""
    sheet = WorkbookSheet(
        f"{DRAFT} {RESULTS}" if draft else RESULTS,
        _columns(report),
        _rows(tournament, report),
        name="ema",
        frozen_columns=5,
    )
    write_book(file, frame_of(tournament, "ema", timezone.now(), mark), [sheet])
    return problems


# --- what is missing --------------------------------------------------------------------------------------


def missing(tournament: Tournament, report: MersReport) -> list[Problem]:
    """Everything that prevents the results from being sent; problems of the event itself come first."""
    return [
        *_missing_of_event(tournament, report),
        *_unconfirmed(tournament),
        *(problem for row in report.rows for problem in _missing_of_player(row.entry)),
        *_wrong_totals(tournament, report),
    ]


def _missing_of_event(tournament: Tournament, report: MersReport) -> Iterator[Problem]:
    if not report.rows:
        yield Problem(_("No one is in the final ranking yet."), code="nobody")
    if not tournament.city:
        yield Problem(_("The event has no city. Fill it in among its settings."), code="no_city")
    if not three_letters(tournament.country):
        yield Problem(_("The event has no country. Fill it in among its settings."), code="no_country")


def _unconfirmed(tournament: Tournament) -> Iterator[Problem]:
    for round_ in rounds_of(tournament).exclude(state=Round.State.CONFIRMED):
        params = {"stage": round_.stage.name, "round": round_.number}
        yield Problem(_("%(stage)s, round %(round)s is not confirmed."), params, code="unconfirmed")


def _missing_of_player(entry: Entry) -> Iterator[Problem]:
    params = {"number": entry.number, "name": name_of(entry)}
    if not (entry.player.latin_first and entry.player.latin_last):
        yield Problem(
            _("%(number)s %(name)s: first and last name in Latin letters are missing."), params, code="no_latin_name"
        )
    if not entry.ema_number:
        yield Problem(_("%(number)s %(name)s: the EMA number is missing."), params, code="no_number")
    if not three_letters(entry.country):
        yield Problem(_("%(number)s %(name)s: the country is missing."), params, code="no_player_country")


def _wrong_totals(tournament: Tournament, report: MersReport) -> Iterator[Problem]:
    """Compare the totals of the final table with the sum of games and adjustments in the player's last stage."""
    kept = kept_totals(tournament)
    for row in report.rows:
        added = kept.get((row.stage, row.entry.player_id), 0)
        if added != row.total:
            yield Problem(
                _("%(number)s %(name)s: the total is %(total)s, games and penalties add up to %(sum)s."),
                {"number": row.entry.number, "name": name_of(row.entry), "total": row.total, "sum": added},
                code="wrong_total",
            )


# --- the sheet --------------------------------------------------------------------------------------------


def _columns(report: MersReport) -> list[ExportColumn]:
    players = [row.entry.player for row in report.rows]
    return [
        ExportColumn("Tournament name", width=24),
        ExportColumn("Number of participants", Kind.COUNT, 12),
        ExportColumn("Place", Kind.COUNT),
        ExportColumn("Player's first name", width=fitting((player.latin_first for player in players), least=14)),
        ExportColumn("Player's last name", width=fitting((player.latin_last for player in players), least=14)),
        ExportColumn("EMA number", width=11),
        ExportColumn("Table points", Kind.COUNT, 9),
        ExportColumn("Score", Kind.COUNT, 10),
        ExportColumn("EMA member", width=10),
        ExportColumn("Country", width=9),
        ExportColumn("Date", Kind.DAY),
        ExportColumn("Countrycourt", width=13),
        ExportColumn("city", width=14),
        ExportColumn("mers", Kind.WEIGHT),
        ExportColumn("shortname", width=16),
        ExportColumn("rules", width=8),
        ExportColumn("period", width=24),
        ExportColumn("NbDays", Kind.COUNT, 9),
        ExportColumn("Extra", width=8),
    ]


def _rows(tournament: Tournament, report: MersReport) -> Iterator[list[Cell]]:
    days = [f"{day:%d.%m.%Y}" for day in dict.fromkeys((tournament.starts_on, tournament.ends_on))]
    after: list[Cell] = [
        tournament.ends_on,
        three_letters(tournament.country),
        tournament.city,
        report.weight,
        tournament.slug,
        "Riichi",
        " – ".join(days),
        report.days,
        "NO",
    ]
    for row in report.rows:
        yield [tournament.name, report.players, *_player_cells(row), *after]


def _player_cells(row: MersRow) -> list[Cell]:
    entry = row.entry
    return [
        row.place,
        entry.player.latin_first,
        entry.player.latin_last.upper(),
        entry.ema_number,  # text, because of leading zeros
        1,
        row.total,
        "YES" if entry.ema_number else None,
        three_letters(entry.country),
    ]
