"""The clock and the wall screen: what devices receive, who may operate the clock, and what must not be shown."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ratings.models import Player
from tests.cast import make_club, make_user
from tests.tournaments.hall import Hall
from tournaments.models import Round
from tournaments.queries.clock import clock_of
from tournaments.services.events import StagePlan, set_results_hidden
from tournaments.services.rounds import add_time, announce_times, pause_clock, start_clock
from tournaments.services.tables import record_table

pytestmark = pytest.mark.django_db

CLOCK, STATE, SCREEN = "/tournaments/open/clock/", "/tournaments/open/clock/state/", "/tournaments/open/screen/"
MINUTE = 60_000


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """EMA rules: 90 minutes, a signal when 15 are left, none at the end; round 1 is seated."""
    hall = Hall(preset="ema-2012")
    hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
    return hall


def staff(hall: Hall, role: str = "scorer") -> Client:
    client = Client()
    client.force_login(make_user(role, hall.tournament.club, role))
    return client


def run_for(round_: Round, minutes: int) -> None:
    """Start the clock as if that had happened so many minutes ago."""
    start_clock(round_)
    since = timezone.now() - datetime.timedelta(minutes=minutes)
    Round.objects.filter(pk=round_.pk).update(running_since=since, started_at=since)


class TestTheTime:
    def test_before_the_start_the_whole_round_is_left(self, client: Client, hall: Hall) -> None:
        clock = client.get(STATE).json()["clock"]

        assert (clock["state"], clock["remaining"], clock["length"]) == ("waiting", 90 * MINUTE, 90 * MINUTE)
        assert clock["words"]["before"] == "Find your table and seat."

    def test_while_it_runs_it_tells_what_is_left_and_when_the_signal_comes(self, client: Client, hall: Hall) -> None:
        run_for(hall.round(), 30)
        clock = client.get(STATE).json()["clock"]

        assert clock["state"] == "running"
        assert 59 * MINUTE < clock["remaining"] <= 60 * MINUTE
        assert clock["signals"] == [15 * MINUTE]
        assert clock["words"] == {
            "before": "At the signal, 15 minutes before the end: finish the hand, then one more.",
            "after": "The signal was given: finish the hand, then one more.",
            "over": "The time is over: finish the hand, then one more.",
        }

    def test_a_pause_stops_it(self, client: Client, hall: Hall) -> None:
        run_for(hall.round(), 30)
        pause_clock(hall.round())
        first, later = (client.get(STATE).json()["clock"] for _ in range(2))

        assert first["state"] == "paused"
        assert first["remaining"] == later["remaining"]

    def test_extra_time_is_for_all_or_for_one_table(self, client: Client, hall: Hall) -> None:
        add_time(hall.round(), 120)
        add_time(hall.round(), 300, table=hall.table(2))
        clock = client.get(STATE).json()["clock"]

        assert clock["remaining"] == 92 * MINUTE
        assert clock["tables"] == ["Table 2: 5 minutes more"]

    def test_without_a_length_it_counts_up(self, client: Client) -> None:
        hall = Hall(preset="furiten")
        hall.seat(1, [1, 2, 3, 4], [5, 6, 7, 8])
        run_for(hall.round(), 10)
        clock = client.get(STATE).json()["clock"]

        assert (clock["remaining"], clock["signals"]) == (None, [])
        assert clock["played"] >= 10 * MINUTE

    def test_between_rounds_there_is_nothing_to_time(self, client: Client) -> None:
        hall = Hall(preset="ema-2012")
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])

        assert clock_of(hall.tournament.pk, timezone.now()).state == "none"
        assert client.get(STATE).json()["clock"]["label"] == "No round is being played"

    def test_it_is_never_kept_by_a_browser_and_costs_three_queries(
        self, client: Client, hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(3):
            answer = client.get(STATE)

        assert answer["Cache-Control"] == "no-store"


class TestTheButtons:
    def test_a_scorer_starts_pauses_and_gives_time(self, hall: Hall) -> None:
        client, number = staff(hall), hall.round().pk
        client.post(CLOCK, {"round": number, "action": "start"})
        assert hall.round().is_running

        client.post(CLOCK, {"round": number, "action": "pause"})
        answer = client.post(CLOCK, {"round": number, "action": "extra", "minutes": 5, "table": ""}, follow=True)

        assert (hall.round().is_running, hall.round().extra_seconds) == (False, 300)
        assert "5 minutes more for all tables." in answer.text

    def test_one_table_gets_time_of_its_own(self, hall: Hall) -> None:
        data = {"round": hall.round().pk, "action": "extra", "minutes": 3, "table": hall.table(2).pk}
        staff(hall).post(CLOCK, data)

        assert [hall.table(number).extra_seconds for number in (1, 2)] == [0, 180]

    @pytest.mark.parametrize("minutes", ["", "0", "x", "1000"])
    def test_nonsense_is_refused_with_a_sentence(self, hall: Hall, minutes: str) -> None:
        data = {"round": hall.round().pk, "action": "extra", "minutes": minutes}
        answer = staff(hall).post(CLOCK, data)

        assert answer.status_code == 422
        assert hall.round().extra_seconds == 0

    def test_a_confirmed_round_is_not_started_again(self, hall: Hall) -> None:
        Round.objects.filter(pk=hall.round().pk).update(state=Round.State.CONFIRMED)
        answer = staff(hall).post(CLOCK, {"round": hall.round().pk, "action": "start"}, follow=True)

        assert "Only a round that is seated and not confirmed has a clock." in answer.text

    def test_strangers_are_asked_to_sign_in_and_others_find_nothing(self, client: Client, hall: Hall) -> None:
        foreign = Client()
        foreign.force_login(make_user("foreign", make_club("Haneman"), "admin"))
        data = {"round": hall.round().pk, "action": "start"}

        assert client.post(CLOCK, data).status_code == 302
        assert foreign.post(CLOCK, data).status_code == 404
        assert not hall.round().is_running
        assert "Extra time" not in client.get(CLOCK).text

    @pytest.mark.parametrize("number", ["", "0", "x", "99999999999999999999999"])
    def test_a_round_of_nowhere_is_not_found(self, hall: Hall, number: str) -> None:
        assert staff(hall).post(CLOCK, {"round": number, "action": "start"}).status_code == 404


class TestTheScreen:
    def test_it_shows_seats_first_and_then_the_standings(self, client: Client) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 5, 2, 6], [3, 7, 4, 8])
        page = client.get(SCREEN).text

        assert page.index("Round 2: your table") < page.index("Standings after round 1")
        assert page.count('class="slide"') == 2

    def test_many_tables_are_found_by_name_too(self, client: Client) -> None:
        hall = Hall(28, [StagePlan("Main", 1)])
        hall.seat(1, *([4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4] for n in range(7)))
        slides = client.get(f"{SCREEN}slides/").text

        assert [slides.count(f'data-key="{kind}-') for kind in ("names", "tables")] == [2, 2]

    def test_results_hidden_until_the_ceremony_are_not_on_the_wall_even_if_staff_opens_it(self) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        set_results_hidden(hall.tournament, True)
        client = staff(hall)

        for address in (SCREEN, f"{SCREEN}slides/"):
            assert "+45.0" not in client.get(address).text
            assert "secret until the ceremony" in client.get(address).text

    def test_a_hidden_player_has_no_name_on_the_wall_even_if_staff_opens_it(self) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        hall.seat(2, [1, 5, 2, 6], [3, 7, 4, 8])
        Player.objects.filter(pk=hall.players[0].pk).update(visibility=Player.Visibility.HIDDEN)

        assert hall.players[0].native_name not in staff(hall).get(SCREEN).text

    def test_before_the_first_round_it_says_what_it_waits_for(self, client: Client) -> None:
        Hall()

        assert "has not been seated yet" in client.get(SCREEN).text

    def test_the_version_changes_with_a_result_and_not_by_itself(self, client: Client, hall: Hall) -> None:
        first, again = (client.get(STATE).json()["version"] for _ in range(2))

        record_table(hall.table(1), hall.sheet(hall.table(1)))

        assert first == again != client.get(STATE).json()["version"]

    def test_slides_are_not_sent_twice(self, client: Client, hall: Hall) -> None:
        first = client.get(f"{SCREEN}slides/")
        again = client.get(f"{SCREEN}slides/", headers={"If-None-Match": first["ETag"]})

        assert again.status_code == 304

    @pytest.mark.parametrize("page", ["screen/", "screen/slides/", "clock/", "clock/state/", "me/", "me/1/"])
    def test_a_hidden_event_is_not_on_the_wall(self, client: Client, hall: Hall, page: str) -> None:
        type(hall.tournament).objects.filter(pk=hall.tournament.pk).update(is_public=False)

        assert client.get(f"/tournaments/open/{page}").status_code == 404


class TestAnnouncedStarts:
    TIMES = "/tournaments/open/manage/rounds/times/"

    def announce(self, hall: Hall, minutes: int, number: int = 1) -> None:
        start = timezone.now() + datetime.timedelta(minutes=minutes)
        announce_times(hall.tournament, {hall.round(number).pk: start})

    def test_before_the_start_it_counts_down_to_it(self, client: Client, hall: Hall) -> None:
        self.announce(hall, 20)
        clock = client.get(STATE).json()["clock"]
        assert (clock["state"], clock["label"]) == ("waiting", "Round 1 starts in")
        assert 19 * MINUTE < clock["startsIn"] <= 20 * MINUTE
        assert clock["plainLabel"] == "Round 1 is about to start"
        assert "Round 1 starts in" in client.get(SCREEN).content.decode()

    def test_between_rounds_too(self, client: Client) -> None:
        hall = Hall()
        hall.play(1, [1, 2, 3, 4], [5, 6, 7, 8])
        self.announce(hall, 90, number=2)
        clock = client.get(STATE).json()["clock"]
        assert (clock["state"], clock["label"], clock["plainLabel"]) == (
            "none",
            "Round 2 starts in",
            "No round is being played",
        )

    @pytest.mark.parametrize("minutes", [-1, 60 * 24 * 3])
    def test_what_is_past_or_days_away_is_not_counted(self, client: Client, hall: Hall, minutes: int) -> None:
        self.announce(hall, minutes)
        clock = client.get(STATE).json()["clock"]
        assert (clock["startsIn"], clock["label"]) == (None, "Round 1 is about to start")

    def test_a_round_that_runs_does_not_start_any_more(self, client: Client, hall: Hall) -> None:
        self.announce(hall, 20)
        start_clock(hall.round())
        assert client.get(STATE).json()["clock"]["startsIn"] is None

    def test_an_admin_types_them_in_the_events_own_time(self, hall: Hall, client: Client) -> None:
        first, second = hall.round(1), hall.round(2)
        data = {f"round{first.pk}": "2026-04-18T10:00", f"round{second.pk}": "2026-04-18T12:30"}
        assert staff(hall, "admin").post(self.TIMES, data).status_code == 302
        start = hall.round(1).starts_at
        assert start is not None
        assert timezone.localtime(start, hall.tournament.zone).strftime("%d %H:%M") == "18 10:00"
        assert hall.round(3).starts_at is None
        assert "Sat 12:30" in client.get("/tournaments/open/").content.decode()
        assert "Sat 10:00" in client.get("/tournaments/open/me/1/").content.decode()

    @pytest.mark.parametrize(
        ("second", "sentence"),
        [
            ("2026-04-18T09:00", "A round cannot start before the one before it."),
            ("noon", "Type day and time"),
            ("2026-13-45T10:00", "Type day and time"),
        ],
    )
    def test_what_cannot_be_is_said(self, hall: Hall, second: str, sentence: str) -> None:
        data = {f"round{hall.round(1).pk}": "2026-04-18T10:00", f"round{hall.round(2).pk}": second}
        answer = staff(hall, "admin").post(self.TIMES, data)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
        assert hall.round(1).starts_at is None

    def test_a_scorer_does_not_plan(self, hall: Hall) -> None:
        assert staff(hall).get(self.TIMES).status_code == 403
