"""What if: the season by other rules beside the season as it is; the admin then applies the rules or not."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from lxml import html

from clubsite import jobs
from clubsite.models import Job
from ratings.models import Adjustment, Hanchan, RuleSet, Season, SeasonEvent, Seat, Standing
from ratings.queries.replay import rulebook
from ratings.queries.whatif import what_if
from ratings.services.adjustments import give
from ratings.services.hanchans import record_hanchan
from ratings.services.rebuild import rebuild_season
from ratings.services.replay import replay_season
from tests.cast import THURSDAY, make_rule_set, make_sheet
from tests.pages import tables, tight
from tests.scale.season import build_season
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
HIGH_UMA = [30_000, 10_000, -10_000, -30_000]


@pytest.fixture(scope="module")
def made_world(shared_rows: None) -> World:
    found = make_world()
    players = found.furiten.players
    # Dmitry wins little and often, Małgorzata once and by far.
    for number, points in enumerate([(35_000, 33_000, 27_000, 25_000)] * 2 + [(20_000, 60_000, 21_000, 19_000)], 1):
        record_hanchan(found.furiten.season, make_sheet(players, *points, at=THURSDAY + number * DAY))
    found.furiten.season.refresh_from_db()
    return found


@pytest.fixture
def season(world: World) -> Season:
    return world.furiten.season


@pytest.fixture
def admin(world: World) -> Client:
    return world.client("admin")


def address(season: Season) -> str:
    return f"/admin/ratings/season/{season.pk}/what-if/"


def stored() -> list[Any]:
    """Everything the page might touch."""
    models = (Season, Hanchan, Seat, Standing, RuleSet, SeasonEvent, Job)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def test_the_page_offers_the_rules_of_the_club_and_the_presets(admin: Client, season: Season, world: World) -> None:
    page = admin.get(address(season)).content.decode()

    assert f'value="own-{season.rule_set_id}"' in page
    assert 'value="preset-ema-2012"' in page
    assert f'value="own-{world.haneman.rule_set.pk}"' not in page


def test_it_shows_what_a_replay_would_give_and_stores_nothing(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA)
    before = stored()
    page = admin.get(address(season), {"rules": f"own-{other.pk}"})
    shown = {row[0].text: (row[1].text, row[2].text, row[3].text) for row in tables(page.content)["what-if"].rows}

    assert page.status_code == 200
    assert stored() == before
    now = {standing.player.native_name: standing.results for standing in standings(season)}
    replay_season(season, other)
    then = {standing.player.native_name: standing.results for standing in standings(season)}
    assert then != now
    for name, (_rank, before_text, after_text) in shown.items():
        assert number(before_text) == now[name] + adjusted(season, name)
        assert number(after_text) == then[name] + adjusted(season, name)


def standings(season: Season) -> list[Standing]:
    return list(Standing.objects.filter(season=season).select_related("player"))


def adjusted(season: Season, name: str) -> int:
    return Standing.objects.get(season=season, player__native_name=name).adjustments


def number(text: str) -> int:
    return round(1000 * float(text.replace("−", "-").replace("\N{NO-BREAK SPACE}", "")))


@pytest.mark.parametrize("formula", ["sum", "average", "elo", "tenhou"])
@pytest.mark.parametrize("preset", ["ema-2012", "m-league", "jpml-a"])
def test_what_is_shown_is_what_a_replay_then_gives(formula: str, preset: str) -> None:
    season = build_season(120, 12, formula=formula)
    player = season.standings.order_by("pk")[0].player
    give(season, player, Adjustment.Kind.PENALTY, -8000, "late", on=datetime.date(2025, 5, 1))
    season.refresh_from_db()
    other = make_rule_set(season.club, preset)
    foretold = what_if(season, rulebook(other))

    event = replay_season(season, other)

    season.refresh_from_db()
    again = what_if(season, rulebook(other))
    assert [(m.player_id, m.rank_after, m.value_after) for m in foretold.moves] == [
        (m.player_id, m.rank_before, m.value_before) for m in again.moves
    ]
    assert again.moving == 0
    assert {str(shift): games for shift, games in foretold.shifts.items()} == event.details["shifts"]


def test_the_scoring_rules_that_differ_are_listed(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA, minimum_han=2)
    differences = tables(admin.get(address(season), {"rules": f"own-{other.pk}"}).content)["differences"]

    assert len(differences.rows) == 1
    assert "30" in differences.rows[0][2].text


def test_a_rule_that_is_not_stated_does_not_differ_from_what_is_taken_for_it(admin: Client, season: Season) -> None:
    stored = {name: value for name, value in season.rule_set.parameters.items() if name != "penalty_applies"}
    RuleSet.objects.filter(pk=season.rule_set_id).update(parameters=stored)
    other = make_rule_set(season.club, uma=HIGH_UMA)

    page = admin.get(address(season), {"rules": f"own-{other.pk}"}).content.decode()

    assert "A penalty is taken" not in page


def test_another_start_says_that_points_are_shifted(admin: Client, season: Season) -> None:
    page = admin.get(address(season), {"rules": "preset-m-league"}).content.decode()

    assert "shifts every score by −5000 in 4 games" in page.replace("\N{NO-BREAK SPACE}", " ")


def test_games_that_cannot_follow_are_listed_and_keep_the_button_away(admin: Client, world: World) -> None:
    season = world.furiten.season
    hanchan = record_hanchan(
        season,
        make_sheet(world.furiten.players, 30_000, 30_000, 30_000, 30_000, at=THURSDAY + 8 * DAY, winds_unknown=True),
    )
    other = make_rule_set(season.club, ties="seat")
    page = admin.get(address(season), {"rules": f"own-{other.pk}"}).content.decode()

    assert f'href="/hanchans/{hanchan.pk}/"' in page
    assert "winds must be known" in page
    assert 'value="replay"' not in page
    answer = admin.post(address(season), {"rules": f"own-{other.pk}", "apply": "replay", "reason": "voted"})
    assert answer.status_code == 422
    assert "cannot follow these rules" in answer.content.decode()
    assert not Job.objects.exists()


def test_from_now_on_changes_the_rules_of_new_games_only(admin: Client, season: Season) -> None:
    other, seats = make_rule_set(season.club, uma=HIGH_UMA), list(Seat.objects.order_by("pk").values())
    answer = admin.post(address(season), {"rules": f"own-{other.pk}", "apply": "from_now_on", "reason": "voted"})
    season.refresh_from_db()

    assert answer.status_code == 302
    assert season.rule_set == other
    assert list(Seat.objects.order_by("pk").values()) == seats
    assert SeasonEvent.objects.get().reason == "voted"


def test_a_preset_is_copied_into_the_club_once(admin: Client, season: Season) -> None:
    admin.post(address(season), {"rules": "preset-ema-2012", "apply": "from_now_on", "reason": "voted"})
    season.refresh_from_db()
    copy = season.rule_set

    assert (copy.club, copy.preset) == (season.club, "ema-2012")
    admin.post(
        address(season),
        {"rules": f"own-{season.hanchans.all()[0].rule_set_id}", "apply": "from_now_on", "reason": "no"},
    )
    admin.post(address(season), {"rules": "preset-ema-2012", "apply": "from_now_on", "reason": "yes, after all"})
    season.refresh_from_db()
    assert season.rule_set == copy


def test_a_replay_is_a_job_and_shows_its_end(admin: Client, season: Season, world: World) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA)
    answer = admin.post(address(season), {"rules": f"own-{other.pk}", "apply": "replay", "reason": "voted"})
    job = Job.objects.get()
    assert answer["Location"] == job.get_absolute_url()
    assert "Starting" in admin.get(job.get_absolute_url()).content.decode()

    jobs.run(job.pk)

    page = admin.get(job.get_absolute_url()).content.decode()
    assert "4 games were replayed by" in page
    assert 'hx-trigger="every' not in page
    event = SeasonEvent.objects.get()
    assert (event.by, event.reason, event.details["games"]) == (world.users["admin"], "voted", 4)
    assert rebuild_season(season.pk, check=True).count == 0
    history = admin.get(f"/admin/ratings/season/{season.pk}/history/").content.decode()
    assert "replayed under other rules" in history
    assert "voted" in history


def test_a_second_click_leads_to_the_same_job(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA)
    sent = {"rules": f"own-{other.pk}", "apply": "replay", "reason": "voted"}

    assert admin.post(address(season), sent)["Location"] == admin.post(address(season), sent)["Location"]
    assert Job.objects.count() == 1


def test_a_replay_refused_at_the_last_moment_says_so_on_the_page_of_the_job(
    admin: Client, season: Season, world: World
) -> None:
    other = make_rule_set(season.club, ties="seat")
    admin.post(address(season), {"rules": f"own-{other.pk}", "apply": "replay", "reason": "voted"})
    sheet = make_sheet(world.furiten.players, 30_000, 30_000, 30_000, 30_000, winds_unknown=True)
    hanchan = record_hanchan(season, sheet)

    jobs.run(Job.objects.get().pk)

    page = admin.get(Job.objects.get().get_absolute_url()).content.decode()
    assert f"Game {hanchan.pk} cannot be played by these rules" in page
    assert not SeasonEvent.objects.exists()


@pytest.mark.parametrize("rules", ["", "own-999999", "own-x", "preset-nowhere", "0", "own-", "\x00"])
def test_rules_that_are_not_in_the_list_are_answered_with_a_sentence(admin: Client, season: Season, rules: str) -> None:
    for answer in (
        admin.get(address(season), {"rules": rules}),
        admin.post(address(season), {"rules": rules, "apply": "replay", "reason": "voted"}),
    ):
        assert answer.status_code == 422
    assert not Job.objects.exists()


def test_rules_of_another_club_cannot_be_chosen(admin: Client, season: Season, world: World) -> None:
    strange = world.haneman.rule_set
    answer = admin.post(address(season), {"rules": f"own-{strange.pk}", "apply": "from_now_on", "reason": "voted"})

    assert answer.status_code == 422
    season.refresh_from_db()
    assert season.rule_set != strange


def test_a_missing_reason_is_asked_for(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA)
    answer = admin.post(address(season), {"rules": f"own-{other.pk}", "apply": "replay", "reason": " "})

    assert answer.status_code == 422
    assert "Enter a short reason." in answer.content.decode()
    assert not Job.objects.exists()


def test_a_season_without_games_can_change_its_rules(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA)
    empty = Season.objects.create(
        club=season.club, name="Autumn", slug="autumn", starts_on=season.starts_on, rule_set=season.rule_set
    )
    page = admin.get(address(empty), {"rules": f"own-{other.pk}"}).content.decode()

    assert "No games yet" in page
    assert 'value="from_now_on"' in page
    assert 'value="replay"' not in page


def test_the_pages_of_a_large_comparison_cost_few_queries(
    admin: Client, season: Season, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20):
        admin.get(address(season), {"rules": "preset-ema-2012", "page": "x"})


HIGHER_UMA = [50_000, 10_000, -10_000, -50_000]  # by which Dmitry's little wins are worth more than one by far


def test_it_counts_who_changes_rank_apart_from_who_only_changes_points(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGHER_UMA)
    outcome = what_if(season, rulebook(other))
    page = tight(admin.get(address(season), {"rules": f"own-{other.pk}"}).content.decode())

    moved = [move for move in outcome.moves if move.rank_before != move.rank_after]
    assert 0 < outcome.reranked == len(moved) < len(outcome.moves)
    assert outcome.revalued == outcome.moving - outcome.reranked > 0
    assert f"{outcome.reranked} players change rank" in page
    assert f"{outcome.revalued} more change" in page


def test_the_main_button_is_the_one_that_changes_no_recorded_game(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGH_UMA)
    page = html.fromstring(admin.get(address(season), {"rules": f"own-{other.pk}"}).content)

    (main,) = page.xpath("//form[@method='post'][contains(@class, 'plain')]//button[@class='main']")
    assert main.get("value") == "from_now_on"
    assert page.xpath("//button[@value='replay']")


def test_amounts_below_zero_are_red_and_the_ranks_are_drawn(admin: Client, season: Season) -> None:
    other = make_rule_set(season.club, uma=HIGHER_UMA)
    page = html.fromstring(admin.get(address(season), {"rules": f"own-{other.pk}"}).content)

    cells = page.xpath("//table[@class='what-if']//td[contains(@class, 'negative')]")
    assert cells
    assert all("−" in cell.text_content() for cell in cells)
    assert len(page.xpath("//figure[@class='slope']//ol[1]/li")) == 4
