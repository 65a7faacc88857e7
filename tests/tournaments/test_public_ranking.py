"""The European ranking page: which events count, how age lets them fade, who has enough results."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from tests.cast import make_club
from tests.tournaments.hall import Hall
from tournaments.models import Tournament
from tournaments.queries.european import counting_events, european_ranking
from tournaments.services.entries import enter
from tournaments.services.events import StagePlan

pytestmark = pytest.mark.django_db

ADDRESS = "/tournaments/european-ranking/"
TODAY = datetime.date(2026, 6, 1)


def finished(slug: str, day: datetime.date = TODAY) -> Hall:
    """Four entries, one round; entry 1 wins. One day, four players, four countries: weight 1."""
    hall = Hall(4, [StagePlan("Main", 1)], club=make_club(slug), starts_on=day, ends_on=day, reports_to_mers=True)
    hall.play(1, [1, 2, 3, 4])
    Tournament.objects.filter(pk=hall.tournament.pk).update(slug=slug, finished_at=timezone.now())
    return hall


def again(hall: Hall, slug: str, day: datetime.date) -> Hall:
    """Another event of the same four, which entry 1 wins as well."""
    other = Hall(0, [StagePlan("Main", 1)], club=make_club(slug), starts_on=day, ends_on=day, reports_to_mers=True)
    for player in hall.players:
        enter(other.tournament, player)
    other.play(1, [1, 2, 3, 4])
    Tournament.objects.filter(pk=other.tournament.pk).update(slug=slug, finished_at=timezone.now())
    return other


def ranking_on(today: datetime.date) -> dict[str, tuple[int | None, Fraction | None]]:
    found = european_ranking(counting_events(AnonymousUser()), today)
    return {each.player.native_name: (each.rank, each.score) for each in [*found.ranked, *found.waiting]}


def test_without_events_the_page_says_what_is_missing(client: Client) -> None:
    assert "No finished event counts for the ranking yet" in client.get(ADDRESS).text


def test_one_result_is_not_a_rank(client: Client) -> None:
    hall = finished("one")

    assert ranking_on(TODAY)[hall.players[0].native_name] == (None, None)
    assert "No one has two results yet" in client.get(ADDRESS).text


def test_two_results_are_padded_to_five_and_to_the_best_four() -> None:
    """Twice 1000 of weight 1: A over five is 2000/5 = 400, B over the best four is 2000/4 = 500, the rank is 450."""
    hall = finished("one")
    again(hall, "two", TODAY)

    assert ranking_on(TODAY)[hall.players[0].native_name] == (1, Fraction(450))


def test_a_result_of_the_second_year_counts_half() -> None:
    """1000 × 1 and 1000 × ½ with three zeros of weight 1: A = 1500/4.5, B over the best four = 1500/3.5."""
    hall = finished("one")
    again(hall, "two", TODAY - datetime.timedelta(days=400))

    expected = (Fraction(1500) / Fraction(9, 2) + Fraction(1500) / Fraction(7, 2)) / 2
    assert ranking_on(TODAY)[hall.players[0].native_name] == (1, expected)


def test_an_event_two_years_old_counts_no_more(client: Client) -> None:
    hall = finished("one")
    again(hall, "two", TODAY - datetime.timedelta(days=800))

    assert ranking_on(TODAY)[hall.players[0].native_name] == (None, None)


@pytest.mark.parametrize("facts", [{"results_hidden": True}, {"is_public": False}, {"finished_at": None}])
def test_what_strangers_may_not_see_does_not_count_for_them(facts: dict[str, object]) -> None:
    hall = finished("one")
    Tournament.objects.filter(pk=hall.tournament.pk).update(**facts)

    assert ranking_on(TODAY) == {}


def test_an_event_counts_fully_on_its_anniversary_and_half_the_day_after() -> None:
    finished("one", datetime.date(2025, 6, 1))
    events = counting_events(AnonymousUser())

    factors = [european_ranking(events, TODAY + datetime.timedelta(days=days)).events[0][2] for days in (0, 1)]

    assert factors == [1, Fraction(1, 2)]


def test_the_page_shows_rank_score_and_events(client: Client) -> None:
    today = timezone.localdate()
    hall = finished("one", today)
    again(hall, "two", today)
    page = client.get(ADDRESS).text

    assert "450.00" in page
    assert 'href="/tournaments/two/"' in page


def test_only_its_own_link_is_marked_in_the_navigation(client: Client) -> None:
    page = client.get(ADDRESS).text

    assert f'<a href="{ADDRESS}" aria-current="page">' in page
    assert '<a href="/tournaments/">Tournaments</a>' in page
