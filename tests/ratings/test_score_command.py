"""`manage.py score` as a script sees it: a real process, standard streams, exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.ratings.examples import EXAMPLES

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"
SEATS = [{"points": 45_200}, {"points": 31_100}, {"points": 25_700}, {"points": 18_000}]
TABLE = {"ruleset": "furiten", "seats": SEATS, "sticks_left": 0}


def run(data: Any, *args: str) -> subprocess.CompletedProcess[str]:
    text = data if isinstance(data, str) else json.dumps(data)
    return subprocess.run(
        [sys.executable, MANAGE, "score", *args], input=text, capture_output=True, text=True, check=False, timeout=60
    )


def refused(data: Any, *args: str) -> str:
    done = run(data, *args)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr.strip()


def test_all_examples_in_one_list_come_back_in_order() -> None:
    done = run([{"ruleset": example["ruleset"], **example["table"]} for example in EXAMPLES])
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    results = json.loads(done.stdout)
    assert [[s["total"] for s in r["seats"]] for r in results] == [e["totals"] for e in EXAMPLES]
    assert [[s["place"] for s in r["seats"]] for r in results] == [e["places"] for e in EXAMPLES]
    assert [r["sum"] for r in results] == [sum(e["totals"]) for e in EXAMPLES]


def test_one_table_gives_one_object_with_every_step() -> None:
    result = json.loads(run(TABLE).stdout)
    assert result == {
        "seats": [
            dict(zip(KEYS, row, strict=True))
            for row in (
                (1, 45_200, 15_200, 0, 9_000, 0, 0, 0, 0, 0, 0, 24_200),
                (2, 31_100, 1_100, 0, 3_000, 0, 0, 0, 0, 0, 0, 4_100),
                (3, 25_700, -4_300, 0, -3_000, 0, 0, 0, 0, 0, 0, -7_300),
                (4, 18_000, -12_000, 0, -9_000, 0, 0, 0, 0, 0, 0, -21_000),
            )
        ],
        "sum": 0,
    }


KEYS = ("place", "net", "base", "sticks", "uma", "oka", "rounding", "balance", "chombo", "late", "penalty", "total")


def test_a_table_may_bring_its_own_rules_and_fractions_are_text(tmp_path: Path) -> None:
    rules = {
        "start_points": 30_000,
        "target_points": 30_000,
        "uma": [10_000, 5_000, -8_000, -7_000],
        "floating_uma": None,
        "ties": "split",
        "leftover_sticks": "lost",
        "rounding_unit": 100,
        "rounding_mode": "half_away",
        "balance": "none",
        "chombo_penalty": 0,
        "late_per_minute": 0,
        "late_max_minutes": None,
        "late_applies": "net",
        "substitute_points": 0,
        "substitute_uma": 0,
    }
    points = (32_000, 32_000, 32_000, 24_000)
    file = tmp_path / "table.json"
    file.write_text(json.dumps({"ruleset": rules, "seats": [{"points": p, "player": "佐藤 健"} for p in points]}))
    east = json.loads(run("", str(file)).stdout)["seats"][0]
    assert (east["uma"], east["rounding"], east["total"]) == ("7000/3", "-100/3", 4_300)
    del rules["uma"]
    assert "Table 1: The rule set has no uma." in refused({"ruleset": rules, "seats": SEATS})


def test_the_tables_own_rule_set_wins_over_the_option() -> None:
    done = run(TABLE, "--ruleset", "basic")
    assert [seat["uma"] for seat in json.loads(done.stdout)["seats"]] == [9_000, 3_000, -3_000, -9_000]
    done = run({"seats": SEATS}, "--ruleset", "basic", "-")
    assert [seat["uma"] for seat in json.loads(done.stdout)["seats"]] == [0, 0, 0, 0]


def test_an_empty_list_gives_an_empty_list() -> None:
    assert run([]).stdout == "[]\n"


def changed(seat: int, **values: Any) -> dict[str, Any]:
    return {**TABLE, "seats": [{**s, **values} if i == seat else s for i, s in enumerate(SEATS)]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"seats": SEATS}, ["Table 1", "names no “ruleset”"]),
        ({**TABLE, "ruleset": "nagoya"}, ["Table 1", "no rule set", "nagoya"]),
        ({**TABLE, "ruleset": 5}, ["Table 1", "“ruleset”"]),
        ({**TABLE, "stick_left": 1}, ["Table 1", "stick_left"]),
        ({**TABLE, "sticks_left": -1}, ["Table 1", "−1"]),
        ({**TABLE, "sticks_left": 1}, ["Table 1", "1000", "too many"]),
        ({**TABLE, "sticks_left": "1"}, ["Table 1", "sticks_left"]),
        ({**TABLE, "override": True}, ["Table 1", "override"]),
        ({**TABLE, "seats": [*SEATS, {"points": 0}]}, ["Table 1", "four seats", "5"]),
        ({**TABLE, "seats": SEATS[:3]}, ["Table 1", "four seats", "3"]),
        ({**TABLE, "seats": "four"}, ["Table 1", "seats"]),
        (changed(1, points="31100"), ["Table 1, South", "points", "whole number"]),
        (changed(1, points=31_100.0), ["Table 1, South", "points", "whole number"]),
        (changed(2, points=True), ["Table 1, West", "points", "whole number"]),
        (changed(2, points=None), ["Table 1, West", "points", "whole number"]),
        (changed(3, points=18_050), ["Table 1, North", "multiple of 100"]),
        (changed(0, chombo=-1), ["Table 1, East", "chombo"]),
        (changed(0, penalty=50), ["Table 1, East", "penalty", "multiple of 100"]),
        (changed(0, late_minutes=-1), ["Table 1, East", "late"]),
        (changed(0, substitute="maybe"), ["Table 1, East", "substitute"]),
        (changed(0, substitute=[]), ["Table 1, East", "substitute"]),
        (changed(0, colour="red\nblue"), ["Table 1, East", "colour"]),
        ({**changed(1, late_minutes=11), "ruleset": "ema-2012"}, ["Table 1, South", "11", "substitute"]),
        (7, ["Table 1", "JSON object"]),
        ("{", ["not JSON"]),
        ('{"seats": NaN}', ["not JSON"]),
    ],
)
def test_bad_input_is_refused_in_one_line_that_says_where(
    data: Any, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = data if isinstance(data, str) else json.dumps(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    with pytest.raises(CommandError) as refusal:
        call_command("score")
    assert refusal.value.returncode == 2
    assert capsys.readouterr().out == ""
    line = str(refusal.value)
    assert "\n" not in line
    for word in words:
        assert word in line


def test_one_bad_table_and_nothing_is_printed_for_any() -> None:
    assert "Table 2, North" in refused([TABLE, changed(3, points=18_050), TABLE])


def test_a_missing_file_is_named() -> None:
    assert "nowhere.json cannot be read" in refused("", "nowhere.json")


def test_an_unknown_option_value_is_named() -> None:
    assert "--ruleset" in refused(TABLE, "--ruleset", "nagoya")


def test_a_wrong_sum_passes_with_a_written_reason() -> None:
    done = run({**changed(3, points=17_000), "override": "one stick lost"})
    assert done.returncode == 0
    assert json.loads(done.stdout)["sum"] == -1_000
