"""Other rules for a season: replayed games keep their facts, and going back restores everything."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from ratings.mahjong import scoring
from ratings.mahjong.problems import Refused
from ratings.models import Hanchan, HanchanEvent, Player, RuleSet, Season, SeasonEvent, Seat, Standing
from ratings.services import replay
from ratings.services.hanchans import Conflict, change_hanchan, record_hanchan, sheet_of, void_hanchan
from ratings.services.rebuild import rebuild_season
from ratings.services.replay import apply_from_now_on, replay_season
from tests.cast import THURSDAY, make_club, make_players, make_rule_set, make_season, make_sheet, make_user
from tests.scale.season import build_season

HOUR = datetime.timedelta(hours=1)


def kept(season: Season) -> dict[str, list[Any]]:
    """Facts and what is derived, without counters that only rise."""
    hanchans = [field.name for field in Hanchan._meta.concrete_fields if field.name not in ("version", "rule_set")]
    return {
        "hanchans": list(Hanchan.objects.filter(season=season).order_by("pk").values_list(*hanchans)),
        "rules": list(
            Hanchan.objects.filter(season=season).order_by("pk").values_list("rule_set__parameters", flat=True)
        ),
        "seats": list(Seat.objects.filter(hanchan__season=season).order_by("pk").values()),
        "standings": list(Standing.objects.filter(season=season).order_by("pk").values()),
    }


def play(season: Season, *tables: tuple[int, int, int, int], **facts: Any) -> list[Hanchan]:
    players = list(Player.objects.order_by("pk")[:4]) or make_players(4)
    return [
        record_hanchan(season, make_sheet(players, *points, at=THURSDAY + number * HOUR, **facts))
        for number, points in enumerate(tables)
    ]


TABLES = ((45_000, 35_000, 25_000, 15_000), (30_000, 30_000, 30_000, 30_000), (60_000, 30_000, 30_000, 0))


@pytest.mark.django_db
class TestReplayAll:
    def test_each_game_is_scored_by_the_new_rules_and_new_games_use_them(self) -> None:
        season = make_season()
        play(season, *TABLES)
        other = make_rule_set(season.club, uma=[15_000, 5_000, -5_000, -15_000])

        replay_season(season, other)

        season.refresh_from_db()
        assert season.rule_set == other
        for hanchan in Hanchan.objects.filter(season=season).prefetch_related("seats"):
            expected = [result.total for result in scoring.score(hanchan.as_table(), other.rules)]
            assert [seat.result for seat in hanchan.seats.all()] == expected
            assert hanchan.rule_set == other
        assert rebuild_season(season.pk, check=True).count == 0

    def test_another_start_shifts_the_points_of_every_seat(self) -> None:
        season = make_season()
        play(season, *TABLES)
        other = make_rule_set(season.club, start_points=25_000, target_points=30_000)

        event = replay_season(season, other)

        points = Seat.objects.filter(season=season).order_by("pk").values_list("points", flat=True)
        assert list(points) == [p - 5_000 for table in TABLES for p in table]
        assert event.details["shifts"] == {"-5000": 3}
        assert rebuild_season(season.pk, check=True).count == 0

    def test_it_is_one_event_that_says_from_what_to_what_and_no_history_of_the_games(self) -> None:
        season = make_season()
        play(season, *TABLES)
        before, other = season.rule_set, make_rule_set(season.club, uma=[20_000, 10_000, -10_000, -20_000])
        by, remembered = make_user("admin", season.club, "admin"), HanchanEvent.objects.count()

        replay_season(season, other, by=by, reason="as voted")

        (event,) = SeasonEvent.objects.all()
        assert (event.action, event.by, event.reason) == (SeasonEvent.Action.REPLAYED, by, "as voted")
        assert event.details["from"] == [{"id": before.pk, "name": before.name, "version": before.version}]
        assert event.details["to"]["id"] == other.pk
        assert (event.details["games"], event.details["left"]) == (3, 0)
        assert HanchanEvent.objects.count() == remembered
        assert season.history.latest().rule_set_id == other.pk
        assert season.history.latest().history_user == by

    def test_order_dependent_ratings_are_folded_again(self) -> None:
        season = make_season(formula="elo", initial_rating=1_500_000)
        players = make_players(4)
        record_hanchan(season, make_sheet(players, 30_000, 30_000, 40_000, 20_000))
        record_hanchan(season, make_sheet(players, 30_000, 50_000, 20_000, 20_000, at=THURSDAY + HOUR))
        tied = Standing.objects.get(season=season, player=players[0]).rating

        replay_season(season, make_rule_set(season.club, ties="seat"))

        assert Standing.objects.get(season=season, player=players[0]).rating != tied
        assert rebuild_season(season.pk, check=True).count == 0

    def test_a_free_game_keeps_its_variation(self) -> None:
        season = make_season(kind="simplified")
        variation = {"uma": [10_000, 5_000, -5_000, -10_000]}
        (hanchan,) = play(season, sums_to(season.rule_set), variation=variation)
        other = make_rule_set(season.club, chombo_penalty=4_000)

        replay_season(season, other)

        hanchan = Hanchan.objects.get(pk=hanchan.pk)
        assert hanchan.variation == variation
        assert hanchan.rules.uma == (10_000, 5_000, -5_000, -10_000)
        assert hanchan.rules.chombo_penalty == 4_000
        assert rebuild_season(season.pk, check=True).count == 0

    def test_a_game_whose_own_start_was_a_variation_keeps_its_points(self) -> None:
        season = make_season(kind="simplified")
        start = season.rule_set.rules.start_points
        varied = start + 5_000
        play(
            season,
            (varied + 10_000, varied, varied, varied - 10_000),
            variation={"start_points": varied, "target_points": varied},
        )
        other = make_rule_set(season.club, start_points=start + 10_000, target_points=start + 10_000)

        event = replay_season(season, other)

        assert event.details["shifts"] == {}
        assert Seat.objects.order_by("pk")[0].points == varied + 10_000

    def test_drafts_and_void_games_follow_without_counting(self) -> None:
        season = make_season()
        void, *_others = play(season, *TABLES)
        void_hanchan(void, version=void.version, reason="wrong table")
        draft = record_hanchan(
            season, make_sheet(list(Player.objects.order_by("pk")[:4]), 30_000, 30_000, 30_000, 1_000), draft=True
        )
        other = make_rule_set(season.club, start_points=25_000, target_points=25_000)

        replay_season(season, other)

        assert list(draft.seats.values_list("points", "result")) == [(25_000, None)] * 3 + [(-4_000, None)]
        assert void.seats.order_by("wind")[0].points == 40_000
        assert Hanchan.objects.filter(rule_set=other).count() == 4
        assert rebuild_season(season.pk, check=True).count == 0

    def test_a_correction_opened_before_is_a_conflict_afterwards(self) -> None:
        season = make_season()
        hanchan, *_others = play(season, *TABLES)
        opened = sheet_of(hanchan)
        replay_season(season, make_rule_set(season.club, uma=[15_000, 5_000, -5_000, -15_000]))

        with pytest.raises(Conflict):
            change_hanchan(hanchan, opened, version=hanchan.version, reason="typed before the replay")

    def test_a_correction_afterwards_uses_the_new_rules(self) -> None:
        season = make_season()
        hanchan, *_others = play(season, *TABLES)
        other = make_rule_set(season.club, uma=[15_000, 5_000, -5_000, -15_000])
        replay_season(season, other)
        hanchan = Hanchan.objects.get(pk=hanchan.pk)

        change_hanchan(hanchan, sheet_of(hanchan), version=hanchan.version, reason="nothing")

        assert hanchan.seats.order_by("wind")[0].result == 45_000 - 30_000 + 15_000

    @pytest.mark.parametrize("formula", ["sum", "elo"])
    def test_a_larger_season_comes_back_as_it_was(self, formula: str) -> None:
        season = build_season(300, 16, formula=formula)
        before, original = kept(season), season.rule_set
        other = make_rule_set(season.club, "ema-2012")

        replay_season(season, other)
        assert kept(season)["standings"] != before["standings"]
        assert rebuild_season(season.pk, check=True).count == 0
        replay_season(season, original)

        assert kept(season) == before


def sums_to(rule_set: RuleSet) -> tuple[int, int, int, int]:
    start = rule_set.rules.start_points
    return (start + 20_000, start, start, start - 20_000)


@pytest.mark.django_db
class TestRefusals:
    def test_games_without_winds_block_rules_that_need_them(self) -> None:
        season = make_season()
        (hanchan,) = play(season, TABLES[0], winds_unknown=True)
        before = kept(season)

        with pytest.raises(Refused, match=f"Game {hanchan.pk} .*winds must be known"):
            replay_season(season, make_rule_set(season.club, ties="seat"))
        assert kept(season) == before

    def test_a_variation_that_the_new_rules_do_not_allow_blocks_them(self) -> None:
        season = make_season(kind="simplified")
        play(season, sums_to(season.rule_set), variation={"uma": [10_000, 5_000, -5_000, -10_000]})

        with pytest.raises(Refused, match="may not differ"):
            replay_season(season, make_rule_set(season.club, "ema-2012"))

    def test_a_void_game_that_cannot_follow_stays_under_its_own_rules(self) -> None:
        season = make_season()
        (hanchan,) = play(season, TABLES[0], winds_unknown=True)
        void_hanchan(hanchan, version=hanchan.version, reason="was anonymised")
        old = season.rule_set

        event = replay_season(season, make_rule_set(season.club, ties="seat"))

        assert Hanchan.objects.get(pk=hanchan.pk).rule_set == old
        assert event.details["left"] == 1
        assert rebuild_season(season.pk, check=True).count == 0

    def test_rules_of_another_club_are_refused(self) -> None:
        season, strange = make_season(), make_rule_set(make_club("Sakura"))

        for write in (apply_from_now_on, replay_season):
            with pytest.raises(Refused, match="another club"):
                write(season, strange)

    def test_rules_changed_while_they_were_computed_with_are_refused(self) -> None:
        season = make_season()
        play(season, *TABLES)
        other, before = make_rule_set(season.club, uma=[15_000, 5_000, -5_000, -15_000]), kept(season)

        def report(done: int, total: int) -> None:
            RuleSet.objects.filter(pk=other.pk).update(
                parameters={**other.parameters, "uma": [20_000, 10_000, -10_000, -20_000]}
            )

        with pytest.raises(Refused, match="changed these rules"):
            replay_season(season, other, report=report)
        assert kept(season) == before

    def test_a_game_entered_meanwhile_is_played_again_too(self) -> None:
        season = make_season()
        play(season, *TABLES)
        other = make_rule_set(season.club, uma=[15_000, 5_000, -5_000, -15_000])

        replay_season(season, other, report=once(lambda: play(season, TABLES[0])))

        assert Hanchan.objects.filter(season=season, rule_set=other).count() == 4
        assert rebuild_season(season.pk, check=True).count == 0

    def test_a_season_that_never_rests_is_refused_and_unchanged(self) -> None:
        season = make_season()
        play(season, *TABLES)
        calls = []

        def report(done: int, total: int) -> None:
            calls.append(done)
            play(season, TABLES[0])

        with pytest.raises(Refused, match="kept being entered"):
            replay_season(season, make_rule_set(season.club, ties="seat"), report=report)
        assert len(calls) == replay.ATTEMPTS
        assert not SeasonEvent.objects.exists()

    def test_when_what_follows_the_writing_fails_nothing_is_written(self) -> None:
        season = make_season()
        play(season, *TABLES)
        before, revision = kept(season), Season.objects.get(pk=season.pk).revision

        def cut_off(event: SeasonEvent) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            replay_season(season, make_rule_set(season.club, ties="seat"), written=cut_off)
        assert kept(season) == before
        assert Season.objects.get(pk=season.pk).revision == revision


def once(act: Callable[[], object]) -> Callable[[int, int], None]:
    """A progress report that calls `act` the first time only."""
    left = [act]
    return lambda _done, _total: void(left.pop()()) if left else None


def void(_value: object) -> None:
    """Discard the value."""


@pytest.mark.django_db
class TestFromNowOn:
    def test_games_keep_their_rules_and_new_ones_use_the_new(self) -> None:
        season = make_season()
        first, *_others = play(season, *TABLES)
        old, before = season.rule_set, kept(season)
        other = make_rule_set(season.club, uma=[15_000, 5_000, -5_000, -15_000])

        event = apply_from_now_on(season, other, reason="new year")

        assert kept(season) == before
        assert Hanchan.objects.get(pk=first.pk).rule_set == old
        season.refresh_from_db()
        (newest,) = play(season, TABLES[0])
        assert newest.rule_set == other
        assert event.action == SeasonEvent.Action.RULES_FROM_NOW
        assert event.details == {
            "from": {"id": old.pk, "name": old.name, "version": old.version},
            "to": {"id": other.pk, "name": other.name, "version": other.version},
        }

    def test_the_same_rules_again_are_refused(self) -> None:
        season = make_season()

        with pytest.raises(Refused, match="already"):
            apply_from_now_on(season, season.rule_set)

    def test_a_replay_afterwards_brings_all_games_to_one_set(self) -> None:
        season = make_season()
        play(season, *TABLES)
        other = make_rule_set(season.club, start_points=25_000, target_points=30_000)
        apply_from_now_on(season, other)
        season.refresh_from_db()
        play(season, (40_000, 30_000, 20_000, 10_000))

        event = replay_season(season, other)

        assert event.details["shifts"] == {"-5000": 3}
        assert len(event.details["from"]) == 2
        assert rebuild_season(season.pk, check=True).count == 0


hundreds = st.integers(-200, 800).map(lambda number: 100 * number)
games = st.lists(
    st.tuples(hundreds, hundreds, hundreds, st.integers(0, 3), st.sampled_from(scoring.SUBSTITUTES), st.integers(0, 2)),
    min_size=1,
    max_size=5,
)
# Differences between rule sets; each of them can change the result of a game.
changes = st.fixed_dictionaries(
    {},
    optional={
        "start_points": st.sampled_from([25_000, 27_000, 30_000]),
        "target_points": st.sampled_from([25_000, 30_000]),
        "uma": st.sampled_from([[15_000, 5_000, -5_000, -15_000], [20_000, 10_000, -10_000, -20_000]]),
        "ties": st.sampled_from(["split", "seat"]),
        "leftover_sticks": st.sampled_from(["winner", "lost"]),
        "rounding_unit": st.sampled_from([100, 1000]),
        "balance": st.sampled_from(["none", "first"]),
    },
)


class TestThereAndBack(TestCase):
    @given(games, changes, st.sampled_from(["sum", "elo", "tenhou"]))
    @hypothesis(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
    def test_other_rules_and_back_give_identical_data(
        self, tables: list[Any], changed: dict[str, Any], formula: str
    ) -> None:
        season = make_season(make_club(), formula=formula, initial_rating=1_500_000)
        players = make_players(4)
        for number, (east, south, west, sticks, substitute, chombo) in enumerate(tables):
            north = season.rule_set.rules.full_sum - 1000 * sticks - east - south - west
            facts = {"substitute": substitute, "chombo": chombo}
            at = THURSDAY + number * HOUR
            sheet = make_sheet(players, east, south, west, north, at=at, east=facts, sticks_left=sticks)
            record_hanchan(season, sheet)
        before, original = kept(season), season.rule_set
        other = make_rule_set(season.club, **changed)

        replay_season(season, other)
        assert rebuild_season(season.pk, check=True).count == 0
        replay_season(season, original)

        assert kept(season) == before
