"""Entries on the organiser's pages: one by one, pasted, at the door, by the players themselves; filling up tables."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import Player
from tests.pages import tight
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import Hall
from tournaments.forms.entries import read_line
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
ENTRIES = "/tournaments/open/manage/entries/"


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    return Hall(6)


class TestOneByOne:
    def test_a_known_player_is_entered_by_name(self, hall: Hall, desk: Client) -> None:
        Player.objects.create(native_name="Anna Nowak", country="PL", search_text="anna nowak")
        assert desk.post(f"{ENTRIES}add/", {"player": "anna nowak", "team": "Łódź"}).status_code == 302
        entry = Entry.objects.get(player__native_name="Anna Nowak")
        assert (entry.number, entry.country, entry.team) == (7, "PL", "Łódź")

    def test_an_unknown_name_is_a_new_player_only_when_said_so(self, hall: Hall, desk: Client) -> None:
        answer = desk.post(f"{ENTRIES}add/", {"player": "Новый Игрок"})
        assert answer.status_code == 422
        assert "There is no player “Новый Игрок” yet" in answer.content.decode()
        desk.post(f"{ENTRIES}add/", {"player": "Новый Игрок", "new_player": "on", "country": "ua"})
        assert Entry.objects.get(player__native_name="Новый Игрок").country == "UA"

    def test_two_of_one_name_are_not_guessed_between(self, hall: Hall, desk: Client) -> None:
        twins = [Player.objects.create(native_name="Jan Kot", search_text="jan kot") for _each in range(2)]
        answer = desk.post(f"{ENTRIES}add/", {"player": "Jan Kot"})
        assert "Several players are called" in answer.content.decode()
        desk.post(f"{ENTRIES}add/", {"player": "Jan Kot", "player_id": twins[1].pk})
        assert Entry.objects.get(number=7).player == twins[1]

    def test_nobody_is_entered_twice(self, hall: Hall, desk: Client) -> None:
        answer = desk.post(f"{ENTRIES}add/", {"player": hall[1].player.native_name})
        assert "is entered already" in answer.content.decode()

    def test_a_number_that_is_taken_is_refused(self, hall: Hall, desk: Client) -> None:
        data = {"number": "2", "team": "", "country": "", "ema_number": "", "substitute_kind": ""}
        assert "Number 2 is taken." in desk.post(f"{ENTRIES}1/", data).content.decode()
        desk.post(f"{ENTRIES}1/", {**data, "number": "40", "stationary_table": "1"})
        assert (hall[40].player, hall[40].stationary_table) == (hall.players[0], 1)

    def test_states_change_and_a_mistake_is_removed(self, hall: Hall, desk: Client) -> None:
        desk.post(f"{ENTRIES}1/status/", {"status": "waiting"})
        assert hall[1].status == Entry.Status.WAITING
        desk.post(f"{ENTRIES}1/status/", {"status": "remove"})
        assert not Entry.objects.filter(number=1).exists()
        assert desk.post(f"{ENTRIES}2/status/", {"status": "disqualified"}).status_code == 404


class TestPasting:
    @pytest.mark.parametrize(
        ("line", "read"),
        [
            ("佐藤 健", ("佐藤 健", "", "", "")),
            ("Anna Nowak\tPL\t12345678\tŁódź", ("Anna Nowak", "PL", "12345678", "Łódź")),
            ("Anna Nowak; 12345678; pl", ("Anna Nowak", "PL", "12345678", "")),
            ("Nowak, Łódź, PL", ("Nowak", "PL", "", "Łódź")),
        ],
    )
    def test_columns_are_known_by_their_looks(self, line: str, read: tuple[str, str, str, str]) -> None:
        assert read_line(line) == read

    def test_a_list_is_shown_before_it_is_entered(self, hall: Hall, desk: Client) -> None:
        known = hall[1].player.native_name
        text = f"{known}\nНовая Игрок;UA\n\nThomas Bergmann"
        shown = desk.post(f"{ENTRIES}paste/", {"text": text}).content.decode()
        assert "3 lines were read" in shown
        assert "entered already" in shown
        assert Entry.objects.count() == 6

    def test_what_was_decided_is_entered_all_or_nothing(self, hall: Hall, desk: Client) -> None:
        twins = [Player.objects.create(native_name="Jan Kot", search_text="jan kot") for _each in range(2)]
        text = f"{hall[1].player.native_name}\nJan Kot;PL\nОльга Новая;UA"
        desk.post(f"{ENTRIES}paste/", {"text": text, "save": "1", "line2": str(twins[1].pk)})
        entered = Entry.objects.filter(number__gt=6).order_by("number")
        assert [(entry.player.native_name, entry.country) for entry in entered] == [
            ("Jan Kot", "PL"),
            ("Ольга Новая", "UA"),
        ]
        assert entered[0].player == twins[1]
        again = {"text": "Jan Kot", "save": "1", "line1": str(twins[1].pk)}
        assert "is entered already" in desk.post(f"{ENTRIES}paste/", again).content.decode()

    def test_a_line_without_a_name_is_named(self, hall: Hall, desk: Client) -> None:
        answer = desk.post(f"{ENTRIES}paste/", {"text": "Anna\n;PL;12345678"})
        assert "Line 2 has no name" in answer.content.decode()


class TestAtTheDoor:
    def test_a_scorer_checks_in_and_the_count_rises(self, hall: Hall) -> None:
        hall.tournament.entries.update(status=Entry.Status.CONFIRMED, checked_in_at=None)
        door = client_of(hall.tournament.club, "scorer")
        assert door.post("/tournaments/open/manage/check-in/", {"number": "3"}).status_code == 302
        assert hall[3].status == Entry.Status.CHECKED_IN
        assert "1</b>of 6 players are here" in tight(page(door, "check-in/"))
        door.post("/tournaments/open/manage/check-in/", {"number": "3", "undo": "1"})
        assert hall[3].checked_in_at is None

    def test_names_are_found_in_any_script_and_by_number(self, hall: Hall, desk: Client) -> None:
        assert "佐藤 健" in page(desk, "check-in/?q=sato")
        assert "Thomas" not in page(desk, "check-in/?q=sato")
        assert "Thomas" in page(desk, "check-in/?q=4")
        assert "No one of that name is entered" in page(desk, "check-in/?q=zzz")


class TestFillingUp:
    def test_the_three_ways_are_offered(self, hall: Hall, desk: Client) -> None:
        text = page(desk, "entries/fill/")
        for way in ("Substitutes fill up", "Some sit out", "A table less"):
            assert way in text

    def test_byes_are_a_setting(self, hall: Hall, desk: Client) -> None:
        desk.post(f"{ENTRIES}fill/", {"way": "byes"})
        assert Tournament.objects.get().odd == Tournament.Odd.BYES

    def test_with_a_table_less_those_who_came_last_wait(self, hall: Hall, desk: Client) -> None:
        desk.post(f"{ENTRIES}fill/", {"way": "fewer"})
        waiting = Entry.objects.filter(status=Entry.Status.WAITING)
        assert set(waiting.values_list("number", flat=True)) == {5, 6}
        assert "every table is full" in page(desk, "entries/fill/")

    def test_an_occasional_substitute_can_play_every_round(self, hall: Hall, desk: Client) -> None:
        entry = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
        desk.post(f"{ENTRIES}fill/", {"way": "promote", "number": entry.number})
        assert hall[entry.number].substitute_kind == Entry.SubstituteKind.PERMANENT


def test_a_name_twice_in_one_list_is_left_out_unless_it_is_wished() -> None:
    hall = Hall()
    desk = client_of(hall.tournament.club)
    text = "Zoya New;BY\nzoya  NEW\nZoya New;;12345678"
    shown = desk.post("/tournaments/open/manage/entries/paste/", {"text": text}).content.decode()
    assert shown.count("twice in this list") == 1
    desk.post("/tournaments/open/manage/entries/paste/", {"text": text, "save": "1"})
    assert hall.tournament.entries.filter(player__native_name="Zoya New").count() == 2
    wished = {"text": "Yan New\nYan New", "line2": "new", "save": "1"}
    desk.post("/tournaments/open/manage/entries/paste/", wished)
    assert hall.tournament.entries.filter(player__native_name="Yan New").count() == 2
