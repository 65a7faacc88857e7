"""Seasons in the admin: what is typed, what is made of it, and what follows for the ratings of its games."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from ratings.mahjong import formulas
from ratings.mahjong.names import slug_from
from ratings.mahjong.problems import Refused
from ratings.models import Player, Season, Seat, Standing
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.seasons import save_season
from tests.cast import THURSDAY, make_players, make_rule_set, make_season, make_sheet
from tests.world import World

pytestmark = pytest.mark.django_db

ADD = "/admin/ratings/season/add/"
POINTS = (45_200, 31_100, 25_700, 18_000)
DAY = datetime.timedelta(days=1)


def typed(world: World, **changed: Any) -> dict[str, Any]:
    return {
        "club": world.furiten.club.pk,
        "name": "Осень 2026",
        "kind": "rated",
        "starts_on": "2026-09-01",
        "ends_on": "2026-12-31",
        "rule_set": world.furiten.rule_set.pk,
        "formula": "sum",
        "elo_k": 32,
        "minimum_games": 6,
        "columns": ["average", "games"],
        "tie_break_1": "average_place",
        "results_public": "on",
        **changed,
    }


def address(season: Season) -> str:
    return f"/admin/ratings/season/{season.pk}/change/"


def errors(page: Any) -> dict[str, list[str]]:
    return {name: list(found) for name, found in page.context["adminform"].form.errors.items()}


class TestAdding:
    def test_a_season_has_what_was_typed(self, world: World) -> None:
        answer = world.client("admin").post(ADD, typed(world, tie_break_3="best_game"))

        season = Season.objects.get(name="Осень 2026")
        assert answer.status_code == 302
        assert (season.club, season.rule_set) == (world.furiten.club, world.furiten.rule_set)
        assert season.metrics == ["games", "average"]
        assert season.tie_breaks == ["average_place", "best_game"]
        assert season.slug == "osen-2026"

    @pytest.mark.parametrize(
        ("formula", "points", "stored"),
        [
            ("elo", "", 1_500_000),
            ("tenhou", "", 1_500_000),
            ("sum", "", 0),
            ("elo", "1200", 1_200_000),
            ("elo", "0.5", 500),
        ],
    )
    def test_the_initial_rating_is_typed_in_points_and_empty_is_the_formulas_own(
        self, world: World, formula: str, points: str, stored: int
    ) -> None:
        world.client("admin").post(ADD, typed(world, formula=formula, initial_points=points))

        assert Season.objects.get(name="Осень 2026").initial_rating == stored

    def test_the_form_starts_with_the_usual_columns_and_tie_breaks(self, world: World) -> None:
        form = world.client("admin").get(ADD).context["adminform"].form

        assert form["columns"].value() == Season().metrics
        assert [form[f"tie_break_{n}"].value() for n in (1, 2, 3)] == ["average_place", "best_game", None]

    @pytest.mark.parametrize(
        ("changed", "field", "words"),
        [
            ({"tie_break_1": "games", "tie_break_2": "games"}, "__all__", "selected twice"),
            ({"ends_on": "2026-08-31"}, "__all__", "The last day is before the first day."),
            ({"kind": "tournament"}, "kind", "tournament is not one of the available choices"),
            ({"starts_on": ""}, "starts_on", "required"),
            ({"tie_break_1": "places"}, "tie_break_1", "places is not one of the available choices"),
            ({"initial_points": "a lot"}, "initial_points", "number"),
        ],
    )
    def test_what_is_wrong_is_said(self, world: World, changed: dict[str, Any], field: str, words: str) -> None:
        page = world.client("admin").post(ADD, typed(world, **changed))

        assert words in " ".join(errors(page)[field])
        assert not Season.objects.filter(name="Осень 2026").exists()

    def test_an_address_that_is_taken_is_refused_and_a_made_one_gets_a_number(self, world: World) -> None:
        client = world.client("admin")
        client.post(ADD, typed(world))
        client.post(ADD, typed(world, name="осень 2026"))
        page = client.post(ADD, typed(world, name="Other", slug="osen-2026"))

        assert set(Season.objects.filter(starts_on="2026-09-01").values_list("slug", flat=True)) == {
            "osen-2026",
            "osen-2026-2",
        }
        assert "already exists" in str(errors(page))


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Весна 2026", "vesna-2026"),
        ("Zażółć gęślą jaźń", "zazolc-gesla-jazn"),
        ("Об'єднання щастя", "obyednannya-shchastya"),
        ("春", "season-7"),
        ("春 2026", "2026"),
        ("— !", "season-7"),
    ],
)
def test_an_address_is_made_from_a_name_in_any_script(name: str, slug: str) -> None:
    assert slug_from(name, "season-7") == slug


def test_a_long_name_makes_an_address_that_fits() -> None:
    taken = {"a" * 46, "a" * 46 + "-2"}

    assert slug_from("a" * 200, "season-1", taken) == "a" * 46 + "-3"


class TestChanging:
    def test_settings_are_changed_by_the_clubs_admin_and_remembered(self, world: World) -> None:
        season = world.furiten.season
        data = typed(world, name="Spring", starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug)
        answer = world.client("admin").post(address(season), data)

        assert answer.status_code == 302
        season.refresh_from_db()
        assert (season.name, season.minimum_games) == ("Spring", 6)
        last = season.history.latest()
        assert (last.name, last.history_user) == ("Spring", world.users["admin"])

    def test_every_save_raises_the_revision_by_one(self, world: World) -> None:
        season = Season.objects.get(pk=world.furiten.season.pk)
        save_season(season)

        assert Season.objects.get(pk=season.pk).revision == season.revision + 1

    def test_days_that_leave_games_out_are_refused_with_their_number(self, world: World) -> None:
        season = world.furiten.season
        data = typed(world, starts_on="2026-05-01", ends_on="2026-06-30", slug=season.slug)
        page = world.client("admin").post(address(season), data)

        assert errors(page)["starts_on"] == ["1 game of the season is outside these days. Choose days that include it."]

    def test_a_void_game_keeps_no_day(self, world: World) -> None:
        hanchan, season = world.furiten.hanchan, Season.objects.get(pk=world.furiten.season.pk)
        void_hanchan(hanchan, version=hanchan.version, reason="test")
        season.starts_on = datetime.date(2026, 5, 1)
        save_season(season)

        assert Season.objects.get(pk=season.pk).starts_on == datetime.date(2026, 5, 1)

    def test_with_games_the_rule_set_is_read_only_and_the_page_says_where_it_changes(self, world: World) -> None:
        season, other = world.furiten.season, make_rule_set(world.furiten.club)
        page = world.client("admin").get(address(season))
        assert "rule_set" not in page.context["adminform"].form.fields
        assert "What if" in page.content.decode()

        data = typed(world, starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug, rule_set=other.pk)
        world.client("admin").post(address(season), data)
        assert Season.objects.get(pk=season.pk).rule_set == season.rule_set

    def test_the_service_refuses_other_rules_too(self, world: World) -> None:
        season = Season.objects.get(pk=world.furiten.season.pk)
        season.rule_set = make_rule_set(world.furiten.club)
        with pytest.raises(Refused) as refused:
            save_season(season)

        assert [problem.code for problem in refused.value.problems] == ["has_games"]

    def test_without_games_the_rule_set_can_be_chosen(self, world: World) -> None:
        season, other = make_season(world.furiten.club), make_rule_set(world.furiten.club)
        data = typed(world, rule_set=other.pk, slug=season.slug)
        world.client("admin").post(address(season), data)

        assert Season.objects.get(pk=season.pk).rule_set == other

    def test_staff_who_may_not_change_it_read_it_all_the_same(self, world: World) -> None:
        Season.objects.filter(pk=world.furiten.season.pk).update(initial_rating=1_500_000, tie_breaks=["best_game"])
        page = world.client("scorer").get(address(world.furiten.season)).content.decode()

        assert "1500" in page
        assert "Best game" in page
        assert "<select" not in page.partition('id="content"')[2]

    def test_a_season_of_a_tournament_is_not_changed_here(self, world: World) -> None:
        season = make_season(world.furiten.club, kind="tournament")

        assert world.client("owner").get(address(season)).status_code == 404


class TestRatings:
    @pytest.fixture
    def players(self) -> list[Player]:
        return make_players(4)

    def played(self, players: list[Player], **settings: Any) -> Season:
        season = make_season(**settings)
        for day in range(3):
            turned = players[day:] + players[:day]
            record_hanchan(season, make_sheet(turned, *POINTS, at=THURSDAY + day * DAY))
        return Season.objects.get(pk=season.pk)

    def ratings(self, season: Season) -> list[Any]:
        seats = Seat.objects.filter(season=season).order_by("played_at", "wind").values_list("rating_after", flat=True)
        standings = Standing.objects.filter(season=season).order_by("player_id").values_list("rating", "rated_games")
        return [*seats, *standings]

    @pytest.mark.parametrize(
        "wanted",
        [
            {"formula": "elo", "initial_rating": 1_500_000},
            {"formula": "tenhou", "initial_rating": 1_500_000},
            {"formula": "elo", "initial_rating": 1_000_000, "elo_k": 16},
        ],
        ids=["Elo", "Tenhou R", "another start and K"],
    )
    @pytest.mark.parametrize("before", ["sum", "elo", "tenhou"])
    def test_another_formula_gives_what_it_would_have_given_from_the_start(
        self, players: list[Player], before: str, wanted: dict[str, Any]
    ) -> None:
        season = self.played(players, formula=before, initial_rating=formulas.FORMULAS[before].initial)
        from_the_start = self.played(players, club=season.club, **wanted)
        for name, value in wanted.items():
            setattr(season, name, value)
        save_season(season)

        assert self.ratings(season) == self.ratings(from_the_start)

    def test_a_formula_without_order_leaves_no_rating_behind(self, players: list[Player]) -> None:
        season = self.played(players, formula="elo", initial_rating=1_500_000)
        season.formula = "sum"
        save_season(season)

        assert self.ratings(season) == [None] * 12 + [(None, 0)] * 4

    def test_settings_that_do_not_concern_ratings_leave_them_alone(self, players: list[Player]) -> None:
        season = self.played(players, formula="elo", initial_rating=1_500_000)
        before = self.ratings(season)
        season.name = "Renamed"
        save_season(season)

        assert self.ratings(season) == before

    def test_the_admins_page_refolds_too(self, world: World) -> None:
        season = world.furiten.season
        data = typed(world, starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug, formula="elo")
        world.client("admin").post(address(season), data)

        assert {s.rated_games for s in season.standings.all()} == {1}
        # Among equals the first has S = 1/2 and E = 1/4: 3 · 32 · 1/4 = 24 points up.
        assert season.standings.get(player=world.furiten.player).rating == 1_524_000
