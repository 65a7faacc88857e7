"""The service through which all games are written: the results of recording, correcting, voiding and restoring."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import replace

import pytest

from ratings.mahjong.problems import Refused
from ratings.models import Affiliation, Hanchan, HanchanEvent, Player, Season, Seat, Standing
from ratings.services.hanchans import (
    Conflict,
    SubmittedBefore,
    change_hanchan,
    record_hanchan,
    restore_hanchan,
    sheet_of,
    void_hanchan,
    void_hanchans,
)
from tests.cast import THURSDAY, make_players, make_rule_set, make_season, make_sheet, make_user

pytestmark = pytest.mark.django_db

POINTS = (45_200, 31_100, 25_700, 18_000)
RESULTS = [24_200, 4_100, -7_300, -21_000]
DAY = datetime.timedelta(days=1)


@pytest.fixture
def players() -> list[Player]:
    return make_players(5)


def totals(season: Season) -> dict[str, int]:
    return {s.player.native_name: s.results for s in season.standings.select_related("player")}


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.problems[0].code


class TestRecording:
    def test_results_places_and_standings_are_stored(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        seats = hanchan.seats.all()
        assert [seat.result for seat in seats] == RESULTS
        assert [seat.place for seat in seats] == [1, 2, 3, 4]
        assert [standing.results for standing in season.standings.order_by("-results")] == RESULTS

    def test_a_standing_holds_every_aggregate(self, season: Season, players: list[Player]) -> None:
        record_hanchan(season, make_sheet(players[:4], *POINTS, east={"chombo": 1}))
        record_hanchan(season, make_sheet(players[:4], 30_000, 30_000, 30_000, 30_000, at=THURSDAY + DAY))
        standing = season.standings.get(player=players[0])
        kept = (standing.games, standing.placed, standing.results, standing.firsts, standing.place_twice)
        assert kept == (2, 2, 4_200, 2, 2 + 5)
        assert (standing.best, standing.worst, standing.chombo) == (4_200, 0, 1)
        assert standing.recent == [4_200, 0]
        assert standing.last_played_on == (THURSDAY + DAY).date()

    def test_the_season_gets_a_new_revision(self, season: Season, players: list[Player]) -> None:
        record_hanchan(season, make_sheet(players[:4], *POINTS))
        assert Season.objects.get(pk=season.pk).revision == season.revision + 1

    def test_history_keeps_the_whole_sheet(self, season: Season, players: list[Player]) -> None:
        sheet = make_sheet(players[:4], *POINTS, comment="late evening")
        hanchan = record_hanchan(season, sheet)
        event = hanchan.events.get()
        assert event.action == HanchanEvent.Action.ENTERED
        assert event.sheet == sheet.write()
        assert sheet_of(Hanchan.objects.get(pk=hanchan.pk)) == sheet

    def test_whoever_plays_becomes_a_guest_of_the_club(self, season: Season, players: list[Player]) -> None:
        Affiliation.objects.create(player=players[0], club=season.club, kind="regular")
        sheet = make_sheet(players[:4], *POINTS)
        record_hanchan(season, sheet)
        kinds = Affiliation.objects.filter(club=season.club).values_list("player_id", "kind")
        assert dict(kinds) == {p.pk: "regular" if p == players[0] else "guest" for p in players[:4]}

    def test_whoever_becomes_a_guest_has_that_in_the_history_once(self, season: Season, players: list[Player]) -> None:
        scorer = make_user("scorer", season.club)
        for _game in range(2):
            record_hanchan(season, make_sheet(players[:4], *POINTS), by=scorer)

        told = Affiliation.history.filter(club_id=season.club_id).values_list("player_id", "history_type", "kind")
        assert sorted(told) == [(player.pk, "+", "guest") for player in players[:4]]
        assert {row.history_user for row in Affiliation.history.all()} == {scorer}

    def test_a_draft_makes_guests_only_when_it_is_finished(self, season: Season, players: list[Player]) -> None:
        sheet = make_sheet(players[:4], *POINTS)
        draft = record_hanchan(season, sheet, draft=True)
        draft = change_hanchan(draft, sheet, version=draft.version, draft=True)
        assert not Affiliation.objects.exists()

        change_hanchan(draft, sheet, version=draft.version)
        assert set(Affiliation.objects.values_list("player_id", flat=True)) == {player.pk for player in players[:4]}

    def test_a_correction_welcomes_the_new_one_and_nobody_who_left(self, season: Season, players: list[Player]) -> None:
        game = record_hanchan(season, make_sheet(players[:4], *POINTS))
        Affiliation.objects.filter(player=players[0]).delete()
        change_hanchan(game, make_sheet([*players[:3], players[4]], *POINTS), version=game.version)

        there = set(Affiliation.objects.values_list("player_id", flat=True))
        assert there == {player.pk for player in players[1:5]}

    def test_a_restored_game_makes_guests_again(self, season: Season, players: list[Player]) -> None:
        game = record_hanchan(season, make_sheet(players[:4], *POINTS))
        game = void_hanchan(game, version=game.version, reason="twice")
        Affiliation.objects.all().delete()
        restore_hanchan(game, version=game.version)

        assert Affiliation.objects.count() == 4

    def test_a_substituted_seat_counts_as_a_game_but_not_as_a_place(self) -> None:
        season, players = make_season(preset="ema-2012"), make_players(5)
        sheet = make_sheet(
            players[:4],
            50_000,
            36_000,
            22_000,
            12_000,
            east={"substitute": "from_start", "played_by": players[4].pk},
        )
        record_hanchan(season, sheet)
        absent = season.standings.get(player=players[0])
        assert (absent.games, absent.placed, absent.results, absent.best) == (1, 0, -30_000, None)
        assert not season.standings.filter(player=players[4]).exists()
        assert Affiliation.objects.filter(player=players[4], club=season.club).exists()


class TestRefusals:
    def test_a_wrong_sum_is_refused_and_nothing_is_kept(self, season: Season, players: list[Player]) -> None:
        with pytest.raises(Refused) as refused:
            record_hanchan(season, make_sheet(players[:4], 45_200, 31_100, 25_700, 17_900))
        assert code_of(refused) == "wrong_sum"
        assert not Hanchan.objects.exists()
        assert Season.objects.get(pk=season.pk).revision == season.revision

    def test_the_same_player_twice_is_refused_at_the_seat(self, season: Season, players: list[Player]) -> None:
        with pytest.raises(Refused) as refused:
            record_hanchan(season, make_sheet([players[0], players[1], players[0], players[2]], *POINTS))
        assert [(p.code, p.seat) for p in refused.value.problems] == [("player_twice", 2)]

    def test_a_substitute_cannot_sit_at_the_table_already(self, season: Season, players: list[Player]) -> None:
        east = {"substitute": "from_start", "played_by": players[2].pk}
        with pytest.raises(Refused) as refused:
            record_hanchan(season, make_sheet(players[:4], *POINTS, east=east))
        assert code_of(refused) == "player_twice"

    def test_played_by_needs_a_kind_of_substitute(self, season: Season, players: list[Player]) -> None:
        with pytest.raises(Refused) as refused:
            record_hanchan(season, make_sheet(players[:4], *POINTS, east={"played_by": players[4].pk}))
        assert code_of(refused) == "played_by_without_substitute"

    def test_a_day_outside_the_season_is_refused_with_its_dates(self, season: Season, players: list[Player]) -> None:
        with pytest.raises(Refused) as refused:
            record_hanchan(season, make_sheet(players[:4], *POINTS, at=THURSDAY - 365 * DAY))
        assert code_of(refused) == "outside_season"
        assert "1 January 2026 to 30 June 2026" in str(refused.value)

    def test_the_future_is_refused(self, players: list[Player]) -> None:
        season = make_season(ends_on=None)
        later = datetime.datetime.now(datetime.UTC) + 2 * DAY
        with pytest.raises(Refused) as refused:
            record_hanchan(season, make_sheet(players[:4], *POINTS, at=later))
        assert code_of(refused) == "future"

    def test_unknown_winds_are_refused_where_the_seat_decides(self, players: list[Player]) -> None:
        season = make_season(preset="phoenix")
        sheet = make_sheet(players[:4], 33_300, 27_100, 24_600, 15_000, winds_unknown=True)
        with pytest.raises(Refused) as refused:
            record_hanchan(season, sheet)
        assert code_of(refused) == "winds_needed"

    def test_a_merged_player_is_refused_by_name(self, season: Season, players: list[Player]) -> None:
        Player.objects.filter(pk=players[0].pk).update(merged_into=players[4])
        with pytest.raises(Refused, match="Дмитрий Соколов was merged"):
            record_hanchan(season, make_sheet(players[:4], *POINTS))

    def test_a_variation_belongs_to_simplified_seasons_only(self, season: Season, players: list[Player]) -> None:
        sheet = make_sheet(players[:4], *POINTS, variation={"uma": [0, 0, 0, 0]})
        with pytest.raises(Refused) as refused:
            record_hanchan(season, sheet)
        assert code_of(refused) == "no_variations"


class TestVariations:
    def test_a_game_is_scored_by_its_own_variation(self, players: list[Player]) -> None:
        season = make_season(kind=Season.Kind.SIMPLIFIED)
        variation = {"start_points": 25_000, "target_points": 30_000, "uma": [15_000, 5_000, -5_000, -15_000]}
        sheet = make_sheet(players[:4], 41_200, 27_600, 18_900, 12_300, variation=variation)
        hanchan = record_hanchan(season, sheet)
        assert [seat.result for seat in hanchan.seats.all()] == [46_200, 2_600, -16_100, -32_700]
        assert Hanchan.objects.get(pk=hanchan.pk).rules.oka == 20_000

    def test_an_error_names_the_variation_and_its_range(self, players: list[Player]) -> None:
        season = make_season(kind=Season.Kind.SIMPLIFIED)
        sheet = make_sheet(players[:4], *POINTS, variation={"red_fives": 5})
        with pytest.raises(Refused, match=r"Red fives: 5 is outside .* one of 0, 3, 4"):
            record_hanchan(season, sheet)


class TestDoubleSubmit:
    def test_the_second_post_leads_to_the_first_game(self, season: Season, players: list[Player]) -> None:
        key = uuid.uuid4()
        sheet = make_sheet(players[:4], *POINTS)
        first = record_hanchan(season, sheet, submit_key=key)
        with pytest.raises(SubmittedBefore) as before:
            record_hanchan(season, sheet, submit_key=key)
        assert (before.value.hanchan, before.value.same) == (first, True)
        assert Hanchan.objects.count() == 1

    def test_the_same_key_with_other_content_is_told_apart(self, season: Season, players: list[Player]) -> None:
        key = uuid.uuid4()
        record_hanchan(season, make_sheet(players[:4], *POINTS), submit_key=key)
        with pytest.raises(SubmittedBefore) as before:
            record_hanchan(season, make_sheet(players[:4], *reversed(POINTS)), submit_key=key)
        assert before.value.same is False


class TestChanging:
    def test_a_correction_moves_results_and_standings(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        corrected = make_sheet([players[4], *players[1:4]], 44_200, 32_100, 25_700, 18_000)
        hanchan = change_hanchan(hanchan, corrected, version=1, reason="wrong seat")
        assert totals(season) == dict(
            zip([p.native_name for p in (players[4], *players[1:4])], (23_200, 5_100, -7_300, -21_000), strict=True)
        )
        assert (hanchan.version, hanchan.corrections) == (2, 1)
        event = hanchan.events.last()
        assert event is not None
        assert (event.action, event.reason, event.version) == ("corrected", "wrong seat", 2)

    def test_a_correction_uses_the_games_own_rule_set(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        season.rule_set = make_rule_set(season.club, uma=[0, 0, 0, 0])
        season.save()
        hanchan = change_hanchan(hanchan, make_sheet(players[:4], *POINTS, comment="again"), version=1)
        assert [seat.result for seat in hanchan.seats.all()] == RESULTS

    def test_the_second_of_two_editors_meets_a_conflict(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        change_hanchan(hanchan, make_sheet(players[:4], *POINTS, comment="first"), version=1)
        with pytest.raises(Conflict) as conflict:
            change_hanchan(hanchan, make_sheet(players[:4], *POINTS, comment="second"), version=1)
        assert conflict.value.current.comment == "first"
        assert Hanchan.objects.get().comment == "first"

    def test_a_draft_counts_nowhere_until_it_is_finished(self, season: Season, players: list[Player]) -> None:
        draft = record_hanchan(season, make_sheet(players[:4], 45_200, 31_100, 25_700, 0), draft=True)
        assert not Standing.objects.exists()
        assert [seat.result for seat in draft.seats.all()] == [None] * 4
        final = change_hanchan(draft, make_sheet(players[:4], *POINTS), version=1)
        assert (final.status, final.corrections) == (Hanchan.Status.FINAL, 0)
        assert season.standings.count() == 4

    def test_a_final_game_cannot_become_a_draft(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        with pytest.raises(Refused):
            change_hanchan(hanchan, make_sheet(players[:4], *POINTS), version=1, draft=True)

    def test_void_takes_the_game_out_and_restore_brings_it_back(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        before = list(Standing.objects.order_by("player").values_list("player", "results", "firsts"))
        hanchan = void_hanchan(hanchan, version=1, reason="played with 137 tiles")
        assert not Standing.objects.exists()
        assert not Seat.objects.filter(counts=True).exists()
        restore_hanchan(hanchan, version=2)
        assert list(Standing.objects.order_by("player").values_list("player", "results", "firsts")) == before

    def test_a_void_game_must_be_restored_before_it_is_corrected(self, season: Season, players: list[Player]) -> None:
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        void_hanchan(hanchan, version=1, reason="x")
        with pytest.raises(Refused) as refused:
            change_hanchan(hanchan, make_sheet(players[:4], *POINTS), version=2)
        assert code_of(refused) == "void"


@pytest.mark.parametrize("formula", ["tenhou", "elo"])
class TestOrderDependentRatings:
    def ratings(self, season: Season) -> dict[int, tuple[int | None, int]]:
        return {s.player_id: (s.rating, s.rated_games) for s in season.standings.all()}

    def make(self, formula: str) -> tuple[Season, list[Player]]:
        return make_season(formula=formula, initial_rating=1_500_000), make_players(5)

    def test_a_game_entered_late_gives_the_ratings_of_the_right_order(self, formula: str) -> None:
        season, players = self.make(formula)
        other = make_season(season.club, formula=formula, initial_rating=1_500_000)
        sheets = [
            make_sheet(players[:4], *POINTS, at=THURSDAY),
            make_sheet(players[1:], *POINTS, at=THURSDAY + DAY),
            make_sheet(players[:4][::-1], *POINTS, at=THURSDAY + 2 * DAY),
        ]
        for sheet in sheets:
            record_hanchan(season, sheet)
        for sheet in (sheets[2], sheets[0], sheets[1]):
            record_hanchan(other, sheet)
        assert self.ratings(season) == self.ratings(other)

    def test_correcting_an_old_game_folds_the_later_ones_again(self, formula: str) -> None:
        season, players = self.make(formula)
        other = make_season(season.club, formula=formula, initial_rating=1_500_000)
        wrong = make_sheet(players[:4], *reversed(POINTS))
        right = make_sheet(players[:4], *POINTS)
        later = make_sheet(players[1:], *POINTS, at=THURSDAY + DAY)
        hanchan = record_hanchan(season, wrong)
        record_hanchan(season, later)
        change_hanchan(hanchan, right, version=1)
        record_hanchan(other, right)
        record_hanchan(other, later)
        assert self.ratings(season) == self.ratings(other)

    def test_voiding_the_only_game_of_a_player_takes_the_standing_away(self, formula: str) -> None:
        season, players = self.make(formula)
        hanchan = record_hanchan(season, make_sheet(players[:4], *POINTS))
        record_hanchan(season, make_sheet(players[1:], *POINTS, at=THURSDAY + DAY))
        void_hanchan(hanchan, version=1, reason="x")
        ratings = self.ratings(season)
        assert players[0].pk not in ratings
        assert {games for _rating, games in ratings.values()} == {1}

    def test_a_substituted_game_moves_no_rating(self, formula: str) -> None:
        season, players = self.make(formula)
        record_hanchan(season, make_sheet(players[:4], *POINTS, east={"substitute": "from_start"}))
        assert set(self.ratings(season).values()) == {(1_500_000, 0)}


def test_moving_a_game_to_an_earlier_day_folds_from_there() -> None:
    season, players = make_season(formula="tenhou", initial_rating=1_500_000), make_players(4)
    record_hanchan(season, make_sheet(players, *POINTS, at=THURSDAY))
    moved = record_hanchan(season, make_sheet(players, *reversed(POINTS), at=THURSDAY + DAY))
    sheet = replace(sheet_of(moved), played_at=THURSDAY - DAY, played_on=(THURSDAY - DAY).date())
    change_hanchan(moved, sheet, version=1)
    first, second = (
        list(Seat.objects.filter(hanchan=h).order_by("wind")) for h in Hanchan.objects.order_by("played_at")
    )
    assert [seat.rating_after for seat in first] == [1_470_000, 1_490_000, 1_510_000, 1_530_000]
    # Now second in order: K = 0.998 and A = 1500, so East gains 0.998·(30 + 30/40) = 30.6885.
    assert second[0].rating_after == 1_470_000 + 30_689


def test_voiding_many_touches_no_game_of_another_season(season: Season, players: list[Player]) -> None:
    here = record_hanchan(season, make_sheet(players[:4], *POINTS))
    elsewhere = record_hanchan(make_season(season.club, slug="autumn"), make_sheet(players[:4], *POINTS))

    void_hanchans(season, {here.pk: here.version, elsewhere.pk: elsewhere.version}, reason="entered twice")

    here.refresh_from_db()
    elsewhere.refresh_from_db()
    assert (here.status, elsewhere.status) == (Hanchan.Status.VOID, Hanchan.Status.FINAL)
    assert elsewhere.seats.filter(counts=True).count() == 4
