"""The settings of a club: country and time zone from lists, who may change what, and two editors."""

from __future__ import annotations

import html
from typing import Any

import pytest

from clubsite.time_zones import all_zones, zones_of
from ratings.models import Club
from tests.pages import tight
from tests.world import World

pytestmark = pytest.mark.django_db

ADD = "/admin/ratings/club/add/"
LODZ = {"name": "Łódź Mahjong", "slug": "lodz", "city": "Łódź", "country": "PL", "time_zone": "Europe/Warsaw"}


def page_of(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def address(club: Club) -> str:
    return f"/admin/ratings/club/{club.pk}/change/"


class TestAdding:
    def test_a_club_is_added_by_the_owner(self, world: World) -> None:
        answer = world.client("owner").post(ADD, LODZ)

        club = Club.objects.get(slug="lodz")
        assert answer.status_code == 302
        assert (club.time_zone, club.country) == ("Europe/Warsaw", "PL")

    def test_time_zone_and_address_follow_from_country_and_name(self, world: World) -> None:
        world.client("owner").post(ADD, {"name": "Łódź Mahjong", "country": "PL"})

        assert Club.objects.get(slug="lodz-mahjong").time_zone == "Europe/Warsaw"

    def test_an_address_that_is_taken_gets_a_number(self, world: World) -> None:
        world.client("owner").post(ADD, {"name": "Furiten", "country": "PL"})

        assert Club.objects.filter(slug="furiten-2").exists()

    @pytest.mark.parametrize("zone", ["Mars/Olympus", "localtime", "Factory"])
    def test_a_made_up_time_zone_is_refused(self, world: World, zone: str) -> None:
        answer = world.client("owner").post(ADD, {"name": "X", "slug": "x", "time_zone": zone})

        assert answer.status_code == 422
        assert "is not a time zone" in page_of(answer)

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"country": "US"}, "United States has several time zones. Select the one of the club."),
            ({"country": ""}, "Select a country, or the time zone of the club."),
            ({"country": "Ukraine"}, "Ukraine is not one of the available choices"),
            ({"name": "", "country": "PL"}, "This field is required."),
            ({"slug": "furiten", "country": "PL"}, "Another club has this address."),
            ({"slug": "два слова", "country": "PL"}, "Use Latin letters, digits and hyphens only"),
        ],
    )
    def test_what_is_wrong_is_said_and_what_was_typed_stays(
        self, world: World, typed: dict[str, str], sentence: str
    ) -> None:
        answer = world.client("owner").post(ADD, {"name": "Клуб", "city": "Минск", **typed})

        assert answer.status_code == 422
        assert sentence in page_of(answer)
        assert 'value="Минск"' in page_of(answer)
        assert Club.objects.count() == 2

    def test_only_the_owner_adds_clubs(self, world: World) -> None:
        assert world.client("admin").post(ADD, LODZ).status_code == 403


class TestChanging:
    def test_an_admin_changes_everything_but_the_address(self, world: World) -> None:
        club = world.furiten.club
        page = world.client("admin").get(address(club)).content.decode()
        world.client("admin").post(address(club), LODZ)

        club.refresh_from_db()
        assert 'name="slug"' not in page
        assert (club.name, club.slug) == ("Łódź Mahjong", "furiten")

    def test_the_owner_changes_the_address(self, world: World) -> None:
        club = world.furiten.club
        page = world.client("owner").get(address(club)).content.decode()
        world.client("owner").post(address(club), LODZ)

        club.refresh_from_db()
        assert "Address of the page" in page
        assert club.slug == "lodz"

    def test_a_zone_that_the_lists_do_not_have_is_kept(self, world: World) -> None:
        club = world.furiten.club
        Club.objects.filter(pk=club.pk).update(time_zone="Europe/Kiev", country="UA")
        page = world.client("admin").get(address(club)).content.decode()

        assert '<option value="Europe/Kiev" selected>' in page

    def test_staff_read_what_they_may_not_change(self, world: World) -> None:
        page = world.client("scorer").get(address(world.furiten.club)).content.decode()

        assert "Only an admin of the club can change these settings." in page
        assert "<form" not in page.partition("<main")[2].partition("</main>")[0]
        assert world.client("scorer").post(address(world.furiten.club), LODZ).status_code == 403

    def test_the_second_editor_is_told_what_the_first_changed(self, world: World) -> None:
        club = world.furiten.club
        seen = world.client("admin").get(address(club)).context["editing"].seen
        world.client("owner").post(address(club), {**LODZ, "name": "First"})

        refused = world.client("admin").post(address(club), {**LODZ, "name": "Second", "seen": seen})

        page = tight(page_of(refused))
        assert refused.status_code == 409
        assert "<ins>First</ins>" in page
        assert 'value="Second"' in page
        assert Club.objects.get(pk=club.pk).name == "First"

    def test_the_line_ends_of_a_browser_are_no_change(self, world: World) -> None:
        club = world.furiten.club
        Club.objects.filter(pk=club.pk).update(about="One.\nTwo.")
        world.client("admin").post(address(club), {**LODZ, "about": "One.\r\nTwo."})

        assert Club.objects.get(pk=club.pk).about == "One.\nTwo."


class TestZones:
    def test_the_zones_of_the_country_come_first(self, world: World) -> None:
        page = tight(world.client("owner").get("/admin/ratings/club/zones/", {"country": "UA"}).content.decode())

        assert page.index('<optgroup label="Ukraine">') < page.index("Europe/Kyiv") < page.index("Africa/Abidjan")

    def test_the_only_zone_of_a_country_is_chosen(self, world: World) -> None:
        asked = {"country": "PL", "time_zone": "Europe/Minsk"}
        page = world.client("owner").get("/admin/ratings/club/zones/", asked).content.decode()

        assert '<option value="Europe/Warsaw" selected>' in page

    @pytest.mark.parametrize("country", ["", "XX", "<script>", "\0"])
    def test_any_country_gets_a_list(self, world: World, country: str) -> None:
        answer = world.client("scorer").get("/admin/ratings/club/zones/", {"country": country})

        assert answer.status_code == 200
        assert "<script>" not in answer.content.decode().partition("<select")[2]

    def test_zones_are_read_from_the_table_of_the_machine(self) -> None:
        assert zones_of("PL") == ("Europe/Warsaw",)
        assert zones_of("XX") == ()
        assert {"UTC", "Europe/Minsk", "Asia/Tokyo"} <= set(all_zones())
