"""Drawing seats on the organiser's page: what is asked, kept, swapped and published."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from clubsite import jobs
from clubsite.models import Job
from ratings.mahjong.problems import Refused
from ratings.models import Adjustment, Affiliation
from tests.pages import tight
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import Hall
from tournaments.models import Entry, PlannedSeat, Round, Tournament
from tournaments.queries.schedules import Drawing, draw, read_drawing, seating_of, seating_request, swap_cost
from tournaments.seating.budget import Progress
from tournaments.services.draw_job import Timer
from tournaments.services.events import change_event
from tournaments.services.incidents import Incident, report
from tournaments.services.rulings import withdraw
from tournaments.services.schedules import store_drawing

pytestmark = pytest.mark.django_db
SCHEDULE = "/tournaments/open/manage/schedule/"


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    return Hall(8)


def asked(**changed: Any) -> dict[str, Any]:
    return {"way": "whole", "seed": "1", "seconds": "1", "teams_apart": "on", **changed}


def draw_on_page(desk: Client, **changed: Any) -> None:
    response = desk.post(SCHEDULE, asked(**changed))
    assert response.status_code == 302, response.content.decode()
    for job in Job.objects.filter(state=Job.State.WAITING):
        jobs.run(job.pk)


def met(hall: Hall, round_number: int) -> set[frozenset[int]]:
    numbers = dict(Entry.objects.values_list("pk", "number"))
    tables = seating_of(hall.stage())[round_number]
    return {frozenset(numbers[entry] for entry in table) for table in tables}


class TestDrawing:
    def test_a_whole_schedule_is_long_work_and_nobody_sees_it_yet(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk)
        assert Job.objects.get().state == Job.State.DONE
        assert [len(tables) for tables in seating_of(hall.stage()).values()] == [2, 2, 2]
        assert {each.state for each in hall.stage().rounds.all()} == {Round.State.PLANNED}
        text = page(desk, "schedule/")
        assert "How good the schedule is" in text
        assert "cannot be better" in text

    def test_the_same_seed_gives_the_same_seats(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk, way="random", seed="7")
        first = met(hall, 1)
        draw_on_page(desk, way="random", seed="8")
        draw_on_page(desk, way="random", seed="7")
        assert met(hall, 1) == first

    def test_a_team_is_kept_apart_only_when_wished(self, hall: Hall, desk: Client) -> None:
        Entry.objects.filter(number__in=[1, 2]).update(team="Minsk")
        draw_on_page(desk)
        for number in (1, 2, 3):
            assert not any({1, 2} <= table for table in met(hall, number))

    def test_listed_pairs_never_meet(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk, pairs="1-5, 2-6")
        for number in (1, 2, 3):
            assert not any({1, 5} <= table or {2, 6} <= table for table in met(hall, number))

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"pairs": "1+5"}, "is not a pair, such as 3-17"),
            ({"pairs": "1-99"}, "are not two players of this stage"),
            ({"way": "interval"}, "Enter the step"),
            ({"absent": ["1"]}, "draw that round alone"),
        ],
    )
    def test_what_cannot_be_meant_is_said(
        self, hall: Hall, desk: Client, changed: dict[str, Any], sentence: str
    ) -> None:
        answer = desk.post(SCHEDULE, asked(**changed))
        assert answer.status_code == 422
        assert sentence in answer.content.decode()

    def test_too_few_substitutes_are_counted(self) -> None:
        hall = Hall(6)
        desk = client_of(hall.tournament.club)
        assert "substitutes are needed: 2. Entered: 0." in desk.post(SCHEDULE, asked()).content.decode()
        hall.add_substitute()
        hall.add_substitute()
        draw_on_page(desk)
        assert all(len(table) == 4 for table in met(hall, 1))

    def test_a_hall_with_too_few_tables_is_said(self, hall: Hall, desk: Client) -> None:
        hall.tournament.tables = 1
        change_event(hall.tournament)
        assert "2 tables are needed" in desk.post(SCHEDULE, asked()).content.decode()

    def test_swiss_seats_neighbours_of_the_standings_together(self, hall: Hall, desk: Client) -> None:
        hall.play(1, (1, 5, 2, 6), (3, 7, 4, 8))  # of each table the first two win
        draw_on_page(desk, way="rank")
        assert met(hall, 2) == {frozenset({1, 3, 5, 7}), frozenset({2, 4, 6, 8})}

    def test_entries_that_change_meanwhile_void_the_drawing(self, hall: Hall) -> None:
        drawn = draw(seating_request(hall.stage(), Drawing(way="random")))
        withdraw(hall[8], hall.stage(), 0, keep_results=False, reason="ill")
        withdraw(hall[7], hall.stage(), 0, keep_results=False, reason="ill")
        withdraw(hall[6], hall.stage(), 0, keep_results=False, reason="ill")
        withdraw(hall[5], hall.stage(), 0, keep_results=False, reason="ill")
        with pytest.raises(Refused, match="Draw again"):
            store_drawing(drawn)


class TestStopping:
    def test_a_stopped_search_keeps_the_best_so_far(self, hall: Hall, desk: Client) -> None:
        desk.post(SCHEDULE, asked())
        job = Job.objects.get()
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, stop_requested=True)
        timer = Timer(jobs.Work(job), 60)
        timer.report(Progress("meetings", 1, 10))
        assert timer.over()
        Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)
        jobs.run(job.pk)
        job.refresh_from_db()
        assert (job.state, len(seating_of(hall.stage()))) == (Job.State.DONE, 3)


class TestPublishing:
    def test_rounds_are_published_in_their_order(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk)
        answer = desk.post(f"{SCHEDULE}1/2/publish/", follow=True)
        assert "Publish round 1 first" in answer.content.decode()
        desk.post(f"{SCHEDULE}1/1/publish/", {"all": "1"})
        assert all(each.is_published for each in hall.stage().rounds.all())

    def test_published_rounds_stand_and_the_rest_is_drawn_for_those_who_are_left(
        self, desk: Client, hall: Hall
    ) -> None:
        for _each in range(4):
            hall.add_substitute()
        draw_on_page(desk)
        desk.post(f"{SCHEDULE}1/1/publish/")
        first = met(hall, 1)
        withdraw(hall[8], hall.stage(), 1, keep_results=True, reason="ill")
        assert "drawn for other players than those who play now" in page(desk, "schedule/")
        answer = desk.post(f"{SCHEDULE}1/2/publish/", follow=True)
        assert "who has left" in answer.content.decode()
        draw_on_page(desk)
        assert met(hall, 1) == first
        assert not any(8 in table for table in met(hall, 2))
        text = page(desk, "schedule/")
        assert "Before" in text
        assert "drawn for other players" not in text
        desk.post(f"{SCHEDULE}1/2/publish/")
        absent = Adjustment.objects.filter(kind=Adjustment.Kind.ABSENCE)
        assert [(row.player, row.round) for row in absent] == [(hall[8].player, 2)]

    def test_whoever_sits_out_has_a_bye(self) -> None:
        hall = Hall(9, odd=Tournament.Odd.BYES)
        desk = client_of(hall.tournament.club)
        draw_on_page(desk)
        desk.post(f"{SCHEDULE}1/1/publish/")
        seated = set(PlannedSeat.objects.filter(round=hall.round(1)).values_list("entry__number", flat=True))
        (bye,) = Adjustment.objects.filter(kind=Adjustment.Kind.BYE)
        assert {bye.player_id} == {hall[n].player_id for n in range(1, 10) if n not in seated}

    def test_somebody_absent_for_one_round_is_drawn_around(self) -> None:
        hall = Hall(9)
        desk = client_of(hall.tournament.club)
        draw_on_page(desk, way="random", absent=["4"])
        desk.post(f"{SCHEDULE}1/1/publish/")
        (absence,) = Adjustment.objects.filter(kind=Adjustment.Kind.ABSENCE)
        assert (absence.player, absence.points) == (hall[4].player, -30_000)

    def test_seats_are_taken_back_with_a_reason_until_there_is_a_result(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk)
        desk.post(f"{SCHEDULE}1/1/publish/")
        assert desk.post(f"{SCHEDULE}1/1/unseat/", {"reason": ""}).status_code == 422
        desk.post(f"{SCHEDULE}1/1/unseat/", {"reason": "a wrong list was drawn"})
        assert not hall.round(1).is_published


class TestSwapping:
    def test_the_cost_is_shown_and_nothing_is_changed_before_it_is_accepted(self, hall: Hall, desk: Client) -> None:
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        hall.seat(2, (1, 2, 5, 6), (3, 4, 7, 8))
        before = met(hall, 2)
        data = {"one": "5", "other": "3"}
        shown = desk.post(f"{SCHEDULE}1/2/", data).content.decode()
        assert "Before they change places" in shown
        assert met(hall, 2) == before
        desk.post(f"{SCHEDULE}1/2/", {**data, "accept": "1", "reason": "wheelchair"})
        assert met(hall, 2) == {frozenset({1, 2, 3, 6}), frozenset({5, 4, 7, 8})}

    def test_the_cost_counts_repeated_meetings(self, hall: Hall) -> None:
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        hall.seat(2, (1, 2, 5, 6), (3, 4, 7, 8))
        cost = swap_cost(hall.round(2), hall[5], hall[3])
        # Before the swap 1-2, 5-6, 3-4 and 7-8 meet again; after it 1-2-3 and 5-7-8 do, but not 4 and 6.
        assert (cost.before["excess"].value, cost.after["excess"].value) == (4, 6)

    def test_two_different_players_are_needed(self, hall: Hall, desk: Client) -> None:
        hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
        answer = desk.post(f"{SCHEDULE}1/1/", {"one": "5", "other": "5"})
        assert "Choose two different players." in answer.content.decode()


class TestTheCertificateOfOneRound:
    @pytest.mark.parametrize(
        ("wishes", "sentence"),
        [
            ({"way": "random"}, "Drawn by lot, with the fewest repeated meetings."),
            ({"way": "swiss", "max_fall": "2"}, "no one falls more than 2 places"),
            ({"way": "interval", "step": "2"}, "ranks 1, 3, 5 and 7 share a table"),
            ({"way": "rank"}, "1 to 4 at one table, 5 to 8 at the next"),
        ],
    )
    def test_says_how_it_was_drawn_and_how_good_it_is(
        self, hall: Hall, desk: Client, wishes: dict[str, str], sentence: str
    ) -> None:
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        draw_on_page(desk, **wishes)
        text = page(desk, "schedule/1/2/")
        assert sentence in text
        assert "How good the draw is" in text
        assert "Teams are kept apart." in text
        assert "Round 2, 8 players" in text
        assert ("rank 8" in text) == (wishes["way"] != "random")

    def test_drawn_again_it_shows_what_was_before(self, hall: Hall, desk: Client) -> None:
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        draw_on_page(desk, way="rank")
        assert ">Before</th>" not in tight(page(desk, "schedule/1/2/"))
        draw_on_page(desk, way="random")
        text = tight(page(desk, "schedule/1/2/"))
        assert ">Before</th>" in text
        assert ">Now</th>" in text

    def test_a_swap_by_hand_is_said_beside_it(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk, way="random")
        one, other = (min(table) for table in met(hall, 1))
        desk.post(f"{SCHEDULE}1/1/", {"one": str(one), "other": str(other), "accept": "1"})
        assert "1 time two changed places by hand since" in page(desk, "schedule/1/1/")

    def test_a_round_of_a_whole_schedule_leads_to_that_ones(self, desk: Client) -> None:
        draw_on_page(desk)
        assert "Drawn together with the other rounds of the schedule." in page(desk, "schedule/1/1/")


class TestKeepingApart:
    """Two players of each country at two tables: if kept apart, they do not meet in the rounds that ask for it."""

    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall(8)
        for number in range(1, 9):
            Entry.objects.filter(number=number).update(country=("BY", "PL", "JP", "DE")[number % 4])
        return hall

    def together(self, hall: Hall, round_number: int) -> int:
        return sum(len({number % 4 for number in table}) < 4 for table in met(hall, round_number))

    @pytest.mark.parametrize("way", ["whole", "random"])
    def test_in_the_first_round(self, hall: Hall, desk: Client, way: str) -> None:
        draw_on_page(desk, way=way, countries_apart="first")
        assert self.together(hall, 1) == 0

    def test_in_every_round_of_a_schedule(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk, countries_apart="always")
        assert [self.together(hall, number) for number in (1, 2, 3)] == [0, 0, 0]

    @pytest.mark.parametrize("way", ["random", "swiss"])
    def test_in_a_later_round_only_when_it_is_wished_always(self, hall: Hall, desk: Client, way: str) -> None:
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        draw_on_page(desk, way=way, countries_apart="always", max_fall="8")
        assert self.together(hall, 2) == 0
        assert "Countries are kept apart." in page(desk, "schedule/1/2/")
        draw_on_page(desk, way=way, countries_apart="first", max_fall="8")
        assert Round.objects.get(number=2).drawn["figures"]["forbidden"]["value"] == 0  # nothing is forbidden now

    def test_clubs_too(self, hall: Hall, desk: Client) -> None:
        Affiliation.objects.filter(player__in=[hall[1].player, hall[2].player]).update(kind="regular")
        for seed in range(4):
            draw_on_page(desk, way="random", clubs_apart="always", seed=str(seed))
            assert not any({1, 2} <= table for table in met(hall, 1))

    def test_a_swap_says_when_it_brings_them_together(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk, way="random", countries_apart="always")
        table = next(iter(met(hall, 1)))
        one = min(table)
        mate = next(n for n in range(1, 9) if n % 4 == one % 4 and n != one)
        other = next(n for n in table if n != one)
        cost = swap_cost(hall.round(1), hall[other], hall[mate])
        assert (cost.before["forbidden"].value, cost.after["forbidden"].value) == (0, 2)

    def test_what_was_kept_as_yes_or_no_is_still_read(self) -> None:
        assert read_drawing({"way": "whole", "clubs_apart": True, "countries_apart": False}) == Drawing(
            clubs_apart="first"
        )


class TestWhoeverLeavesAfterTheDraw:
    ENTRY = "/tournaments/open/manage/entries/8/status/"

    def test_an_entry_by_mistake_is_removed_and_its_rounds_are_drawn_again(self, hall: Hall, desk: Client) -> None:
        hall.add_substitute()
        draw_on_page(desk)
        text = desk.post(self.ENTRY, {"status": "remove"}, follow=True).content.decode()
        assert "is removed from the list" in text
        assert "Rounds 1, 2, 3 were drawn with this entry and are to be drawn again." in text
        assert "Draw again in the same way" in text
        assert not PlannedSeat.objects.exists()
        assert desk.post(SCHEDULE, {"again": "1"}).status_code == 302
        for job in Job.objects.filter(state=Job.State.WAITING):
            jobs.run(job.pk)
        assert [len(tables) for tables in seating_of(hall.stage()).values()] == [2, 2, 2]
        text = page(desk, "schedule/")
        assert ">Before</th>" in text
        assert "before: 8 players" in text
        assert "drawn for other players" not in text

    def test_a_withdrawal_offers_to_draw_again_with_the_figures_of_both(self, hall: Hall, desk: Client) -> None:
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, 8))
        hall.add_substitute()
        draw_on_page(desk, way="swiss")
        withdraw(hall[8], hall.stage(), 1, keep_results=True, reason="train")
        text = page(desk, "schedule/")
        assert "Round 2 was drawn for other players than those who play now." in text
        home = page(desk, "")
        assert "Draw it again" in home
        assert "Look and publish" not in home
        answer = desk.post(f"{SCHEDULE}1/2/publish/", follow=True).content.decode()
        assert "who has left. Draw the round again." in answer
        answer = desk.post(SCHEDULE, {"again": "1"}, follow=True).content.decode()
        assert "How good the draw is" in answer
        assert ">Before</th>" in answer
        assert desk.post(f"{SCHEDULE}1/2/publish/", follow=True).status_code == 200
        assert hall.round(2).is_published

    def test_a_published_seat_is_withdrawn_from(self, hall: Hall, desk: Client) -> None:
        hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
        for status in ("remove", "waiting"):
            text = desk.post(self.ENTRY, {"status": status}, follow=True).content.decode()
            assert "has a part in the event; withdraw the entry instead." in text
        assert hall[8].status == Entry.Status.CHECKED_IN

    def test_a_substitute_who_played_stays_in_the_list(self, hall: Hall, desk: Client) -> None:
        helper = hall.add_substitute(Entry.SubstituteKind.OCCASIONAL)
        hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
        report(hall.table(), hall[1], Incident("from_start", helper))
        text = desk.post("/tournaments/open/manage/entries/9/status/", {"status": "remove"}, follow=True)
        assert "has a part in the event" in text.content.decode()

    def test_too_few_substitutes_say_what_to_do(self, hall: Hall, desk: Client) -> None:
        draw_on_page(desk)
        withdraw(hall[8], hall.stage(), 0, keep_results=False, reason="ill")
        answer = desk.post(SCHEDULE, {"again": "1"})
        assert answer.status_code == 422
        text = answer.content.decode()
        assert "To seat 7 players, permanent substitutes are needed: 1. Entered: 0." in text
        assert "Fill up the tables" in text

    def test_fewer_tables_are_for_before_the_first_round(self, desk: Client, hall: Hall) -> None:
        hall.add_substitute()
        hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
        answer = desk.post("/tournaments/open/manage/entries/fill/", {"way": "fewer"}, follow=True)
        assert "has a part in the event" in answer.content.decode()
