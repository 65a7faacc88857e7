"""Files of strangers with many thousand rows: read in openpyxl's read-only mode, planned, and not held twice."""

from __future__ import annotations

import datetime
import io
import itertools

import pytest
from openpyxl import Workbook

from ratings.imports.kinds import Choices
from ratings.imports.read import is_large, open_file
from tests.cast import make_players, make_season
from tests.ratings.files import LONG, WIDE
from tests.ratings.importing import make_plan

pytestmark = pytest.mark.django_db

GAMES = 5_010  # more than have a sheet of checks; in the long form more than 20 000 rows
RIGHT = (45_200, 31_100, 25_700, 18_000)


def streamed(rows: itertools.chain[list[object]]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Games")
    for row in rows:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def day_of(game: int) -> datetime.date:
    return datetime.date(2026, 1, 1) + datetime.timedelta(days=game % 170)


@pytest.mark.parametrize("form", ["wide", "long"])
def test_a_strangers_workbook_of_more_than_five_thousand_games_is_read_to_its_end(form: str) -> None:
    season, players = make_season(), make_players()
    names = [player.native_name for player in players]
    if form == "wide":
        pairs = [cell for pair in zip(names, RIGHT, strict=True) for cell in pair]
        rows: list[list[object]] = [[day_of(game), game, 1, *pairs, 0] for game in range(GAMES)]
        content = streamed(itertools.chain([list(WIDE)], rows))
    else:
        seats = list(zip(names, "ESWN", RIGHT, strict=True))
        rows = [[day_of(game), game, 1, *seat, None] for game in range(GAMES) for seat in seats]
        content = streamed(itertools.chain([["Date", *LONG]], rows))

    book = open_file(content, "old.xlsx")
    plan = make_plan(season.club, season, book, Choices())

    assert is_large(content), "so that a page leaves it to a job"
    assert (len(plan.games), plan.findings.wrong, plan.questions) == (GAMES, [], [])
    assert {seat.played.points for seat in plan.games[-1].ready.sheet.seats} == set(RIGHT)
