"""What imports store must be read, and written, as release 1 did: choices, columns, dry runs, jobs, digests.

The expected values are in data/imports.json. A text in angle brackets there is the id of the row it names.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubsite import jobs
from clubsite.models import Job
from ratings.imports.limits import Limits
from ratings.models import Adjustment, Affiliation, Alias, ImportBatch, ImportedRow, ImportMapping, Player, Season
from ratings.services.adjustments import give
from ratings.services.hanchans import record_hanchan
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet
from tests.ratings.books import exported
from tests.ratings.files import WIDE, csv, wide, xlsx
from tests.tournaments.desk import client_of
from tests.tournaments.hall import Hall
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

STORED: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "imports.json").read_text())
ADD = "/admin/ratings/importbatch/add/"
RIGHT = [45_200, 31_100, 25_700, 18_000]
HEADS = ["A", "pa", "B", "pb", "C", "pc", "D", "pd"]
POLISH = {f"column_{index}": f"{'eswn'[index // 2]}_{('player', 'points')[index % 2]}" for index in range(8)}


def filled(value: Any, ids: dict[str, int]) -> Any:
    """A stored value with the ids of this test's rows."""
    if isinstance(value, dict):
        return {name: filled(each, ids) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, ids) for each in value]
    if not isinstance(value, str):
        return value
    if value[:1] == "<" and value[1:-1] in ids:
        return ids[value[1:-1]]
    for name, number in ids.items():
        value = value.replace(f"<{name}>", str(number))
    return value


def stored(key: str, **ids: int) -> Any:
    return filled(STORED[key], ids)


def assert_stored(key: str, value: Any, **ids: int) -> None:
    assert json.loads(json.dumps(value)) == stored(key, **ids)


@pytest.fixture
def world() -> World:
    world = make_world()
    ImportBatch.objects.all().delete()
    Season.objects.filter(pk=world.furiten.season.pk).update(name="Spring")
    return world


@pytest.fixture
def admin(world: World) -> Client:
    return world.client("admin")


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.imports.read.AT_ONCE", Limits(file_bytes=0, unpacked_bytes=0))


def send(client: Client, target: object, content: bytes, name: str) -> ImportBatch:
    client.post(ADD, {"target": target, "file": SimpleUploadedFile(name, content)})
    return ImportBatch.objects.latest("pk")


def page(batch: ImportBatch, step: str = "change") -> str:
    return f"/admin/ratings/importbatch/{batch.pk}/{step}/"


def mappings() -> list[dict[str, Any]]:
    return [{"heads": row.heads, "layout": row.layout} for row in ImportMapping.objects.order_by("pk")]


def rows_of(batch: ImportBatch) -> list[dict[str, Any]]:
    return [{"digest": row.digest, "made": row.made} for row in batch.rows.order_by("pk")]


def job_facts(job: Job) -> dict[str, Any]:
    names = ("kind", "title", "params", "subject", "back_url")
    return {name: getattr(job, name) for name in names}


def players_by_place(world: World) -> dict[str, int]:
    numbers = (player.pk for player in world.furiten.players)
    return dict(zip(("player", "second", "third", "fourth"), numbers, strict=True))


def games_file(world: World, *names: str) -> bytes:
    four = [player.native_name for player in world.furiten.players]
    return xlsx(WIDE, wide("2026-04-20", [*names, *four[len(names) :]], RIGHT, sticks=0))


def test_choices_about_a_file_of_games(admin: Client, world: World) -> None:
    names = ["Dmitri Sokolov", "Neuling", *(player.native_name for player in world.furiten.players[2:])]
    row = [cell for pair in zip(names, ["45,2", "31,1", "25,7", "18"], strict=True) for cell in pair]
    batch = send(admin, world.furiten.season.pk, csv(HEADS, row, sign=";"), "stare.csv")
    admin.post(page(batch, "mapping"), {"form": "wide", "unit": "thousands", "day": "2026-04-20", **POLISH})
    admin.post(page(batch), {"name_0": world.furiten.player.pk, "name_1": "new"})

    batch.refresh_from_db()
    assert_stored("games choices", batch.choices, player=world.furiten.player.pk)
    assert_stored("games mapping", mappings())


def test_stored_choices_are_read(admin: Client, world: World) -> None:
    names = ["Dmitri Sokolov", "Neuling", *(player.native_name for player in world.furiten.players[2:])]
    row = [cell for pair in zip(names, ["45,2", "31,1", "25,7", "18"], strict=True) for cell in pair]
    batch = send(admin, world.furiten.season.pk, csv(HEADS, row, sign=";"), "stare.csv")
    batch.choices = stored("games choices", player=world.furiten.player.pk)
    batch.save()

    admin.post(page(batch), {"confirm": "yes"})

    batch.refresh_from_db()
    assert (batch.state, batch.games, batch.choices) == ("done", 1, {})
    assert_stored("games rows", rows_of(batch))


def test_columns_that_were_recognised(admin: Client, world: World) -> None:
    names = [player.native_name for player in world.furiten.players]
    seats = [[1, 2, name, wind, points, 0] for name, wind, points in zip(names, "ESWN", RIGHT, strict=True)]
    heads = ["Date", "Runda", "Tisch", "Игрок", "Wind", "点数", "Kary"]
    files = {
        "wide.xlsx": games_file(world),
        "long.csv": csv(heads, *(["2026-04-21", *seat] for seat in seats)),
    }
    for name, content in files.items():
        batch = send(admin, world.furiten.season.pk, content, name)
        admin.post(page(batch), {"confirm": "yes"})
        batch.refresh_from_db()
        assert batch.state == "done"

    assert_stored("recognised mappings", mappings())


def test_choices_about_a_list_of_players_and_what_its_rows_made(admin: Client, world: World) -> None:
    content = csv(
        ["Kto", "Skąd", "EMA", "Как", "Name2"],
        ["Dmitri Sokolow", "BY", "4270001", "regular", "Димон; D."],
        ["Anna Kowalska", "POL", "", "gość", ""],
    )
    batch = send(admin, f"players-{world.furiten.club.pk}", content, "people.csv")
    keys = ("name", "country", "ema_number", "kind", "aliases")
    admin.post(page(batch, "mapping"), {f"column_{index}": key for index, key in enumerate(keys)})
    admin.post(page(batch), {"name_0": world.furiten.player.pk})
    batch.refresh_from_db()
    assert_stored("players choices", batch.choices, player=world.furiten.player.pk)
    assert_stored("players mapping", mappings())

    admin.post(page(batch), {"confirm": "yes"})

    batch.refresh_from_db()
    aliases = list(Alias.objects.filter(player=world.furiten.player).order_by("pk").values_list("pk", flat=True))[-3:]
    known = Affiliation.objects.get(player=world.furiten.player, club=world.furiten.club)
    new = Affiliation.objects.get(player__native_name="Anna Kowalska")
    ids = {f"alias {number}": pk for number, pk in enumerate(aliases, 1)}
    assert (batch.state, batch.people) == ("done", 2)
    assert_stored("players rows", rows_of(batch), known=known.pk, new=new.pk, **ids)


@pytest.mark.usefixtures("all_are_large")
def test_the_dry_run_of_a_large_file_and_its_jobs(admin: Client, world: World) -> None:
    Season.objects.filter(pk=world.furiten.season.pk).update(formula="average")
    batch = send(admin, world.furiten.season.pk, games_file(world, "Dmitri Sokolov", "Neuling"), "old.xlsx")
    season, club, four = Season.objects.get(name="Spring"), world.furiten.club, world.furiten.players
    ids = {"batch": batch.pk, "revision": season.revision, **players_by_place(world)}
    work = Job.objects.get()
    assert work.scope == str(club.pk)
    assert_stored("dry run job", job_facts(work), **ids)
    jobs.run(work.pk)
    batch.refresh_from_db()
    assert_stored("dry run with questions", batch.dry_run, **ids)

    admin.post(page(batch), {"name_0": four[0].pk, "name_1": "new"})
    jobs.run(Job.objects.latest("pk").pk)
    batch.refresh_from_db()
    assert_stored("dry run", batch.dry_run, **ids)

    admin.post(page(batch), {"confirm": "yes"})
    work = Job.objects.latest("pk")
    assert_stored("import job", job_facts(work), **ids)
    jobs.run(work.pk)
    work.refresh_from_db()
    assert (work.state, work.result) == ("done", "1 game was imported.")


@pytest.mark.usefixtures("all_are_large")
def test_a_stored_dry_run_is_shown(admin: Client, world: World) -> None:
    batch = send(admin, world.furiten.season.pk, games_file(world), "old.xlsx")
    season = Season.objects.get(name="Spring")
    batch.dry_run = stored("dry run", **players_by_place(world), revision=season.revision)
    batch.save()

    shown = admin.get(page(batch)).text

    assert "The leaderboard afterwards" in shown
    assert "Import 1 game" in shown
    assert "Neuling" in shown
    assert "The season has changed" not in shown


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize("key", ["refused dry run", "dry run of unknown columns"])
def test_what_is_kept_of_a_large_file_that_cannot_be_read(admin: Client, world: World, key: str) -> None:
    damaged = games_file(world).replace(b"xl/workbook.xml", b"xl/workbook.xmx")
    name, content = ("old.xlsx", damaged) if key == "refused dry run" else ("x.csv", csv(["x", "y"], ["1", "2"]))
    batch = send(admin, world.furiten.season.pk, content, name)

    jobs.run(Job.objects.get().pk)

    batch.refresh_from_db()
    assert_stored(key, batch.dry_run)


def test_what_the_rows_of_our_own_workbook_are_known_by(admin: Client, world: World) -> None:
    season, players = make_season(make_club("Kept"), slug="kept"), make_players(4)
    record_hanchan(season, make_sheet(players, *RIGHT, table=3))
    give(season, players[0], Adjustment.Kind.PENALTY, -8_000, "late", on=THURSDAY.date(), round_number=2)
    content = exported(season)
    Player.objects.filter(pk__in=[player.pk for player in players]).update(search_text="", native_name="gone")
    batch = send(admin, f"new-{world.furiten.club.pk}", content, "kept.xlsx")

    admin.post(page(batch), {"confirm": "yes"})

    batch.refresh_from_db()
    assert (batch.state, batch.games, batch.adjustments) == ("done", 1, 1)
    assert_stored("workbook rows", rows_of(batch))
    assert ImportedRow.objects.filter(batch=batch, hanchan=None).count() == 1


def test_choices_about_a_list_of_entries_and_what_its_rows_made() -> None:
    hall, (dmitry, *_others) = Hall(0), make_players(1)
    desk = client_of(hall.tournament.club)
    content = csv(["Kto", "Klub", "#", "Jak"], ["Dmitri Sokolow", "Minsk", 7, ""], ["Anna", "Łódź", "", "rezerwowy"])
    address = "/tournaments/open/manage/entries/import/"
    desk.post(address, {"file": SimpleUploadedFile("entries.csv", content)})
    batch = ImportBatch.objects.get()
    here = f"{address}{batch.pk}/"
    assert_stored("entries batch", {"kind": batch.kind, "into": batch.into}, event=hall.tournament.pk)
    keys = ("name", "team", "number", "status")
    desk.post(f"{here}mapping/", {f"column_{index}": key for index, key in enumerate(keys)})
    desk.post(here, {"name_0": dmitry.pk})
    batch.refresh_from_db()
    assert_stored("entries choices", batch.choices, player=dmitry.pk)
    assert_stored("entries mapping", mappings())

    desk.post(here, {"confirm": "yes"})

    batch.refresh_from_db()
    assert (batch.state, batch.people) == ("done", 2)
    ids = {entry.player.native_name: entry.pk for entry in hall.tournament.entries.select_related("player")}
    assert_stored("entries rows", rows_of(batch), known=ids[dmitry.native_name], new=ids["Anna"])
