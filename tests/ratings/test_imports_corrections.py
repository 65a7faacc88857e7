"""Rows of a file with a problem are corrected or left out on the page; the file stays as it is."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubsite import jobs
from clubsite.models import Job
from ratings.imports.corrections import Corrections, read_corrections
from ratings.imports.limits import Limits
from ratings.imports.read import open_file
from ratings.imports.sheets import Place
from ratings.models import Hanchan, ImportBatch, Player
from ratings.services.anonymising import anonymise
from tests.pages import tight
from tests.ratings.files import LONG, WIDE, csv, wide, xlsx
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 4, 20)
RIGHT = [45_200, 31_100, 25_700, 18_000]
ADD = "/admin/ratings/importbatch/add/"


@pytest.fixture(scope="module")
def made_world(shared_rows: None) -> World:
    world = make_world()
    ImportBatch.objects.all().delete()
    return world


@pytest.fixture
def admin(world: World) -> Client:
    return world.client("admin")


def send(client: Client, target: object, content: bytes, name: str = "old.xlsx") -> Any:
    return client.post(ADD, {"target": target, "file": SimpleUploadedFile(name, content)}, follow=True)


def address() -> str:
    return f"/admin/ratings/importbatch/{ImportBatch.objects.get().pk}/change/"


def recorded(world: World) -> int:
    return Hanchan.objects.filter(season=world.furiten.season, status="final").count()


def two_games(world: World, *first: object) -> bytes:
    """Two games, the first of them with these points; the second is right."""
    four = [player.native_name for player in world.furiten.players]
    return xlsx(WIDE, wide(DAY, four, first), wide(DAY, four, RIGHT[::-1], game=2))


class TestGames:
    def test_a_cell_is_typed_again_and_counts_for_this_import(self, admin: Client, world: World) -> None:
        page = send(admin, world.furiten.season.pk, two_games(world, 45_200, "many", 25_700, 18_000))
        assert "“many” is text, not a number." in page.text
        assert 'value="many"' in tight(page.text)

        page = admin.post(address(), {"cell_2_6": "31100"}, follow=True)
        assert "1 cell is corrected." in page.text
        assert "Import 2 games" in page.text
        admin.post(address(), {"confirm": "yes"})

        assert recorded(world) == 3

    def test_a_wrong_sum_offers_every_cell_of_the_row(self, admin: Client, world: World) -> None:
        page = tight(send(admin, world.furiten.season.pk, two_games(world, 45_200, 31_100, 25_700, 17_000)).text)

        for name, value in (("cell_2_0", "2026-04-20"), ("cell_2_4", "45200"), ("cell_2_10", "17000")):
            assert f'name="{name}" value="{value}"' in page
        assert "K: N Points" in page

    def test_a_correction_that_is_wrong_too_is_asked_about_again(self, admin: Client, world: World) -> None:
        send(admin, world.furiten.season.pk, two_games(world, 45_200, "many", 25_700, 18_000))

        page = admin.post(address(), {"cell_2_6": "a lot"}, follow=True)

        assert "“a lot” is text, not a number." in page.text
        assert 'value="a lot"' in tight(page.text)

    def test_a_row_is_left_out_and_the_page_says_so(self, admin: Client, world: World) -> None:
        send(admin, world.furiten.season.pk, two_games(world, 45_200, "many", 25_700, 18_000))

        page = tight(admin.post(address(), {"out_2": "on", "cell_2_6": "31100"}, follow=True).text)

        assert "1 row is left out: 2." in page
        assert "<dt>Rows left out</dt><dd>1</dd>" in page
        assert "Import 1 game" in page

    def test_all_rows_with_a_problem_are_left_out_at_once_and_come_back(self, admin: Client, world: World) -> None:
        four = [player.native_name for player in world.furiten.players]
        rows = [wide(DAY, four, [index, *RIGHT[1:]], game=index) for index in range(1, 31)]
        page = send(admin, world.furiten.season.pk, xlsx(WIDE, *rows, wide(DAY, four, RIGHT, game=99)))
        assert "10 more rows with a problem are shown when these are right." in page.text

        page = admin.post(address(), {"rows": "leave_out"}, follow=True)
        assert "30 rows are left out" in page.text
        assert "Import 1 game" in page.text

        page = admin.post(address(), {"rows": "as_in_file"}, follow=True)
        assert "Import 1 game" not in page.text
        assert ImportBatch.objects.get().choices.get("left_out") is None

    def test_names_and_corrections_are_answered_together(self, admin: Client, world: World) -> None:
        four = ["Newcomer", *(player.native_name for player in world.furiten.players[1:])]
        send(admin, world.furiten.season.pk, xlsx(WIDE, wide("someday", four, RIGHT)))
        # The row cannot be read yet, so the name of its player is not asked about before it is right.
        answers = {"cell_2_0": "15.04.26", "name_0": "new"}
        page = admin.post(address(), answers, follow=True)

        assert "Import 1 game" in page.text

    def test_one_row_left_out_takes_the_whole_table_of_the_long_form(self, admin: Client, world: World) -> None:
        names = [player.native_name for player in world.furiten.players]
        tables = [
            ["1", table, name, wind, points, 0]
            for table, some in ((1, [45_200, 31_100, 25_700, 17_000]), (2, RIGHT))
            for name, wind, points in zip(names, "ESWN", some, strict=True)
        ]
        content = csv(["Date", *LONG], *(["2026-04-20", *row] for row in tables))
        page = tight(send(admin, world.furiten.season.pk, content, "long.csv").text)
        assert all(f"<legend>Row {row}</legend>" in page for row in (2, 3, 4, 5))  # a sum is of all four

        page = tight(admin.post(address(), {"out_4": "on"}, follow=True).text)

        assert "4 rows are left out: 2, 3, 4, 5." in page
        assert "Import 1 game" in page

    def test_what_is_typed_is_no_markup_and_not_too_long(self, admin: Client, world: World) -> None:
        send(admin, world.furiten.season.pk, two_games(world, 45_200, "many", 25_700, 18_000))

        page = admin.post(address(), {"cell_2_6": "<script>alert(1)</script>"}, follow=True)
        assert "<script>alert(1)</script>" not in page.text
        page = admin.post(address(), {"cell_2_6": "9" * 600})
        assert page.status_code == 422
        assert "9" * 600 in page.text

    def test_fields_of_rows_that_have_no_problem_change_nothing(self, admin: Client, world: World) -> None:
        send(admin, world.furiten.season.pk, two_games(world, 45_200, "many", 25_700, 18_000))

        admin.post(address(), {"cell_3_4": "1", "out_3": "on", "cell_x": "1"})

        assert ImportBatch.objects.get().choices.keys() & {"cells", "left_out"} == set()

    def test_merged_cells_are_put_right_in_the_file(self, admin: Client, world: World) -> None:
        from io import BytesIO

        from openpyxl import load_workbook

        from tests.ratings.files import saved

        book = load_workbook(BytesIO(two_games(world, 45_200, "many", 25_700, 18_000)))
        book.worksheets[0].merge_cells("A2:A3")
        page = send(admin, world.furiten.season.pk, saved(book))

        assert "Cells are merged." in page.text
        assert "<legend>Row" not in tight(page.text)

    def test_a_large_file_is_read_again_with_the_corrections(
        self, admin: Client, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("ratings.imports.read.AT_ONCE", Limits(file_bytes=0, unpacked_bytes=0))
        send(admin, world.furiten.season.pk, two_games(world, 45_200, "many", 25_700, 18_000))
        jobs.run(Job.objects.latest("pk").pk)
        assert 'value="many"' in tight(admin.get(address()).text)

        admin.post(address(), {"cell_2_6": "31100"})
        jobs.run(Job.objects.latest("pk").pk)

        assert "Import 2 games" in admin.get(address()).text


class TestPlayers:
    def test_a_row_of_a_list_is_corrected_or_left_out(self, admin: Client, world: World) -> None:
        rows = [["Anna Nowak", "Polska"], ["Anna Nowak", "PL"], ["Jan Nowy", "PL"]]
        content = csv(["Name", "Country"], *rows)
        page = send(admin, f"players-{world.furiten.club.pk}", content, "people.csv")
        assert "<legend>Row 2</legend>" in tight(page.text)

        page = tight(admin.post(address(), {"cell_2_1": "PL", "out_3": "on"}, follow=True).text)
        assert "1 row is left out: 3." in page
        admin.post(address(), {"confirm": "yes"})

        assert Player.objects.filter(native_name="Anna Nowak", country="PL").count() == 1
        assert Player.objects.filter(native_name="Jan Nowy").exists()


class TestCorrections:
    def test_they_are_read_back_as_they_were_stored(self) -> None:
        made = Corrections({Place("Games", 2, 6): "31100", Place("Games", 2, 1): ""}, {Place("Games", 9)})

        assert read_corrections(json.loads(json.dumps(made.write()))) == made
        assert Corrections().write() == {}

    def test_they_change_the_rows_of_their_sheet_only(self) -> None:
        book = open_file(csv(["a", "b"], ["1", "2"], ["3", "4"]), "x.csv")
        made = Corrections({Place("x", 2, 3): "new", Place("x", 2, 0): "", Place("y", 3, 0): "no"}, {Place("x", 3)})

        (sheet,) = made.apply(book).sheets

        assert [row.cells for row in sheet.rows()] == [("a", "b"), (None, "2", None, "new"), ("3", "4")]
        assert sheet.left_out == {3}
        assert Corrections().apply(book) is book

    def test_a_typed_name_is_forgotten_with_the_player(self, admin: Client, world: World) -> None:
        four = [player.native_name for player in world.furiten.players]
        send(admin, world.furiten.season.pk, xlsx(WIDE, wide(DAY, ["Kot", "Pies", "Mysz", ""], RIGHT)))
        admin.post(address(), {"cell_2_9": four[0]})
        assert ImportBatch.objects.exists()

        anonymise(Player.objects.get(native_name=four[0]))

        assert not ImportBatch.objects.exists()
