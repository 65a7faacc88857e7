"""Making and changing an event on its pages, and what the page of next steps says."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client

from ratings.models import Club
from tests.cast import make_club
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import Hall
from tournaments.models import Round, Tournament
from tournaments.services.entries import set_status
from tournaments.services.events import StagePlan
from tournaments.services.tables import record_table

pytestmark = pytest.mark.django_db


def new_event(club: Club, **changed: Any) -> dict[str, Any]:
    return {
        "club": club.pk,
        "name": "Łódź Open",
        "starts_on": "2026-05-02",
        "ends_on": "2026-05-03",
        "odd": "substitutes",
        "is_public": "on",
        "rules": "preset:ema-2016",
        "rounds": "6",
        "final_totals": "carry",
        **changed,
    }


class TestMaking:
    def test_an_event_gets_rules_of_its_own_and_an_address_from_its_name(self) -> None:
        club = make_club()
        response = client_of(club).post("/tournaments/manage/new/", new_event(club, session_minutes="75"))
        event = Tournament.objects.get()
        assert response.headers["Location"] == "/tournaments/lodz-open/manage/"
        assert (event.rule_set.club, event.rule_set.name, event.rule_set.preset) == (club, "Łódź Open", "ema-2016")
        assert event.rule_set.rules.session_minutes == 75
        assert [stage.rounds.count() for stage in event.stages.all()] == [6]

    def test_a_final_needs_players_and_full_tables(self) -> None:
        club = make_club()
        client = client_of(club)
        answer = client.post("/tournaments/manage/new/", new_event(club, final_rounds="2"))
        assert "Enter the number of players in the final." in answer.content.decode()
        answer = client.post("/tournaments/manage/new/", new_event(club, final_rounds="2", final_players="6"))
        assert "use a multiple of four" in answer.content.decode()
        client.post("/tournaments/manage/new/", new_event(club, final_rounds="2", final_players="8"))
        first, final = Tournament.objects.get().stages.all()
        assert (first.cut_top, final.rounds_planned, final.is_open) == (8, 2, False)

    def test_an_event_is_made_only_for_ones_own_club(self) -> None:
        club, other = make_club(), make_club("Haneman")
        client = client_of(club)
        answer = client.post("/tournaments/manage/new/", new_event(other))
        assert answer.status_code == 422
        assert not Tournament.objects.exists()

    def test_the_club_whose_page_led_here_is_selected(self) -> None:
        club, other = make_club("Alfa"), make_club("Beta")
        client = client_of(club)
        other.memberships.create(user=club.memberships.get().user, role="admin")

        assert 'manage/new/?club=beta"' in client.get(other.get_absolute_url()).content.decode()
        for asked, selected in (("?club=beta", other.pk), ("?club=alfa", club.pk), ("?club=no-such-club", None)):
            form = client.get(f"/tournaments/manage/new/{asked}").context["form"]
            assert getattr(form["club"].value(), "pk", form["club"].value()) == selected

    def test_who_manages_no_club_makes_no_event(self) -> None:
        assert client_of(make_club(), "referee").get("/tournaments/manage/new/").status_code == 403

    def test_an_address_beside_those_of_events_is_refused(self) -> None:
        club = make_club()
        answer = client_of(club).post("/tournaments/manage/new/", new_event(club, slug="manage"))
        assert "taken by a page of the site" in answer.content.decode()


class TestChanging:
    def test_hiding_the_results_reaches_the_seasons(self, hall: Hall) -> None:
        client = client_of(hall.tournament.club)
        client.post("/tournaments/open/manage/results-shown/", {"hidden": "1"})
        assert not hall.stage().season.results_public
        client.post("/tournaments/open/manage/results-shown/", {"hidden": "0"})
        assert hall.stage().season.results_public

    def test_settings_are_saved_and_the_address_stays(self, hall: Hall) -> None:
        client = client_of(hall.tournament.club)
        data = new_event(hall.tournament.club, slug="other", tie_break_1="head_to_head", tables="5", capacity="16")
        data |= {"starts_on": "2026-04-18", "ends_on": "2026-04-19"}
        assert client.post("/tournaments/open/manage/settings/", data).status_code == 302
        event = Tournament.objects.get()
        assert (event.slug, event.tables, event.capacity, event.tie_breaks) == ("open", 5, 16, ["head_to_head"])

    def test_one_tie_break_named_twice_is_refused(self, hall: Hall) -> None:
        data = new_event(hall.tournament.club, tie_break_1="best_game", tie_break_2="best_game")
        answer = client_of(hall.tournament.club).post("/tournaments/open/manage/settings/", data)
        assert "A tie-break is selected twice" in answer.content.decode()


class TestNextSteps:
    def test_an_empty_event_asks_for_players(self) -> None:
        hall = Hall(0)
        assert "No one is entered yet." in page(client_of(hall.tournament.club), "")

    def test_a_number_that_fills_no_tables_is_said(self) -> None:
        hall = Hall(6)
        text = page(client_of(hall.tournament.club), "")
        assert "6 players: 2 more needed to fill the tables." in text
        assert "Fill up the tables" in text

    def test_who_is_not_checked_in_is_counted(self, hall: Hall) -> None:
        set_status(hall[3], hall[3].Status.CONFIRMED)
        assert "1 of 8 players is not checked in." in page(client_of(hall.tournament.club), "")

    def test_missing_unchecked_and_ready_rounds_are_told_apart(self, hall: Hall) -> None:
        client = client_of(hall.tournament.club)
        hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
        assert "2 tables missing in round 1." in page(client, "")
        for number in (1, 2):
            table = hall.table(number)
            record_table(table, hall.sheet(table))
        assert "2 tables not checked in round 1." in page(client, "")
        client.post("/tournaments/open/manage/rounds/1/1/check/", {"table": "all"})
        assert "Every table of round 1 is in and checked." in page(client, "")
        client.post("/tournaments/open/manage/rounds/1/1/confirm/")
        assert hall.round(1).state == Round.State.CONFIRMED
        assert "There is no seating for round 2 yet." in page(client, "")

    def test_a_scorer_is_told_only_what_a_scorer_may_do(self, hall: Hall) -> None:
        text = page(client_of(hall.tournament.club, "scorer"), "")
        assert "Draw the round" not in text

    def test_after_the_last_round_comes_the_cut_or_the_end(self) -> None:
        hall = Hall(stages=(StagePlan("Main", 1, top=4), StagePlan("Final", 1)))
        client = client_of(hall.tournament.club)
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        assert "Main is over." in page(client, "")

    def test_without_another_stage_comes_the_end(self) -> None:
        hall = Hall(stages=(StagePlan("Main", 1),))
        client = client_of(hall.tournament.club)
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        assert "Finish the event" in page(client, "")
        client.post("/tournaments/open/manage/finish/")
        assert Tournament.objects.get().finished_at is not None

    def test_the_pages_of_steps_take_few_queries(self, django_assert_max_num_queries: Any, hall: Hall) -> None:
        client = client_of(hall.tournament.club)
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        with django_assert_max_num_queries(8):
            page(client, "")


class TestTheWayThere:
    def test_staff_get_from_the_event_to_its_desk_and_strangers_do_not(self, client: Client, hall: Hall) -> None:
        desk = '/tournaments/open/manage/"'
        assert desk in client_of(hall.tournament.club, "scorer").get("/tournaments/open/").content.decode()
        assert desk not in client.get("/tournaments/open/").content.decode()

    def test_admins_may_plan_a_tournament_from_the_list(self, client: Client) -> None:
        club = make_club()
        assert "/tournaments/manage/new/" in client_of(club).get("/tournaments/").content.decode()
        assert "/tournaments/manage/new/" not in client.get("/tournaments/").content.decode()

    def test_an_open_registration_is_linked(self, client: Client) -> None:
        day = datetime.date.today() + datetime.timedelta(days=9)
        Hall(registration_open=True, starts_on=day, ends_on=day)
        assert "/tournaments/open/register/" in client.get("/tournaments/open/").content.decode()
