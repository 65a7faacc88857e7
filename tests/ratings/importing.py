"""Short functions for tests that plan, write and undo an import of games."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from ratings.imports.games import GAMES, GamesPlan
from ratings.imports.kinds import Choices, Plan, kind_of
from ratings.imports.own_workbook import WORKBOOK, WorkbookPlan
from ratings.imports.sheets import Book
from ratings.models import Club, ImportBatch, Season


def make_plan(club: Club, season: Season | None, book: Book, choices: Choices, *, by: User | None = None) -> GamesPlan:
    batch = ImportBatch(club=club, season=season)
    plan: GamesPlan = kind_of(batch, book).plan(batch, book, choices, by=by)
    return plan


def write_plan(plan: Plan, batch: ImportBatch, **how: Any) -> ImportBatch:
    """Write a plan of games; our own workbook holds more than games."""
    kind: Any = WORKBOOK if isinstance(plan, WorkbookPlan) else GAMES
    written: ImportBatch = kind.write(plan, batch, **how)
    return written


def undo(batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
    return kind_of(batch).undo(batch, by=by)
