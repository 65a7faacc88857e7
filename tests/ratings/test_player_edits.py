"""The page on which staff add or change a player: names, aliases, clubs, namesakes, two editors at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from ratings.models import Affiliation, Membership, Player, Season
from ratings.services.players import refresh_search_text
from tests.pages import tight
from tests.world import World
from tournaments.models import Stage

pytestmark = pytest.mark.django_db

ADD = "/admin/ratings/player/add/?club=furiten"
NEW = {"native_name": "Олег Шевчук", "visibility": "full", "kind": "regular"}


@pytest.fixture
def admin(world: World) -> Client:
    for player in world.furiten.players:
        refresh_search_text(player)
    return world.client("admin")


def page(player: Player, name: str = "change") -> str:
    return f"/admin/ratings/player/{player.pk}/{name}/"


def filled(client: Client, player: Player, **changed: Any) -> dict[str, Any]:
    """What the form sends: every field as it is shown, and what the user changes."""
    form: Any = client.get(page(player)).context["form"]
    sent = {name: form[name].value() for name in form.fields if name != "same_name"}
    sent = {name: "\n".join(value) if isinstance(value, list) else value or "" for name, value in sent.items()}
    return sent | {"seen": client.get(page(player)).context["editing"].seen} | changed


def revisions() -> dict[int, int]:
    return dict(Season.objects.values_list("pk", "revision"))


class TestAdding:
    def test_a_player_joins_the_club_of_the_page(self, admin: Client, world: World) -> None:
        answer = admin.post(ADD, NEW | {"aliases": "Oleh\n\n Szewczuk \nOleh", "country": "UA"}, follow=True)

        assert answer.redirect_chain == [("/clubs/furiten/players/", 302)]
        player = Player.objects.get(native_name="Олег Шевчук")
        assert [(row.club, row.kind) for row in player.affiliations.all()] == [(world.furiten.club, "regular")]
        assert [alias.name for alias in player.aliases.order_by("pk")] == ["Oleh", "Szewczuk"]
        assert "szewczuk" in player.search_text

    def test_a_cyrillic_name_gets_its_latin_form_unless_one_is_typed(self, admin: Client) -> None:
        admin.post(ADD, NEW)
        admin.post(ADD, NEW | {"native_name": "Олена Шевчук", "latin_first": "Olena", "latin_last": "Szewczuk"})

        names = {
            player.native_name: player.latin_name for player in Player.objects.filter(native_name__contains="Шевчук")
        }
        assert names["Олена Шевчук"] == "Olena Szewczuk"
        assert names["Олег Шевчук"].endswith("Shevchuk")

    def test_several_in_a_row_keep_the_club(self, admin: Client) -> None:
        answer = admin.post(ADD, NEW | {"again": "1"})

        assert answer.headers["Location"] == ADD

    def test_the_only_club_of_an_admin_is_taken(self, admin: Client) -> None:
        assert admin.post("/admin/ratings/player/add/", NEW).status_code == 302
        assert Player.objects.get(native_name="Олег Шевчук").affiliations.get().club.slug == "furiten"

    def test_nobody_is_added_to_another_club(self, admin: Client) -> None:
        assert admin.post("/admin/ratings/player/add/?club=haneman", NEW).status_code == 404
        assert not Player.objects.filter(native_name="Олег Шевчук").exists()

    def test_a_second_person_of_one_name_is_questioned_once(self, admin: Client, world: World) -> None:
        typed = NEW | {"native_name": world.furiten.player.native_name}
        asked = admin.post(ADD, typed)
        assert asked.status_code == 422
        assert "Your club already has a player called “Дмитрий Соколов”." in asked.text
        assert f"/players/{world.furiten.player.pk}-" in asked.text
        assert 'name="same_name"' in asked.text

        admin.post(ADD, typed | {"same_name": "on", "remark": "from Gdynia"})

        assert Player.objects.get(remark="from Gdynia").native_name == "Дмитрий Соколов"

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"native_name": ""}, "This field is required."),
            ({"native_name": "\u200b"}, "A name needs at least one letter"),
            ({"ema_number": "123"}, "An EMA number has eight digits"),
            ({"aliases": "good\n\u202ebad"}, "“\u202ebad”: A name cannot hold"),
            ({"aliases": "x" * 121}, "at most 120 characters"),
            ({"country": "XX"}, "Select a valid choice"),
            ({"kind": "boss"}, "Select a valid choice"),
        ],
    )
    def test_what_is_wrong_is_said_and_what_was_typed_stays(
        self, admin: Client, typed: dict[str, str], sentence: str
    ) -> None:
        answer = admin.post(ADD, NEW | {"nickname": "Shev"} | typed)

        assert answer.status_code == 422
        assert sentence in answer.text
        assert 'value="Shev"' in tight(answer.text)
        assert not Player.objects.filter(nickname="Shev").exists()


class TestChanging:
    def test_names_aliases_and_the_kind_are_changed(self, admin: Client, world: World) -> None:
        player = world.furiten.player
        player.aliases.create(name="Dima")
        changed = {"nickname": "Сокол", "aliases": "Falconov", f"kind_{world.furiten.club.pk}": "regular"}
        answer = admin.post(page(player), filled(admin, player, **changed))

        player.refresh_from_db()
        assert answer.headers["Location"] == player.get_absolute_url()
        assert (player.nickname, [alias.name for alias in player.aliases.all()]) == ("Сокол", ["Falconov"])
        row = player.affiliations.get()
        assert (row.kind, row.history.latest().history_user) == ("regular", world.users["admin"])
        assert "falconov" in player.search_text

    def test_renaming_outdates_every_season_of_the_player(self, admin: Client, world: World) -> None:
        player, before = world.furiten.player, revisions()
        admin.post(page(player), filled(admin, player, nickname="Dima"))

        here = {world.furiten.season.pk, world.furiten.row(Stage).season_id}  # the league, and the open
        assert revisions() == {season: revision + (season in here) for season, revision in before.items()}

    def test_an_own_name_is_not_questioned_when_nothing_of_it_changes(self, admin: Client, world: World) -> None:
        twin = Player.objects.create(native_name=world.furiten.player.native_name)
        Affiliation.objects.create(player=twin, club=world.furiten.club)
        refresh_search_text(twin)

        assert admin.post(page(twin), filled(admin, twin, nickname="Twin")).status_code == 302

    def test_a_player_joins_another_club_of_the_admin(self, admin: Client, world: World) -> None:
        Membership.objects.create(user=world.users["admin"], club=world.haneman.club, role="admin")
        player, joins = world.furiten.player, world.haneman.club.pk
        admin.post(page(player), filled(admin, player, joins=joins))

        assert {row.club.slug: row.kind for row in player.affiliations.all()} == {
            "furiten": "guest",
            "haneman": "regular",
        }

    def test_clubs_of_others_cannot_be_joined_or_changed(self, admin: Client, world: World) -> None:
        player, foreign = world.furiten.player, world.haneman.club.pk
        Affiliation.objects.create(player=player, club=world.haneman.club)
        admin.post(page(player), filled(admin, player, joins=foreign, **{f"kind_{foreign}": "regular"}))

        assert player.affiliations.get(club=foreign).kind == "guest"

    def test_what_another_admin_stored_meanwhile_is_shown_first(self, admin: Client, world: World) -> None:
        player = world.furiten.player
        first = filled(admin, player, nickname="Mine")
        admin.post(page(player), filled(admin, player, country="PL"))

        answer = admin.post(page(player), first)
        assert answer.status_code == 409
        assert "Your entries are still in the form." in answer.text
        assert 'value="Mine"' in tight(answer.text)
        player.refresh_from_db()
        assert (player.nickname, player.country) == ("", "PL")

        again = first | {"seen": answer.context["editing"].seen}
        assert admin.post(page(player), again).status_code == 302

    def test_an_alias_that_another_admin_added_meanwhile_stays(self, admin: Client, world: World) -> None:
        player = world.furiten.player
        mine = filled(admin, player, aliases="Mine")
        player.aliases.create(name="Theirs")
        admin.post(page(player), mine)

        assert {alias.name for alias in player.aliases.all()} == {"Mine", "Theirs"}

    def test_a_form_that_was_open_when_the_player_became_anonymous_is_refused(
        self, admin: Client, world: World
    ) -> None:
        player = world.furiten.player
        mine = filled(admin, player, nickname="Сокол")
        admin.post(page(player, "anonymise"), {"name": player.native_name})

        assert admin.post(page(player), mine).status_code == 403
        assert Player.objects.get(pk=player.pk).nickname == ""

    def test_a_scorer_reads_and_changes_nothing(self, world: World) -> None:
        scorer, player = world.client("scorer"), world.furiten.player

        assert "Only an admin of Furiten can change this player." in scorer.get(page(player)).text
        assert "<form" not in scorer.get(page(player)).text.partition("<main")[2].partition("</main>")[0]
        assert scorer.post(page(player), NEW).status_code == 403

    def test_the_page_leads_to_everything_else(self, admin: Client, world: World) -> None:
        player = world.furiten.player
        shown = admin.get(page(player)).text

        for name in ("merge", "anonymise", "history", f"leave/{world.furiten.club.pk}"):
            assert f'href="{page(player, name)}"' in shown


def test_the_history_is_told_in_the_time_of_the_club(admin: Client, world: World) -> None:
    world.furiten.club.time_zone = "Asia/Tokyo"
    world.furiten.club.save()
    admin.post(page(world.furiten.player), filled(admin, world.furiten.player, country="PL"))
    shown = admin.get(page(world.furiten.player, "history")).text

    assert "times in Asia/Tokyo" in shown
    assert "<ins>PL</ins>" in tight(shown)
