"""On the phone: a player finds their own schedule in two taps, and can hand in only a draft of their own table."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import signing
from django.test import Client
from lxml import html

from clubsite import qr
from ratings.models import Hanchan, Player
from tests.cast import make_club
from tests.pages import tables
from tests.tournaments.desk import points
from tests.tournaments.hall import Hall
from tournaments.queries import tokens
from tournaments.services.events import StagePlan, set_results_hidden
from tournaments.services.rounds import unseat_round
from tournaments.services.tables import record_table

pytestmark = pytest.mark.django_db

ME = "/tournaments/open/me/"


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    hall = Hall()
    hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
    hall.seat(2, [1, 5, 2, 6], [3, 7, 4, 8])
    return hall


def address(hall: Hall, number: int = 1, round_number: int = 2) -> str:
    return f"/tournaments/open/table/{tokens.token_of(hall.table(number, round_number))}/"


class TestFindYourself:
    def test_the_list_leads_to_ones_own_page(self, client: Client, hall: Hall) -> None:
        assert f'href="{ME}3/"' in client.get(ME).text

    @pytest.mark.parametrize(("typed", "number"), [("sokol", 1), ("СОКОЛОВ", 1), ("satō", 3), ("8", 8)])
    def test_a_name_in_any_script_or_the_number_finds(
        self, client: Client, hall: Hall, typed: str, number: int
    ) -> None:
        page = client.get(ME, {"q": typed}).text

        assert f'href="{ME}{number}/"' in page
        assert page.count(f'href="{ME}') == 1 + 1  # the tab, and the one found

    def test_nobody_found_says_what_to_try(self, client: Client, hall: Hall) -> None:
        assert "No players found for “zzz”" in client.get(ME, {"q": "zzz"}).text

    def test_a_hidden_player_is_found_by_number_and_not_by_name(self, client: Client, hall: Hall) -> None:
        Player.objects.filter(pk=hall.players[0].pk).update(visibility=Player.Visibility.HIDDEN)

        assert "No players found" in client.get(ME, {"q": "sokol"}).text
        assert "Соколов" not in client.get(f"{ME}1/").text
        assert "Table 1" in client.get(f"{ME}1/").text


class TestOnesOwnRounds:
    def test_table_seat_and_opponents_of_every_round(self, client: Client, hall: Hall) -> None:
        page = client.get(f"{ME}5/").text

        assert page.count('class="game-table') == 3  # the grid and two tables
        assert "<b>Table 1</b>" in page
        assert "South" in page
        assert hall.players[1].native_name in page

    def test_results_appear_when_they_may_be_seen(self, client: Client, hall: Hall) -> None:
        assert "+45.0" in client.get(f"{ME}5/").text

        set_results_hidden(hall.tournament, True)
        assert "+45.0" not in client.get(f"{ME}5/").text

    def test_a_bye_is_said(self, client: Client) -> None:
        hall = Hall(5, [StagePlan("Main", 1)])
        hall.seat(1, [1, 2, 3, 4], byes=[5])

        assert "You sit out this round" in client.get(f"{ME}5/").text

    def test_what_the_cut_still_asks_for(self, client: Client) -> None:
        hall = Hall(8, [StagePlan("Main", 2, top=4), StagePlan("Final", 1)])
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        # +45.0 now; of the others four may end with +105.0 or more.
        assert "With more than +60.0 in the last round you are among the first 4" in client.get(f"{ME}1/").text

    def test_no_number_that_no_game_can_give_is_asked_for(self, client: Client) -> None:
        hall = Hall(8, [StagePlan("Main", 2, top=4), StagePlan("Final", 1)])
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        last = client.get(f"{ME}4/").text
        needs = tables(client.get("/tournaments/open/standings/").content)["needs"]

        # −45.0 now and four others may end with +135.0: a game gives +120.0 at most.
        assert "Whether you are among the first 4 depends on the others as well." in last
        assert "With less than 0.0 in the last round you are out." in last
        assert "whatever the others do" not in last
        assert needs.column(3) == ["+60.0"] * 2 + ["+90.0"] * 2 + ["depends on the others"] * 4

    def test_before_the_first_round_the_page_says_to_be_kept(self, client: Client) -> None:
        Hall()

        assert "Keep this page" in client.get(f"{ME}1/").text

    def test_nobody_has_a_number_that_was_not_given(self, client: Client, hall: Hall) -> None:
        assert client.get(f"{ME}77/").status_code == 404


class TestTheDraftOfATable:
    def test_shorthand_becomes_a_draft_that_counts_nowhere(self, client: Client, hall: Hall) -> None:
        answer = client.post(address(hall), points("450", "35.0", "25000", "150"))
        table = hall.table(1, 2)

        assert answer.status_code == 302
        assert table.has_draft
        assert [seat.points for seat in table.hanchan.seats.all()] == [45_000, 35_000, 25_000, 15_000]  # type: ignore[union-attr]
        assert hall.totals(2)[1] == 45_000

    def test_it_may_be_changed_until_a_scorer_confirms(self, client: Client, hall: Hall) -> None:
        client.post(address(hall), points("450", "350", "250", "150"))
        client.post(address(hall), points("460", "340", "250", "150"))

        assert Hanchan.objects.filter(status=Hanchan.Status.DRAFT).count() == 1
        assert hall.table(1, 2).hanchan.seats.get(wind=0).points == 46_000  # type: ignore[union-attr]

    def test_the_same_form_twice_makes_one_draft(self, client: Client, hall: Hall) -> None:
        data = points("450", "350", "250", "150")
        answers = [client.post(address(hall), data).status_code for _ in range(2)]

        assert answers == [302, 302]
        assert Hanchan.objects.filter(status=Hanchan.Status.DRAFT).count() == 1

    def test_sticks_on_the_table_belong_to_the_sum(self, client: Client, hall: Hall) -> None:
        answer = client.post(address(hall), points("440", "350", "250", "150", sticks_left="1"))

        assert answer.status_code == 302
        assert hall.table(1, 2).hanchan.sticks_left == 1  # type: ignore[union-attr]

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            (("450", "350", "250", "160"), "1000"),
            (("450", "350", "250", "x"), "is not a number of points"),
            (("450", "350", "250", ""), "Points are missing."),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_is_kept(
        self, client: Client, hall: Hall, typed: tuple[str, ...], sentence: str
    ) -> None:
        answer = client.post(address(hall), points(*typed))

        assert answer.status_code == 422
        assert sentence in answer.text
        assert hall.table(1, 2).hanchan is None

    def test_the_sum_is_said_while_it_is_typed(self, client: Client, hall: Hall) -> None:
        typed = client.post(f"{address(hall)}sum/", points("450", "350", "250", "160")).text
        waiting = client.post(f"{address(hall)}sum/", points("450", "", "", "")).text

        assert "+1000" in typed
        assert "1 of 4 scores" in waiting

    def test_a_table_that_is_in_cannot_be_touched(self, client: Client, hall: Hall) -> None:
        record_table(hall.table(1, 2), hall.sheet(hall.table(1, 2)))
        answer = client.post(address(hall), points("150", "250", "350", "450"))

        assert "is in" in answer.text
        assert hall.table(1, 2).hanchan.seats.get(wind=0).points == 45_000  # type: ignore[union-attr]

    def test_a_confirmed_round_cannot_be_touched(self, client: Client, hall: Hall) -> None:
        assert "is in" in client.get(address(hall, 1, 1)).text


class TestTokens:
    def test_a_forged_one_is_refused_with_a_sentence(self, client: Client, hall: Hall) -> None:
        good = tokens.token_of(hall.table(1, 2))
        other = signing.dumps(hall.table(2, 2).pk, salt="another")

        for token in (good[:-1] + ("A" if good[-1] != "A" else "B"), other, "nonsense"):
            answer = client.get(f"/tournaments/open/table/{token}/")
            assert answer.status_code == 404
            assert "not one of ours" in answer.text

    def test_an_old_one_is_refused_with_a_sentence(
        self, client: Client, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        token = address(hall)
        monkeypatch.setattr(tokens, "VALID_FOR", -tokens.VALID_FOR)

        assert "too old" in client.get(token).text

    def test_one_of_a_table_seated_anew_is_refused_with_a_sentence(self, client: Client, hall: Hall) -> None:
        token = address(hall)
        unseat_round(hall.round(2), reason="drawn again")

        assert "seats of this table changed" in client.get(token).text

    def test_one_of_another_event_opens_nothing_here(self, client: Client, hall: Hall) -> None:
        token = tokens.token_of(hall.table(1, 2))
        type(hall.tournament).objects.filter(pk=hall.tournament.pk).update(slug="other")
        Hall(4, club=make_club("Haneman"))

        assert client.get(f"/tournaments/open/table/{token}/").status_code == 404

    def test_it_holds_one_table_and_so_hands_in_no_other(self, client: Client, hall: Hall) -> None:
        client.post(address(hall, 2), points("450", "350", "250", "150"))

        assert (hall.table(1, 2).hanchan, hall.table(2, 2).has_draft) == (None, True)


class TestCodes:
    def test_the_address_is_the_one_that_was_set(self, settings: Any, rf: Any) -> None:
        request = rf.get("/")
        settings.BASE_URL = ""
        assert qr.address(request, "/tournaments/") == "http://testserver/tournaments/"

        settings.BASE_URL = "https://mahjong.example"
        assert qr.address(request, "/tournaments/") == "https://mahjong.example/tournaments/"

    def test_a_code_is_named_and_keeps_the_policy(self) -> None:
        drawing = qr.code("https://mahjong.example/", 'Find "your" table')

        assert 'role="img" aria-label="Find &quot;your&quot; table"' in drawing
        assert "style" not in drawing


class TestChomboOnThePhone:
    def test_it_is_handed_in_with_the_points_and_shown_again(self, client: Client, hall: Hall) -> None:
        answer = client.post(address(hall), points("450", "350", "250", "150", seat2__chombo="2"))
        assert answer.status_code == 302
        seats = Hanchan.objects.get(status=Hanchan.Status.DRAFT).seats.order_by("wind")
        assert [seat.chombo for seat in seats] == [0, 0, 2, 0]
        page = html.fromstring(client.get(address(hall)).content)
        assert page.xpath("//input[@name='seat2-chombo']/@value") == ["2"]

    @pytest.mark.parametrize("typed", ["-1", "many", "999999", "1.5"])
    def test_it_is_a_small_number(self, client: Client, hall: Hall, typed: str) -> None:
        answer = client.post(address(hall), points("450", "350", "250", "150", seat2__chombo=typed))
        assert answer.status_code == 422
        assert not Hanchan.objects.filter(status=Hanchan.Status.DRAFT).exists()
