"""A stage's own rules on its page: the page shows their effect first, and only games of the stage follow them."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.desk import client_of, page
from tests.tournaments.hall import Hall
from tournaments.models import Stage
from tournaments.services.events import StagePlan
from tournaments.services.stages import open_next_stage

pytestmark = pytest.mark.django_db
FINAL = "/tournaments/open/manage/stages/2/"
AS_IT_IS = {"name": "Final", "rounds_planned": "1", "cut_totals": "carry"}
TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    return Hall(stages=(StagePlan("Main", 1, top=4), StagePlan("Final", 1)))


@pytest.fixture
def admin(hall: Hall) -> Client:
    return client_of(hall.tournament.club)


def choose(admin: Client, rules: str) -> None:
    assert admin.post(FINAL, {**AS_IT_IS, "rules": rules, "confirm": "1"}).status_code == 302


class TestAStagesOwnRules:
    def test_what_differs_is_said_before_anything_is_stored(self, hall: Hall, admin: Client) -> None:
        shown = admin.post(FINAL, {**AS_IT_IS, "rules": "preset:wrc"}).content.decode()
        assert "What differs from the rules of the event" in shown
        assert "15 / 5 / −5 / −15" in shown
        assert "totals that come along stay as they are" in shown
        assert hall.stage(2).own_rule_set is None

    def test_back_leads_to_what_was_typed(self, admin: Client) -> None:
        text = admin.post(FINAL, {**AS_IT_IS, "name": "Last four", "rules": "preset:wrc", "edit": "1"})
        assert text.status_code == 200
        assert "Last four" in text.content.decode()

    def test_games_of_the_final_follow_them_and_those_before_do_not(self, hall: Hall, admin: Client) -> None:
        choose(admin, "preset:wrc")
        hall.play(1, *TABLES)
        open_next_stage(hall.stage(1))
        # 45 000 by EMA 2012: 15 000 and uma 30 000; by WRC: 15 000 and uma 15 000
        assert hall.totals(stage=2)[1] == 45_000
        hall.play(1, (1, 2, 5, 6), stage=2)
        assert hall.totals(stage=2)[1] == 45_000 + 30_000

    def test_the_copy_is_the_stages_own(self, hall: Hall, admin: Client) -> None:
        choose(admin, f"set:{hall.tournament.rule_set.pk}")
        own = hall.stage(2).own_rule_set
        assert own is not None
        assert (own.name, own.rules) == ("Open: Final", hall.tournament.rule_set.rules)
        assert own.pk != hall.tournament.rule_set.pk

    def test_saving_again_keeps_them(self, hall: Hall, admin: Client) -> None:
        choose(admin, "preset:wrc")
        own = hall.stage(2).own_rule_set
        assert admin.post(FINAL, {**AS_IT_IS, "rounds_planned": "2", "rules": "kept"}).status_code == 302
        assert (hall.stage(2).own_rule_set, hall.stage(2).rounds_planned) == (own, 2)

    def test_the_rules_of_the_event_can_be_chosen_again(self, hall: Hall, admin: Client) -> None:
        choose(admin, "preset:wrc")
        choose(admin, "")
        assert hall.stage(2).own_rule_set is None
        assert hall.stage(2).rules == hall.tournament.rule_set.rules

    def test_rules_that_games_follow_stand(self, hall: Hall, admin: Client) -> None:
        hall.play(1, *TABLES)
        address = "/tournaments/open/manage/stages/1/"
        assert "its rules can no longer change" in page(admin, "stages/1/")
        data = {"name": "Main", "rounds_planned": "1", "cut_totals": "carry", "rules": "preset:wrc", "confirm": "1"}
        admin.post(address, data)
        assert hall.stage(1).own_rule_set is None

    def test_the_cut_says_by_which_rules_the_next_stage_is_played(self, hall: Hall, admin: Client) -> None:
        hall.play(1, *TABLES)
        assert "Final is played by the rules of the event" in page(admin, "stages/1/cut/")
        choose(admin, "preset:wrc")
        text = page(admin, "stages/1/cut/")
        assert "rules of its own" in text
        assert "15 / 5 / −5 / −15" in text
        assert "own rules" in page(admin, "stages/")

    def test_a_new_stage_is_added_with_rules_of_its_own(self, hall: Hall, admin: Client) -> None:
        data = {"name": "Superfinal", "rounds": "1", "players": "4", "totals": "reset", "rules": "preset:m-league"}
        admin.post("/tournaments/open/manage/stages/", data)
        assert hall.stage(3).rules.start_points == 25_000

    def test_another_clubs_rules_are_refused(self, hall: Hall, admin: Client) -> None:
        answer = admin.post(FINAL, {**AS_IT_IS, "rules": "set:999999", "confirm": "1"})
        assert answer.status_code == 422
        assert Stage.objects.exclude(own_rule_set=None).count() == 0
