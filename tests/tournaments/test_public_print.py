"""Print-outs as pages: what is on them and who may open them. Browser tests check the number of sheets of paper."""

from __future__ import annotations

import pytest
from django.test import Client

from clubsite import qr
from ratings.models import Player
from tests.cast import make_club, make_user
from tests.tournaments.hall import Hall
from tournaments.services.events import set_results_hidden
from tournaments.services.rulings import give_penalty

pytestmark = pytest.mark.django_db

PRINT = "/tournaments/open/print/"
OPEN_TO_ALL = ("", "seating/", "names/", "schedules/", "blank/", "numbers/", "standings/", "log/")


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    hall = Hall()
    hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
    hall.seat(2, [1, 5, 2, 6], [3, 7, 4, 8])
    return hall


def staff(hall: Hall) -> Client:
    client = Client()
    client.force_login(make_user("scorer", hall.tournament.club))
    return client


@pytest.mark.parametrize("page", OPEN_TO_ALL)
def test_everybody_may_print_what_everybody_may_see(client: Client, hall: Hall, page: str) -> None:
    assert client.get(PRINT + page).status_code == 200


@pytest.mark.parametrize("page", ["seating/", "names/"])
def test_before_the_first_round_there_are_no_seats_to_print(client: Client, page: str) -> None:
    Hall()

    assert client.get(PRINT + page).status_code == 404
    assert client.get(PRINT).status_code == 200


def test_a_round_is_asked_for_by_stage_and_number(client: Client, hall: Hall) -> None:
    assert "Round 2: tables" in client.get(f"{PRINT}seating/").text
    assert "Round 1: tables" in client.get(f"{PRINT}seating/?round=1-1").text
    assert "Round 2: tables" in client.get(f"{PRINT}seating/?round=nonsense").text


def test_score_sheets_are_for_staff_since_their_codes_hand_in_drafts(client: Client, hall: Hall) -> None:
    foreign = Client()
    foreign.force_login(make_user("foreign", make_club("Haneman"), "admin"))
    page = staff(hall).get(f"{PRINT}sheets/").text

    assert client.get(f"{PRINT}sheets/").status_code == 302
    assert foreign.get(f"{PRINT}sheets/").status_code == 404
    assert page.count('<article class="a4">') == 2
    assert hall.players[4].native_name in page


def test_the_code_of_a_sheet_opens_its_table(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def code(text: str, label: str) -> str:
        drawn.append(text)
        return label

    monkeypatch.setattr(qr, "code", code)
    staff(hall).get(f"{PRINT}sheets/")
    tables = [Client().get(address.removeprefix("http://testserver")) for address in drawn if "/table/" in address]

    assert [page.status_code for page in tables] == [200, 200]
    assert [f"table {number}" in page.text for number, page in enumerate(tables, 1)] == [True, True]


def test_a_schedule_lists_table_seat_and_the_three_others(client: Client, hall: Hall) -> None:
    page = client.get(f"{PRINT}schedules/").text

    assert page.count("<h2>") == 8
    assert page.count('lang="ja" dir="auto">佐藤 健</span>') == 1 + 3 + 3  # the own card, and three others twice


def test_blank_sheets_come_in_as_many_copies_as_asked_for(client: Client, hall: Hall) -> None:
    for wanted, copies in (("", 1), ("3", 3), ("9999", 50), ("x", 1), ("0", 1)):
        assert client.get(f"{PRINT}blank/?copies={wanted}").text.count('<article class="a4">') == copies


def test_every_table_gets_its_number(client: Client, hall: Hall) -> None:
    page = client.get(f"{PRINT}numbers/").text

    assert [f"<b>{number}</b>" in page for number in (1, 2, 3)] == [True, True, False]


@pytest.mark.parametrize("page", ["standings/", "log/"])
def test_no_result_is_printed_before_the_ceremony(client: Client, hall: Hall, page: str) -> None:
    give_penalty(hall.stage(), hall[1], 12_300, "phone", after_round=1)
    set_results_hidden(hall.tournament, True)

    assert "−12.3" not in client.get(PRINT + page).text
    assert "+45.0" not in client.get(PRINT + page).text
    assert "−12.3" in staff(hall).get(PRINT + page).text


@pytest.mark.parametrize("page", [*OPEN_TO_ALL, "sheets/"])
def test_nothing_of_a_hidden_event_is_printed(client: Client, hall: Hall, page: str) -> None:
    type(hall.tournament).objects.filter(pk=hall.tournament.pk).update(is_public=False)

    assert client.get(PRINT + page).status_code == 404


def test_standings_for_the_wall_name_nobody_who_is_hidden_whoever_prints_them(hall: Hall) -> None:
    player = hall[1].player
    Player.objects.filter(pk=player.pk).update(visibility=Player.Visibility.HIDDEN)
    scorer = staff(hall)
    for address in ("standings/", "standings/?stage=all"):
        text = scorer.get(PRINT + address).content.decode()
        assert player.native_name not in text
        assert "+45.0" in text
