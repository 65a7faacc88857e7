"""Merging players, undoing a merge, and anonymising a player."""

from __future__ import annotations

import copy
import datetime
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models import Model

from ratings.mahjong.problems import Problem, Refused
from ratings.models import (
    Adjustment,
    Affiliation,
    Alias,
    Club,
    Hanchan,
    HanchanEvent,
    Player,
    PlayerMerge,
    Season,
    Seat,
    Standing,
)
from ratings.queries.hanchans import history_of
from ratings.queries.merges import survivors
from ratings.queries.texts import FoundText
from ratings.services import player_rows
from ratings.services.adjustments import give
from ratings.services.anonymising import anonymise, texts_naming
from ratings.services.hanchans import Conflict, change_hanchan, record_hanchan, sheet_of
from ratings.services.merging import merge_players, preview_merge, undo_merge
from ratings.services.player_rows import PlayerRows, seasons_of
from ratings.services.players import refresh_search_text, save_player
from ratings.services.standings import derive
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet

pytestmark = pytest.mark.django_db

POINTS = (45_200, 31_100, 25_700, 18_000)
DAY = datetime.timedelta(days=1)
# These may differ after a merge and its undo: counters that only rise.
COUNTERS = {"revision", "version"}


def state() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table that merging touches, but for its log, histories and counters."""
    models: tuple[type[Model], ...] = (
        Player, Alias, Affiliation, Club, Season, Hanchan, HanchanEvent, Seat, Adjustment, Standing,
    )  # fmt: skip
    columns = {m: [f.attname for f in m._meta.concrete_fields if f.name not in COUNTERS] for m in models}
    return {m.__name__: list(m._default_manager.order_by("pk").values(*columns[m])) for m in models}


def without_ids(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(({k: v for k, v in row.items() if k != "id"} for row in rows), key=str)


def assert_same(after: dict[str, Any], before: dict[str, Any]) -> None:
    for name in before:
        # A standing that was deleted and made again is another row with the same content.
        compare = without_ids if name == "Standing" else list
        assert compare(after[name]) == compare(before[name]), name


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


class Evening:
    """Ken and his second row, Sato K., in one season with others; games alternate between the two rows."""

    def __init__(self, formula: str) -> None:
        self.season = make_season(formula=formula, initial_rating=1_500_000 if formula in ("elo", "tenhou") else 0)
        *self.others, self.ken, self.sato, self.last = make_players(6)
        for player in (self.ken, self.sato):
            refresh_search_text(player)
        Alias.objects.create(player=self.sato, name="ケン")
        refresh_search_text(self.sato)
        for day, player in enumerate((self.ken, self.sato, self.ken, self.sato)):
            seats = [player, *self.others[:3]]
            record_hanchan(self.season, make_sheet(seats, *POINTS, at=THURSDAY + day * DAY))
        give(self.season, self.sato, Adjustment.Kind.PENALTY, -3_000, "late", on=THURSDAY.date())


@pytest.fixture(scope="module", params=["sum", "average", "elo", "tenhou"])
def made_evening(request: pytest.FixtureRequest, shared_rows: None) -> Iterator[Evening]:
    with transaction.atomic():
        yield Evening(request.param)
        transaction.set_rollback(True)


@pytest.fixture
def evening(made_evening: Evening) -> Evening:
    return copy.deepcopy(made_evening)


@pytest.fixture
def by() -> User:
    return User.objects.create_superuser("owner")


class TestMerging:
    def test_the_survivor_has_the_games_the_adjustments_and_their_sum(self, evening: Evening, by: User) -> None:
        totals = sum(s.results + s.adjustments for s in Standing.objects.filter(player__in=[evening.ken, evening.sato]))
        merge_players(evening.sato, evening.ken, by=by)

        standing = Standing.objects.get(player=evening.ken)
        assert (standing.games, standing.results + standing.adjustments) == (4, totals)
        assert not Standing.objects.filter(player=evening.sato).exists()
        assert not Seat.objects.filter(player=evening.sato).exists()
        assert Adjustment.objects.get().player == evening.ken

    def test_standings_are_what_the_games_say_and_ratings_what_a_replay_gives(self, evening: Evening) -> None:
        merge_players(evening.sato, evening.ken)

        kept = {s.player_id: (s.games, s.results, s.firsts, s.recent) for s in Standing.objects.all()}
        derived = {s.player_id: (s.games, s.results, s.firsts, s.recent) for s in derive(evening.season.pk)}
        assert kept == derived
        if evening.season.depends_on_order:
            last = Seat.objects.filter(player=evening.ken).order_by("-played_at")[0]
            assert Standing.objects.get(player=evening.ken).rating == last.rating_after
            assert Standing.objects.get(player=evening.ken).rated_games == 4

    def test_the_same_ratings_come_out_as_if_it_had_always_been_one_player(self, evening: Evening) -> None:
        always_one = make_season(
            evening.season.club, formula=evening.season.formula, initial_rating=evening.season.initial_rating
        )
        for day in range(4):
            seats = [evening.last, *evening.others[:3]]
            record_hanchan(always_one, make_sheet(seats, *POINTS, at=THURSDAY + day * DAY))
        merge_players(evening.sato, evening.ken)

        def ratings(season: Season, player: Player) -> list[int | None]:
            seats = Seat.objects.filter(season=season, player=player).order_by("played_at")
            return list(seats.values_list("rating_after", flat=True))

        assert ratings(evening.season, evening.ken) == ratings(always_one, evening.last)
        assert ratings(evening.season, evening.others[0]) == ratings(always_one, evening.others[0])

    def test_old_names_become_aliases_and_are_found(self, evening: Evening) -> None:
        merge_players(evening.sato, evening.ken)

        names = set(evening.ken.aliases.values_list("name", flat=True))
        assert {"ケン", evening.sato.native_name} <= names
        assert evening.sato.native_name.casefold() in Player.objects.get(pk=evening.ken.pk).search_text

    def test_the_merged_row_stays_and_leads_on(self, evening: Evening, by: User) -> None:
        merge = merge_players(evening.sato, evening.ken, by=by)

        assert Player.objects.get(pk=evening.sato.pk).merged_into == evening.ken
        assert survivors([evening.sato.pk, evening.last.pk]) == {
            evening.sato.pk: evening.ken.pk,
            evening.last.pk: evening.last.pk,
        }
        assert (merge.by, len(merge.moved["seats"]), len(merge.moved["adjustments"])) == (by, 2, 1)

    def test_undo_leaves_everything_as_it_was(self, evening: Evening, by: User) -> None:
        before = state()
        merge = merge_players(evening.sato, evening.ken, by=by)
        assert state() != before
        undo_merge(merge, by=by)

        assert_same(state(), before)
        assert PlayerMerge.objects.get().undone_by == by

    def test_undo_leaves_with_the_survivor_what_came_since(self, evening: Evening) -> None:
        merge = merge_players(evening.sato, evening.ken)
        since = record_hanchan(
            evening.season, make_sheet([evening.ken, *evening.others[:3]], *POINTS, at=THURSDAY + 9 * DAY)
        )
        undo_merge(merge)

        assert since.seats.filter(player=evening.ken).exists()
        assert Standing.objects.get(player=evening.ken).games == 3
        assert Standing.objects.get(player=evening.sato).games == 2

    def test_undo_finds_a_game_again_that_was_corrected_since(self, evening: Evening) -> None:
        game = Hanchan.objects.filter(seats__player=evening.sato).first()
        assert game is not None
        merge = merge_players(evening.sato, evening.ken)
        game.refresh_from_db()
        sheet = sheet_of(game)
        corrected = make_sheet(_people(sheet), 40_000, 36_300, 25_700, 18_000, at=sheet.played_at)
        change_hanchan(game, corrected, version=game.version, reason="misread")
        undo_merge(merge)

        assert game.seats.get(player=evening.sato).points == 40_000

    def test_whoever_was_correcting_a_moved_game_sees_the_conflict(self, evening: Evening) -> None:
        game = Hanchan.objects.filter(seats__player=evening.sato).first()
        assert game is not None
        merge_players(evening.sato, evening.ken)

        with pytest.raises(Conflict):
            change_hanchan(game, sheet_of(game), version=game.version, reason="opened before the merge")

    def test_every_season_of_both_gets_a_new_revision(self, evening: Evening) -> None:
        elsewhere = make_season(evening.season.club)
        record_hanchan(elsewhere, make_sheet([evening.ken, *evening.others[:3]], *POINTS))
        before = dict(Season.objects.values_list("pk", "revision"))
        merge_players(evening.sato, evening.ken)

        after = dict(Season.objects.values_list("pk", "revision"))
        assert {pk: after[pk] - before[pk] for pk in before} == {evening.season.pk: 1, elsewhere.pk: 1}


def _people(sheet: Any) -> list[Player]:
    return [Player.objects.get(pk=seat.player) for seat in sheet.seats]


class TestClubsOfMergedPlayers:
    def test_a_regular_of_either_row_is_a_regular_and_undo_knows_it(self) -> None:
        club, elsewhere = make_club("Furiten"), make_club("Haneman")
        ken, sato = make_players(2)
        Affiliation.objects.create(player=ken, club=club, kind="guest")
        Affiliation.objects.create(player=sato, club=club, kind="regular")
        Affiliation.objects.create(player=sato, club=elsewhere, kind="guest")
        for player in (ken, sato):
            refresh_search_text(player)
        before = state()
        merge = merge_players(sato, ken)

        assert dict(ken.affiliations.values_list("club__name", "kind")) == {"Furiten": "regular", "Haneman": "guest"}
        assert not sato.affiliations.exists()
        undo_merge(merge)
        assert_same(state(), before)


class TestRefusals:
    def test_two_who_sat_at_one_table_are_two_people(self) -> None:
        season, players = make_season(), make_players(5)
        game = record_hanchan(season, make_sheet(players[:4], *POINTS))
        with pytest.raises(Refused) as refused:
            merge_players(players[0], players[1])

        assert codes(refused) == ["sat_together"]
        assert f"{game.pk} (2026-04-16)" in str(refused.value)
        assert preview_merge(players[0], players[1]).together == [game]

    @pytest.mark.parametrize("other", [0, 1], ids=["the absent one", "another at the table"])
    def test_a_substitute_sat_at_the_table_too(self, other: int) -> None:
        season, players = make_season(preset="ema-2012"), make_players(5)
        east = {"substitute": "from_start", "played_by": players[4].pk}
        game = record_hanchan(season, make_sheet(players[:4], 50_000, 36_000, 22_000, 12_000, east=east))
        with pytest.raises(Refused):
            merge_players(players[4], players[other])

        assert preview_merge(players[4], players[other]).together == [game]

    def test_a_player_is_not_merged_with_themselves_nor_twice(self) -> None:
        one, two, three = make_players(3)
        merge_players(one, two)
        again = "merged_already"
        for merged, survivor, code in ((two, two, "same_player"), (one, three, again), (three, one, again)):
            with pytest.raises(Refused) as refused:
                merge_players(Player.objects.get(pk=merged.pk), Player.objects.get(pk=survivor.pk))
            assert codes(refused) == [code]

    def test_merges_are_undone_in_the_opposite_order(self) -> None:
        one, two, three = make_players(3)
        first = merge_players(one, two)
        second = merge_players(two, three)
        assert survivors([one.pk]) == {one.pk: three.pk}
        with pytest.raises(Refused) as refused:
            undo_merge(PlayerMerge.objects.get(pk=first.pk))
        assert codes(refused) == ["merged_on"]

        undo_merge(second)
        undo_merge(PlayerMerge.objects.get(pk=first.pk))
        assert not Player.objects.exclude(merged_into=None).exists()
        with pytest.raises(Refused) as refused:
            undo_merge(PlayerMerge.objects.get(pk=first.pk))
        assert codes(refused) == ["undone"]


class Medals(PlayerRows):
    """The player rows of an app above, held in a list for the test."""

    key = "medals"

    def __init__(self) -> None:
        self.owners = [1]
        self.erased: list[int] = []
        self.forbidden = False

    def objections(self, merged: Player, survivor: Player) -> list[Problem]:
        return [Problem("Both have the medal.", code="medals")] if self.forbidden else []

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        return ["one medal"]

    def move(self, merged: Player, survivor: Player, by: User | None) -> list[int]:
        self.owners = [survivor.pk]
        return [1]

    def move_back(self, merged: Player, survivor: Player, moved: list[int], by: User | None) -> None:
        assert moved == [1]
        self.owners = [merged.pk]

    def erase(self, player: Player) -> None:
        self.erased.append(player.pk)


@pytest.fixture
def medals() -> Iterator[Medals]:
    kind = Medals()
    player_rows.register(kind)
    yield kind
    player_rows.KINDS.remove(kind)


class TestAppsAbove:
    def test_their_rows_move_along_and_back(self, medals: Medals) -> None:
        one, two = make_players(2)
        assert "one medal" in preview_merge(one, two).moves
        merge = merge_players(one, two)
        assert medals.owners == [two.pk]
        undo_merge(merge)
        assert medals.owners == [one.pk]

    def test_they_can_forbid_a_merge(self, medals: Medals) -> None:
        medals.forbidden = True
        with pytest.raises(Refused) as refused:
            merge_players(*make_players(2))
        assert codes(refused) == ["medals"]

    def test_they_forget_too(self, medals: Medals) -> None:
        one, two = make_players(2)
        merge_players(one, two)
        anonymise(Player.objects.get(pk=two.pk))
        assert sorted(medals.erased) == [one.pk, two.pk]

    def test_a_kind_is_registered_once(self, medals: Medals) -> None:
        with pytest.raises(ValueError, match="medals"):
            player_rows.register(Medals())


def every_text() -> Iterator[tuple[str, str]]:
    """Every cell of every table of the database as text, JSON with its escapes undone."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                for cell in row:
                    text = str(cell)
                    yield table, text
                    if "\\u" in text:
                        yield table, text.encode().decode("unicode_escape", errors="replace")


def tables_holding(*names: str) -> set[str]:
    return {table for table, text in every_text() for name in names if name.casefold() in text.casefold()}


class TestAnonymising:
    NAMES = ("Соколов", "Sokolov", "Dmitry", "Димон", "Дима С.", "Sokoloff", "01020304", "D. S.")

    def make_dmitry(self) -> tuple[Player, Season, list[Player]]:
        """A player whose name is stored in every place where the site stores names."""
        season, (dmitry, *others) = make_season(), make_players(5)
        dmitry.nickname, dmitry.ema_number = "Димон", "01020304"
        save_player(dmitry)
        dmitry.latin_last = "Sokoloff"  # an older spelling, in the history only
        save_player(dmitry)
        dmitry.latin_last = "Sokolov"
        save_player(dmitry)
        Alias.objects.create(player=dmitry, name="Дима С.")
        refresh_search_text(dmitry)
        record_hanchan(season, make_sheet([dmitry, *others[:3]], *POINTS))
        user = User.objects.create_user("scorer")
        entries: list[tuple[Model, dict[str, Any]]] = [
            (dmitry, {"added": {"name": "alias", "object": "Дима С."}}),
            (season, {"changed": {"name": "player", "object": str(dmitry)}}),
        ]
        for row, message in entries:
            LogEntry.objects.create(
                user=user,
                content_type=ContentType.objects.get_for_model(row),
                object_id=str(row.pk),
                object_repr=f"{dmitry}: penalty",
                action_flag=CHANGE,
                change_message=json.dumps([message]),
            )
        return dmitry, season, others

    def test_the_name_is_nowhere_in_the_database_any_more(self) -> None:
        dmitry, _season, others = self.make_dmitry()
        double = Player.objects.create(native_name="D. S.")
        merge_players(double, dmitry)
        everywhere = {"ratings_player", "ratings_historicalplayer", "ratings_alias", "django_admin_log"}
        assert tables_holding(*self.NAMES) >= everywhere
        left = anonymise(Player.objects.get(pk=dmitry.pk))

        assert left == []
        assert tables_holding(*self.NAMES) == set()
        assert tables_holding(others[0].native_name) >= {"ratings_player"}

    def test_the_games_stay(self) -> None:
        dmitry, season, _others = self.make_dmitry()
        before = list(season.standings.order_by("pk").values())
        anonymise(dmitry)

        assert list(season.standings.order_by("pk").values()) == before
        now = Player.objects.get(pk=dmitry.pk)
        assert now.native_name == f"Anonymous player {dmitry.pk}"
        assert (now.nickname, now.country, now.ema_number, now.is_hidden) == ("", "", "", True)

    def test_free_texts_are_listed_full_names_apart_from_single_words(self) -> None:
        dmitry, season, others = self.make_dmitry()
        self.write_texts(season, dmitry, others)

        found = {(text.model.__name__, text.field): text.in_full for text in texts_naming(dmitry)}
        assert found == {
            ("Hanchan", "comment"): True,
            ("HanchanEvent", "sheet"): True,
            ("Hanchan", "override"): False,
            ("Adjustment", "reason"): True,
            ("HistoricalAdjustment", "reason"): True,
        }

    def write_texts(self, season: Season, dmitry: Player, others: list[Player]) -> None:
        sheet = make_sheet([dmitry, *others[:3]], *POINTS, at=THURSDAY + DAY, comment="ДИМОН came late")
        record_hanchan(season, sheet)
        Hanchan.objects.filter(comment="").update(override="Dmitry miscounted")
        Adjustment.objects.create(
            season=season, player=others[0], points=-1, reason="Insulted Dmitry Sokolov", given_on=THURSDAY.date()
        )

    def test_texts_that_are_chosen_lose_the_name_and_the_others_are_named(self) -> None:
        dmitry, season, others = self.make_dmitry()
        self.write_texts(season, dmitry, others)
        chosen = [text.key for text in texts_naming(dmitry) if text.in_full]
        left = anonymise(dmitry, replace_in=chosen)

        assert [text.field for text in left] == ["override"]
        assert tables_holding(*self.NAMES) == {"ratings_hanchan"}
        assert Adjustment.objects.get().reason == f"Insulted Anonymous player {dmitry.pk}"
        event = HanchanEvent.objects.exclude(sheet__comment="").get()
        assert event.sheet["comment"] == f"Anonymous player {dmitry.pk} came late"

    def test_an_anonymous_player_is_neither_anonymised_nor_merged_nor_split_again(self) -> None:
        dmitry, _season, others = self.make_dmitry()
        double = Player.objects.create(native_name="D. S.")
        merge = merge_players(double, dmitry)
        anonymise(Player.objects.get(pk=dmitry.pk))
        dmitry.refresh_from_db()
        attempts = [lambda: anonymise(dmitry), lambda: merge_players(dmitry, others[3]), lambda: undo_merge(merge)]
        for attempt in attempts:
            with pytest.raises(Refused) as refused:
                attempt()
            assert codes(refused) == ["anonymised"]

    def test_every_season_of_the_player_is_outdated(self) -> None:
        dmitry, season, _others = self.make_dmitry()
        before = Season.objects.get(pk=season.pk).revision
        anonymise(dmitry)

        assert Season.objects.get(pk=season.pk).revision == before + 1


def test_seasons_of_a_player_are_those_of_seats_substitutions_and_adjustments() -> None:
    club = make_club()
    played, helped, fined, _other = (make_season(club, preset="ema-2012") for _ in range(4))
    player, *others = make_players(5)
    points = (50_000, 36_000, 22_000, 12_000)
    record_hanchan(played, make_sheet([player, *others[:3]], *points))
    east = {"substitute": "from_start", "played_by": player.pk}
    record_hanchan(helped, make_sheet(others, *points, east=east))
    Adjustment.objects.create(season=fined, player=player, points=-1, reason="late", given_on=THURSDAY.date())

    assert seasons_of(player) == {played.pk, helped.pk, fined.pk}


def test_a_text_is_known_by_model_row_and_column() -> None:
    text = FoundText(Hanchan, 12, "comment", "…", True)

    assert text.key == "ratings.hanchan:12:comment"


class TestHistoryOfGames:
    def test_a_merge_is_no_change_of_players(self) -> None:
        season, (dmitry, *others) = make_season(), make_players(5)
        game = record_hanchan(season, make_sheet([dmitry, *others[:3]], *POINTS))
        merge_players(dmitry, others[3])
        game.refresh_from_db()
        sheet = make_sheet([others[3], *others[:3]], 40_000, 36_300, 25_700, 18_000)
        change_hanchan(game, sheet, version=game.version, reason="misread")

        corrected = history_of(game).entries[-1]
        assert {change.field for change in corrected.changes} == {"points"}

    def test_a_merged_player_is_named_as_the_survivor(self) -> None:
        season, (dmitry, olga, *others) = make_season(), make_players(6)
        game = record_hanchan(season, make_sheet([dmitry, *others[:3]], *POINTS))
        change_hanchan(game, make_sheet([olga, *others[:3]], *POINTS), version=game.version, reason="it was Olga")
        merge_players(dmitry, others[3])

        history = history_of(game)
        named = [change for change in history.entries[-1].changes if change.field == "player"]
        assert [(history.people[c.before], history.people[c.after]) for c in named] == [(others[3], olga)]
