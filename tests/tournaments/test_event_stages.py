"""An event file of four stages, its totals carried, halved and reset on the way: every stage stays, and counts."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.tournaments.bad_files import small
from tournaments.models import Stage, Tournament
from tournaments.queries.mers import mers_report

TEAMS = {"Reds": (1, 4, 9), "Blues": (2, 8, 10), "Greens": (5, 7, 11), "Whites": (6, 3, 12)}

Tables = dict[tuple[int, ...], tuple[int, ...]]  # who sat at a table, and their points

# By EMA 2012: points − 30 000, and 30 000, 10 000, −10 000, −30 000 for the places.
GROUPS: Tables = {
    (1, 2, 3, 4): (45_000, 35_000, 25_000, 15_000),  # +45.0 +15.0 −15.0 −45.0
    (5, 6, 7, 8): (50_000, 34_000, 22_000, 14_000),  # +50.0 +14.0 −18.0 −46.0
    (9, 10, 11, 12): (41_000, 33_000, 27_000, 19_000),  # +41.0 +13.0 −13.0 −41.0
}
QUARTER: Tables = {
    (5, 2, 10, 3): (36_000, 33_000, 28_000, 23_000),  # +36.0 +13.0 −12.0 −37.0
    (1, 9, 6, 11): (40_000, 20_500, 34_500, 25_000),  # +40.0 −39.5 +14.5 −15.0
}
SEMI: Tables = {(2, 6, 1, 5): (42_000, 34_000, 24_000, 20_000)}  # +42.0 +14.0 −16.0 −40.0
FINAL: Tables = {(1, 2, 5, 6): (45_000, 35_000, 25_000, 15_000)}  # +45.0 +15.0 −15.0 −45.0

STAGES: list[tuple[str, Tables, dict[str, Any] | None]] = [
    ("Groups", GROUPS, {"top": 8, "totals": "carry"}),
    ("Quarter-final", QUARTER, {"top": 4, "totals": "halve"}),
    ("Semi-final", SEMI, {"top": 4, "totals": "reset"}),
    ("Final", FINAL, None),
]
# Entry and total, best first.
TOTALS = {
    "Groups": [
        *((5, 50_000), (1, 45_000), (9, 41_000), (2, 15_000), (6, 14_000), (10, 13_000)),
        *((11, -13_000), (3, -15_000), (7, -18_000), (12, -41_000), (4, -45_000), (8, -46_000)),
    ],
    # With the totals of the groups, and 1000 off for entry 10.
    "Quarter-final": [
        *((5, 86_000), (1, 85_000), (6, 28_500), (2, 28_000)),
        *((9, 1_500), (10, 0), (11, -28_000), (3, -52_000)),
    ],
    # With half of those: 43 000, 42 500, 14 300 (14 250 to whole hundreds) and 14 000.
    "Semi-final": [(2, 56_000), (6, 28_300), (1, 26_500), (5, 3_000)],
    "Final": [(1, 45_000), (2, 15_000), (5, -15_000), (6, -45_000)],
}
IN_THE_END = [*TOTALS["Final"], *TOTALS["Quarter-final"][4:], *TOTALS["Groups"][8:]]
# Members' results of all stages, carried totals counted once.
# Reds: 114.0 − 45.0 + 1.5; Blues: 85.0 − 46.0 + 0.0; Greens: 31.0 − 18.0 − 28.0; Whites: −2.5 − 52.0 − 41.0.
TEAM_TOTALS = [("Reds", 70_500), ("Blues", 39_000), ("Greens", -15_000), ("Whites", -95_500)]


def four_stages() -> dict[str, Any]:
    data = small()
    teams = {number: team for team, numbers in TEAMS.items() for number in numbers}
    data["entries"] = [
        {**data["entries"][0], "number": n, "native_name": f"Player {n}", "latin_last": str(n), "team": teams[n]}
        for n in range(1, 13)
    ]
    data["stages"] = [_stage(*stage) for stage in STAGES]
    # Stages are counted from 0 in a file.
    data["penalties"] = [{"entry": 10, "stage": 1, "after_round": 1, "points": 1000, "reason": "late"}]
    return data


def _stage(name: str, tables: Tables, cut: dict[str, Any] | None) -> dict[str, Any]:
    sheets = [
        {"seats": [{"entry": e, "points": p} for e, p in zip(who, points, strict=True)], "sticks_left": 0}
        for who, points in tables.items()
    ]
    return {"name": name, "rounds": [{"tables": sheets, "absent": []}], **({"cut": cut} if cut else {})}


def rows(totals: list[tuple[int, int]]) -> list[dict[str, int]]:
    return [{"rank": rank, "entry": entry, "total": total} for rank, (entry, total) in enumerate(totals, 1)]


@pytest.fixture
def standings(tmp_path: Path, db: None) -> Any:
    path, out = tmp_path / "event.json", io.StringIO()
    path.write_text(json.dumps(four_stages()), encoding="utf-8")
    call_command("load_event", str(path), standings=True, stdout=out)
    return json.loads(out.getvalue())


def test_every_stage_is_kept_with_its_totals_and_the_final_ranking_goes_down_through_all(standings: Any) -> None:
    found = {stage["name"]: stage["after"][-1]["rows"] for stage in standings["stages"]}

    assert found == {name: rows(totals) for name, totals in TOTALS.items()}
    assert standings["final"] == rows(IN_THE_END)
    for stage in Stage.objects.all():
        last = stage.history.first()
        assert stage.opened_at
        assert stage.closed_at
        assert (last.opened_at, last.closed_at) == (stage.opened_at, stage.closed_at)


def test_teams_european_ranking_and_export_know_every_stage(standings: Any, client: Client, tmp_path: Path) -> None:
    teams = client.get("/tournaments/small/teams/").context["teams"]
    report = mers_report(Tournament.objects.get())
    call_command("export", "event", "small", "-o", str(tmp_path / "out.json"))

    assert [(team.team, team.total) for team, _members in teams] == TEAM_TOTALS
    assert [(row.entry.number, row.total) for row in report.rows] == IN_THE_END
    assert json.loads((tmp_path / "out.json").read_text()) == four_stages()
