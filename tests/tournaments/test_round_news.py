"""What an open page of a round learns while it is open: results of phones and of other scorers."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.desk import client_of, points
from tests.tournaments.hall import Hall
from tournaments.queries import tokens
from tournaments.services.tables import check_table

pytestmark = pytest.mark.django_db

ROUND = "/tournaments/open/manage/rounds/1/1/"


@pytest.fixture
def hall() -> Hall:
    hall = Hall()
    hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return hall


@pytest.fixture
def scorer(hall: Hall) -> Client:
    return client_of(hall.tournament.club, "scorer")


def hand_in(hall: Hall, *typed: str) -> None:
    """Send a result as the phone of table 1 does."""
    address = f"/tournaments/open/table/{tokens.token_of(hall.table(1, 1))}/"
    assert Client().post(address, points(*typed)).status_code == 302


def stamps(scorer: Client) -> dict[str, str]:
    response = scorer.get(f"{ROUND}stamps/")
    assert response.status_code == 200
    stamps: dict[str, str] = response.json()
    return stamps


class TestStamps:
    def test_a_table_without_a_result_has_an_empty_one(self, scorer: Client) -> None:
        assert stamps(scorer) == {"1": "", "2": ""}

    def test_every_step_of_a_table_changes_its_own_and_no_other(self, scorer: Client, hall: Hall) -> None:
        seen = [stamps(scorer)["1"]]
        hand_in(hall, "450", "350", "250", "150")
        seen.append(stamps(scorer)["1"])
        hand_in(hall, "460", "340", "250", "150")
        seen.append(stamps(scorer)["1"])
        data = {f"t1-{name}": value for name, value in points("460", "340", "250", "150").items()}
        assert scorer.post(f"{ROUND}1/", data).status_code == 302
        seen.append(stamps(scorer)["1"])
        check_table(hall.table(1, 1))
        seen.append(stamps(scorer)["1"])

        assert len(set(seen)) == 5
        assert stamps(scorer)["2"] == ""

    def test_a_player_is_not_told(self, client: Client, hall: Hall) -> None:
        assert client.get(f"{ROUND}stamps/").status_code == 302


class TestWhatPhonesSent:
    def test_one_result_is_in_the_form_and_said(self, scorer: Client, hall: Hall) -> None:
        hand_in(hall, "450", "350", "250", "150")
        page = scorer.get(ROUND).text
        assert "The table sent this result." in page
        assert "two different results" not in page

    def test_the_same_result_twice_is_one(self, scorer: Client, hall: Hall) -> None:
        hand_in(hall, "450", "350", "250", "150")
        hand_in(hall, "45000", "35000", "25000", "15000")
        assert "two different results" not in scorer.get(ROUND).text

    def test_of_several_that_differ_the_last_two_are_shown(self, scorer: Client, hall: Hall) -> None:
        for first in ("450", "460", "470"):
            hand_in(hall, first, str(800 - int(first)), "250", "150")
        page = scorer.get(ROUND).text
        assert "The table sent two different results." in page
        assert "46 000" in page.replace("\N{NO-BREAK SPACE}", " ")
        assert "45 000" not in page.replace("\N{NO-BREAK SPACE}", " ")

    def test_a_table_of_the_page_that_is_refused_comes_back_as_its_card(self, scorer: Client) -> None:
        data = {f"t1-{name}": value for name, value in points("x", "350", "250", "150").items()}
        alone = scorer.post(f"{ROUND}1/", data, headers={"X-Sheet": "page"})
        card = scorer.post(f"{ROUND}1/", data, headers={"X-Sheet": "card"})
        assert alone.status_code == card.status_code == 422
        assert 'name="t1-comment"' in alone.text
        assert 'name="t1-comment"' not in card.text
