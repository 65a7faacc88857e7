"""The pages of an import: upload, columns, dry run, confirmation, undoing, and who may use them."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubsite import jobs
from clubsite.models import Job
from ratings.imports import large
from ratings.imports.dry_run import read_dry_run
from ratings.imports.games import GAMES
from ratings.imports.kinds import Choices, ImportKind
from ratings.imports.limits import Limits
from ratings.imports.read import open_file
from ratings.models import Hanchan, ImportBatch, ImportMapping, Player
from ratings.services.players import refresh_search_text
from ratings.services.seasons import touch
from tests.pages import tight
from tests.ratings.files import WIDE, csv, wide, xlsx
from tests.ratings.importing import make_plan
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 4, 20)
RIGHT = [45_200, 31_100, 25_700, 18_000]
ADD = "/admin/ratings/importbatch/add/"


@pytest.fixture(scope="module")
def made_world(shared_rows: None) -> World:
    """Without the clubs' waiting uploads, so that the only file is the one a test sends."""
    world = make_world()
    ImportBatch.objects.all().delete()
    return world


@pytest.fixture
def admin(world: World) -> Client:
    return world.client("admin")


def send(client: Client, world: World, content: bytes, name: str = "old.xlsx") -> Any:
    data = {"target": world.furiten.season.pk, "file": SimpleUploadedFile(name, content)}
    return client.post(ADD, data, follow=True)


def old_file(world: World, *names: str) -> bytes:
    four = [player.native_name for player in world.furiten.players]
    return xlsx(WIDE, wide(DAY, [*names, *four[len(names) :]], RIGHT))


def address() -> str:
    return f"/admin/ratings/importbatch/{ImportBatch.objects.get().pk}/"


def test_a_file_is_shown_before_it_is_imported_and_can_be_taken_back(admin: Client, world: World) -> None:
    page = send(admin, world, old_file(world))
    assert "What “old.xlsx” would do" in page.text
    assert "The leaderboard afterwards" in page.text
    assert Hanchan.objects.filter(season=world.furiten.season).count() == 1

    page = admin.post(f"{address()}change/", {"confirm": "yes"}, follow=True)
    assert "1 game was imported." in page.text
    assert Hanchan.objects.filter(season=world.furiten.season, status="final").count() == 2

    page = admin.post(f"{address()}undo/", follow=True)
    assert "its games are void" in page.text
    assert Hanchan.objects.filter(season=world.furiten.season, status="void").count() == 1


def test_an_unknown_name_is_asked_about_before_anything_can_be_imported(admin: Client, world: World) -> None:
    page = send(admin, world, old_file(world, "Dmitri Sokolov"))
    assert "Who are these?" in page.text
    assert "Import 1 game" not in page.text
    admin.post(f"{address()}change/", {"confirm": "yes"})
    assert Hanchan.objects.filter(season=world.furiten.season).count() == 1

    page = admin.post(f"{address()}change/", {"name_0": world.furiten.player.pk}, follow=True)
    assert "Import 1 game" in page.text
    admin.post(f"{address()}change/", {"confirm": "yes"})

    assert world.furiten.player.seats.count() == 2


def test_a_name_can_be_a_new_guest_or_any_player_who_is_searched(admin: Client, world: World) -> None:
    send(admin, world, old_file(world, "New Guest", "Sombody"))
    other = world.haneman.player

    found = {"name_1": "other", "other_1": other.native_name, "other_id_1": other.pk}
    page = admin.post(f"{address()}change/", {"name_0": "new", **found}, follow=True)
    assert "New guests: New Guest" in tight(page.text)
    admin.post(f"{address()}change/", {"confirm": "yes"})

    assert Player.objects.get(native_name="New Guest").seats.count() == 1
    assert other.seats.count() == 2


def test_the_search_is_that_of_the_entry_page_in_the_club_of_the_import(admin: Client, world: World) -> None:
    page = send(admin, world, old_file(world, "Sombody"))
    assert 'hx-get="/admin/ratings/hanchan/players/?club=furiten&field=other_0"' in page.text

    refresh_search_text(world.furiten.player)
    search = {"club": "furiten", "field": "other_0", "other_0": "sokolov"}
    assert "Дмитрий Соколов" in admin.get("/admin/ratings/hanchan/players/", search).text
    assert admin.get("/admin/ratings/hanchan/players/", search | {"club": "haneman"}).status_code == 404


def test_a_whole_name_is_enough_without_choosing_from_the_list(admin: Client, world: World) -> None:
    refresh_search_text(world.furiten.player)
    send(admin, world, old_file(world, "Sombody"))

    page = admin.post(f"{address()}change/", {"other_0": "Дмитрий Соколов"}, follow=True)

    assert "Import 1 game" in page.text
    assert ImportBatch.objects.get().choices["names"] == {"Sombody": world.furiten.player.pk}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"other_0": "Nemo"}, "No player is called “Nemo”."),
        ({"other_0": "Nemo", "other_id_0": 999_999}, "No player is called “Nemo”."),
        ({"other_0": "Zwilling"}, "Several players are called “Zwilling”."),
        ({"name_0": "other"}, "Type the name of the player"),
        ({"name_0": "12345"}, "Select a valid choice"),
        ({"name_0": "other", "other_0": "Nemo", "other_id_0": "x"}, "No player is called “Nemo”."),
    ],
)
def test_an_answer_that_is_nobody_is_refused_and_what_was_typed_stays(
    admin: Client, world: World, typed: dict[str, Any], sentence: str
) -> None:
    for _twin in range(2):
        refresh_search_text(Player.objects.create(native_name="Zwilling"))
    send(admin, world, old_file(world, "New Guest"))

    page = admin.post(f"{address()}change/", typed)

    assert page.status_code == 422
    assert sentence in page.text
    assert f'value="{typed.get("other_0", "")}"' in tight(page.text)


def test_names_without_a_suggestion_can_all_be_new_at_once(admin: Client, world: World) -> None:
    send(admin, world, old_file(world, "Abcdefg", "Uvwxyz", "Dmitri Sokolov"))

    page = admin.post(f"{address()}change/", {"rest": "on"}, follow=True)

    assert ImportBatch.objects.get().choices["names"] == {"Abcdefg": "new", "Uvwxyz": "new"}
    assert "Dmitri Sokolov" in page.text
    assert "Import 1 game" not in page.text


def test_unknown_headings_lead_to_the_columns_and_are_remembered_for_the_club(admin: Client, world: World) -> None:
    names = [player.native_name for player in world.furiten.players]
    heads = ["Kiedy", "A", "pa", "B", "pb", "C", "pc", "D", "pd"]
    row = ["2026-04-20", *(cell for pair in zip(names, ["45,2", "31,1", "25,7", "18"], strict=True) for cell in pair)]
    page = send(admin, world, csv(heads, row, sign=";"), "stare.csv")
    assert "Columns of “stare.csv”" in page.text

    keys = ["date", *(f"{wind}_{what}" for wind in "eswn" for what in ("player", "points"))]
    columns = {f"column_{index}": key for index, key in enumerate(keys)}
    page = admin.post(f"{address()}mapping/", {"form": "wide", "unit": "thousands", **columns}, follow=True)
    assert "Import 1 game" in page.text
    assert ImportMapping.objects.get().club == world.furiten.club

    page = send(admin, world, csv(heads, row, sign=";"), "nowe.csv")
    assert "What “nowe.csv” would do" in page.text
    assert "Import 1 game" in page.text


def test_columns_that_are_missing_are_named(admin: Client, world: World) -> None:
    send(admin, world, csv(["x", "y"], ["1", "2"]), "x.csv")

    page = admin.post(f"{address()}mapping/", {"form": "wide", "unit": "points", "column_0": "e_player"})

    assert page.status_code == 422
    assert "Select the columns for" in page.text


def test_a_file_without_any_row_is_asked_about_its_columns(admin: Client, world: World) -> None:
    page = send(admin, world, b"\n\n", "empty.csv")

    assert page.status_code == 200
    assert "Columns of “empty.csv”" in page.text


def test_a_wrong_sum_is_told_with_its_place_and_nothing_can_be_confirmed(admin: Client, world: World) -> None:
    four = [player.native_name for player in world.furiten.players]
    page = send(admin, world, xlsx(WIDE, wide(DAY, four, [45_200, 31_100, 25_700, 17_000])))

    assert "<legend>Row 2</legend>" in tight(page.text)
    assert "The points sum to 119\xa0000 instead of 120\xa0000: 1000 are missing." in page.text
    admin.post(f"{address()}change/", {"confirm": "yes"})
    assert Hanchan.objects.filter(season=world.furiten.season).count() == 1


def test_a_file_that_is_no_spreadsheet_is_refused_with_a_sentence(admin: Client, world: World) -> None:
    page = send(admin, world, b"\x89PNG nothing", "old.xlsx")

    assert page.status_code == 422
    assert "is called .xlsx but is not a workbook" in page.text
    assert not ImportBatch.objects.exists()


def test_nobody_imports_into_a_club_of_others(world: World) -> None:
    data = {"target": world.furiten.season.pk, "file": SimpleUploadedFile("old.xlsx", old_file(world))}

    answers = {role: world.client(role).post(ADD, data).status_code for role in ("scorer", "referee", "foreign")}

    assert answers == {"scorer": 404, "referee": 404, "foreign": 422}
    assert not ImportBatch.objects.exists()


# --- large files ------------------------------------------------------------------------------------------


def waiting_job(world: World) -> Job:
    batch = ImportBatch.objects.get()
    return large.start_writing(batch, by=world.users["admin"])


def test_a_large_file_is_imported_by_a_job(admin: Client, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.imports.games.LONG_PLAN", 0)  # a thousand games would only take longer
    send(admin, world, old_file(world))

    answer = admin.post(f"{address()}change/", {"confirm": "yes"})
    work = Job.objects.get()
    assert answer["Location"] == f"/admin/jobs/{work.pk}/"
    jobs.run(work.pk)

    work.refresh_from_db()
    assert (work.state, work.result) == ("done", "1 game was imported.")
    assert ImportBatch.objects.get().state == "done"
    assert Hanchan.objects.filter(season=world.furiten.season).count() == 2


def test_the_job_says_when_it_writes(admin: Client, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    send(admin, world, old_file(world))
    work, told = waiting_job(world), []
    write = ImportKind.write

    def look(*args: Any, **options: Any) -> ImportBatch:
        told.append(admin.get(f"/admin/jobs/{work.pk}/").text)
        return write(*args, **options)

    monkeypatch.setattr(ImportKind, "write", look)
    jobs.run(work.pk)

    assert "<b>Writing…</b>" in told[0]
    assert "Checking and scoring" not in told[0]
    assert not re.search(r"<progress[^>]* value=", told[0])


def test_a_job_whose_file_no_longer_fits_says_so_and_writes_nothing(admin: Client, world: World) -> None:
    send(admin, world, old_file(world))
    work = waiting_job(world)
    Player.objects.filter(pk=world.furiten.player.pk).update(search_text="")

    jobs.run(work.pk)

    work.refresh_from_db()
    assert work.state == "refused"
    assert "Look at the dry run again." in work.result
    assert ImportBatch.objects.get().state == "draft"


def test_only_admins_of_the_club_see_the_job(admin: Client, world: World) -> None:
    send(admin, world, old_file(world))
    work = waiting_job(world)

    seen = {role: jobs.may_see(world.users[role], work) for role in ("scorer", "referee", "admin", "foreign", "owner")}

    assert seen == {"scorer": False, "referee": False, "admin": True, "foreign": False, "owner": True}


# --- dry runs of large files --------------------------------------------------------------------------------


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of two megabytes would only take longer."""
    monkeypatch.setattr("ratings.imports.read.AT_ONCE", Limits(file_bytes=0, unpacked_bytes=0))


def run_newest() -> Job:
    work = Job.objects.latest("pk")
    jobs.run(work.pk)
    work.refresh_from_db()
    return work


@pytest.mark.usefixtures("all_are_large")
def test_a_large_file_is_read_by_a_job_and_then_shown(admin: Client, world: World) -> None:
    page = send(admin, world, old_file(world))
    assert page.redirect_chain[-1][0] == f"/admin/jobs/{Job.objects.get().pk}/"
    unread = admin.get(f"{address()}change/")
    assert "Read the file" in unread.text

    assert run_newest().result == "The file is read. Continue to see what it would do."
    page = admin.get(f"{address()}change/")
    assert "What “old.xlsx” would do" in page.text
    assert "The leaderboard afterwards" in page.text

    answer = admin.post(f"{address()}change/", {"confirm": "yes"})
    assert answer["Location"] == f"/admin/jobs/{Job.objects.latest('pk').pk}/"
    assert run_newest().result == "1 game was imported."
    assert ImportBatch.objects.get().dry_run is None


@pytest.mark.usefixtures("all_are_large")
def test_the_kept_dry_run_says_what_one_made_at_once_says(admin: Client, world: World) -> None:
    send(admin, world, old_file(world))
    run_newest()
    batch = ImportBatch.objects.get()
    book = open_file(bytes(batch.content or b""), batch.file_name)
    at_once = GAMES.summary(make_plan(batch.club, batch.season, book, Choices()))

    assert batch.dry_run is not None
    assert read_dry_run(batch.dry_run["run"]) == at_once
    assert at_once.moves


@pytest.mark.usefixtures("all_are_large")
def test_names_of_a_large_file_are_asked_and_it_is_read_again(admin: Client, world: World) -> None:
    send(admin, world, old_file(world, "Dmitri Sokolov"))
    run_newest()
    assert "Who are these?" in admin.get(f"{address()}change/").text

    answer = admin.post(f"{address()}change/", {"name_0": world.furiten.player.pk})
    assert answer["Location"] == f"/admin/jobs/{Job.objects.latest('pk').pk}/"
    run_newest()

    assert "Import 1 game" in admin.get(f"{address()}change/").text


@pytest.mark.usefixtures("all_are_large")
def test_the_columns_of_a_large_file_are_asked_from_what_the_job_saw(admin: Client, world: World) -> None:
    names = [player.native_name for player in world.furiten.players]
    row = ["2026-04-20", *(cell for pair in zip(names, ["45,2", "31,1", "25,7", "18"], strict=True) for cell in pair)]
    send(admin, world, csv(["Kiedy", "A", "pa", "B", "pb", "C", "pc", "D", "pd"], row, sign=";"), "stare.csv")
    run_newest()
    page = admin.get(f"{address()}change/", follow=True)
    assert "Columns of “stare.csv”" in page.text

    keys = ["date", *(f"{wind}_{what}" for wind in "eswn" for what in ("player", "points"))]
    columns = {f"column_{index}": key for index, key in enumerate(keys)}
    admin.post(f"{address()}mapping/", {"form": "wide", "unit": "thousands", **columns})
    run_newest()

    assert "Import 1 game" in admin.get(f"{address()}change/").text


@pytest.mark.usefixtures("all_are_large")
def test_a_large_file_that_cannot_be_read_says_why(admin: Client, world: World) -> None:
    broken = old_file(world).replace(b"xl/workbook.xml", b"xl/workbook.xmx")
    send(admin, world, broken)
    run_newest()

    assert "it is damaged" in admin.get(f"{address()}change/").text


@pytest.mark.usefixtures("all_are_large")
def test_a_season_that_changed_since_the_reading_is_told(admin: Client, world: World) -> None:
    send(admin, world, old_file(world))
    run_newest()
    touch([world.furiten.season.pk])

    page = admin.get(f"{address()}change/")
    assert "The season has changed since the file was read" in page.text
    admin.post(f"{address()}change/", {"again": "yes"})
    run_newest()

    assert "has changed since" not in admin.get(f"{address()}change/").text


def test_a_season_is_chosen_beforehand_by_its_whole_number(admin: Client, world: World) -> None:
    season = world.furiten.season
    season.pk, season.slug, season.name = 90_125, "later", "Later season"
    season.save(force_insert=True)

    assert 'value="90125" selected' in tight(admin.get(f"{ADD}?into=90125").text)
    assert "selected" not in tight(admin.get(f"{ADD}?into=901").text)
