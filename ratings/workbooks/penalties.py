"""The sheet of results without a game: penalties, bonuses, absences and others, including revoked ones."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, local
from ratings.models import Adjustment
from ratings.workbooks.people import People, person

NUMBER, KIND, POINTS, REVOKED = 0, 2, 3, 8  # columns, from 0


def sheet(adjustments: Sequence[Adjustment], people: People, zone: datetime.tzinfo) -> WorkbookSheet:
    columns = [
        ExportColumn(gettext("No."), Kind.COUNT),
        ExportColumn(gettext("Player"), width=people.width),
        ExportColumn(gettext("Kind"), width=10),
        ExportColumn(gettext("Points"), Kind.RESULT, 9),
        ExportColumn(gettext("Round"), Kind.COUNT),
        ExportColumn(gettext("Reason"), width=44),
        ExportColumn(gettext("Given on"), Kind.DATE),
        ExportColumn(gettext("By"), width=18),
        ExportColumn(gettext("Revoked"), Kind.MOMENT),
        ExportColumn(gettext("Revoked by"), width=18),
        ExportColumn(gettext("Why revoked"), width=40),
    ]
    return WorkbookSheet(
        gettext("Penalties"), columns, _rows(adjustments, people, zone), name="penalties", frozen_columns=2
    )


def _rows(adjustments: Sequence[Adjustment], people: People, zone: datetime.tzinfo) -> Iterator[list[Cell]]:
    for row in adjustments:
        yield [
            people.numbers.get(row.player_id),
            people.names[row.player_id],
            row.kind,
            row.points,
            row.round,
            row.reason,
            row.given_on,
            person(row.by),
            local(row.revoked_at, zone) if row.revoked_at else None,
            person(row.revoked_by),
            row.revoked_reason,
        ]
