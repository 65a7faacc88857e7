"""Anonymising a player also covers files: waiting uploads and generated workbooks."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from clubsite import generated_files
from ratings.imports.limits import Limits
from ratings.imports.uploads import store_upload
from ratings.models import Club, ImportBatch, Player
from ratings.services.anonymising import anonymise
from ratings.services.hanchans import record_hanchan
from ratings.workbooks.keeping import write_book
from tests.cast import make_club, make_players, make_season, make_sheet
from tests.ratings.files import WIDE, csv, wide, xlsx

pytestmark = pytest.mark.django_db

RIGHT = [45_200, 31_100, 25_700, 18_000]


def uploaded(club: Club, content: bytes, name: str = "old.xlsx") -> ImportBatch:
    return store_upload(club, None, name, content, by=None)


@pytest.fixture
def dmitry() -> Player:
    return make_players(1)[0]


def left() -> set[str]:
    return set(ImportBatch.objects.values_list("file_name", flat=True))


def test_waiting_files_that_name_the_player_are_dropped_and_others_stay(dmitry: Player) -> None:
    club = make_club()
    uploaded(club, xlsx(WIDE, wide("2026-04-16", ["дмитрий соколов", "B", "C", "D"], RIGHT)), "named.xlsx")
    uploaded(club, csv(["First name", "Last name"], ["Dmitry", "Sokolov"]), "two cells.csv")
    uploaded(club, csv(["Name"], ["Somebody Else"]), "other.csv")

    anonymise(dmitry)

    assert left() == {"other.csv"}


def test_a_waiting_file_too_large_to_look_into_is_dropped_in_doubt(
    dmitry: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploaded(make_club(), csv(["Name"], ["Somebody Else"]), "large.csv")
    monkeypatch.setattr("ratings.imports.read.AT_ONCE", Limits(file_bytes=0, unpacked_bytes=0))

    anonymise(dmitry)

    assert left() == set()


def test_kept_workbooks_of_the_players_seasons_are_removed(
    settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.VAR_DIR = tmp_path
    season, other, players = make_season(), make_season(make_club("Other")), make_players(8)
    record_hanchan(season, make_sheet(players[:4], *RIGHT))
    record_hanchan(other, make_sheet(players[4:], *RIGHT))
    for each in (season, other):
        write_book(each, sees_hidden=True)

    with django_capture_on_commit_callbacks(execute=True):
        anonymise(players[0])

    assert [file.name.split("-")[1] for file in (tmp_path / "workbooks").iterdir()] == [str(other.pk)]


def test_kept_files_are_gone_after_some_days(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    old, new = generated_files.folder("workbooks") / "old.xlsx", generated_files.folder("workbooks") / "new.xlsx"
    for file in (old, new):
        file.write_bytes(b"a book")
    eight_days_ago = time.time() - 8 * 24 * 3600
    os.utime(old, (eight_days_ago, eight_days_ago))

    generated_files.folder("workbooks")

    assert (old.exists(), new.exists()) == (False, True)
