"""LibreOffice opens our workbooks, computes their formulas and finds every check OK; and a wrong number is found."""

from __future__ import annotations

import datetime
import shutil
import subprocess
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from clubsite.workbooks import OK
from ratings.models import Adjustment, Player, Season
from ratings.services.adjustments import give, revoke
from ratings.services.hanchans import record_hanchan
from ratings.workbooks import check as season_check
from ratings.workbooks import season as season_book
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet
from tests.tournaments.hall import Hall
from tournaments.queries.standings import standings_after
from tournaments.services.events import StagePlan
from tournaments.services.rulings import give_penalty
from tournaments.services.stages import open_next_stage
from tournaments.workbooks import check as event_check
from tournaments.workbooks import event as event_book

pytestmark = [pytest.mark.office, pytest.mark.django_db]

Recalculate = Callable[[bytes], Any]


@pytest.fixture
def recalculate(tmp_path: Path) -> Recalculate:
    """The workbook with every formula computed by a LibreOffice that has its own profile."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    assert office, "LibreOffice is missing: install libreoffice-calc"

    def computed(content: bytes) -> Any:
        source = tmp_path / "book.xlsx"
        source.write_bytes(content)
        profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
        command = [
            office,
            profile,
            "--headless",
            "--convert-to",
            "xlsx",
            "--outdir",
            str(tmp_path / "out"),
            str(source),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=240)
        return load_workbook(tmp_path / "out" / "book.xlsx", data_only=True)

    return computed


def written(write: Callable[[BytesIO], object]) -> bytes:
    file = BytesIO()
    write(file)
    return file.getvalue()


def verdicts(book: Any, columns: tuple[int, ...], head_row: int) -> list[Any]:
    """Every verdict of the last sheet; a column that is shorter than its neighbour ends in empty cells."""
    rows = book.worksheets[-1].iter_rows(min_row=head_row + 1, values_only=True)
    return [row[column] for row in rows for column in columns if row[column] is not None]


SEASON_VERDICTS = (*season_check.PLAYER_VERDICTS, *season_check.GAME_VERDICTS)
EVENT_VERDICTS = (*event_check.PLAYER_VERDICTS, *event_check.TABLE_VERDICTS)


def eventful_season(preset: str) -> tuple[Season, list[Player]]:
    """Ties, sticks, lateness, a fine, substitutes, a wrong sum, a draft, penalties, one of them revoked."""
    season = make_season(make_club(time_zone="Europe/Minsk"), preset)
    players = make_players(6)
    start = season.rule_set.rules.start_points
    day = datetime.timedelta(days=1)

    def play(*points: int, table: list[Player] | None = None, **facts: Any) -> None:
        amounts = [start + point for point in points]
        record_hanchan(season, make_sheet(table or players[:4], *amounts, **{"at": THURSDAY, **facts}))

    play(15_000, 5_000, -5_000, -15_000)
    play(4_000, 4_000, -4_000, -4_000, at=THURSDAY + day)
    play(9_000, 9_000, -10_000, -10_000, sticks_left=2, at=THURSDAY + day)
    play(5_000, 4_500, -4_500, -5_000, east={"late_minutes": 3, "penalty": 1000}, at=THURSDAY + 2 * day)
    play(20_000, 0, 0, -20_000, table=players[2:], east={"substitute": "mid_game", "played_by": players[0].pk})
    play(20_000, 0, -100, -19_900, table=players[1:5], east={"substitute": "from_start", "chombo": 1})
    play(1_000, 0, 0, 0, override="A stick was lost under the sofa.")
    record_hanchan(season, make_sheet(players[:4], 1_000, 0, 0, 0, at=THURSDAY), draft=True)
    kinds = Adjustment.Kind
    give(season, players[0], kinds.PENALTY, -2_000, "A tile on the floor.", on=THURSDAY.date())
    give(season, players[1], kinds.BONUS, 1_500, "Helped.", on=THURSDAY.date())
    wrong = give(season, players[1], kinds.PENALTY, -9_000, "A mistake.", on=THURSDAY.date())
    give(season, players[5], kinds.ABSENCE, -30_000, "Ill.", on=THURSDAY.date())
    revoke(wrong, reason="It was somebody else.")
    return season, players


@pytest.mark.parametrize("preset", ["furiten", "ema-2012", "ema-2025", "phoenix", "tenhou"])
def test_every_check_of_a_season_is_ok(preset: str, recalculate: Recalculate) -> None:
    season, players = eventful_season(preset)

    book = recalculate(written(lambda file: season_book.write(season, file, sees_hidden=True)))

    assert book.worksheets[-1]["B1"].value == OK
    assert verdicts(book, SEASON_VERDICTS, season_check.HEAD_ROW) == [OK] * (2 * len(players) + 5 * 7)


def test_a_stranger_checks_hidden_players_together(recalculate: Recalculate) -> None:
    season, players = eventful_season("ema-2012")
    Player.objects.filter(pk__in=[players[1].pk, players[5].pk]).update(visibility=Player.Visibility.HIDDEN)

    book = recalculate(written(lambda file: season_book.write(season, file, sees_hidden=False)))

    assert book.worksheets[-1]["B1"].value == OK
    assert verdicts(book, SEASON_VERDICTS, season_check.HEAD_ROW) == [OK] * (2 * 5 + 5 * 7)


def test_a_changed_number_is_found(recalculate: Recalculate) -> None:
    season, _players = eventful_season("furiten")
    content = written(lambda file: season_book.write(season, file, sees_hidden=True))
    tampered = load_workbook(BytesIO(content))
    games = tampered["Games"]
    games["K2"] = games["K2"].value - 20_000  # East's points
    games["N3"] = games["N3"].value + 1  # East's result of the second game
    file = BytesIO()
    tampered.save(file)

    book = recalculate(file.getvalue())

    found = verdicts(book, SEASON_VERDICTS, season_check.HEAD_ROW)
    assert book.worksheets[-1]["B1"].value != OK
    # The sum and two or more places of the first game; the total of one player.
    assert len([verdict for verdict in found if verdict != OK]) >= 3


def test_every_check_of_an_event_with_a_final_is_ok(recalculate: Recalculate) -> None:
    hall = Hall(8, [StagePlan("Main", 2, top=4, totals="halve"), StagePlan("Final", 1)])
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
    hall.play(2, (1, 5, 2, 6), (3, 7, 4, 8))
    give_penalty(hall.stage(), hall[7], 8_000, "A tile on the floor.", after_round=2)
    open_next_stage(hall.stage())
    finalists = [row.entry for row in standings_after(hall.stage(2)).rows]
    hall.play(1, finalists, stage=2)

    book = recalculate(written(lambda file: event_book.write(hall.tournament, file)))

    assert book.worksheets[-1]["B1"].value == OK
    assert verdicts(book, EVENT_VERDICTS, event_check.HEAD_ROW) == [OK] * (2 * (8 + 4) + 5 * 5)
