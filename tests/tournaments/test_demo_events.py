"""The demo's events: one finished, one being played, one open for registration."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from ratings.demo.load import load_all
from ratings.models import Adjustment, Seat
from tournaments.models import Round, Tournament
from tournaments.queries.events import headcount
from tournaments.queries.rounds import current_round
from tournaments.queries.standings import final_ranking, view_event

TODAY = datetime.date(2026, 4, 18)


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock(), transaction.atomic():
        load_all(TODAY, share=0.02)
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("demo")
class TestTheDemosEvents:
    def test_one_runs_one_comes_one_is_over(self) -> None:
        events = Tournament.objects.values_list("slug", flat=True)

        assert list(events.filter(starts_on__lte=TODAY, ends_on__gte=TODAY)) == ["minsk-riichi-days"]
        assert list(events.filter(starts_on__gt=TODAY)) == ["northern-cup"]
        assert list(events.filter(finished_at__isnull=False)) == ["lodz-open"]

    def test_the_finished_one_has_a_final_and_a_whole_ranking(self) -> None:
        event = Tournament.objects.get(slug="lodz-open")

        ranking = final_ranking(view_event(event))

        assert len(ranking) == 24
        assert {row.stage for row in ranking[:4]} == {2}
        assert set(Round.objects.filter(stage__tournament=event).values_list("state", flat=True)) == {"confirmed"}
        assert Adjustment.objects.filter(season__stage__tournament=event, revoked_at__isnull=False).count() == 1

    def test_the_running_one_is_in_its_fifth_round(self) -> None:
        event = Tournament.objects.get(slug="minsk-riichi-days")

        round_ = current_round(event)

        assert round_ is not None
        assert (round_.number, round_.state, round_.is_running) == (5, "playing", True)
        assert [table.has_result for table in round_.tables.all()].count(False) == 3
        kinds = Seat.objects.filter(season__stage__tournament=event).values_list("substitute", flat=True)
        assert set(kinds) == {"none", "from_start", "mid_game"}

    def test_the_open_one_has_a_waiting_list(self) -> None:
        count = headcount(Tournament.objects.get(slug="northern-cup"))

        assert (count.playing, count.waiting, count.short) == (12, 1, 0)
