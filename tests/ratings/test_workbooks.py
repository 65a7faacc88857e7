"""The workbook of a season, opened again: what is on which sheet, and who may read what."""

from __future__ import annotations

import datetime
import json
import os
import stat
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from clubsite import generated_files, jobs
from clubsite.export import original
from clubsite.models import Job
from ratings.mahjong import rulesets
from ratings.models import Adjustment, Affiliation, Alias, Player, RuleSet, Season
from ratings.queries.workbooks import adjustments_of
from ratings.services.adjustments import give, revoke
from ratings.services.hanchans import record_hanchan
from ratings.services.seasons import touch
from ratings.workbooks import check, job
from ratings.workbooks import season as book
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet, make_user
from tests.ratings.books import rows_of

pytestmark = pytest.mark.django_db


def read(season: Season, *, sees_hidden: bool = True) -> Any:
    file = BytesIO()
    book.write(season, file, sees_hidden=sees_hidden)
    return load_workbook(file)


@pytest.fixture
def season() -> Season:
    return make_season(make_club(time_zone="Europe/Minsk"), name="Весна & лето", slug="spring")


@pytest.fixture
def players() -> list[Player]:
    return make_players(5)


def test_a_game_stands_with_every_stored_fact(season: Season, players: list[Player]) -> None:
    facts = {"chombo": 1, "late_minutes": 4, "penalty": 1000, "substitute": "mid_game", "played_by": players[4].pk}
    sheet = make_sheet(
        players[:4], 45_000, 35_000, 25_000, 13_000, east=facts, table=3, sticks_left=1,
        override="1000 lost", winds_unknown=True, comment="=HYPERLINK(1)",
    )  # fmt: skip
    record_hanchan(season, sheet)

    workbook = read(season)
    (game,) = rows_of(workbook, "games")
    numbers = {row["Name"]: row["No."] for row in rows_of(workbook, "players")}

    assert len(game) == 64
    assert game["Date"] == datetime.datetime(2026, 4, 16)
    assert game["Time"] == datetime.time(20, 30)  # 17:30 UTC in Minsk
    assert game["Played at (UTC)"] == datetime.datetime(2026, 4, 16, 17, 30)
    assert (game["No."], game["Table"], game["State"]) == (1, 3, "final")
    assert game["Rules"] == f"{season.rule_set.slug}/1"
    east = [game[f"E {head}"] for head in ("Player", "No.", "Played by", "Played by, no.", "Points", "Substitute")]
    dmitry, olga = "Дмитрий Соколов", "Ольга Мельникова"
    assert east == [dmitry, numbers[dmitry], olga, numbers[olga], 45_000, "mid_game"]
    assert [game[f"E {head}"] for head in ("Chombo", "Late", "Penalty")] == [1, 4, 1000]
    assert [game[f"{wind} Place"] for wind in "ESWN"] == [4, 1, 2, 3]
    assert [game[f"{wind} Uma"] for wind in "ESWN"] == [-9, 9, 3, -3]
    assert [game[f"{wind} Result"] for wind in "ESWN"] == [-9, 14, -2, -20]
    assert (game["Sticks left"], game["Reason for a wrong sum"], game["Winds unknown"]) == (1, "1000 lost", "yes")
    assert game["Comment"] == "'=HYPERLINK(1)"
    assert original(game["Comment"]) == "=HYPERLINK(1)"


def test_games_stand_in_order_of_play_with_drafts_for_staff_alone(season: Season, players: list[Player]) -> None:
    day = datetime.timedelta(days=1)
    record_hanchan(season, make_sheet(players[:4], 30_000, 30_000, 30_000, 30_000, at=THURSDAY + day, table=2))
    record_hanchan(season, make_sheet(players[:4], 30_000, 30_000, 30_000, 30_000, at=THURSDAY, table=1))
    record_hanchan(season, make_sheet(players[:4], 1000, 0, 0, 0, at=THURSDAY + 2 * day, table=3), draft=True)

    for_staff, for_strangers = (rows_of(read(season, sees_hidden=sees), "games") for sees in (True, False))

    assert [(row["No."], row["Table"], row["State"]) for row in for_staff] == [
        (1, 1, "final"), (2, 2, "final"), (3, 3, "draft"),
    ]  # fmt: skip
    assert [row["Table"] for row in for_strangers] == [1, 2]
    assert for_staff[2]["E Place"] is None


def test_a_variation_stands_as_json() -> None:
    season = make_season(kind=Season.Kind.SIMPLIFIED)
    sheet = make_sheet(make_players(), 40_000, 30_000, 20_000, 10_000, variation={"start_points": 25_000})
    record_hanchan(season, sheet)

    (game,) = rows_of(read(season), "games")

    assert json.loads(game["Variation"]) == {"start_points": 25_000}


def test_standings_are_those_of_the_leaderboard(season: Season, players: list[Player]) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))
    give(season, players[0], Adjustment.Kind.PENALTY, -30_000, "Late again.", on=THURSDAY.date())
    season.minimum_games = 1
    season.save()

    lines = rows_of(read(season), "standings")

    assert [(line["Rank"], line["Player"], line["Total"]) for line in lines] == [
        (1, "Małgorzata Szczęsna", 8), (2, "Дмитрий Соколов", -6), (3, "佐藤 健", -8), (4, "Thomas Bergmann", -24),
    ]  # fmt: skip
    assert lines[1]["Penalties"] == -30


def test_penalties_stand_with_who_took_them_back(season: Season, players: list[Player]) -> None:
    referee = make_user("referee", season.club, "referee")
    given = give(season, players[0], Adjustment.Kind.PENALTY, -2_500, "-1 tile", on=THURSDAY.date(), by=referee)
    revoke(given, by=referee, reason="A mistake.")

    (row,) = rows_of(read(season), "penalties")

    assert (row["Player"], row["Kind"], row["Points"]) == ("Дмитрий Соколов", "penalty", -2.5)
    assert (original(row["Reason"]), row["By"]) == ("-1 tile", "referee")
    assert row["Given on"] == datetime.datetime(2026, 4, 16)
    assert isinstance(row["Revoked"], datetime.datetime)
    assert (row["Revoked by"], row["Why revoked"]) == ("referee", "A mistake.")


def test_players_stand_with_all_that_an_import_needs(season: Season, players: list[Player]) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))
    facts = {"nickname": "Ken", "ema_number": "01234567", "visibility": "nickname", "remark": "the elder"}
    Player.objects.filter(pk=players[2].pk).update(**facts)
    Alias.objects.create(player=players[2], name="Sato Ken")
    Alias.objects.create(player=players[2], name="Kenny")
    Affiliation.objects.filter(player=players[2], club=season.club).update(kind="regular")

    row = next(row for row in rows_of(read(season), "players") if row["Name"] == "佐藤 健")

    del row["No."]
    assert list(row.values()) == [
        "佐藤 健", "Ken", "Satō", "Ken", "JP", "01234567", "nickname", "regular", "Kenny\nSato Ken", "the elder",
    ]  # fmt: skip


def test_numbers_of_players_do_not_depend_on_the_database(season: Season) -> None:
    late, early = Player.objects.create(native_name="Żaneta"), Player.objects.create(native_name="Anna")
    others = make_players(2)
    record_hanchan(season, make_sheet([late, early, *others], 45_000, 35_000, 25_000, 15_000))

    rows = rows_of(read(season), "players")

    assert [row["Name"] for row in rows] == sorted((row["Name"] for row in rows), key=str.casefold)


def test_rules_stand_in_words_and_can_be_restored(season: Season) -> None:
    rows = rows_of(read(season), "rules")

    uma = next(row for row in rows if row["Parameter"] == "uma")
    assert (uma["In words"], json.loads(uma["Value"])) == ("9 / 3 / −3 / −9", [9000, 3000, -3000, -9000])
    parameters = {row["Parameter"]: row["Value"] for row in rows}
    raw = {name: json.loads(value) if isinstance(value, str) else value for name, value in parameters.items()}
    restored = rulesets.read({name: raw[name] for name in rulesets.PARAMETERS})
    assert restored == season.rule_set.rules
    assert raw["preset"] == "furiten"
    assert rulesets.read_ranges(raw["ranges"]) == season.rule_set.allowed_ranges


def test_the_season_itself_stands_on_a_sheet(season: Season) -> None:
    facts = {row["Parameter"]: row["Value"] for row in rows_of(read(season), "season")}

    assert json.loads(facts["name"]) == "Весна & лето"
    assert json.loads(facts["starts_on"]) == "2026-01-01"
    assert json.loads(facts["rule_set"]) == f"{season.rule_set.slug}/1"
    assert facts["elo_k"] == season.elo_k


def test_strangers_find_no_trace_of_hidden_players(season: Season, players: list[Player]) -> None:
    record_hanchan(
        season,
        make_sheet(
            players[:4], 45_000, 35_000, 25_000, 15_000, east={"substitute": "from_start", "played_by": players[4].pk}
        ),
    )
    give(season, players[1], Adjustment.Kind.PENALTY, -1000, "So.", on=THURSDAY.date())
    Player.objects.filter(pk__in=[players[1].pk, players[4].pk]).update(visibility="hidden")
    Player.objects.filter(pk=players[2].pk).update(visibility="nickname", nickname="Ken", ema_number="01234567")

    workbook = read(season, sees_hidden=False)

    said = {str(cell) for sheet in workbook for row in sheet.iter_rows(values_only=True) for cell in row}
    assert said.isdisjoint({"Małgorzata Szczęsna", "Ольга Мельникова", "佐藤 健", "Satō", "01234567"})
    assert {row["Name"] for row in rows_of(workbook, "players")} == {"Дмитрий Соколов", "Ken", "Thomas Bergmann"}
    (game,) = rows_of(workbook, "games")
    assert (game["S Player"], game["S No."]) == ("Hidden player", None)
    assert (game["E Played by"], game["E Played by, no."]) == ("Hidden player", None)


def test_sheet_titles_are_in_the_readers_language(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = {"Games": "Партии", "Standings": "Таблица"}
    for module in ("games", "standings", "check"):
        monkeypatch.setattr(f"ratings.workbooks.{module}.gettext", lambda text: catalogue.get(text, text))

    workbook = read(season)

    assert workbook.sheetnames[:2] == ["Таблица", "Партии"]
    assert workbook.defined_names["umaoka_games"].attr_text.startswith("'Партии'!")


def test_a_season_too_long_for_formulas_has_no_checks(
    season: Season, players: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))
    assert read(season).sheetnames[-1] == "Check"

    monkeypatch.setattr(check, "AT_MOST", 0)

    assert "Check" not in read(season).sheetnames


def test_an_empty_season_is_a_book_too(season: Season) -> None:
    workbook = read(season)

    assert workbook.sheetnames == ["Standings", "Games", "Players", "Penalties", "Rules", "Season", "Check"]
    assert rows_of(workbook, "games") == []


def test_every_sheet_says_whose_it_is(season: Season) -> None:
    for sheet in read(season):
        assert sheet.oddHeader.left.text == "Furiten"
        assert sheet.oddHeader.center.text.startswith("Весна && лето")
        assert sheet.oddHeader.right.text == f"{season.rule_set.name}, version 1"
        assert "Written by Umaoka on" in sheet.oddFooter.left.text


# --- the shell --------------------------------------------------------------------------------------------


def test_the_shell_writes_a_season(season: Season, tmp_path: Path) -> None:
    target = tmp_path / "season.xlsx"

    call_command("export", "season", "furiten/spring", output=str(target))

    assert load_workbook(target).properties.keywords == "umaoka season 1"
    assert list(tmp_path.iterdir()) == [target]


def test_the_shell_asks_which_of_two_seasons(season: Season, tmp_path: Path) -> None:
    make_season(make_club("Haneman"), slug="spring")

    with pytest.raises(CommandError, match="furiten/spring, haneman/spring"):
        call_command("export", "season", "spring", output=str(tmp_path / "x.xlsx"))
    with pytest.raises(CommandError, match="no season"):
        call_command("export", "season", "autumn", output=str(tmp_path / "x.xlsx"))
    assert list(tmp_path.iterdir()) == []


# --- the page ---------------------------------------------------------------------------------------------


def download(client: Client, season: Season) -> Any:
    return client.get(reverse("ratings:season_workbook", args=[season.club.slug, season.slug]))


def body(answer: Any) -> Any:
    return load_workbook(BytesIO(b"".join(answer.streaming_content)))


def test_the_leaderboard_offers_the_whole_season(season: Season, players: list[Player], client: Client) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))

    page = client.get(season.get_absolute_url()).content.decode()

    assert reverse("ratings:season_workbook", args=[season.club.slug, season.slug]) in page


def test_strangers_and_staff_get_the_book_each_may_see(season: Season, players: list[Player], client: Client) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))
    Player.objects.filter(pk=players[0].pk).update(visibility="hidden")

    answer = download(client, season)
    assert answer["Content-Disposition"].startswith('attachment; filename="furiten-spring-')
    assert "Hidden player" in {row["E Player"] for row in rows_of(body(answer), "games")}

    client.force_login(make_user("scorer", season.club))
    assert {row["E Player"] for row in rows_of(body(download(client, season)), "games")} == {"Дмитрий Соколов"}


def test_hidden_results_are_no_file_for_strangers(season: Season, client: Client) -> None:
    Season.objects.filter(pk=season.pk).update(results_public=False)

    assert download(client, season).status_code == 404


def test_a_large_season_is_written_by_a_job_and_kept(
    season: Season,
    players: list[Player],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    settings: Any,
) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))
    monkeypatch.setattr(job, "LARGE", 0)
    settings.VAR_DIR = tmp_path
    assert "only club staff can create" in download(client, season).content.decode()
    client.force_login(make_user("scorer", season.club))
    assert "Create workbook" in download(client, season).content.decode()

    with translation.override("en"):
        work = Job.objects.create(kind=job.NAME, title="x", params={"season": season.pk}, language="en")
        jobs.run(work.pk)

    work.refresh_from_db()
    assert (work.state, work.done, work.total) == ("done", 1, 1)
    assert len(rows_of(body(download(client, season)), "games")) == 1
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))  # the file is old now
    assert "Create workbook" in download(client, season).content.decode()


def test_a_season_in_which_games_come_in_all_the_time_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    season = make_season()

    def always_late(asked: Season) -> Any:
        touch([asked.pk])
        return adjustments_of(asked)

    monkeypatch.setattr(book, "adjustments_of", always_late)
    page = client.get(f"{season.get_absolute_url()}workbook.xlsx", follow=True)

    assert "Export again in a minute" in page.text


# --- written once -----------------------------------------------------------------------------------------


@pytest.fixture
def writings(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> list[bool]:
    """A list that gets one item for each workbook that is really written: whether it was for staff."""
    settings.VAR_DIR = tmp_path
    done: list[bool] = []

    def counting(season: Season, file: Any, *, sees_hidden: bool, **others: Any) -> None:
        done.append(sees_hidden)
        write(season, file, sees_hidden=sees_hidden, **others)

    write = book.write
    monkeypatch.setattr(book, "write", counting)
    return done


def fetched(client: Client, season: Season) -> bytes:
    answer: Any = download(client, season)
    return b"".join(answer.streaming_content)


def test_a_book_is_written_once_for_all_who_see_the_same(
    season: Season, players: list[Player], client: Client, writings: list[bool], tmp_path: Path
) -> None:
    record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000))

    first, second = (fetched(each, season) for each in (client, Client()))
    assert first == second
    assert writings == [False]
    client.force_login(make_user("scorer", season.club))
    fetched(client, season)
    fetched(client, season)
    assert writings == [False, True]
    client.cookies.load({site_settings.LANGUAGE_COOKIE_NAME: "pl"})
    fetched(client, season)
    assert writings == [False, True, True]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "workbooks").iterdir()}
    assert modes == {0o600}


def test_whatever_changes_in_a_book_makes_a_new_one_and_the_old_one_goes(
    season: Season, players: list[Player], client: Client, writings: list[bool], tmp_path: Path
) -> None:
    client.force_login(make_user("scorer", season.club))
    changes: list[Callable[[], Any]] = [
        lambda: record_hanchan(season, make_sheet(players[:4], 45_000, 35_000, 25_000, 15_000)),
        lambda: Player.objects.filter(pk=players[0].pk).update(ema_number="04270012"),
        lambda: players[0].aliases.create(name="Dima"),
        lambda: players[0].affiliations.update(kind="regular"),
        lambda: RuleSet.objects.filter(pk=season.rule_set_id).update(name="Other rules"),
    ]
    for number, change in enumerate(changes, 1):
        change()
        fetched(client, season)
        assert len(writings) == number
    assert len(list((tmp_path / "workbooks").iterdir())) == 1


def test_kept_files_have_a_limit_on_the_disk(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(generated_files, "MOST_BYTES", 25)
    for number in range(4):
        file = generated_files.folder("workbooks") / f"{number}.xlsx"
        file.write_bytes(b"0123456789")
        os.utime(file, (time.time() - 100 + number,) * 2)

    assert sorted(path.name for path in generated_files.folder("workbooks").iterdir()) == ["2.xlsx", "3.xlsx"]
