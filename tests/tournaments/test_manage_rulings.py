"""Rulings and stages on their pages: the effect first, then the ruling; and the cut with its tie."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from ratings.models import Adjustment, RuleSet
from tests.forms import forms
from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Stage
from tournaments.services.events import StagePlan
from tournaments.services.tables import record_table

pytestmark = pytest.mark.django_db
RULINGS = "/tournaments/open/manage/rulings/"
TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    hall = Hall()
    hall.play(1, *TABLES)
    return hall


@pytest.fixture
def referee(hall: Hall) -> Client:
    return client_of(hall.tournament.club, "referee")


def rule(client: Client, path: str, **data: Any) -> str:
    """Show the effect, check that nothing is stored, then make the ruling; return what was shown."""
    rows = Adjustment.objects.count(), Entry.objects.filter(status__in=Entry.LEFT).count()
    shown = client.post(f"{RULINGS}{path}", data)
    assert shown.status_code == 200, shown.content.decode()
    assert (Adjustment.objects.count(), Entry.objects.filter(status__in=Entry.LEFT).count()) == rows
    response = client.post(f"{RULINGS}{path}", {**data, "confirm": "1"})
    assert response.status_code == 302
    return shown.content.decode()


class TestPenalties:
    def test_the_effect_is_shown_before_the_total_is_touched(self, hall: Hall, referee: Client) -> None:
        shown = rule(referee, "penalty/", entry="1", moment="1.1", points="12000", where="total", reason="phone")
        assert "12000 points off the total" in shown
        assert "+45.0" in shown
        assert "+33.0" in shown
        assert hall.totals()[1] == 33_000

    def test_no_points_are_a_warning(self, hall: Hall, referee: Client) -> None:
        rule(referee, "penalty/", entry="1", moment="1.1", points="", where="total", reason="noise")
        assert Adjustment.objects.get().kind == Adjustment.Kind.WARNING
        assert "noise" in page(referee, "rulings/")

    def test_at_the_table_it_counts_before_placing(self, hall: Hall, referee: Client) -> None:
        shown = rule(referee, "penalty/", entry="1", moment="1.1", points="12", where="table", reason="rude")
        assert "before placing" in shown
        # 45 000 less 12 000 is second to 35 000: 3000 and second uma; the other has 5000 and first uma
        assert (hall.totals()[1], hall.totals()[2]) == (13_000, 35_000)

    def test_by_rules_that_take_it_off_the_result_no_place_changes(self, referee: Client, hall: Hall) -> None:
        """EMA 2025: 45 000 and first uma, then 12 000 off."""
        rules = {**hall.stage().season.rule_set.parameters, "penalty_applies": "total"}
        RuleSet.objects.update(parameters=rules)
        assert "the points or the result at the table" in page(referee, "rulings/penalty/")
        shown = rule(referee, "penalty/", entry="1", moment="1.1", points="12000", where="table", reason="rude")
        assert "12000 points off the result at table 1 of round 1; places stay." in shown
        assert (hall.totals()[1], hall.totals()[2]) == (33_000, 15_000)

    def test_at_a_table_without_a_result_it_is_typed_with_the_result(self, hall: Hall, referee: Client) -> None:
        hall.seat(2, *TABLES)
        data = {"entry": "1", "moment": "1.2", "points": "8000", "where": "table", "reason": "rude"}
        answer = referee.post(f"{RULINGS}penalty/", data)
        assert answer.status_code == 422
        assert "type the penalty together with the result" in answer.content.decode()

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"reason": ""}, "Enter a short reason."),
            ({"points": "8050"}, "Enter whole hundreds of points"),
            ({"points": "", "where": "table"}, "A warning has no points"),
            ({"moment": "1.0", "where": "table"}, "Before the first round there is no table."),
        ],
    )
    def test_what_is_missing_is_said(self, referee: Client, changed: dict[str, str], sentence: str) -> None:
        data = {"entry": "1", "moment": "1.1", "points": "8000", "where": "total", "reason": "x", **changed}
        answer = referee.post(f"{RULINGS}penalty/", data)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()

    def test_thousands_are_read_back_with_the_effect(self, hall: Hall, referee: Client) -> None:
        shown = rule(referee, "penalty/", entry="1", moment="1.1", points="7,5", where="total", reason="phone")
        assert "7500 points off the total" in shown
        assert Adjustment.objects.get().points == -7_500

    def test_an_unlikely_penalty_is_asked_about_once(self, referee: Client) -> None:
        data = {"entry": "1", "moment": "1.1", "points": "800", "where": "total", "reason": "x", "confirm": "1"}
        asked = referee.post(f"{RULINGS}penalty/", data)
        assert asked.status_code == 422
        assert "Is this right?" in asked.content.decode()
        assert not Adjustment.objects.exists()
        (sure,) = [field for form in forms(asked.content.decode()) for field in form.fields if field.name == "sure"]
        assert referee.post(f"{RULINGS}penalty/", {**data, "sure": sure.options[0]}).status_code == 302
        assert Adjustment.objects.get().points == -800_000

    def test_the_same_form_twice_is_one_penalty(self, referee: Client) -> None:
        data = {"entry": "1", "moment": "1.1", "points": "8000", "where": "total", "reason": "x", "confirm": "1"}
        data["submit_key"] = str(uuid.uuid4())
        for _each in range(2):
            assert referee.post(f"{RULINGS}penalty/", data).status_code == 302
        assert Adjustment.objects.count() == 1

    def test_it_is_taken_back_and_stays_in_the_log(self, hall: Hall, referee: Client) -> None:
        rule(referee, "penalty/", entry="1", moment="1.1", points="12000", where="total", reason="phone")
        given = Adjustment.objects.get()
        shown = rule(referee, f"revoke/{given.pk}/", reason="an alarm call")
        assert "+33.0" in shown
        assert hall.totals()[1] == 45_000
        assert "an alarm call" in page(referee, "rulings/")
        assert referee.get(f"{RULINGS}revoke/{given.pk}/").status_code == 302


class TestAbsence:
    def test_a_missed_round_costs_the_fixed_result(self, hall: Hall, referee: Client) -> None:
        hall.seat(2, (1, 2, 3, 4))
        shown = rule(referee, "absent/", entry="5", moment="1.2", reason="")
        assert "absent in round 2" in shown
        assert "counts from the first result of round 2 on" in shown
        assert hall.totals()[5] == 45_000  # round 2 is not played yet
        record_table(hall.table(1, 2), hall.sheet(hall.table(1, 2)))
        assert hall.totals()[5] == 45_000 - 30_000

    def test_a_bye_costs_nothing(self, hall: Hall, referee: Client) -> None:
        hall.seat(2, (1, 2, 3, 4))
        rule(referee, "absent/", entry="5", moment="1.2", bye="on")
        assert hall.totals()[5] == 45_000

    def test_whoever_has_a_seat_is_not_absent(self, hall: Hall, referee: Client) -> None:
        data = {"entry": "5", "moment": "1.1", "confirm": "1"}
        assert "sits at table 2" in referee.post(f"{RULINGS}absent/", data).content.decode()


class TestLeaving:
    def test_results_stay_or_the_name_goes(self, hall: Hall, referee: Client) -> None:
        rule(referee, "withdraw/", entry="1", moment="1.1", results="keep", reason="train")
        assert 1 in hall.totals()
        shown = rule(referee, "withdraw/", entry="2", moment="1.1", results="keep", reason="train")
        assert "2 rounds are missed and count as absent: −30.0 each." in shown
        shown = rule(referee, "withdraw/", entry="5", moment="1.1", results="drop", reason="ill")
        assert "the name is removed from the standings" in shown
        assert 5 not in hall.totals()

    def test_the_disqualified_are_last(self, hall: Hall, referee: Client) -> None:
        shown = rule(referee, "disqualify/", entry="1", moment="1.1", reason="marked tiles")
        assert "last in the standings" in shown
        assert hall.ranks()[1] == 8

    def test_whoever_left_can_play_again(self, hall: Hall, referee: Client) -> None:
        rule(referee, "disqualify/", entry="1", moment="1.1", reason="marked tiles")
        rule(referee, "reinstate/1/", reason="they were not marked")
        assert (hall[1].status, hall.ranks()[1]) == (Entry.Status.CHECKED_IN, 1)

    def test_whoever_left_is_offered_no_more(self, hall: Hall, referee: Client) -> None:
        rule(referee, "disqualify/", entry="1", moment="1.1", reason="marked tiles")
        answer = referee.post(f"{RULINGS}withdraw/", {"entry": "1", "moment": "1.1", "results": "keep", "reason": "x"})
        assert answer.status_code == 422

    def test_a_scorer_rules_nothing(self, hall: Hall) -> None:
        scorer = client_of(hall.tournament.club, "scorer")
        for path in ("", "penalty/", "absent/", "withdraw/", "disqualify/"):
            assert scorer.get(f"{RULINGS}{path}").status_code == 403


class TestStages:
    CUT = "/tournaments/open/manage/stages/1/cut/"

    def make(self, **facts: Any) -> Hall:
        hall = Hall(stages=(StagePlan("Main", 1, top=4, totals=Stage.Totals.HALVE), StagePlan("Final", 1)), **facts)
        hall.play(1, *TABLES)
        return hall

    def test_a_tie_at_the_cut_is_shown_and_decided(self) -> None:
        # East of both tables has 45, South 15, West −15, North −45: 1 and 5, 2 and 6 … are equal in everything
        hall = self.make()
        Stage.objects.filter(number=1).update(cut_top=3)
        admin = client_of(hall.tournament.club)
        text = page(admin, "stages/1/cut/")
        assert "Equal at the cut in everything" in text
        answer = admin.post(self.CUT, follow=True)
        assert "Select who goes on" in answer.content.decode()
        assert admin.post(self.CUT, {"through": ["1", "5", "6"]}).status_code == 302
        carried = Adjustment.objects.filter(season=hall.stage(2).season, kind=Adjustment.Kind.CARRIED)
        assert {row.player_id: row.points for row in carried} == {
            hall[1].player_id: 22_500,
            hall[5].player_id: 22_500,
            hall[6].player_id: 7_500,
        }

    def test_without_a_tie_the_standings_decide(self) -> None:
        hall = self.make()
        client_of(hall.tournament.club).post(self.CUT)
        assert hall.stage(2).is_open
        assert sorted(hall.totals(stage=2)) == [1, 2, 5, 6]

    def test_the_cut_waits_for_the_last_round(self) -> None:
        hall = Hall(stages=(StagePlan("Main", 2, top=4), StagePlan("Final", 1)))
        hall.play(1, *TABLES)
        admin = client_of(hall.tournament.club)
        assert "1 round is not confirmed yet" in page(admin, "stages/1/cut/")
        assert "Rounds not confirmed yet: 2." in admin.post(self.CUT, follow=True).content.decode()

    def test_a_stage_is_added_with_its_cut(self, hall: Hall) -> None:
        admin = client_of(hall.tournament.club)
        data = {"name": "Final", "rounds": "2", "players": "6", "totals": "reset"}
        address = "/tournaments/open/manage/stages/"
        assert "use a multiple of four" in admin.post(address, data).content.decode()
        admin.post(address, {**data, "players": "4"})
        assert (hall.stage(1).cut_top, hall.stage(1).cut_totals, hall.stage(2).rounds_planned) == (4, "reset", 2)

    def test_published_rounds_limit_how_few_there_can_be(self, hall: Hall) -> None:
        admin = client_of(hall.tournament.club)
        hall.play(2, *TABLES)
        data = {"name": "Main", "rounds_planned": "1", "cut_totals": "carry"}
        answer = admin.post("/tournaments/open/manage/stages/1/", data)
        assert "there cannot be fewer rounds" in answer.content.decode()
        admin.post("/tournaments/open/manage/stages/1/", {**data, "rounds_planned": "5"})
        assert hall.stage(1).rounds.count() == 5
