"""Merging, undoing and anonymising on pages for staff: the page asks first, then does it; and who may do it."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import Adjustment, Affiliation, Club, Membership, Player, PlayerMerge
from ratings.services.hanchans import record_hanchan
from ratings.services.merging import merge_players
from ratings.services.players import refresh_search_text
from tests.cast import THURSDAY, make_sheet, make_user
from tests.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def double(world: World) -> Player:
    """A second row of Dmitry, made by a user who did not find the first."""
    player = Player.objects.create(native_name="Dima Sokolov")
    Affiliation.objects.create(player=player, club=world.furiten.club)
    refresh_search_text(player)
    return player


def page(player: Player, name: str) -> str:
    return f"/admin/ratings/player/{player.pk}/{name}/"


class TestMerging:
    def test_the_other_row_is_searched_among_the_clubs_own_players(self, world: World, double: Player) -> None:
        for player in [*world.furiten.players, *world.haneman.players]:
            refresh_search_text(player)
        client = world.client("admin")

        assert list(client.get(page(double, "merge"), {"q": "sokolov"}).context["candidates"]) == [world.furiten.player]
        assert list(client.get(page(double, "merge"), {"q": "melnikova"}).context["candidates"]) == []
        assert "No other player" in client.get(page(double, "merge"), {"q": "melnikova"}).content.decode()

    def test_what_would_move_is_shown_and_nothing_moves_yet(self, world: World, double: Player) -> None:
        dmitry = world.furiten.player
        shown = world.client("admin").get(page(dmitry, "merge"), {"into": double.pk}).content.decode()

        assert "1 game" in shown
        assert "1 penalty or adjustment" in shown
        assert "the name “Дмитрий Соколов”, as an alias" in shown
        assert Player.objects.get(pk=dmitry.pk).merged_into is None

    def test_a_confirmed_merge_is_done_by_whoever_confirmed_it(self, world: World, double: Player) -> None:
        answer = world.client("admin").post(page(double, "merge"), {"into": world.furiten.player.pk})

        assert answer.headers["Location"] == page(world.furiten.player, "change")
        merge = PlayerMerge.objects.get()
        assert (merge.merged, merge.survivor, merge.by) == (double, world.furiten.player, world.users["admin"])

    def test_games_at_which_both_sat_are_linked(self, world: World) -> None:
        one, other = world.furiten.players[:2]
        client = world.client("admin")
        shown = client.get(page(one, "merge"), {"into": other.pk}).content.decode()

        assert f'<a href="{world.furiten.hanchan.get_absolute_url()}">' in shown
        assert "16 Apr 2026" in shown
        client.post(page(one, "merge"), {"into": other.pk})
        assert not PlayerMerge.objects.exists()

    def test_a_regular_of_another_club_too_needs_an_admin_of_both(self, world: World, double: Player) -> None:
        double.affiliations.update(kind="regular")
        Affiliation.objects.create(player=double, club=world.haneman.club, kind="regular")
        admin = world.client("admin")

        assert admin.get(page(double, "merge")).status_code == 403
        refused = admin.post(page(world.furiten.player, "merge"), {"into": double.pk}, follow=True)
        assert "Only an admin of every club where the two players are regulars" in refused.content.decode()
        assert not PlayerMerge.objects.exists()

        both = make_user("both", world.furiten.club, "admin")
        Membership.objects.create(user=both, club=world.haneman.club, role="admin")
        client = Client()
        client.force_login(both)
        assert client.post(page(double, "merge"), {"into": world.furiten.player.pk}).status_code == 302
        assert PlayerMerge.objects.exists()

    @pytest.mark.parametrize("into", ["999999", "abc", "1 OR 1=1"])
    def test_a_player_that_is_not_there_is_not_found(self, world: World, double: Player, into: str) -> None:
        assert world.client("owner").get(page(double, "merge"), {"into": into}).status_code == 404

    def test_a_merge_is_undone_from_the_survivors_page(self, world: World, double: Player) -> None:
        dmitry = world.furiten.player
        merge = merge_players(double, dmitry)
        client = world.client("admin")

        assert client.get(page(double, "change")).status_code == 404
        assert f"/unmerge/{merge.pk}/" in client.get(page(dmitry, "merge")).content.decode()
        assert client.get(page(dmitry, f"unmerge/{merge.pk}")).status_code == 200
        answer = client.post(page(dmitry, f"unmerge/{merge.pk}"))
        assert answer.headers["Location"] == page(double, "change")
        assert Player.objects.get(pk=double.pk).merged_into is None

    def test_a_merge_of_other_players_is_not_undone_from_here(self, world: World, double: Player) -> None:
        merge = merge_players(double, world.furiten.player)

        assert world.client("owner").post(page(world.haneman.player, f"unmerge/{merge.pk}")).status_code == 404


class TestAnonymising:
    def test_the_name_is_to_be_typed_first(self, world: World) -> None:
        dmitry = world.furiten.player
        answer = world.client("admin").post(page(dmitry, "anonymise"), {"name": "дмитрий соколов"})

        assert "This is not the name" in answer.content.decode()
        assert Player.objects.get(pk=dmitry.pk).anonymised_at is None

    def test_a_player_is_forgotten_and_cannot_be_changed_any_more(self, world: World) -> None:
        dmitry, client = world.furiten.player, world.client("admin")
        answer = client.post(page(dmitry, "anonymise"), {"name": "Дмитрий Соколов"}, follow=True)

        assert "The player is anonymous now." in answer.content.decode()
        assert "Соколов" not in answer.content.decode()
        assert client.get(page(dmitry, "change")).status_code == 200
        assert client.post(page(dmitry, "change"), {"native_name": "Дмитрий Соколов"}).status_code == 403

    def test_texts_that_hold_the_name_are_offered_and_what_is_left_is_said(self, world: World) -> None:
        dmitry, client = world.furiten.player, world.client("admin")
        Adjustment.objects.create(
            season=world.furiten.season,
            player=world.furiten.players[1],
            points=-1,
            reason="shouted at Dmitry",
            given_on=THURSDAY.date(),
        )
        asked = client.get(page(dmitry, "anonymise")).content.decode()
        assert "shouted at Dmitry" in asked
        answer = client.post(page(dmitry, "anonymise"), {"name": "Дмитрий Соколов"}, follow=True)

        assert "2 texts were left as they are" in answer.content.decode()
        assert Adjustment.objects.filter(reason="shouted at Dmitry").exists()

    def test_the_forms_are_guarded_against_posts_from_elsewhere(self, world: World, double: Player) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(world.users["admin"])
        for name in ("merge", "anonymise"):
            data = {"into": world.furiten.player.pk, "name": double.native_name}
            assert client.post(page(double, name), data).status_code == 403

        assert not PlayerMerge.objects.exists()
        assert Player.objects.get(pk=double.pk).anonymised_at is None


class TestGuestsOfAnotherClub:
    """Safety finding 1: one club took over another's player by a draft, and blocked the erasure."""

    @pytest.fixture
    def bogdan(self, world: World) -> Player:
        """A hidden regular of Haneman; the tests let him sit at Furiten."""
        player = Player.objects.create(native_name="Bogdan Kiełb", visibility="hidden")
        Affiliation.objects.create(player=player, club=world.haneman.club, kind="regular")
        refresh_search_text(player)
        return player

    def test_a_draft_makes_nobody_a_guest(self, world: World, bogdan: Player) -> None:
        people = [bogdan, *world.furiten.players[1:]]
        record_hanchan(world.furiten.season, make_sheet(people, 45_200, 31_100, 25_700, 18_000), draft=True)

        assert [row.club for row in bogdan.affiliations.all()] == [world.haneman.club]
        assert world.client("admin").get(page(bogdan, "change")).status_code == 404

    def test_the_club_of_a_guest_changes_nothing(self, world: World, bogdan: Player) -> None:
        people = [bogdan, *world.furiten.players[1:]]
        record_hanchan(world.furiten.season, make_sheet(people, 45_200, 31_100, 25_700, 18_000))
        admin = world.client("admin")
        data = {"native_name": "Hacked By Furiten", "visibility": "full"}

        assert admin.get(page(bogdan, "change")).status_code == 200
        assert "Only an admin of Haneman can change this player." in admin.get(page(bogdan, "change")).text
        assert admin.post(page(bogdan, "change"), data).status_code == 403
        assert admin.post(page(bogdan, "merge"), {"into": world.furiten.player.pk}).status_code == 403
        assert admin.post(page(bogdan, "anonymise"), {"name": "Bogdan Kiełb"}).status_code == 403
        bogdan.refresh_from_db()
        assert (bogdan.native_name, bogdan.visibility) == ("Bogdan Kiełb", "hidden")

    def test_the_players_own_club_still_forgets_the_player(self, world: World, bogdan: Player) -> None:
        people = [bogdan, *world.furiten.players[1:]]
        record_hanchan(world.furiten.season, make_sheet(people, 45_200, 31_100, 25_700, 18_000))
        haneman = world.client("foreign")

        assert haneman.get(page(bogdan, "merge")).status_code == 200
        assert haneman.post(page(bogdan, "anonymise"), {"name": "Bogdan Kiełb"}).status_code == 302
        bogdan.refresh_from_db()
        assert bogdan.anonymised_at

    def test_the_history_tells_who_took_the_player_in(self, world: World, bogdan: Player) -> None:
        people, scorer = [bogdan, *world.furiten.players[1:]], world.users["scorer"]
        record_hanchan(world.furiten.season, make_sheet(people, 45_200, 31_100, 25_700, 18_000), by=scorer)

        told = world.client("foreign").get(page(bogdan, "history")).context["happenings"]
        assert [(each.subject, each.action, each.by) for each in told if each.by] == [
            ("Bogdan Kiełb – Furiten", "added", scorer)
        ]


class TestLeavingAClub:
    def leave(self, player: Player, club: Club) -> str:
        return page(player, f"leave/{club.pk}")

    def test_the_page_says_what_stays(self, world: World) -> None:
        player, club = world.furiten.player, world.furiten.club
        client = world.client("admin")

        assert self.leave(player, club) in client.get(page(player, "change")).content.decode()
        shown = client.get(self.leave(player, club)).content.decode()
        assert "1 game at Furiten stays, with its results" in shown
        assert player.affiliations.exists()

    def test_a_regular_leaves_with_history_and_stays_in_the_results(self, world: World) -> None:
        player, club = world.furiten.player, world.furiten.club
        player.affiliations.update(kind="regular")
        client = world.client("admin")

        assert client.post(self.leave(player, club)).headers["Location"] == f"/clubs/{club.slug}/players/"
        assert not player.affiliations.exists()
        last = Affiliation.history.filter(player_id=player.pk).latest()
        assert (last.history_type, last.kind, last.history_user) == ("-", "regular", world.users["admin"])
        assert world.furiten.season.standings.get(player=player).games == 1
        assert player.native_name in client.get(world.furiten.season.get_absolute_url()).content.decode()
        assert client.post(self.leave(player, club)).status_code == 404

    def test_a_club_lets_go_of_its_own_guest_only(self, world: World) -> None:
        player = world.furiten.player
        Affiliation.objects.create(player=player, club=world.haneman.club)
        haneman = world.client("foreign")

        assert haneman.get(self.leave(player, world.furiten.club)).status_code == 403
        assert haneman.post(self.leave(player, world.furiten.club)).status_code == 403
        assert haneman.post(self.leave(player, world.haneman.club)).status_code == 302
        assert [row.club for row in player.affiliations.all()] == [world.furiten.club]

    def test_the_owner_lets_go_for_every_club(self, world: World) -> None:
        assert world.client("owner").post(self.leave(world.haneman.player, world.haneman.club)).status_code == 302
        assert not world.haneman.player.affiliations.exists()
