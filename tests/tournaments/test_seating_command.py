"""`manage.py seating` as an organiser runs it: what it prints, and the one sentence when it cannot."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def seating(*arguments: str) -> str:
    out = StringIO()
    call_command("seating", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def printed(*arguments: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(seating(*arguments, "--format", "json"))
    return loaded


def write(path: Path, content: object) -> str:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        seating(*arguments)
    assert refused.value.returncode == 2
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_json_holds_players_rounds_byes_and_the_certificate() -> None:
    made = printed("--players", "20", "--rounds", "4")
    assert made["players"] == 20
    assert [len(games) for games in made["rounds"]] == [5, 5, 5, 5]
    assert sorted(player for game in made["rounds"][0] for player in game) == list(range(1, 21))
    assert made["byes"] == [[], [], [], []]
    names = {"forbidden", "max_meetings", "excess", "wind_range", "zero_indirect", "min_indirect", "table_repeats"}
    assert names <= set(made["certificate"])
    assert made["certificate"]["excess"] == {"value": 0, "bound": 0, "optimal": True}


def test_the_same_seed_prints_the_same_schedule() -> None:
    assert seating("--players", "24", "--rounds", "5", "--seed", "3") == seating(
        "--players", "24", "--rounds", "5", "--seed", "3"
    )


def test_csv_has_a_row_for_every_table_and_bye() -> None:
    rows = list(csv.DictReader(StringIO(seating("--players", "17", "--rounds", "2", "--byes", "--format", "csv"))))
    assert [row["table"] for row in rows] == ["1", "2", "3", "4", "bye"] * 2
    assert sorted(
        int(row[wind]) for row in rows[:5] for wind in ("east", "south", "west", "north") if row[wind]
    ) == list(range(1, 18))


def test_text_shows_rounds_and_what_cannot_be_better() -> None:
    shown = seating("--players", "16", "--rounds", "5")
    assert shown.count("Round ") == 5
    assert "excess                0  cannot be better" in shown


def test_players_may_be_listed() -> None:
    made = printed("--players", "1-15,47", "--rounds", "3")
    assert made["players"] == 16
    assert {player for game in made["rounds"][0] for player in game} == {*range(1, 16), 47}


def test_substitutes_are_numbered_after_the_players() -> None:
    made = printed("--players", "18", "--rounds", "4", "--substitutes")
    assert made["players"] == 18
    assert {player for game in made["rounds"][0] for player in game} == set(range(1, 21))


def test_teams_and_forbidden_pairs_are_read_from_files(tmp_path: Path) -> None:
    teams = write(tmp_path / "teams.json", [[1, 2, 3, 4], {"round1": True, "players": [5, 6]}])
    forbid = write(tmp_path / "forbid.json", [[7, 8], {"round1": True, "players": [9, 10]}])
    made = printed("--players", "24", "--rounds", "4", "--teams", teams, "--forbid", forbid)
    assert made["certificate"]["forbidden"] == {"value": 0, "bound": 0, "optimal": True}
    for games in made["rounds"]:
        assert all(len({1, 2, 3, 4}.intersection(game)) <= 1 and not {7, 8} <= set(game) for game in games)
    assert not any({5, 6} <= set(game) or {9, 10} <= set(game) for game in made["rounds"][0])


def test_history_is_continued_and_only_new_rounds_are_printed(tmp_path: Path) -> None:
    played = printed("--players", "48", "--rounds", "4")
    for content in (played["rounds"], played):
        history = write(tmp_path / "history.json", content)
        made = printed("--players", "1-44", "--rounds", "3", "--history", history)
        assert len(made["rounds"]) == 3
        assert made["certificate"]["excess"]["value"] == 0


def test_a_club_too_large_is_said_and_kept_apart_as_far_as_possible(tmp_path: Path) -> None:
    teams = write(tmp_path / "teams.json", [list(range(1, 7))])
    errors, out = StringIO(), StringIO()
    arguments = ("--players", "16", "--rounds", "2", "--teams", teams, "--format", "json")
    call_command("seating", *arguments, stdout=out, stderr=errors)
    assert "6 players cannot be kept apart at 4 tables; a group of at most 4 can." in errors.getvalue()
    assert json.loads(out.getvalue())["certificate"]["forbidden"] == {"value": 4, "bound": 4, "optimal": True}


def test_stopping_early_names_the_moves_made() -> None:
    made = printed("--players", "24", "--rounds", "8", "--moves", "100000000", "--byes", "--seconds", "0")
    assert "moves" not in made["certificate"] or made["certificate"]["moves"] < 100_000_000
    crowded = printed("--players", "32", "--rounds", "12", "--moves", "100000000", "--seconds", "0.05")
    assert 0 < crowded["certificate"]["moves"] < 100_000_000


def test_the_process_ends_with_status_2_and_prints_no_schedule() -> None:
    root = Path(__file__).parents[2]
    arguments = [sys.executable, "manage.py", "seating", "--players", "18", "--rounds", "4", "--format", "json"]
    ended = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "18 players do not fill tables of four" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--players", "18", "--rounds", "4"),
            "allow byes (--byes) or substitutes (--substitutes), or play with 16 or 20",
        ),
        (("--players", "3", "--rounds", "4"), "find 1 more"),
        (("--players", "0", "--rounds", "4"), "find 4 more"),
        (("--players", "16", "--rounds", "0"), "ask for at least 1"),
        (("--players", "sixteen", "--rounds", "2"), "“sixteen” is not a list of players"),
        (("--players", "1-8,3", "--rounds", "2"), "Player 3 is listed twice"),
        (("--players", "9-1", "--rounds", "2"), "is not a list of players"),
        (("--players", "18", "--rounds", "2", "--byes", "--substitutes"), "choose one of them"),
        (("--players", "16", "--rounds", "2", "--teams", "/nowhere/teams.json"), "cannot be read"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_status_2(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal(*arguments)


@pytest.mark.parametrize(
    ("option", "content", "sentence"),
    [
        ("--teams", "[[1, 2", "is not JSON: line 1"),
        ("--teams", {"a": 1}, "must hold a list"),
        ("--teams", [[1, "2"]], "entry 1 is not a list of player numbers"),
        ("--teams", [[1, 2], [2, 3]], "Player 2 is in two teams"),
        ("--teams", [[1, 99]], "Player 99 in the teams is not among the players"),
        ("--forbid", [[1, 2], {"round1": "yes", "players": [3, 4]}], "entry 2 is not a pair"),
        ("--forbid", [[5, 5]], "Player 5 is twice"),
        ("--forbid", [[1]], "names one player"),
        ("--forbid", [[1, other] for other in range(2, 16)], "drop at least 2 of the forbidden meetings of player 1"),
        ("--history", [[[1, 2, 3]]], "entry 1 is not a round"),
        ("--history", [[[1, 2, 3, 4], [1, 5, 6, 7]]], "Player 1 sits at two tables in round 1"),
        ("--history", [[[1, 1, 3, 4]]], "Round 1, table 1 of the history"),
    ],
)
def test_a_wrong_file_is_one_sentence_and_status_2(tmp_path: Path, option: str, content: object, sentence: str) -> None:
    path = write(tmp_path / "given.json", content)
    assert sentence in refusal("--players", "16", "--rounds", "2", option, path)
