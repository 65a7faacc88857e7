"""A player's tournaments on the page of the player, and teams over a whole event."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import Player
from tests.pages import tight
from tests.tournaments.hall import Hall
from tournaments.models import Entry, Stage
from tournaments.services.events import StagePlan, set_results_hidden
from tournaments.services.rulings import disqualify, give_penalty, withdraw
from tournaments.services.stages import finish_event, open_next_stage

pytestmark = pytest.mark.django_db
TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))


@pytest.fixture(scope="module")
def made_hall(shared_rows: None) -> Hall:
    """By EMA 2012 each East has +45, South +15, West −15, North −45; 1, 5, 2 and 6 are in the final, halved."""
    hall = Hall(stages=(StagePlan("Main", 1, top=4, totals=Stage.Totals.HALVE), StagePlan("Final", 1)))
    hall.play(1, *TABLES)
    open_next_stage(hall.stage(1))
    hall.play(1, (1, 5, 2, 6), stage=2)
    finish_event(hall.tournament)
    return hall


def page_of(player: Player, client: Client | None = None) -> str:
    return (client or Client()).get(player.get_absolute_url()).content.decode()


class TestThePageOfAPlayer:
    def test_shows_the_events_own_rank_and_leads_to_it(self, hall: Hall) -> None:
        text = page_of(hall[1].player)
        assert '<a class="name" href="/tournaments/open/">Open</a>' in text
        assert "1 of 8" in text
        assert "+67.5" in text  # 22.5 came along, 45 were won in the final
        assert "Final" in text

    def test_those_who_missed_the_final_come_after_it(self, hall: Hall) -> None:
        assert "5 of 8" in page_of(hall[3].player)

    def test_the_disqualified_are_last_whatever_their_points(self, hall: Hall) -> None:
        disqualify(hall[1], hall.stage(1), 1, reason="marked tiles")
        text = page_of(hall[1].player)
        assert "8 of 8" in text
        assert "disqualified" in text

    def test_a_substitute_has_no_rank(self) -> None:
        hall = Hall(7)
        filling = hall.add_substitute()
        hall.play(1, (1, 2, 3, 4), (5, 6, 7, filling.number))
        text = page_of(filling.player)
        assert "substitute</td>" in tight(text)
        assert "of 7" not in text
        assert "in progress" in text

    def test_hidden_results_are_hidden_here_too(self, hall: Hall) -> None:
        set_results_hidden(hall.tournament, True)
        text = page_of(hall[1].player)
        assert "1 of 8" not in text
        assert "+67.5" not in text


class TestTeamsOverTheWholeEvent:
    @pytest.fixture(autouse=True)
    def teams(self, hall: Hall) -> None:
        for number in range(1, 9):
            Entry.objects.filter(number=number).update(team="Odd" if number % 2 else "Even")

    def test_every_stage_counts_and_what_came_along_counts_once(self, hall: Hall, client: Client) -> None:
        """Odd: 45 − 15 + 45 − 15 = 60 in the main stage, 45 + 15 in the final; Even as much below zero."""
        text = client.get("/tournaments/open/teams/").content.decode()
        assert "+120.0" in text
        assert "−120.0" in text
        assert "totals that came along count once" in text

    def test_a_stage_alone_can_be_asked_for(self, hall: Hall, client: Client) -> None:
        assert "+60.0" in client.get("/tournaments/open/teams/?stage=1").content.decode()
        final = client.get("/tournaments/open/teams/?stage=2").content.decode()
        assert "+105.0" in final  # halves of 45 and 45, and 45 and 15 won
        for nonsense in ("9", "x", "", "-1"):
            assert "+120.0" in client.get("/tournaments/open/teams/", {"stage": nonsense}).content.decode()

    def test_penalties_count_and_names_taken_out_do_not(self, hall: Hall, client: Client) -> None:
        give_penalty(hall.stage(1), hall[1], 20_000, "phone", after_round=1)
        withdraw(hall[5], hall.stage(2), 1, keep_results=False, reason="wished so")
        text = client.get("/tournaments/open/teams/").content.decode()
        assert "+40.0" in text  # 45 − 20 − 15 − 15 in the main stage, 45 in the final
