"""Sheets and digests that the site stored before must be read, and written, for ever (made by release 1)."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ratings.imports.game_rows import FileGame, digest
from ratings.imports.sheets import Place
from ratings.mahjong import gamesheet, scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet

HISTORY: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "history.json").read_text())

PLAIN: Sheet[int] = Sheet(
    datetime.datetime(2026, 4, 16, 19, 5, 30, tzinfo=datetime.UTC),
    datetime.date(2026, 4, 16),
    tuple(
        SeatSheet(player, scoring.Seat(points))
        for player, points in zip((11, 12, 13, 14), (41_000, 28_000, 19_000, 12_000), strict=True)
    ),
)
FULL: Sheet[int] = Sheet(
    datetime.datetime(2026, 4, 17, 1, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=3))),
    datetime.date(2026, 4, 17),
    (
        SeatSheet(11, scoring.Seat(-1500, chombo=2)),
        SeatSheet(12, scoring.Seat(30_000, late_minutes=7)),
        SeatSheet(13, scoring.Seat(45_500, penalty=8000, substitute=scoring.MID_GAME), 15),
        SeatSheet(14, scoring.Seat(25_000, chombo=1, substitute=scoring.FROM_START), 16),
    ),
    sticks_left=1,
    table=7,
    override="Counted twice, a stick was lost",
    winds_unknown=True,
    comment="ночная игра",
    variation={"uma": [15_000, 5000, -5000, -15_000], "oka": 20_000},
)


@pytest.mark.parametrize(("key", "sheet"), [("plain", PLAIN), ("full", FULL)])
def test_the_history_of_a_game_is_written_and_read_as_it_always_was(key: str, sheet: Sheet[int]) -> None:
    assert json.dumps(sheet.write()) == json.dumps(HISTORY[key])
    assert gamesheet.read(HISTORY[key]) == sheet


def test_the_digest_of_an_imported_game_is_what_it_always_was() -> None:
    names = {"Анна": "Анна", "Bob": "Bob", "佐藤": "佐藤", "#4": "Łucja"}
    sheet: Sheet[str] = Sheet(
        datetime.datetime(2026, 4, 16, 16, 30, tzinfo=datetime.UTC),
        datetime.date(2026, 4, 16),
        (
            SeatSheet("Анна", scoring.Seat(41_000, chombo=1)),
            SeatSheet("Bob", scoring.Seat(28_000)),
            SeatSheet("佐藤", scoring.Seat(19_000, penalty=8000)),
            SeatSheet("#4", scoring.Seat(12_000, late_minutes=3, substitute=scoring.MID_GAME), "Bob"),
        ),
        sticks_left=1,
        table=3,
        override="why",
        comment="late",
        variation={"oka": 20_000},
    )
    game = FileGame(Place("s", 2, None), sheet, "19:30:00", "A 7")

    assert digest(game, names) == "b948db6162c98034d9b13fb3f487d3c7020014b164a2bc7febb4cef23a1c8687"
    own = replace(game, time=str(sheet.played_at), state="void")
    assert digest(own, names) == "d6a9afc2b704e601d6e8198e43b2752237e13827e0e8e5c1d988a4a625ea6353"
    assert digest(replace(game, time=""), names) == "500abc5ff23dc4208354508720791575ba2955e6f1c9060eee43641b8c263cb5"
