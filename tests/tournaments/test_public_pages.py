"""The list of tournaments and the page of an event: who sees what, and what empty pages say."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ratings.models import Player
from tests.cast import make_club, make_user
from tests.pages import tight
from tests.tournaments.hall import Hall
from tournaments.models import Tournament
from tournaments.queries.listing import Phase, grouped, listed_events
from tournaments.services.events import StagePlan, set_results_hidden
from tournaments.services.rulings import disqualify, give_penalty
from tournaments.services.stages import finish_event, open_next_stage

pytestmark = pytest.mark.django_db

PUBLIC = ("", "rounds/", "standings/", "teams/", "rulings/")
DAY = datetime.timedelta(days=1)


def staff_of(hall: Hall, role: str = "scorer") -> Client:
    client = Client()
    client.force_login(make_user(role, hall.tournament.club, role))
    return client


def hide(hall: Hall, **facts: bool) -> None:
    Tournament.objects.filter(pk=hall.tournament.pk).update(**facts)


def at(hall: Hall, days: int, **facts: object) -> Phase:
    """The group of the event in the list when its first day is so many days away."""
    first = timezone.localdate() + days * DAY
    Tournament.objects.filter(pk=hall.tournament.pk).update(starts_on=first, ends_on=first + DAY, **facts)
    return listed_events(make_user(f"reader {days} {facts}"))[0].phase


class TestTheList:
    def test_nothing_planned_says_what_to_do(self, client: Client) -> None:
        assert "There is no tournament yet" in client.get("/tournaments/").text

    def test_an_event_moves_through_the_four_groups(self, hall: Hall) -> None:

        assert at(hall, 30) == Phase.COMING
        assert at(hall, 29, registration_open=True) == Phase.OPEN
        assert at(hall, 0) == Phase.RUNNING
        assert at(hall, -9) == Phase.PLAYED
        assert at(hall, -8, finished_at=timezone.now()) == Phase.FINISHED

    def test_a_round_that_is_seated_early_makes_the_event_run(self, hall: Hall) -> None:
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])

        assert at(hall, 3, registration_open=True) == Phase.RUNNING
        assert "round 1 of 3" in Client().get("/tournaments/").text

    def test_players_and_rounds_are_counted_apart(self, hall: Hall) -> None:
        hall.add_substitute()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        listed = listed_events(make_user())[0]

        assert (listed.players, listed.rounds, listed.seated, listed.confirmed) == (8, 3, 1, 1)
        assert len(grouped([listed]).finished) == 1

    def test_strangers_do_not_see_a_hidden_event_and_staff_do(self, client: Client, hall: Hall) -> None:
        hide(hall, is_public=False)

        assert "There is no tournament yet" in client.get("/tournaments/").text
        assert "Open" in staff_of(hall).get("/tournaments/").text

    def test_it_takes_one_query_whatever_there_is(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        for number in range(4):
            hall = Hall(4, club=make_club(f"Club {number}", slug=f"club-{number}"))
            Tournament.objects.filter(pk=hall.tournament.pk).update(slug=f"open-{number}")
        client = Client()
        client.get("/tournaments/")

        with django_assert_num_queries(1):
            client.get("/tournaments/")

    def test_the_home_page_lists_events(self, client: Client) -> None:
        Hall()

        assert '<a class="name" href="/tournaments/open/">Open</a>' in client.get("/").text


class TestWhoSeesTheEvent:
    @pytest.mark.parametrize("page", PUBLIC)
    def test_a_hidden_event_is_not_there_for_strangers(self, client: Client, page: str, hall: Hall) -> None:
        hide(hall, is_public=False)

        assert client.get(f"/tournaments/open/{page}").status_code == 404
        assert staff_of(hall).get(f"/tournaments/open/{page}").status_code == 200

    @pytest.mark.parametrize("page", PUBLIC)
    def test_no_page_of_an_event_that_is_not_there(self, client: Client, page: str) -> None:
        assert client.get(f"/tournaments/nowhere/{page}").status_code == 404

    @pytest.mark.parametrize("page", PUBLIC)
    def test_a_new_event_has_pages_that_say_what_is_missing(self, client: Client, page: str) -> None:
        Hall(0)

        assert client.get(f"/tournaments/open/{page}").status_code == 200

    @pytest.mark.parametrize("page", PUBLIC)
    def test_no_result_is_seen_before_the_ceremony(self, client: Client, page: str) -> None:
        hall = Hall(preset="ema-2012")
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        give_penalty(hall.stage(), hall[1], 12_300, "phone", after_round=1)
        set_results_hidden(hall.tournament, True)
        shown, secret = (
            staff_of(hall).get(f"/tournaments/open/{page}").text,
            client.get(f"/tournaments/open/{page}").text,
        )

        for number in ("+45.0", "+15.0", "−45.0", "−12.3"):
            assert number not in secret
        if page in ("", "rounds/", "standings/"):
            assert "−45.0" in shown

    @pytest.mark.parametrize("wanted", ["xlsx", "csv"])
    @pytest.mark.parametrize("stage", ["1", "all", ""])
    def test_no_file_is_given_before_the_ceremony(self, client: Client, wanted: str, stage: str) -> None:
        hall = Hall(8, [StagePlan("Main", 1, top=4), StagePlan("Final", 1)])
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        open_next_stage(hall.stage(), qualified=[hall[1], hall[5], hall[2], hall[6]])
        set_results_hidden(hall.tournament, True)
        answer = client.get(f"/tournaments/open/standings/?stage={stage}&export={wanted}")

        assert answer["Content-Type"].startswith("text/html")
        assert "until the ceremony" in answer.text

    def test_a_hidden_player_is_nameless_everywhere(self, client: Client, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        Player.objects.filter(pk=hall.players[0].pk).update(visibility=Player.Visibility.HIDDEN)
        name = hall.players[0].native_name

        for page in (*PUBLIC, "standings/?export=csv"):
            assert name not in client.get(f"/tournaments/open/{page}").text
            assert page in ("teams/", "rulings/") or name in staff_of_again(hall).get(f"/tournaments/open/{page}").text


def staff_of_again(hall: Hall) -> Client:
    client = Client()
    member = hall.tournament.club.memberships.first()
    client.force_login(member.user if member else make_user("scorer", hall.tournament.club))
    return client


class TestThePage:
    def test_the_round_being_played_shows_its_tables(self, client: Client, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 5, 2, 6], [3, 7, 4, 8])
        page = client.get("/tournaments/open/").text

        assert "Round 2" in page
        assert "2 tables still playing" in page
        assert tight(page).count('class="game-table" role="group"') == 2

    def test_entries_say_who_left(self, client: Client, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        disqualify(hall[3], hall.stage(), 1, reason="fight")

        assert '<span class="tag red">disqualified</span>' in client.get("/tournaments/open/").text

    def test_the_rulings_are_read_with_their_reasons(self, client: Client, hall: Hall) -> None:
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        give_penalty(hall.stage(), hall[2], 8000, "Used a phone", after_round=1)
        page = client.get("/tournaments/open/rulings/").text

        assert "Used a phone" in page
        assert "−8.0" in page

    def test_teams_are_ranked_by_the_sum_of_their_members(self, client: Client, hall: Hall) -> None:
        for number, team in ((1, "Red"), (4, "Red"), (2, "Green"), (5, "Green")):
            hall.tournament.entries.filter(number=number).update(team=team)
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        page = client.get("/tournaments/open/teams/").text

        assert page.index("Green") < page.index("Red")
        assert "+60.0" in page

    def test_points_for_the_european_ranking_appear_when_the_event_is_over(self, client: Client) -> None:
        hall = Hall(reports_to_mers=True)
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.play(2, [1, 5, 2, 6], [3, 7, 4, 8])
        hall.play(3, [1, 6, 3, 8], [5, 2, 7, 4])
        assert "European ranking</h2>" not in tight(client.get("/tournaments/open/").text)

        finish_event(hall.tournament)
        page = client.get("/tournaments/open/").text

        assert "Weight 2.5: 2 days, 8 players, 6 countries" in page
        assert '<td class="numeric strong">1000</td>' in page

    def test_the_page_costs_the_same_queries_with_twice_the_players(
        self, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        hall = Hall(16)
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16])
        hall.seat(2, [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [4, 8, 12, 16])

        with django_assert_max_num_queries(14):
            Client().get("/tournaments/open/")

    def test_it_is_not_made_again_while_nothing_changed(self, client: Client, hall: Hall) -> None:
        client.get("/tournaments/open/")  # gives the cookie that is part of what a browser holds
        first = client.get("/tournaments/open/")
        again = client.get("/tournaments/open/", headers={"If-None-Match": first["ETag"]})
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        after = client.get("/tournaments/open/", headers={"If-None-Match": first["ETag"]})

        assert (again.status_code, after.status_code) == (304, 200)
