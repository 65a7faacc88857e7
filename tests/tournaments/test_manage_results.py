"""Typing, checking, confirming and correcting the tables of a round."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from ratings.mahjong import scoring
from ratings.mahjong.rulesets import PRESETS
from ratings.models import Hanchan, HanchanEvent
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import FALLING, Hall
from tournaments.models import Round, Ruling, Table
from tournaments.services.tables import record_table
from tournaments.views.seats import seat_effects

pytestmark = pytest.mark.django_db
ROUNDS = "/tournaments/open/manage/rounds/1/1/"


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    hall = Hall()
    hall.seat(1, (1, 2, 3, 4), (5, 6, 7, 8))
    return hall


@pytest.fixture
def scorer(hall: Hall) -> Client:
    return client_of(hall.tournament.club, "scorer")


@pytest.fixture
def referee(hall: Hall) -> Client:
    return client_of(hall.tournament.club, "referee")


def typed(table: int, *points: object, **more: object) -> dict[str, Any]:
    data = {f"t{table}-seat{wind}-points": str(mine) for wind, mine in enumerate(points)}
    return data | {f"t{table}-{name.replace('__', '-')}": value for name, value in more.items()}


class TestTyping:
    def test_four_numbers_are_a_table_and_the_next_one_waits(self, hall: Hall, scorer: Client) -> None:
        response = scorer.post(f"{ROUNDS}1/", typed(1, "450", "35.0", "25000", "15,0"))
        assert response.headers["Location"] == f"{ROUNDS}?after=1"
        hanchan = hall.table(1).hanchan
        assert hanchan is not None
        assert [seat.result for seat in hanchan.seats.all()] == [45_000, 15_000, -15_000, -45_000]
        assert hall.round(1).state == Round.State.PLAYING
        text = scorer.get(f"{ROUNDS}?after=1").content.decode()
        assert "1</b> table missing" in text
        assert 'name="t2-seat0-points"' in text
        assert 'name="t1-seat0-points"' not in text

    def test_a_wrong_sum_is_refused_and_nothing_typed_is_lost(self, hall: Hall, scorer: Client) -> None:
        answer = scorer.post(f"{ROUNDS}1/", typed(1, 45_000, 35_000, 25_000, 14_000))
        text = answer.content.decode()
        assert answer.status_code == 422
        assert "1000 points short" in text
        assert 'value="14000"' in text
        assert hall.table(1).hanchan is None

    def test_a_scorer_may_not_override_a_wrong_sum_but_a_referee_may(
        self, hall: Hall, scorer: Client, referee: Client
    ) -> None:
        data = typed(1, 45_000, 35_000, 25_000, 14_000, override="a stick is lost")
        assert scorer.post(f"{ROUNDS}1/", data).status_code == 422
        assert referee.post(f"{ROUNDS}1/", data).status_code == 302

    def test_the_same_form_twice_is_one_result(self, hall: Hall, scorer: Client) -> None:
        data = typed(1, *FALLING, submit_key=str(uuid.uuid4()))
        scorer.post(f"{ROUNDS}1/", data)
        answer = scorer.post(f"{ROUNDS}1/", data, follow=True)
        assert Hanchan.objects.count() == 1
        assert answer.status_code == 200

    def test_lateness_and_a_penalty_count_before_placing(self, hall: Hall, referee: Client) -> None:
        extra: dict[str, object] = {"seat0__late_minutes": "10", "seat1__penalty": "8000"}
        referee.post(f"{ROUNDS}1/", typed(1, 36_000, 34_000, 30_000, 20_000, **extra))
        hanchan = hall.table(1).hanchan
        assert hanchan is not None
        # nets 26 000, 26 000, 30 000, 20 000: third and second share what lies between them
        assert [seat.result for seat in hanchan.seats.all()] == [-4_000, -4_000, 30_000, -40_000]

    @pytest.mark.parametrize(
        ("preset", "said"),
        [
            ("ema-2012", ["3 minutes late: −3000 before placing", "penalty: −8000 before placing"]),
            ("ema-2025", ["3 minutes late: −3000 after placing", "penalty: −8000 off the result"]),
        ],
    )
    def test_what_a_referee_noted_says_when_it_counts(self, preset: str, said: list[str]) -> None:
        seat = scoring.Seat(30_000, late_minutes=3, penalty=8_000)
        assert seat_effects(seat, PRESETS[preset].rules) == said

    def test_too_late_without_a_substitute_is_refused(self, hall: Hall, scorer: Client) -> None:
        answer = scorer.post(f"{ROUNDS}1/", typed(1, *FALLING, seat0__late_minutes="11"))
        assert answer.status_code == 422

    def test_a_substitute_is_chosen_from_the_entries_and_expected_in_the_next_round(
        self, hall: Hall, scorer: Client
    ) -> None:
        helper = hall.add_substitute("occasional")
        data = typed(1, *FALLING, seat0__substitute="mid_game", seat0__played_by=str(helper.number))
        scorer.post(f"{ROUNDS}1/", data)
        hanchan = hall.table(1).hanchan
        assert hanchan is not None
        seat = hanchan.seats.get(wind=0)
        assert (seat.played_by, seat.result) == (helper.player, -30_000)
        hall.seat(2, (1, 2, 3, 4), (5, 6, 7, 8))
        text = page(scorer, "rounds/1/2/")
        assert f'<option value="{helper.number}" selected>' in text
        assert '<option value="from_start" selected>' in text

    def test_somebody_else_without_a_word_how_is_refused(self, hall: Hall, scorer: Client) -> None:
        helper = hall.add_substitute("occasional")
        data = typed(1, *FALLING, seat0__played_by=str(helper.number), seat0__substitute="none")
        assert "select whether from the start" in scorer.post(f"{ROUNDS}1/", data).content.decode()

    def test_the_live_check_answers_while_typing(self, hall: Hall, scorer: Client) -> None:
        text = scorer.post(f"{ROUNDS}1/preview/", typed(1, 450, 350, 250)).content.decode()
        assert "3 of 4 scores" in text
        assert 'data-use="15000"' in text
        text = scorer.post(f"{ROUNDS}1/preview/?alone=1", typed(1, 450, 350, 250, 150)).content.decode()
        assert "The sum is right" in text
        assert "Who moves in the standings" in text
        assert not Hanchan.objects.exists()

    def test_a_draft_of_the_table_is_shown_and_confirmed(self, hall: Hall, scorer: Client) -> None:
        record_table(hall.table(1), hall.sheet(hall.table(1)), draft=True)
        text = page(scorer, "rounds/1/1/")
        assert "draft from the table" in text
        assert 'value="45000"' in text
        scorer.post(f"{ROUNDS}1/", typed(1, *FALLING))
        assert hall.table(1).has_result
        assert Hanchan.objects.count() == 1

    def test_a_round_nobody_knows_takes_no_results(self, hall: Hall, scorer: Client) -> None:
        assert "not published yet" in page(scorer, "rounds/1/2/")
        assert scorer.get("/tournaments/open/manage/rounds/1/2/1/").status_code == 404

    def test_a_round_takes_the_same_queries_whatever_its_tables(
        self, scorer: Client, django_assert_max_num_queries: Any
    ) -> None:
        with django_assert_max_num_queries(14):
            page(scorer, "rounds/1/1/")


class TestConfirming:
    def test_a_round_is_confirmed_when_all_is_in_and_checked(self, hall: Hall, referee: Client) -> None:
        assert "Tables without a result" in referee.post(f"{ROUNDS}confirm/", follow=True).content.decode()
        for number in (1, 2):
            referee.post(f"{ROUNDS}{number}/", typed(number, *FALLING))
        assert "Tables not checked yet" in referee.post(f"{ROUNDS}confirm/", follow=True).content.decode()
        referee.post(f"{ROUNDS}check/", {"table": "1"})
        checked = hall.table(1)
        assert checked.checked_by is not None
        assert checked.checked_by.username == "referee"
        referee.post(f"{ROUNDS}check/", {"table": "all"})
        referee.post(f"{ROUNDS}confirm/")
        assert hall.round(1).state == Round.State.CONFIRMED

    def test_a_scorer_does_not_confirm(self, scorer: Client) -> None:
        assert scorer.post(f"{ROUNDS}confirm/").status_code == 403

    def test_opening_a_round_again_needs_a_reason_and_is_logged(self, hall: Hall, referee: Client) -> None:
        for number in (1, 2):
            referee.post(f"{ROUNDS}{number}/", typed(number, *FALLING))
        referee.post(f"{ROUNDS}check/", {"table": "all"})
        referee.post(f"{ROUNDS}confirm/")
        assert referee.post(f"{ROUNDS}unconfirm/", {"reason": " "}).status_code == 422
        referee.post(f"{ROUNDS}unconfirm/", {"reason": "table 2 was swapped"})
        assert hall.round(1).state == Round.State.PLAYING
        assert Ruling.objects.get().reason == "table 2 was swapped"


class TestCorrecting:
    @pytest.fixture(autouse=True)
    def _a_result(self, hall: Hall) -> None:
        for number in (1, 2):
            table = hall.table(number)
            record_table(table, hall.sheet(table))

    def test_what_changes_is_shown_and_a_reason_asked_for(self, hall: Hall, referee: Client) -> None:
        data = typed(1, 35_000, 45_000, 25_000, 15_000, version="1")
        shown = referee.post(f"{ROUNDS}1/", data).content.decode()
        assert "What changes" in shown
        assert "+45.0" in shown
        assert hall.totals()[1] == 45_000
        assert referee.post(f"{ROUNDS}1/", {**data, "confirm": "1", "reason": ""}).status_code == 422
        referee.post(f"{ROUNDS}1/", {**data, "confirm": "1", "reason": "rows swapped"})
        assert (hall.totals()[1], hall.totals()[2]) == (15_000, 45_000)
        event = HanchanEvent.objects.get(action=HanchanEvent.Action.CORRECTED)
        assert event.reason == "rows swapped"

    def test_a_change_in_between_is_shown_first(self, hall: Hall, referee: Client) -> None:
        mine = typed(1, 35_000, 45_000, 25_000, 15_000, version="1")
        theirs = typed(1, 45_000, 25_000, 35_000, 15_000, version="1")
        referee.post(f"{ROUNDS}1/", {**theirs, "confirm": "1", "reason": "first"})
        answer = referee.post(f"{ROUNDS}1/", {**mine, "confirm": "1", "reason": "second"})
        assert answer.status_code == 409
        assert "Another user changed this table" in answer.content.decode()
        assert 'name="t1-version" value="2"' in answer.content.decode()

    def test_a_scorer_does_not_correct_anothers_table(self, scorer: Client) -> None:
        assert scorer.get(f"{ROUNDS}1/").status_code == 403

    def test_a_result_is_taken_away_with_a_reason(self, hall: Hall, referee: Client) -> None:
        assert referee.post(f"{ROUNDS}1/void/", {"reason": ""}).status_code == 422
        referee.post(f"{ROUNDS}1/void/", {"reason": "the wrong table"})
        assert Table.objects.get(pk=hall.table(1).pk).hanchan is None

    def test_the_clubs_own_pages_lead_to_the_table(self, hall: Hall, referee: Client) -> None:
        """The club's own pages do not handle checking, confirming and carried totals."""
        game = hall.table(2).hanchan
        assert game is not None
        for door in ("change", "void", "restore"):
            answer = referee.post(f"/admin/ratings/hanchan/{game.pk}/{door}/", {"reason": "x"}, follow=True)
            assert answer.redirect_chain[-1][0] == f"{ROUNDS}2/"
        game.refresh_from_db()
        assert (game.status, game.version) == (Hanchan.Status.FINAL, 1)

    def test_a_game_taken_away_from_its_table_is_not_restored(self, hall: Hall, referee: Client) -> None:
        game = hall.table(1).hanchan
        assert game is not None
        referee.post(f"{ROUNDS}1/void/", {"reason": "the wrong table"})
        answer = referee.post(f"/admin/ratings/hanchan/{game.pk}/restore/", follow=True)
        assert "Enter the table again." in answer.content.decode()
        game.refresh_from_db()
        assert game.status == Hanchan.Status.VOID
