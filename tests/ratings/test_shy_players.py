"""Of a player who shows only a nickname, or nothing, other clubs see only what visitors see (safety finding 6)."""

from __future__ import annotations

import io
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import load_workbook

from ratings import rights
from ratings.imports.names import Matcher
from ratings.models import Affiliation, Hanchan, ImportBatch, Player
from ratings.queries import people
from ratings.services.hanchans import record_hanchan
from ratings.services.players import refresh_search_text
from ratings.workbooks import season as workbook
from tests.cast import make_sheet
from tests.ratings.files import csv
from tests.world import World, make_world
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

POINTS = (45_200, 31_100, 25_700, 18_000)
SECRETS = ("Kiełb", "Kielb", "Wrona", "Bodzio", "04271111", "04272222")


def regular(world: World, name: str, **facts: str) -> Player:
    """A regular of Haneman; Furiten has never seen them."""
    player = Player.objects.create(native_name=name, **facts)
    player.aliases.create(name="Bodzio")
    Affiliation.objects.create(player=player, club=world.haneman.club, kind="regular")
    refresh_search_text(player)
    return player


@pytest.fixture(scope="module")
def made_world(shared_rows: None) -> World:
    made = make_world()
    for player in (*made.furiten.players, *made.haneman.players):
        refresh_search_text(player)
    return made


@pytest.fixture
def bogdan(world: World) -> Player:
    return regular(
        world, "Bogdan Kiełb", latin_first="Bogdan", latin_last="Kielb", ema_number="04271111", visibility="hidden"
    )


@pytest.fixture
def neko(world: World) -> Player:
    return regular(
        world,
        "Anna Wrona",
        latin_first="Anna",
        latin_last="Wrona",
        nickname="Neko",
        ema_number="04272222",
        visibility="nickname",
    )


@pytest.fixture
def scorer(world: World) -> Client:
    return world.client("scorer")


def suggested(client: Client, typed: str) -> str:
    asked = {"field": "seat0-player", "seat0-player": typed}
    return client.get("/admin/ratings/hanchan/players/", asked).content.decode()


def names_in(page: str) -> list[str]:
    return [part.split('"')[0] for part in page.split('data-name="')[1:]]


def sheet(world: World, name: str, pk: int | str = "", **changed: Any) -> dict[str, Any]:
    """A sheet of Furiten with a player in East, given by name and id."""
    data: dict[str, Any] = {"season": world.furiten.season.pk, "date": "2026-04-16", "time": "20:30"}
    data |= {"submit_key": str(uuid.uuid4()), "action": "save", "seat0-player": name, "seat0-player_id": pk}
    for wind, points in enumerate(POINTS):
        data[f"seat{wind}-points"] = str(points)
        if wind:
            data[f"seat{wind}-player"] = world.furiten.players[wind].native_name
    return data | changed


def tells(page: str) -> list[str]:
    return [secret for secret in SECRETS if secret in page]


class TestSuggestions:
    @pytest.mark.parametrize(
        "typed", ["Kie", "kielb", "bog", "Bodzi", "wron", "anna", "0427", "Кель", "богд", "Врон", "Анн"]
    )
    def test_parts_of_a_name_find_nobody_of_another_club(
        self, scorer: Client, bogdan: Player, neko: Player, typed: str
    ) -> None:
        page = suggested(scorer, typed)

        assert tells(page.replace(typed, "")) == []
        assert f'data-id="{bogdan.pk}"' not in page
        assert f'data-id="{neko.pk}"' not in page

    @pytest.mark.parametrize("typed", ["Bogdan Kiełb", "bogdan kielb", "Kielb Bogdan", "Bodzio", "04271111"])
    def test_whoever_knows_the_whole_name_or_the_number_finds_them_called_as_typed(
        self, scorer: Client, bogdan: Player, typed: str
    ) -> None:
        page = suggested(scorer, typed)

        assert f'data-id="{bogdan.pk}"' in page
        assert set(names_in(page)) == {typed}
        assert tells(page.replace(typed, "")) == []
        assert "Haneman" not in page

    def test_a_nickname_is_found_and_nothing_beside_it(self, scorer: Client, neko: Player) -> None:
        page = suggested(scorer, "nek")

        assert names_in(page)[0] == "Neko"
        assert tells(page) == []

    @pytest.mark.parametrize("role", ["foreign", "owner"])
    def test_the_players_own_club_finds_and_reads_everything(
        self, world: World, bogdan: Player, neko: Player, role: str
    ) -> None:
        found = people.suggest(world.haneman.club, "n", world.users[role], limit=20)

        assert {"Bogdan Kiełb", "Anna Wrona"} <= {player.native_name for player in found}

    def test_players_of_other_clubs_carry_their_clubs_names(self, world: World, scorer: Client) -> None:
        assert "Haneman" in suggested(scorer, world.haneman.player.native_name)
        assert "Furiten" not in suggested(scorer, world.furiten.player.native_name)

    def test_at_an_event_the_same(self, world: World, bogdan: Player, neko: Player) -> None:
        event = world.furiten.row(Tournament)
        address = f"/tournaments/{event.slug}/manage/entries/players/"
        client = world.client("admin")

        assert f'data-id="{bogdan.pk}"' not in client.get(address, {"player": "Kie"}).content.decode()
        assert names_in(client.get(address, {"player": "nek"}).content.decode()) == ["Neko"]


class TestTheSheet:
    def test_a_guessed_number_chooses_no_hidden_player(self, world: World, scorer: Client, bogdan: Player) -> None:
        for name in ("", "Somebody", "Hidden player"):
            answer = scorer.post("/admin/ratings/hanchan/add/", sheet(world, name, bogdan.pk))
            assert answer.status_code == 422
            assert tells(answer.content.decode()) == []
            shown = scorer.post("/admin/ratings/hanchan/preview/", sheet(world, name, bogdan.pk)).content.decode()
            assert tells(shown) == []
        assert not Hanchan.objects.filter(seats__player=bogdan).exists()

    @pytest.mark.parametrize("typed", ["Bogdan Kiełb", "04271111"])
    def test_the_whole_name_or_the_number_chooses_them(
        self, world: World, scorer: Client, bogdan: Player, typed: str
    ) -> None:
        shown = scorer.post("/admin/ratings/hanchan/preview/", sheet(world, typed)).content.decode()
        assert typed in shown
        assert tells(shown.replace(typed, "")) == []

        assert scorer.post("/admin/ratings/hanchan/add/", sheet(world, typed)).status_code == 302
        assert Hanchan.objects.filter(seats__player=bogdan).exists()

    def test_a_nickname_is_all_a_preview_and_a_draft_tell(self, world: World, scorer: Client, neko: Player) -> None:
        shown = scorer.post("/admin/ratings/hanchan/preview/", sheet(world, "Neko", neko.pk)).content.decode()
        assert "Neko" in shown
        assert tells(shown) == []

        scorer.post("/admin/ratings/hanchan/add/", sheet(world, "Neko", neko.pk, action="draft"))
        draft = Hanchan.objects.get(status="draft")
        season = world.furiten.season
        pages = {
            "game": draft.get_absolute_url(),
            "sheet": f"/admin/ratings/hanchan/{draft.pk}/change/",
            "games": f"{season.get_absolute_url()}games/",
            "file": f"{season.get_absolute_url()}games/?export=csv",
        }
        for name, address in pages.items():
            answer = scorer.get(address)
            page = b"".join(answer).decode()
            assert answer.status_code == 200, name
            assert "Neko" in page, name
            assert tells(page) == [], name

    def test_the_workbook_of_a_season_with_such_a_draft_tells_no_more(self, world: World, neko: Player) -> None:
        players = [neko, *world.furiten.players[1:]]
        record_hanchan(world.furiten.season, make_sheet(players, *POINTS), draft=True)
        file = io.BytesIO()
        workbook.write(world.furiten.season, file, sees_hidden=True)
        book = load_workbook(file)

        cells = {str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row}
        assert "Neko" in cells
        assert tells("\n".join(cells)) == []

    def test_a_draft_with_a_hidden_player_is_finished_without_typing_the_name_again(
        self, world: World, scorer: Client, bogdan: Player
    ) -> None:
        players = [bogdan, *world.furiten.players[1:]]
        draft = record_hanchan(world.furiten.season, make_sheet(players, *POINTS), draft=True)
        address = f"/admin/ratings/hanchan/{draft.pk}/change/"
        page = scorer.get(address).content.decode()
        assert tells(page) == []

        data = sheet(world, "Hidden player", bogdan.pk, version=draft.version)
        assert scorer.post(address, data).status_code == 302
        draft.refresh_from_db()
        assert draft.status == "final"
        assert rights.knows_player(world.users["scorer"], bogdan)


@pytest.mark.parametrize("page", ["games", "penalties"])
def test_a_guessed_number_on_a_page_of_the_club_names_nobody(
    world: World, bogdan: Player, neko: Player, page: str
) -> None:
    for player in (bogdan, neko):
        address = f"{world.furiten.season.get_absolute_url()}{page}/?player={player.pk}"
        assert tells(world.client("admin").get(address).content.decode()) == []


class TestEntries:
    def add(self, world: World, **data: Any) -> Any:
        event = world.furiten.row(Tournament)
        return world.client("admin").post(f"/tournaments/{event.slug}/manage/entries/add/", data)

    def test_a_guessed_number_enters_no_hidden_player(self, world: World, bogdan: Player) -> None:
        answer = self.add(world, player="Somebody", player_id=bogdan.pk)

        assert answer.status_code == 422
        assert tells(answer.content.decode()) == []
        assert not Entry.objects.filter(player=bogdan).exists()

    @pytest.mark.parametrize("typed", ["Bogdan Kiełb", "04271111"])
    def test_the_whole_name_or_the_number_enters_them(self, world: World, bogdan: Player, typed: str) -> None:
        assert self.add(world, player=typed).status_code == 302
        assert Entry.objects.get(player=bogdan).ema_number == "04271111"

    def test_several_of_one_name_are_told_apart_by_nothing_hidden(self, world: World, bogdan: Player) -> None:
        Player.objects.create(native_name="Bogdan Kiełb", search_text="\nbogdan kielb")
        page = self.add(world, player="Bogdan Kiełb").content.decode()

        assert "Several players are called" in page
        assert tells(page.replace("Bogdan Kiełb", "")) == []

    def test_a_pasted_list_is_read_back_as_it_was_typed(self, world: World, bogdan: Player, neko: Player) -> None:
        event = world.furiten.row(Tournament)
        client, address = world.client("admin"), f"/tournaments/{event.slug}/manage/entries/paste/"
        text = "Bogdan Kiełb\nNeko\n"
        page = client.post(address, {"text": text}).content.decode()
        assert tells(page.replace("Bogdan Kiełb", "")) == []

        client.post(address, {"text": text, "save": "1"})
        assert set(Entry.objects.filter(tournament=event).values_list("player", flat=True)) >= {bogdan.pk, neko.pk}


class TestImports:
    def test_nobody_of_another_club_is_nearly_the_one(self, world: World, bogdan: Player, neko: Player) -> None:
        mine, theirs = Matcher(world.users["admin"]), Matcher(world.users["foreign"])

        for name, pk in (("Bogdan Kielbb", bogdan.pk), ("Ana Wrona", neko.pk)):
            assert mine.match(name).near == []
            assert theirs.match(name).near == [pk]
            assert Matcher().match(name).near == [pk]
        assert mine.match("Nekoo").near == [neko.pk]
        assert mine.match("Bogdan Kiełb").exact == [bogdan.pk]
        assert mine.match("?", "04271111").exact == [bogdan.pk]

    def test_a_list_with_a_number_alone_tells_no_name(self, world: World, bogdan: Player) -> None:
        page = self.sent(world, csv(["Name", "EMA number"], ["Ivan", "04271111"]))

        assert "known" in page
        assert tells(page.replace("04271111", "")) == []

    def test_the_number_of_a_hidden_player_is_no_answer(self, world: World, bogdan: Player, neko: Player) -> None:
        page = self.sent(world, csv(["Name"], ["Neeko"]))
        assert "Neko · Haneman" in page
        assert tells(page) == []
        client, address = world.client("admin"), f"/admin/ratings/importbatch/{self.batch().pk}/change/"
        guesses: list[dict[str, Any]] = [
            {"name_0": bogdan.pk},
            {"name_0": "other", "other_0": bogdan.pk},
            {"name_0": "other", "other_id_0": bogdan.pk},
            {"name_0": "other", "other_0": "Neeko", "other_id_0": bogdan.pk},
        ]
        for guess in guesses:
            answer = client.post(address, guess)
            assert answer.status_code == 422, guess
            assert not answer.context["form"].chosen()
            assert tells(answer.content.decode()) == []

        nobody = client.post(address, guesses[-1] | {"other_id_0": 10**9})
        told = [page.context["form"].errors["other_0"] for page in (answer, nobody)]
        assert told == [["No player is called “Neeko”. Choose one from the list."]] * 2

    def test_a_name_that_was_settled_is_no_alias_of_another_clubs_player(self, world: World, neko: Player) -> None:
        heads = [f"{wind} {what}" for wind in "ESWN" for what in ("Player", "Points")]
        names = ["Neeko", *(player.native_name for player in world.furiten.players[1:])]
        row = [cell for pair in zip(names, map(str, POINTS), strict=True) for cell in pair]
        page = self.sent(world, csv(["Date", *heads], ["2026-04-16", *row]), into=str(world.furiten.season.pk))
        assert "Who are these?" in page
        client, address = world.client("admin"), f"/admin/ratings/importbatch/{self.batch().pk}/change/"
        shown = client.post(address, {"name_0": neko.pk}, follow=True).content.decode()
        assert tells(shown) == []
        client.post(address, {"confirm": "yes"})

        assert neko.seats.filter(season=world.furiten.season).exists()
        assert [alias.name for alias in neko.aliases.all()] == ["Bodzio"]

    def batch(self) -> ImportBatch:
        return ImportBatch.objects.latest("pk")

    def sent(self, world: World, content: bytes, into: str = "") -> str:
        wanted = {"target": into or f"players-{world.furiten.club.pk}", "file": SimpleUploadedFile("list.csv", content)}
        page: Any = world.client("admin").post("/admin/ratings/importbatch/add/", wanted, follow=True)
        return str(page.content.decode())
