"""The sheet of results without a game: penalties, bonuses, absences and others, including revoked ones."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from clubsite.export import Cell, Column, Kind
from clubsite.workbooks import WorkbookSheet, local
from ratings.models import Adjustment
from ratings.workbooks.people import People, person

NUMBER, KIND, POINTS, REVOKED = 0, 2, 3, 8  # columns, from 0


def sheet(adjustments: Sequence[Adjustment], people: People, zone: datetime.tzinfo) -> WorkbookSheet:
    columns = [
        Column(gettext("No."), Kind.COUNT),
        Column(gettext("Player"), width=people.width),
        Column(gettext("Kind"), width=10),
        Column(gettext("Points"), Kind.RESULT, 9),
        Column(gettext("Round"), Kind.COUNT),
        Column(gettext("Reason"), width=44),
        Column(gettext("Given on"), Kind.DATE),
        Column(gettext("By"), width=18),
        Column(gettext("Revoked"), Kind.MOMENT),
        Column(gettext("Revoked by"), width=18),
        Column(gettext("Why revoked"), width=40),
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
