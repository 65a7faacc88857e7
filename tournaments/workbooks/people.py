"""The sheets of entries, of penalties and rulings, and of the schedule's certificate."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, fitting, local
from ratings.workbooks.people import person
from tournaments.models import Entry, Stage
from tournaments.queries.log import LogLine
from tournaments.queries.schedules import certificate_of
from tournaments.templatetags.seating import certificate_lines
from tournaments.workbooks.standings import name_of, names_width

# Columns of the rulings, from 0.
STAGE, ROUND, KIND, NUMBER, AMOUNT, REVOKED = 0, 2, 3, 5, 9, 13


def entries_sheet(entries: Sequence[Entry]) -> WorkbookSheet:
    columns = [
        ExportColumn(gettext("Number"), Kind.COUNT, 9),
        ExportColumn(gettext("Name"), width=names_width(entries)),
        ExportColumn(gettext("First name in Latin letters"), width=fitting(e.player.latin_first for e in entries)),
        ExportColumn(gettext("Last name in Latin letters"), width=fitting(e.player.latin_last for e in entries)),
        ExportColumn(gettext("Country"), width=10),
        ExportColumn(gettext("EMA number"), width=12),
        ExportColumn(gettext("Team"), width=fitting(entry.team for entry in entries)),
        ExportColumn(gettext("State"), width=13),
        ExportColumn(gettext("Substitute"), width=12),
        ExportColumn(gettext("Stays at table"), Kind.COUNT, 8),
        ExportColumn(gettext("Left in stage"), Kind.COUNT, 8),
        ExportColumn(gettext("Left after round"), Kind.COUNT, 9),
        ExportColumn(gettext("Results stay"), width=9),
        ExportColumn(gettext("Reason"), width=40),
    ]
    return WorkbookSheet(gettext("Entries"), columns, _entry_rows(entries), name="entries", frozen_columns=2)


def _entry_rows(entries: Sequence[Entry]) -> Iterator[list[Cell]]:
    for entry in entries:
        player = entry.player
        yield [
            entry.number,
            name_of(entry),
            player.latin_first,
            player.latin_last,
            entry.country,
            entry.ema_number,
            entry.team,
            entry.status,
            entry.substitute_kind,
            entry.stationary_table,
            entry.left_stage.number if entry.left_stage else None,
            entry.left_round,
            ("yes" if entry.keep_results else "no") if entry.has_left else None,
            entry.reason,
        ]


def rulings_sheet(log: Sequence[LogLine], entries: Sequence[Entry], zone: datetime.tzinfo) -> WorkbookSheet:
    columns = [
        ExportColumn(gettext("Stage"), Kind.COUNT),
        ExportColumn(gettext("Name of the stage"), width=18),
        ExportColumn(gettext("Round"), Kind.COUNT),
        ExportColumn(gettext("Kind"), width=14),
        ExportColumn(gettext("What"), width=22),
        ExportColumn(gettext("No."), Kind.COUNT),
        ExportColumn(gettext("Player"), width=names_width(entries)),
        ExportColumn(gettext("Substitute"), width=16),
        ExportColumn(gettext("Table"), Kind.COUNT),
        ExportColumn(gettext("Points, minutes or times"), Kind.POINTS, 13),
        ExportColumn(gettext("Reason"), width=40),
        ExportColumn(gettext("By"), width=18),
        ExportColumn(gettext("When"), Kind.TIME),
        ExportColumn(gettext("Revoked"), width=10),
        ExportColumn(gettext("Why revoked"), width=30),
    ]
    return WorkbookSheet(
        gettext("Penalties and rulings"), columns, _ruling_rows(log, zone), name="rulings", frozen_columns=4
    )


def _ruling_rows(log: Sequence[LogLine], zone: datetime.tzinfo) -> Iterator[list[Cell]]:
    for line in log:
        yield [
            line.stage.number,
            line.stage.name,
            line.round,
            line.kind,
            str(line.label),
            line.entry.number if line.entry else None,
            name_of(line.entry) if line.entry else None,
            name_of(line.substitute) if line.substitute else None,
            line.table,
            line.amount,
            line.reason,
            person(line.by),
            local(line.at, zone) if line.at else None,
            None if line.revoked is None else "yes",
            line.revoked,
        ]


def certificate_sheet(stages: Sequence[Stage]) -> WorkbookSheet:
    columns = [
        ExportColumn(gettext("Stage"), Kind.COUNT),
        ExportColumn(gettext("Name of the stage"), width=18),
        ExportColumn(gettext("Judged independently"), width=34),
        ExportColumn(gettext("Value"), width=9),
        ExportColumn(gettext("In words"), width=56),
        ExportColumn(gettext("Verdict"), width=34),
    ]
    return WorkbookSheet(
        gettext("Certificate"), columns, _certificate_rows(stages), name="certificate", frozen_columns=3
    )


def _certificate_rows(stages: Sequence[Stage]) -> Iterator[list[Cell]]:
    for stage in stages:
        certificate = certificate_of(stage) or {"figures": {}}
        for line in certificate_lines(certificate["figures"]):
            yield [stage.number, stage.name, line.label, line.value, line.sentence, line.verdict]
