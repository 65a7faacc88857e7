"""Names on the entry page: new guests, namesakes, people of other clubs, and what is offered."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from ratings.models import Affiliation, Club, Hanchan, Player, Season
from ratings.services.players import refresh_search_text
from tests.cast import make_club, make_user

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/hanchan/add/"
SUGGESTIONS = "/admin/ratings/hanchan/players/"
PREVIEW = "/admin/ratings/hanchan/preview/"
POINTS = (45_200, 31_100, 25_700, 18_000)


@pytest.fixture
def scorer(client: Client, season: Season) -> Client:
    client.force_login(make_user("scorer", season.club))
    return client


def sheet(season: Season, players: list[Player], name: str, **changed: Any) -> dict[str, Any]:
    """A right sheet of three known players and a fourth one by name, in North."""
    data: dict[str, Any] = {"season": season.pk, "date": "2026-04-16", "time": "20:30", "action": "save"}
    data |= {"submit_key": str(uuid.uuid4())}
    for wind, (player, points) in enumerate(zip(players, POINTS, strict=False)):
        data |= {f"seat{wind}-player": player.native_name, f"seat{wind}-points": str(points)}
    return data | {"seat3-player": name} | changed


def member(club: Club, name: str, **facts: str) -> Player:
    player = Player.objects.create(native_name=name, **facts)
    Affiliation.objects.create(player=player, club=club, kind="regular")
    refresh_search_text(player)
    return player


def suggested(client: Client, typed: str, field: str = "seat0-player", chosen: dict[str, int] | None = None) -> str:
    sent: dict[str, str | int] = {"field": field, field: typed, **(chosen or {})}
    return client.get(SUGGESTIONS, sent).content.decode()


class TestNewGuests:
    def test_a_cyrillic_guest_gets_the_usual_latin_form(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        Club.objects.filter(pk=season.club_id).update(country="UA")
        scorer.post(ADD, sheet(season, players, "Олег Шевчук", **{"seat3-new_guest": "on"}))

        assert Player.objects.get(native_name="Олег Шевчук").latin_name == "Oleh Shevchuk"

    @pytest.mark.parametrize("name", ["Anna Nowak", "佐藤 花子"])
    def test_other_guests_get_none(self, scorer: Client, season: Season, players: list[Player], name: str) -> None:
        scorer.post(ADD, sheet(season, players, name, **{"seat3-new_guest": "on"}))

        assert Player.objects.get(native_name=name).latin_name == ""

    def test_a_namesake_in_the_club_is_asked_about_and_nothing_is_lost(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        known = member(season.club, "Марта Іванчук", remark="the elder")
        answer = scorer.post(ADD, sheet(season, players, "марта іванчук", **{"seat3-new_guest": "on"}))
        page = answer.content.decode()

        assert answer.status_code == 422
        assert "There is a марта іванчук in this club already. Is it the same person, or another one?" in page
        assert f'data-pick="{known.pk}"' in page
        assert "the elder" in page
        assert 'name="seat3-remark"' in page
        assert 'value="18000"' in page
        assert not Hanchan.objects.exists()

    def test_a_remark_says_that_it_is_another_person(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        member(season.club, "Марта Іванчук")
        another = {"seat3-new_guest": "on", "seat3-remark": "from Odesa"}
        scorer.post(ADD, sheet(season, players, "Марта Іванчук", **another))

        assert Hanchan.objects.get().seats.get(wind=3).player.remark == "from Odesa"
        assert Player.objects.filter(native_name="Марта Іванчук").count() == 2

    def test_a_remark_nobody_can_read_is_refused_beside_it(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        another = {"seat3-new_guest": "on", "seat3-remark": "\u202egnp.exe"}
        page = scorer.post(ADD, sheet(season, players, "Марта Іванчук", **another)).content.decode()

        assert "signs that turn the text around" in page
        assert not Hanchan.objects.exists()

    def test_the_same_person_is_chosen_by_leaving_out_the_tick(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        known = member(season.club, "Марта Іванчук")
        scorer.post(ADD, sheet(season, players, "Марта Іванчук"))

        assert Hanchan.objects.get().seats.get(wind=3).player == known

    def test_a_namesake_of_another_club_is_no_question(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        member(make_club("Phoenix"), "Марта Іванчук")
        scorer.post(ADD, sheet(season, players, "Марта Іванчук", **{"seat3-new_guest": "on"}))

        assert Hanchan.objects.exists()


class TestWhatIsOffered:
    def test_people_already_seated_are_not_offered_again(self, scorer: Client, players: list[Player]) -> None:
        sokolov = players[0]

        assert sokolov.native_name in suggested(scorer, "соколов")
        assert sokolov.native_name in suggested(scorer, "соколов", chosen={"seat0-player_id": sokolov.pk})
        assert sokolov.native_name not in suggested(scorer, "соколов", chosen={"seat1-player_id": sokolov.pk})
        assert sokolov.native_name not in suggested(
            scorer, "соколов", "seat2-played_by", {"seat0-player_id": sokolov.pk}
        )

    @pytest.mark.parametrize("number", ["", "x", "9" * 5000, "-1", "²"])
    def test_nonsense_in_the_other_fields_hides_nobody(
        self, scorer: Client, players: list[Player], number: str
    ) -> None:
        asked = {"field": "seat0-player", "seat0-player": "соколов", "seat1-player_id": number}

        assert players[0].native_name in scorer.get(SUGGESTIONS, asked).content.decode()

    def test_a_new_guest_is_offered_below_those_found_and_a_namesake_is_called_another_person(
        self, scorer: Client, season: Season
    ) -> None:
        member(season.club, "Марта Іванчук")

        assert "New guest: <b>Март</b>" in suggested(scorer, "Март")
        assert "Another person, new here: <b>Марта Іванчук</b>" in suggested(scorer, "Марта Іванчук")
        assert "New guest" not in suggested(scorer, "Март", "seat0-played_by")

    def test_only_a_sure_player_is_marked_for_enter(self, scorer: Client, season: Season) -> None:
        member(make_club("Phoenix"), "Евгений Щукин")
        page = suggested(scorer, "ки")

        assert "Щукин" in page
        assert "data-sure" not in page
        assert "Phoenix" in page
        assert "Choose one with ↓ and Enter." in page
        assert "data-sure" in suggested(scorer, "щук")

    def test_the_day_of_the_last_game_is_read_the_same_everywhere(self, scorer: Client, season: Season) -> None:
        player = member(season.club, "Anna Abel")
        player.standings.create(season=season, games=1, last_played_on="2026-11-05")

        assert "played 5 Nov 2026" in " ".join(suggested(scorer, "anna").split())

    def test_the_row_names_the_club_of_somebody_from_elsewhere_and_the_remark_of_ones_own(
        self, scorer: Client, season: Season, players: list[Player]
    ) -> None:
        member(make_club("Phoenix"), "Евгений Щукин", remark="secret")
        member(season.club, "Anna Abel", remark="the elder")
        data = sheet(season, players, "Евгений Щукин", **{"seat2-player": "Anna Abel"})
        page = " ".join(scorer.post(PREVIEW, data).content.decode().split())

        assert '<b class="of-club">Phoenix</b> · not ranked yet' in page
        assert "the elder · not ranked yet" in page
        assert "secret" not in page


class TestTheSum:
    @pytest.mark.parametrize(
        ("north", "sticks", "offered"),
        [("17000", "", "1 stick left?"), ("16000", "", "2 sticks left?"), ("17000", "1", "2 sticks left?")],
    )
    def test_missing_thousands_are_offered_as_sticks(
        self, scorer: Client, season: Season, players: list[Player], north: str, sticks: str, offered: str
    ) -> None:
        if sticks:
            north = str(int(north) - 1000)
        data = sheet(season, players, players[3].native_name, **{"seat3-points": north, "sticks_left": sticks})
        page = " ".join(scorer.post(PREVIEW, data).content.decode().split())

        assert f'data-use="{offered[0]}" data-for="id_sticks_left"> {offered} </button>' in page
        assert "Use " in page

    @pytest.mark.parametrize("north", ["17100", "19000", "8000", "18000"])
    def test_other_differences_are_not(self, scorer: Client, season: Season, players: list[Player], north: str) -> None:
        data = sheet(season, players, players[3].native_name, **{"seat3-points": north})

        assert "left?" not in scorer.post(PREVIEW, data).content.decode()


def test_the_line_above_the_sheet_follows_the_date(scorer: Client, season: Season, players: list[Player]) -> None:
    page = " ".join(scorer.post(PREVIEW, sheet(season, players, "x")).content.decode().split())

    assert 'id="when-line" class="when-line" hx-swap-oob="true"' in page
    assert "16 Apr 2026 20:30" in page
    assert "· today" in " ".join(scorer.get(ADD).content.decode().split())
