"""Plan and write a list of players in one call, for tests."""

from __future__ import annotations

from django.contrib.auth.models import User

from ratings.imports.kinds import Choices
from ratings.imports.players import PLAYERS, PlayersPlan
from ratings.imports.sheets import Book
from ratings.models import Club, ImportBatch


def make_plan(club: Club, book: Book, choices: Choices, *, by: User | None = None) -> PlayersPlan:
    return PLAYERS.plan(ImportBatch(club=club, kind=PLAYERS.key), book, choices, by=by)


def write_plan(plan: PlayersPlan, batch: ImportBatch, *, by: User | None = None) -> ImportBatch:
    return PLAYERS.write(plan, batch, by=by)
