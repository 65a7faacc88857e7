"""`manage.py demo`: the same for the same seed and day, full of what clubs really have, and never loaded twice."""

from __future__ import annotations

import datetime
import hashlib
import io
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import Count, Q
from pytest_django.plugin import DjangoDbBlocker

from ratings.demo import evenings
from ratings.demo.clubs import CLUBS, FURITEN
from ratings.demo.load import load
from ratings.demo.play import play
from ratings.mahjong import rulesets
from ratings.models import (
    Adjustment,
    Affiliation,
    Club,
    Hanchan,
    HanchanEvent,
    Player,
    RuleSet,
    Season,
    Seat,
    Standing,
)

TODAY = datetime.date(2026, 4, 18)
FEW = 0.17  # of the games; the smallest share in which every planned incident finds a game


def digest() -> str:
    """A digest of everything a visitor can read, without ids."""
    tables: list[Any] = [
        Club.objects.order_by("slug").values_list("name", "city", "time_zone", "about"),
        Player.objects.order_by("pk").values_list("native_name", "latin_last", "nickname", "visibility"),
        RuleSet.objects.order_by("pk").values_list("name", "version", "parameters"),
        Season.objects.order_by("pk").values_list("name", "slug", "starts_on", "ends_on", "formula"),
        Seat.objects.order_by("pk").values_list(
            "hanchan__played_at",
            "hanchan__status",
            "hanchan__variation",
            "hanchan__sticks_left",
            "hanchan__version",
            "player__native_name",
            "played_by__native_name",
            "points",
            "chombo",
            "result",
            "rating_after",
        ),
        Adjustment.objects.order_by("pk").values_list("player__native_name", "kind", "points", "given_on"),
        Standing.objects.order_by("pk").values_list("player__native_name", "results", "games", "rating"),
    ]
    return hashlib.sha256(json.dumps([list(rows) for rows in tables], default=str).encode()).hexdigest()


def digest_of(seed: int, today: datetime.date = TODAY) -> str:
    """Load the demo, compute its digest and roll it back."""
    with transaction.atomic():
        load(today, seed, share=0.03)
        found = digest()
        transaction.set_rollback(True)
    return found


def plan_otherwise() -> None:
    """Make PostgreSQL use other plans to the end of the test, since the order of a GROUP BY depends on the plan."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ("indexscan", "indexonlyscan", "bitmapscan", "sort"):
                cursor.execute(f"SET LOCAL enable_{way} TO off")


@pytest.mark.django_db
class TestTheSeed:
    def test_the_same_seed_on_the_same_day_gives_the_same_data(self) -> None:
        first = digest_of(seed=1)
        plan_otherwise()
        assert digest_of(seed=1) == first

    def test_another_seed_gives_other_games(self) -> None:
        assert digest_of(seed=1) != digest_of(seed=2)


@pytest.fixture(scope="class")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock(), transaction.atomic():
        load(TODAY, share=FEW)
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("demo")
class TestWhatIsInIt:
    def test_three_clubs_play_by_three_rule_sets(self) -> None:
        presets = {club.name: {one.preset for one in club.rule_sets.all()} for club in Club.objects.all()}
        assert presets == {"Furiten": {"furiten"}, "Феникс": {"phoenix"}, "Łódź Mahjong": {"ema-2012"}}

    def test_every_rule_set_passes_its_own_validation(self) -> None:
        for rule_set in RuleSet.objects.all():
            rule_set.full_clean()

    def test_every_club_and_player_passes_validation(self) -> None:
        for row in (*Club.objects.all(), *Player.objects.all()):
            row.full_clean()

    def test_every_club_has_a_past_season_and_one_that_holds_today(self) -> None:
        for club in Club.objects.all():
            seasons = list(club.seasons.all())
            assert any(season.covers(TODAY) for season in seasons)
            assert any(season.ends_on and season.ends_on < TODAY for season in seasons)
            assert all(season.hanchans.exists() for season in seasons)

    def test_furiten_has_a_rated_and_a_simplified_list(self) -> None:
        kinds = set(Season.objects.filter(club__slug="furiten").values_list("kind", flat=True))
        assert kinds == {"rated", "simplified"}

    def test_free_games_have_variations_of_their_own(self) -> None:
        free = Hanchan.objects.filter(season__kind="simplified")
        assert len({json.dumps(game.variation, sort_keys=True) for game in free}) > 3
        assert not Hanchan.objects.exclude(season__kind="simplified").exclude(variation={}).exists()

    def test_ratings_that_depend_on_order_are_there(self) -> None:
        rated = Season.objects.filter(formula__in=("elo", "tenhou"))
        assert {season.formula for season in rated} == {"elo", "tenhou"}
        for season in rated:
            assert season.standings.exclude(rating=season.initial_rating).exists()

    def test_every_club_has_ties_and_substitutes(self) -> None:
        for club in Club.objects.all():
            games = Hanchan.objects.filter(season__club=club, status="final")
            assert games.annotate(different=Count("seats__points", distinct=True)).filter(different__lt=4).exists()
            substituted = Seat.objects.filter(season__club=club).exclude(substitute="none")
            assert set(substituted.values_list("substitute", flat=True)) == {"from_start", "mid_game"}
            assert not substituted.filter(played_by=None).exists()

    def test_chombo_sticks_lateness_and_penalties_occur(self) -> None:
        assert Seat.objects.filter(chombo__gt=0).exists()
        assert Hanchan.objects.filter(sticks_left__gt=0).exists()
        assert Seat.objects.filter(season__club__slug="lodz", late_minutes__gt=0, substitute="none").exists()
        assert Seat.objects.filter(penalty__gt=0).exists()
        assert Hanchan.objects.filter(winds_unknown=True).exists()

    def test_one_wrong_sum_has_a_reason(self) -> None:
        wrong = Hanchan.objects.filter(season__club__slug="furiten").exclude(override="")
        assert wrong.count() == 1

    def test_every_running_rated_season_has_a_corrected_a_void_and_a_draft_game(self) -> None:
        for season in Season.objects.filter(starts_on__lte=TODAY, ends_on__gte=TODAY, kind="rated"):
            assert season.hanchans.filter(corrections=1).count() == 1
            assert season.hanchans.filter(status="void").count() == 1
            assert season.hanchans.filter(status="draft").count() == 1

    def test_every_change_after_entry_says_why(self) -> None:
        changed = HanchanEvent.objects.filter(action__in=("corrected", "voided"))
        assert changed.count() == 7
        assert not changed.filter(reason="").exists()

    def test_the_ledger_has_penalties_warnings_and_one_revoked(self) -> None:
        assert {"penalty", "warning"} <= set(Adjustment.objects.values_list("kind", flat=True))
        assert Adjustment.objects.filter(revoked_at__isnull=False).count() == 1
        assert Standing.objects.filter(adjustments__lt=0).exists()

    def test_names_are_written_in_many_scripts_and_some_are_not_shown(self) -> None:
        names = " ".join(Player.objects.values_list("native_name", flat=True))
        assert all(part in names for part in ("Константинопольская", "Źrebiec", "佐藤", "Bergmann"))
        assert {"full", "nickname", "hidden"} == set(Player.objects.values_list("visibility", flat=True))
        assert not Player.objects.filter(Q(latin_first="") | Q(latin_last="")).exists()

    def test_regulars_are_regulars_and_visitors_guests(self) -> None:
        furiten = Affiliation.objects.filter(club__slug="furiten")
        assert furiten.filter(kind="regular").count() == len(FURITEN.people)
        assert Affiliation.objects.filter(kind="guest").exists()

    def test_nothing_lies_in_the_future(self) -> None:
        assert Hanchan.objects.latest("played_on").played_on < TODAY


class TestTheDieAtTheTable:
    @pytest.mark.parametrize("preset", sorted(rulesets.PRESETS))
    def test_points_and_sticks_always_sum_up(self, preset: str) -> None:
        rules, die = rulesets.PRESETS[preset].rules, Random(preset)
        for _ in range(40):
            game = play(die, rules, (-1, 0, 0, 1))
            assert sum(game.points) + 1000 * game.sticks == rules.full_sum
            assert all(points % 100 == 0 for points in game.points)

    def test_better_players_win_more(self) -> None:
        rules, die = rulesets.PRESETS["furiten"].rules, Random(8)
        games = [play(die, rules, (-1.5, 0, 0, 1.5)).points for _ in range(300)]
        assert sum(points[3] for points in games) > sum(points[0] for points in games)

    @pytest.mark.parametrize("variation", FURITEN.seasons[-1].variations)
    def test_every_variation_is_within_the_ranges(self, variation: dict[str, Any]) -> None:
        preset = rulesets.PRESETS["furiten"]
        rulesets.vary(preset.rules, preset.ranges, variation)


class TestTheCalendar:
    @pytest.mark.parametrize("month", range(1, 13))
    @pytest.mark.parametrize("day", [1, 28])
    def test_the_running_season_holds_any_today_and_the_past_one_ends_before_it(self, month: int, day: int) -> None:
        today = datetime.date(2027, month, day)
        for plan in (plan for club in CLUBS for plan in club.seasons):
            when = evenings.span(plan, today)
            assert (when.first <= today <= when.last) == plan.running
            assert len(evenings.evenings(plan, when, today)) > 12

    def test_a_season_is_called_after_its_middle(self) -> None:
        past, running, _free = FURITEN.seasons
        assert evenings.span(running, TODAY)[2:] == ("spring", 2026)
        assert evenings.span(past, TODAY)[2:] == ("autumn", 2025)


@pytest.mark.django_db
class TestTheCommand:
    def test_it_loads_says_so_and_then_leaves_everything_as_it_is(self) -> None:
        out = io.StringIO()
        call_command("demo", share=0.03, stdout=out)
        assert "Furiten" in out.getvalue()
        assert f"{Hanchan.objects.count()} hanchans" in out.getvalue()
        before = digest()

        out = io.StringIO()
        call_command("demo", if_empty=True, stdout=out)
        assert out.getvalue() == "There are clubs already; the demo is not loaded.\n"
        assert digest() == before

        with pytest.raises(CommandError, match="There is a club with the address “furiten” already"):
            call_command("demo", stdout=out)
        assert digest() == before

    @pytest.mark.parametrize("share", ["0", "1.5", "half"])
    def test_a_share_is_more_than_nothing_and_at_most_all(self, share: str) -> None:
        with pytest.raises(CommandError, match="--share"):
            call_command("demo", "--share", share)
