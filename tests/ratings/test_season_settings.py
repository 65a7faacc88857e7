"""The settings of seasons: what is typed, what is made of it, and what follows for the ratings of its games."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client

from ratings.mahjong import formulas
from ratings.mahjong.names import slug_from
from ratings.mahjong.problems import Refused
from ratings.models import Membership, Player, RuleSet, Season, Seat, Standing
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.seasons import save_season
from tests.cast import THURSDAY, make_club, make_players, make_rule_set, make_season, make_sheet, make_user
from tests.pages import tight
from tests.world import World

pytestmark = pytest.mark.django_db

ADD = "/admin/ratings/season/add/"
POINTS = (45_200, 31_100, 25_700, 18_000)
DAY = datetime.timedelta(days=1)


def typed(world: World, **changed: Any) -> dict[str, Any]:
    return {
        "name": "Осень 2026",
        "kind": "rated",
        "starts_on": "2026-09-01",
        "ends_on": "2026-12-31",
        "rules": f"own-{world.furiten.rule_set.pk}",
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
    return {name: list(found) for name, found in page.context["form"].errors.items()}


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
        form = world.client("admin").get(ADD).context["form"]

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
            ({"formula": "elo", "initial_points": "a lot"}, "initial_points", "number"),
            ({"rules": "own-0"}, "rules", "Choose rules from the list."),
            ({"formula": "elo", "elo_k": "many"}, "elo_k", "number"),
            ({"name": " "}, "name", "required"),
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
        assert "Another season of the club has this address." in str(errors(page))


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
        assert not {"rules", "kind"} & set(page.context["form"].fields)
        assert f"/admin/ratings/season/{season.pk}/what-if/" in page.content.decode()

        data = typed(world, starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug, rules=f"own-{other.pk}")
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
        data = typed(world, rules=f"own-{other.pk}", slug=season.slug)
        world.client("admin").post(address(season), data)

        assert Season.objects.get(pk=season.pk).rule_set == other

    def test_staff_who_may_not_change_it_read_it_all_the_same(self, world: World) -> None:
        Season.objects.filter(pk=world.furiten.season.pk).update(
            formula="elo", initial_rating=1_500_000, tie_breaks=["best_game"]
        )
        page = world.client("scorer").get(address(world.furiten.season)).content.decode()

        assert "1500" in page
        assert "Best game" in page
        assert "<select" not in page
        assert "Only an admin of the club can change these settings." in page

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

    def test_another_formula_is_asked_about_with_who_moves_and_then_computed(self, world: World) -> None:
        season = world.furiten.season
        data = typed(world, starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug, formula="elo")
        data["minimum_games"] = 0

        asked = world.client("admin").post(address(season), data)
        assert "Compute all ratings again?" in asked.content.decode()
        assert "1 game is rated again" in tight(asked.content.decode())
        assert asked.context["board"].top[0].move.value_after == 1_524_000
        assert {s.rated_games for s in season.standings.all()} == {0}

        back = world.client("admin").post(address(season), {**data, "edit": "1"})
        assert back.context["form"]["formula"].value() == "elo"

        world.client("admin").post(address(season), {**data, "confirm": "1"})

        assert {s.rated_games for s in season.standings.all()} == {1}
        # Among equals the first has S = 1/2 and E = 1/4: 3 · 32 · 1/4 = 24 points up.
        assert season.standings.get(player=world.furiten.player).rating == 1_524_000

    def test_leaving_the_ratings_is_asked_about_too(self, players: list[Player], world: World) -> None:
        season = self.played(players, club=world.furiten.club, formula="elo", initial_rating=1_500_000)
        data = typed(world, starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug)

        assert "Remove all ratings?" in world.client("admin").post(address(season), data).content.decode()
        world.client("admin").post(address(season), {**data, "confirm": "1"})
        assert self.ratings(season) == [None] * 12 + [(None, 0)] * 4

    def test_average_instead_of_sum_is_saved_at_once(self, world: World) -> None:
        season = world.furiten.season
        data = typed(world, starts_on="2026-01-01", ends_on="2026-06-30", slug=season.slug, formula="average")

        assert world.client("admin").post(address(season), data).status_code == 302
        assert Season.objects.get(pk=season.pk).formula == "average"


class TestRules:
    def test_a_preset_is_copied_into_the_club_once(self, world: World) -> None:
        client, club = world.client("admin"), world.furiten.club
        client.post(ADD, typed(world, rules="preset-ema-2025"))
        client.post(ADD, typed(world, name="Winter", rules="preset-ema-2025"))

        copies = RuleSet.objects.filter(club=club, preset="ema-2025")
        assert [copy.name for copy in copies] == ["EMA 2025"]
        assert {Season.objects.get(name=name).rule_set for name in ("Осень 2026", "Winter")} == set(copies)

    def test_nothing_is_copied_for_a_season_that_is_refused(self, world: World) -> None:
        world.client("admin").post(ADD, typed(world, name="", rules="preset-ema-2025"))

        assert not RuleSet.objects.filter(preset="ema-2025").exists()

    def test_a_club_without_rules_is_offered_the_presets_with_europe_first(self, world: World) -> None:
        club = make_club("Lviv")
        page = world.client("owner").get(ADD, {"club": club.slug})

        ((_group, presets),) = page.context["form"].fields["rules"].choices
        assert [key for key, _name in presets][:2] == ["preset-ema-2025", "preset-ema-2016"]

    def test_a_new_season_begins_with_the_rules_of_the_last_one(self, world: World) -> None:
        newer = make_season(world.furiten.club, starts_on="2026-05-01")

        form = world.client("admin").get(ADD).context["form"]
        assert form["rules"].value() == f"own-{newer.rule_set_id}"

    def test_the_sets_of_another_club_cannot_be_chosen(self, world: World) -> None:
        foreign = world.haneman.rule_set
        page = world.client("admin").post(ADD, typed(world, rules=f"own-{foreign.pk}"))

        assert errors(page)["rules"] == ["Choose rules from the list."]


class TestWhichClub:
    def test_with_several_clubs_the_page_asks(self, world: World) -> None:
        page = world.client("owner").get(ADD).content.decode()

        assert 'href="?club=furiten"' in page
        assert 'href="?club=haneman"' in page

    def test_the_address_names_the_club(self, world: World) -> None:
        data = typed(world, rules=f"own-{world.haneman.rule_set.pk}")
        world.client("owner").post(f"{ADD}?club=haneman", data)

        assert Season.objects.get(name="Осень 2026").club == world.haneman.club

    def test_only_own_clubs_are_offered_and_found(self, world: World) -> None:
        both = make_user("both", world.furiten.club, "admin")
        Membership.objects.create(user=both, club=world.haneman.club, role="referee")
        client = Client()
        client.force_login(both)

        form = client.get(ADD).context["form"]
        own = [key for _group, choices in form.fields["rules"].choices for key, _label in choices if "own" in key]
        assert own == [f"own-{world.furiten.rule_set.pk}"]
        assert client.get(f"{ADD}?club=haneman").status_code == 404
        assert client.post(f"{ADD}?club=haneman", typed(world)).status_code == 404


class TestOnlyWhatApplies:
    @pytest.mark.parametrize(
        ("formula", "shown"),
        [("sum", set()), ("average", set()), ("tenhou", {"initial_points"}), ("elo", {"initial_points", "elo_k"})],
    )
    def test_settings_of_a_formula_are_shown_with_it_only(self, world: World, formula: str, shown: set[str]) -> None:
        season = make_season(world.furiten.club, formula=formula)
        form = world.client("admin").get(address(season)).context["form"]

        assert {"initial_points", "elo_k"} & set(form.fields) == shown

    def test_another_formula_changes_the_fields_before_it_is_saved(self, world: World) -> None:
        season = world.furiten.season
        client = world.client("admin")
        page = client.post(preview(season), typed(world, formula="elo", elo_k="")).content.decode()
        assert 'name="elo_k"' in page
        assert 'hx-swap-oob="true"' in page

        again = client.post(preview(season), typed(world, formula="elo", initial_points="")).content.decode()
        assert 'name="elo_k"' not in again, "the page shows these fields already"

    @pytest.mark.parametrize("formula", ["elo", "tenhou"])
    def test_another_formula_proposes_its_own_initial_rating(self, world: World, formula: str) -> None:
        season = world.furiten.season
        page = world.client("admin").post(preview(season), typed(world, formula=formula))
        assert season.initial_rating == 0
        assert page.context["form"]["initial_points"].value() == "1500"

        world.client("admin").post(
            address(season), typed(world, formula=formula, starts_on="2026-04-01", confirm="yes")
        )
        assert Season.objects.get(pk=season.pk).initial_rating == 1_500_000

    def test_back_at_the_stored_formula_its_initial_rating_is_shown_again(self, world: World) -> None:
        season = make_season(world.furiten.club, formula="elo", initial_rating=1_200_500)
        page = world.client("admin").post(preview(season), typed(world, formula="elo"))

        assert page.context["form"]["initial_points"].value() == "1200.5"

    def test_a_rating_is_shown_without_powers_of_ten(self, world: World) -> None:
        season = make_season(world.furiten.club, formula="elo", initial_rating=1_500_000)

        assert 'name="initial_points" value="1500"' in world.client("admin").get(address(season)).content.decode()

    def test_a_field_that_is_not_shown_keeps_its_value(self, world: World) -> None:
        season = make_season(world.furiten.club, elo_k=16)
        data = typed(world, slug=season.slug)
        del data["elo_k"]
        world.client("admin").post(address(season), data)

        assert Season.objects.get(pk=season.pk).elo_k == 16


class TestBeside:
    def test_the_top_follows_the_settings_and_nothing_is_stored(self, world: World) -> None:
        season = world.furiten.season
        before = Season.objects.get(pk=season.pk)
        page = world.client("admin").post(preview(season), typed(world, minimum_games=2))

        assert page.context["board"].ranked == 0
        assert page.context["board"].moving == 4
        assert [player for player, _move in page.context["board"].leaving]
        assert "No player has enough games to be ranked." in page.content.decode()
        after = Season.objects.get(pk=season.pk)
        assert (after.minimum_games, after.revision) == (before.minimum_games, before.revision)

    def test_wrong_input_still_has_a_preview(self, world: World) -> None:
        page = world.client("admin").post(preview(world.furiten.season), typed(world, minimum_games="x", name=""))

        assert page.status_code == 200
        assert page.context["board"].players == 4

    def test_an_empty_season_says_what_will_be_there(self, world: World) -> None:
        season = make_season(world.furiten.club)

        page = world.client("admin").get(address(season)).content.decode()
        assert "The top five appear with the first games." in page

    def test_a_preview_is_for_admins_of_the_club(self, world: World) -> None:
        for role in ("scorer", "referee", "foreign"):
            assert world.client(role).post(preview(world.furiten.season), typed(world)).status_code == 404


class TestTwoEditors:
    def test_the_second_is_told_what_the_first_changed_and_saves_again(self, world: World) -> None:
        season = make_season(world.furiten.club, name="Spring")
        seen = world.client("admin").get(address(season)).context["editing"].seen
        world.client("owner").post(address(season), typed(world, name="Summer", slug=season.slug))

        data = typed(world, name="Autumn", slug=season.slug, seen=seen)
        refused = world.client("admin").post(address(season), data)

        assert refused.status_code == 409
        page = tight(refused.content.decode())
        assert "These settings were changed while you were editing." in page
        assert "owner" in page
        assert "<ins>Summer</ins>" in page
        assert 'value="Autumn"' in page
        assert Season.objects.get(pk=season.pk).name == "Summer"

        again = world.client("admin").post(address(season), {**data, "seen": refused.context["editing"].seen})
        assert again.status_code == 302
        assert Season.objects.get(pk=season.pk).name == "Autumn"

    def test_a_game_recorded_meanwhile_is_no_conflict(self, world: World) -> None:
        season = world.furiten.season
        seen = world.client("admin").get(address(season)).context["editing"].seen
        record_hanchan(season, make_sheet(world.furiten.players, *POINTS, at=THURSDAY + DAY))

        data = typed(world, slug=season.slug, starts_on="2026-01-01", ends_on="2026-06-30", seen=seen)
        assert world.client("admin").post(address(season), data).status_code == 302


class TestHistory:
    def test_it_tells_settings_in_words_to_all_staff(self, world: World) -> None:
        season = make_season(world.furiten.club, name="Spring")
        world.client("admin").post(
            address(season), typed(world, slug=season.slug, formula="elo", initial_points="1200")
        )

        page = tight(world.client("scorer").get(f"/admin/ratings/season/{season.pk}/history/").content.decode())
        assert "admin" in page
        assert "<del>Spring</del>" in page or "<del> Spring</del>" in page
        assert "1200" in page


def preview(season: Season) -> str:
    return f"/admin/ratings/season/{season.pk}/preview/"
