"""The workbooks of an event, opened again; and the European results, refused until nothing is missing."""

from __future__ import annotations

import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from ratings.mahjong.problems import Refused
from ratings.models import Player, Standing
from ratings.services.seasons import touch
from tests.cast import make_user
from tests.ratings.books import rows_of
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Tournament
from tournaments.queries.log import referees_log
from tournaments.queries.standings import standings_after
from tournaments.services.events import StagePlan
from tournaments.services.rounds import unconfirm_round
from tournaments.services.rulings import give_penalty
from tournaments.services.stages import open_next_stage
from tournaments.workbooks import ema, event

pytestmark = pytest.mark.django_db

COLUMNS = [
    "Tournament name", "Number of participants", "Place", "Player's first name", "Player's last name", "EMA number",
    "Table points", "Score", "EMA member", "Country", "Date", "Countrycourt", "city", "mers", "shortname", "rules",
    "period", "NbDays", "Extra",
]  # fmt: skip


def read(tournament: Tournament) -> Any:
    file = BytesIO()
    event.write(tournament, file)
    return load_workbook(file)


def read_ema(tournament: Tournament, *, draft: bool = False) -> Any:
    file = BytesIO()
    ema.write(tournament, file, draft=draft)
    return load_workbook(file)


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """Two rounds and a final of four with halved totals, a penalty, and two teams."""
    hall = Hall(8, [StagePlan("Main", 2, top=4, totals="halve"), StagePlan("Final", 1)], city="Minsk", country="BY")
    for number in range(1, 9):
        Entry.objects.filter(tournament=hall.tournament, number=number).update(team="Odd" if number % 2 else "Even")
    hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
    hall.play(2, (1, 5, 2, 6), (3, 7, 4, 8))
    give_penalty(hall.stage(), hall[7], 8_000, "A tile on the floor.", after_round=2)
    open_next_stage(hall.stage())
    hall.play(1, [row.entry for row in standings_after(hall.stage(2)).rows], stage=2)
    return hall


def complete(hall: Hall) -> None:
    for number in range(1, 9):
        entry = hall[number]
        Entry.objects.filter(pk=entry.pk).update(ema_number=f"0400000{number}", country="PL" if number < 3 else "BY")
        Player.objects.filter(pk=entry.player_id).update(latin_first="Anna", latin_last=f"Żak-{number}")


def test_standings_have_a_column_a_round_and_stage_after_stage(hall: Hall) -> None:
    lines = rows_of(read(hall.tournament), "standings")

    winner = lines[0]
    assert (winner["Rank"], winner["No."], winner["Player"]) == (1, 1, "Дмитрий Соколов")
    # 45 + 45, halved, and 45 in the final.
    assert [winner[head] for head in ("Main R1", "Main R2", "Main Penalties", "Main Stage total")] == [45, 45, 0, 90]
    assert [winner[head] for head in ("Final Carried over", "Final R1", "Final Stage total")] == [45, 45, 90]
    assert winner["Total"] == 90
    seventh = next(line for line in lines if line["No."] == 7)
    assert (seventh["Main Penalties"], seventh["Final R1"]) == (-8, None)
    assert [line["Rank"] for line in lines] == sorted(line["Rank"] for line in lines)


def test_results_have_a_row_a_seat_and_seating_one_a_table(hall: Hall) -> None:
    workbook = read(hall.tournament)
    results, seating = rows_of(workbook, "results"), rows_of(workbook, "seating")

    assert (len(results), len(seating)) == (20, 5)
    first = results[0]
    assert [first[head] for head in ("Stage", "Round", "Table", "Wind", "No.", "Points", "Place", "Result")] == [
        1, 1, 1, "East", 1, 45_000, 1, 45,
    ]  # fmt: skip
    assert [seating[1][f"{wind}, no."] for wind in ("East", "South", "West", "North")] == [5, 6, 7, 8]
    assert seating[0]["State"] == "confirmed"


def test_penalties_teams_entries_and_rules_are_there(hall: Hall) -> None:
    workbook = read(hall.tournament)

    penalty = next(row for row in rows_of(workbook, "rulings") if row["Kind"] == "penalty")
    assert (penalty["No."], penalty["Points, minutes or times"], penalty["Reason"]) == (
        7,
        -8000,
        "A tile on the floor.",
    )
    teams = rows_of(workbook, "teams")
    assert {row["Team"] for row in teams} == {"Odd", "Even"}
    assert [row["Number"] for row in rows_of(workbook, "entries")] == list(range(1, 9))
    assert "ema-2012" in {row["Value"].strip('"') for row in rows_of(workbook, "rules") if row["Parameter"] == "preset"}
    assert workbook.properties.keywords == "umaoka tournament 1"


def test_an_event_without_a_round_is_a_book_too() -> None:
    workbook = read(Hall(4).tournament)

    assert rows_of(workbook, "results") == []
    assert "umaoka_teams" not in workbook.defined_names


# --- for the European ranking -----------------------------------------------------------------------------


def test_the_results_have_the_nineteen_columns(hall: Hall) -> None:
    complete(hall)

    sheet = read_ema(hall.tournament).worksheets[0]

    rows = list(sheet.iter_rows(values_only=True))
    assert list(rows[0]) == COLUMNS
    assert rows[1] == (
        "Open", 8, 1, "Anna", "ŻAK-1", "04000001", 1, 90_000, "YES", "POL", datetime.datetime(2026, 4, 19), "BLR",
        "Minsk", 2, "open", "Riichi", "18.04.2026 – 19.04.2026", 2, "NO",
    )  # fmt: skip
    assert sheet["K2"].number_format == "dd.mm.yyyy"
    assert sheet["F2"].data_type == "s"
    assert len(rows) == 9


def test_everything_that_is_missing_is_listed(hall: Hall) -> None:
    complete(hall)
    Entry.objects.filter(pk=hall[2].pk).update(ema_number="")
    Entry.objects.filter(pk=hall[3].pk).update(country="")
    Player.objects.filter(pk=hall[4].player_id).update(latin_last="")
    Tournament.objects.filter(pk=hall.tournament.pk).update(city="", country="")
    Standing.objects.filter(season=hall.stage(1).season, player=hall[8].player).update(results=1)
    unconfirm_round(hall.round(1, stage=2), reason="A wrong sheet.")
    tournament = Tournament.objects.select_related("club", "rule_set").get()

    with pytest.raises(Refused) as refused:
        read_ema(tournament)

    codes = sorted(problem.code for problem in refused.value.problems)
    assert codes == sorted(
        ["no_city", "no_country", "unconfirmed", "no_number", "no_player_country", "no_latin_name", "wrong_total"]
    )
    said = " ".join(problem.sentence() for problem in refused.value.problems)
    assert "2 Małgorzata Szczęsna: the EMA number is missing." in said
    assert "Final, round 1 is not confirmed." in said


def test_a_draft_says_that_it_is_one(hall: Hall) -> None:
    workbook = read_ema(hall.tournament, draft=True)

    assert workbook.sheetnames == ["DRAFT Results"]
    assert workbook.worksheets[0].oddHeader.center.text.startswith("DRAFT")


def test_the_shell_writes_events_and_results(hall: Hall, tmp_path: Path) -> None:
    call_command("export", "tournament", "open", output=str(tmp_path / "event.xlsx"))
    with pytest.raises(CommandError, match="EMA number is missing"):
        call_command("export", "ema", "open", output=str(tmp_path / "ema.xlsx"))
    assert not (tmp_path / "ema.xlsx").exists()

    call_command("export", "ema", "open", "--draft", output=str(tmp_path / "draft.xlsx"))

    assert load_workbook(tmp_path / "event.xlsx").properties.keywords == "umaoka tournament 1"
    assert load_workbook(tmp_path / "draft.xlsx").sheetnames == ["DRAFT Results"]


# --- pages ------------------------------------------------------------------------------------------------


def test_staff_download_the_event_and_see_what_the_results_lack(hall: Hall, client: Client) -> None:
    client.force_login(make_user("scorer", hall.tournament.club))
    book, results = (reverse(f"tournaments:manage_{name}", args=["open"]) for name in ("workbook", "ema"))
    page = client.get(hall.tournament.get_absolute_url()).content.decode()
    assert book in page
    assert results in page

    answer = client.get(book)
    assert answer["Content-Disposition"].startswith('attachment; filename="open-')
    assert load_workbook(BytesIO(b"".join(answer.streaming_content))).sheetnames[0] == "Standings"  # type: ignore[attr-defined]

    missing = client.get(results).content.decode()
    assert "2 Małgorzata Szczęsna: the EMA number is missing." in missing
    draft = client.get(results, {"draft": "1"})
    assert draft["Content-Disposition"] == 'attachment; filename="open-ema-draft.xlsx"'
    assert load_workbook(BytesIO(b"".join(draft.streaming_content))).sheetnames == ["DRAFT Results"]  # type: ignore[attr-defined]


def test_strangers_are_asked_to_sign_in(hall: Hall, client: Client) -> None:
    page = client.get(hall.tournament.get_absolute_url()).content.decode()

    assert "workbook.xlsx" not in page
    for name in ("workbook", "ema"):
        assert client.get(reverse(f"tournaments:manage_{name}", args=["open"])).status_code == 302


# --- another user writes meanwhile --------------------------------------------------------------------------


def test_a_book_is_written_again_when_a_result_comes_in_meanwhile(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A penalty is given after the standings were read and before the log: both must show the same state."""
    real, late = referees_log, iter([True])

    def log_read_late(tournament: Tournament) -> Any:
        if next(late, False):
            give_penalty(hall.stage(), hall[8], 5_000, "Late.", after_round=2)
        return real(tournament)

    monkeypatch.setattr(event, "referees_log", log_read_late)
    book = read(hall.tournament)

    monkeypatch.setattr(event, "referees_log", real)
    afterwards = read(hall.tournament)
    for title in ("Standings", "Penalties and rulings"):
        assert list(book[title].iter_rows(values_only=True)) == list(afterwards[title].iter_rows(values_only=True))


def test_a_book_that_never_comes_to_rest_is_refused_with_a_sentence(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    real = referees_log

    def always_late(tournament: Tournament) -> Any:
        touch(tournament.stages.values_list("season_id", flat=True))
        return real(tournament)

    monkeypatch.setattr(event, "referees_log", always_late)
    with pytest.raises(Refused, match="Export again in a minute"):
        read(hall.tournament)

    client.force_login(make_user("desk", hall.tournament.club, "admin"))
    page = client.get(reverse("tournaments:manage_workbook", args=["open"]), follow=True)
    assert "Export again in a minute" in page.text
