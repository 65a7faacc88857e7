"""Files, JSON, workbooks and commands hold game points: 20 is 20 points there, never 20 000."""

from __future__ import annotations

import datetime
import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ratings.imports.columns import Layout, heads_of, recognise
from ratings.imports.game_rows import FORMS, read_games
from ratings.imports.limits import ReadingBudget
from ratings.imports.own_rows import read_own
from ratings.imports.read import open_book
from ratings.mahjong import rulesets
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS, files
from ratings.models import Adjustment, RuleSet, Season
from ratings.services.adjustments import give
from ratings.services.hanchans import record_hanchan
from ratings.workbooks import season as workbook
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet
from tests.ratings.files import WIDE, csv, wide
from tournaments.standings import eventfile

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"
EVENT = Path(__file__).resolve().parents[1] / "tournaments" / "data" / "event.json"
SMALL = {"uma": [20, 10, -10, -20], "chombo_penalty": 20, "substitute_uma": -20}


def small_rules() -> dict[str, Any]:
    return {**rulesets.write(PRESETS["furiten"].rules), **SMALL}


def is_small(rules: rulesets.Rules) -> bool:
    return (list(rules.uma), rules.chombo_penalty, rules.substitute_uma) == ([20, 10, -10, -20], 20, -20)


def test_a_rule_file_holds_points() -> None:
    assert is_small(files.read_file({"name": "Small", "parameters": small_rules()}).rules)
    with pytest.raises(Refused, match="a multiple of 100 from 1000 to 500\N{NO-BREAK SPACE}000"):
        files.read_file({"name": "Small", "parameters": {**small_rules(), "start_points": 30}})


@pytest.mark.django_db
def test_a_rule_file_given_in_the_admin_holds_points(client: Client) -> None:
    client.force_login(User.objects.create_superuser("owner", password="tile-for-tile"))
    text = json.dumps({"name": "Small", "parameters": small_rules()})

    client.post("/admin/ratings/ruleset/add/", {"club": make_club().pk, "name": "", "pasted": text})

    assert is_small(RuleSet.objects.get().rules)


def test_the_score_command_reads_points() -> None:
    seats: list[dict[str, int]] = [{"points": 45_200, "penalty": 200}, {"points": 31_100}]
    seats += [{"points": 25_700}, {"points": 18_000, "chombo": 1}]
    table = {"ruleset": small_rules(), "seats": seats, "sticks_left": 0}

    done = subprocess.run(
        [sys.executable, MANAGE, "score"], input=json.dumps(table), capture_output=True, text=True, check=True
    )

    # 45 200 less 200 is 15 000 above the target, and 20 points of uma round away at hundreds
    assert [seat["total"] for seat in json.loads(done.stdout)["seats"]] == [15_000, 1_100, -4_300, -12_020]


def test_a_sheet_of_games_holds_points() -> None:
    heads = [*WIDE, "E Penalty"]
    row = [*wide("2026-04-16", ["A", "B", "C", "D"], [30_000] * 4), 8]
    sheet = open_book(csv(heads, row), "old.csv", ReadingBudget(time.monotonic)).sheets[0]
    found = recognise(heads_of(next(iter(sheet.rows())).cells), FORMS)
    assert found is not None

    def moment(day: datetime.date, at: datetime.time | None) -> datetime.datetime:
        return datetime.datetime.combine(day, at or datetime.time(12), datetime.UTC)

    games = read_games(sheet, Layout(*found, head_row=1), moment).games

    assert games[0].sheet.seats[0].played.penalty == 8


@pytest.mark.django_db
def test_our_own_workbook_holds_points() -> None:
    season, players = make_season(), make_players()
    record_hanchan(season, make_sheet(players, 45_200, 31_100, 25_700, 18_000, east={"penalty": 500}))
    give(season, players[0], Adjustment.Kind.PENALTY, -500, "late", on=THURSDAY.date())
    file = io.BytesIO()
    workbook.write(Season.objects.select_related("club", "rule_set").get(), file, sees_hidden=True)

    reading = read_own(open_book(file.getvalue(), "spring.xlsx", ReadingBudget(time.monotonic)))

    assert [seat.played.penalty for seat in reading.games[0].sheet.seats] == [500, 0, 0, 0]
    assert [row.points for row in reading.adjustments] == [-500]


def test_an_event_file_holds_points() -> None:
    data = json.loads(EVENT.read_text())
    data["penalties"] = [{"entry": 1, "after_round": 1, "points": 20, "reason": "late"}]

    assert [penalty.points for penalty in eventfile.read(data).penalties] == [20]
