"""`manage.py rebuild`: --check names every wrong derived column, the command repairs it and changes nothing else."""

from __future__ import annotations

import copy
import datetime
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import F

from ratings.models import Adjustment, Affiliation, Hanchan, Player, PlayerMerge, Season, Seat, Standing
from ratings.services import rebuild as services
from ratings.services.adjustments import give
from ratings.services.hanchans import record_hanchan, void_hanchan
from ratings.services.merging import merge_players, undo_merge
from ratings.services.players import save_player, search_text_for, search_words_for
from ratings.services.standings import refresh_standings
from tests.cast import THURSDAY, make_club, make_players, make_season, make_sheet
from tests.scale.season import build_season

pytestmark = pytest.mark.django_db

HOUR = datetime.timedelta(hours=1)


def make_games(formula: str) -> Season:
    """Ten games of eight players with a tie, a substitute, a penalty, a draft and a void game."""
    found = make_season(formula=formula, initial_rating=1_500_000 if formula == "elo" else 0)
    players = make_players(8)
    for number in range(10):
        four = [players[(number + seat) % 8] for seat in (0, 1, 3, 5)]
        points = (41_000 - 500 * number, 30_000, 30_000, 19_000 + 500 * number)
        east = {"substitute": "mid_game"} if number == 4 else {"chombo": number % 2}
        record_hanchan(found, make_sheet(four, *points, at=THURSDAY + number * HOUR, east=east))
    record_hanchan(found, make_sheet(players[:4], 30_000, 30_000, 30_000, 20_000), draft=True)
    void = Hanchan.objects.filter(season=found, status="final").order_by("pk")[2]
    void_hanchan(void, version=void.version, reason="a fifth player")
    Adjustment.objects.create(
        season=found, player=players[7], points=-5000, reason="late", given_on=datetime.date(2026, 4, 2)
    )
    services.rebuild_season(found.pk)  # the ledger's own service is not used here
    found.refresh_from_db()
    return found


@pytest.fixture(scope="module", params=["sum", "elo"])
def made_season(request: pytest.FixtureRequest, shared_rows: None) -> Iterator[Season]:
    with transaction.atomic():
        yield make_games(request.param)
        transaction.set_rollback(True)


@pytest.fixture
def season(made_season: Season) -> Season:
    return copy.deepcopy(made_season)


def everything() -> list[Any]:
    return [list(model._default_manager.order_by("pk").values()) for model in (Season, Hanchan, Seat, Standing, Player)]


def rebuild(**options: Any) -> str:
    said = StringIO()
    call_command("rebuild", stdout=said, **options)
    return said.getvalue()


def test_a_healthy_database_is_not_changed(season: Season) -> None:
    before = everything()

    assert "nothing was changed" in rebuild()
    assert everything() == before


def test_a_check_of_a_healthy_database_says_so_and_writes_nothing(
    season: Season, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20) as captured:
        assert "nothing was changed" in rebuild(check=True)

    written = [query["sql"] for query in captured if query["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert written == []


def a_seat(season: Season) -> Seat:
    return Seat.objects.filter(season=season, counts=True, substitute="none").order_by("pk")[5]


SEAT_DAMAGE: dict[str, Any] = {
    "place": 4,
    "place_twice": F("place_twice") + 2,
    "result": F("result") + 100,
    "rating_after": 7,
    "played_at": F("played_at") + HOUR,
    "played_on": datetime.date(2026, 1, 1),
    "counts": False,
}


@pytest.mark.parametrize("column", SEAT_DAMAGE)
def test_a_wrong_column_of_a_seat_is_named_and_healed(season: Season, column: str) -> None:
    before = everything()
    Seat.objects.filter(pk=a_seat(season).pk).update(**{column: SEAT_DAMAGE[column]})
    named_and_healed(season, f"seat {a_seat_pk(before, season)}: {column}")

    assert without_revision(everything()) == without_revision(before)


def a_seat_pk(tables: list[Any], season: Season) -> int:
    seats = [
        row for row in tables[2] if row["season_id"] == season.pk and row["counts"] and row["substitute"] == "none"
    ]
    return int(seats[5]["id"])


def test_a_seat_counted_in_another_season_is_brought_home(season: Season) -> None:
    other = make_season(club=make_club("Sakura"))
    assert other.pk > season.pk
    before, pk = everything(), a_seat(season).pk
    Seat.objects.filter(pk=pk).update(season=other)
    named_and_healed(season, f"seat {pk}: season_id")

    assert without_revision(everything()) == without_revision(before)


def test_a_seat_counted_in_an_older_season_is_brought_home_from_there(season: Season) -> None:
    newer = make_season(club=season.club)
    four = make_players(4)
    hanchan = record_hanchan(newer, make_sheet(four, 40_000, 30_000, 30_000, 20_000))
    before = everything()
    Seat.objects.filter(hanchan=hanchan, wind=0).update(season=season)

    with pytest.raises(CommandError):
        rebuild(check=True)
    rebuild()
    assert without_revision(everything()) == without_revision(before)
    rebuild(check=True)


def test_a_voided_seat_that_counts_is_healed(season: Season) -> None:
    before = everything()
    seat = Seat.objects.filter(hanchan__status="void").order_by("pk")[0]
    Seat.objects.filter(pk=seat.pk).update(counts=True)
    named_and_healed(season, f"seat {seat.pk}: counts")

    assert without_revision(everything()) == without_revision(before)


STANDING_DAMAGE: dict[str, Any] = {
    **{
        name: F(name) + 1
        for name in ("games", "placed", "results", "adjustments", "penalties", "place_twice", "chombo", "rated_games")
    },
    **{name: F(name) + 1 for name in ("firsts", "seconds", "thirds", "fourths")},
    "best": 1,
    "worst": None,
    "last_played_on": None,
    "recent": [1, 2],
    "rating": 3,
}


@pytest.mark.parametrize("column", STANDING_DAMAGE)
def test_a_wrong_column_of_a_standing_is_named_and_healed(season: Season, column: str) -> None:
    before = everything()
    standing = season.standings.order_by("pk")[1]
    Standing.objects.filter(pk=standing.pk).update(**{column: STANDING_DAMAGE[column]})
    named_and_healed(season, f"standing of player {standing.player_id}: {column}")

    assert without_revision(everything()) == without_revision(before)


def test_every_derived_column_was_damaged_once() -> None:
    facts = {
        "id",
        "hanchan",
        "wind",
        "player",
        "played_by",
        "points",
        "chombo",
        "late_minutes",
        "penalty",
        "substitute",
    }
    of_seat = {field.name for field in Seat._meta.concrete_fields} - facts
    of_standing = {field.name for field in Standing._meta.concrete_fields} - {"id", "season", "player"}

    assert {*SEAT_DAMAGE, "season"} == of_seat
    assert set(STANDING_DAMAGE) == of_standing


def test_a_missing_standing_is_made_again(season: Season) -> None:
    standing = season.standings.order_by("pk")[0]
    before = list(Standing.objects.order_by("player").values())
    standing.delete()
    named_and_healed(season, f"standing of player {standing.player_id}: row")

    after = list(Standing.objects.order_by("player").values())
    assert [{**row, "id": 0} for row in after] == [{**row, "id": 0} for row in before]


def test_a_standing_of_somebody_who_never_played_goes(season: Season) -> None:
    stranger = make_players(1)[0]
    Standing.objects.create(season=season, player=stranger, games=3)
    named_and_healed(season, f"standing of player {stranger.pk}: row")

    assert not Standing.objects.filter(player=stranger).exists()


def test_a_wrong_search_text_is_named_and_healed(season: Season) -> None:
    player = Player.objects.order_by("pk")[0]
    player.aliases.create(name="Dima")
    with pytest.raises(CommandError, match="2 differences"):
        rebuild(check=True)
    rebuild()
    player.refresh_from_db()

    assert "dima" in player.search_text
    assert player.search_text == search_text_for(player)
    assert player.search_words == search_words_for(player)


def named_and_healed(season: Season, named: str) -> None:
    damaged = everything()
    said = StringIO()
    with pytest.raises(CommandError, match=r"\d+ differences; nothing was changed"):
        call_command("rebuild", check=True, stdout=said)
    assert named in said.getvalue()
    assert everything() == damaged
    assert "put right" in rebuild()
    assert "nothing was changed" in rebuild(check=True)


def without_revision(tables: list[Any]) -> list[Any]:
    return [[{**row, "revision": 0} for row in tables[0]], *tables[1:]]


def test_damage_all_over_a_larger_season_is_healed_and_only_its_beginning_listed() -> None:
    season = build_season(150, 12, formula="elo")
    before = everything()
    Seat.objects.update(result=0, place=1, rating_after=None)
    Standing.objects.update(results=0, rating=0)
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("rebuild", check=True, season=f"{season.club.slug}/{season.slug}", stdout=said)

    assert len(said.getvalue().splitlines()) == services.SHOWN + 1
    assert "more." in said.getvalue()
    rebuild(season=str(season.pk))
    assert without_revision(everything())[:4] == without_revision(before)[:4]


def test_one_season_is_named_by_address_or_number_and_others_are_left_alone(season: Season) -> None:
    other = make_season(club=season.club)
    player = make_players(1)[0]
    Standing.objects.create(season=other, player=player, games=3)

    assert "nothing was changed" in rebuild(season=f"{season.club.slug}/{season.slug}", check=True)
    assert "nothing was changed" in rebuild(season=str(season.pk), check=True)
    with pytest.raises(CommandError, match="1 differences"):
        rebuild(season=str(other.pk), check=True)


@pytest.mark.parametrize("name", ["furiten/autumn", "nowhere", "99999", "-1", "", "²"])
def test_a_season_that_is_not_there_is_refused_with_a_sentence(season: Season, name: str) -> None:
    with pytest.raises(CommandError, match="There is no season"):
        rebuild(season=name)


def test_a_game_entered_while_a_season_is_rebuilt_makes_it_start_again(season: Season) -> None:
    players = list(Player.objects.order_by("pk")[:4])
    Seat.objects.filter(season=season).update(result=1)
    entered: list[Hanchan] = []

    def report(done: int, total: int) -> None:
        if not entered:
            entered.append(record_hanchan(season, make_sheet(players, 50_000, 30_000, 20_000, 20_000)))

    services.rebuild_season(season.pk, report=report)

    assert services.rebuild_season(season.pk, check=True).count == 0
    assert Seat.objects.filter(hanchan=entered[0], wind=0, result=29_000).exists()


def test_a_season_without_games_is_right(season: Season) -> None:
    empty = make_season(club=season.club)
    refresh_standings(empty.pk, [])

    assert services.rebuild_season(empty.pk).count == 0


class TestWhatStayedOnAPlayerMergedAway:
    """Today no write leaves rows on a merged player; a database from an older version may have some."""

    pytestmark = pytest.mark.parametrize("made_season", ["elo"], indirect=True)

    @pytest.fixture
    def pair(self, season: Season) -> tuple[Player, Player]:
        """Merge the second player into a new one, then put most of the moved rows back on the merged player."""
        merged = season.standings.order_by("player_id")[1].player
        survivor = Player(native_name="Survivor")
        save_player(survivor)
        seats = list(merged.seats.all())
        give(season, merged, Adjustment.Kind.PENALTY, -1000, "late")
        penalties = list(merged.adjustments.values_list("pk", flat=True))
        merge_players(merged, survivor)
        Seat.objects.filter(pk__in=[seat.pk for seat in seats[1:]]).update(player=merged)
        Adjustment.objects.filter(pk__in=penalties).update(player=merged)
        elsewhere = Hanchan.objects.filter(season=season).exclude(pk__in=[seat.hanchan_id for seat in seats])
        Seat.objects.filter(pk=elsewhere[0].seats.all()[0].pk).update(played_by=merged)
        Affiliation.objects.create(player=merged, club=season.club)
        services.rebuild_season(season.pk)
        return merged, survivor

    def test_is_named_by_a_check_and_moved_and_everything_is_right_then(
        self, season: Season, pair: tuple[Player, Player]
    ) -> None:
        merged, survivor = pair
        stray, fine = merged.seats.first(), merged.adjustments.get()
        assert stray

        said = StringIO()
        with pytest.raises(CommandError, match="nothing was changed"):
            call_command("rebuild", check=True, stdout=said)
        assert f"seat {stray.pk}: player is {merged.pk}, must be {survivor.pk}" in said.getvalue()
        assert f"played_by is {merged.pk}, must be {survivor.pk}" in said.getvalue()
        assert f"adjustment {fine.pk}: player is {merged.pk}, must be {survivor.pk}" in said.getvalue()
        assert f"affiliation {merged.affiliations.get().pk}: player is {merged.pk}" in said.getvalue()

        assert "were put right" in rebuild()
        assert not merged.seats.exists()
        assert not merged.adjustments.exists()
        assert not merged.affiliations.exists()
        assert not Seat.objects.filter(played_by=merged).exists()
        assert not season.standings.filter(player=merged).exists()
        assert survivor.adjustments.get() == fine
        assert "nothing was changed" in rebuild(check=True)

    def test_goes_back_when_the_merge_is_undone(self, season: Season, pair: tuple[Player, Player]) -> None:
        merged, survivor = pair
        rebuild(season=str(season.pk))

        undo_merge(PlayerMerge.objects.get())

        assert not survivor.seats.exists()
        assert not survivor.adjustments.exists()
        assert merged.adjustments.count() == 1
        assert merged.affiliations.count() == 1
        assert "nothing was changed" in rebuild(check=True)

    def test_follows_over_two_merges(self, season: Season, pair: tuple[Player, Player]) -> None:
        merged, survivor = pair
        last = Player(native_name="Last of all")
        save_player(last)
        merge_players(survivor, last)
        Seat.objects.filter(player=last).update(player=survivor)

        rebuild()

        assert not merged.seats.exists()
        assert not survivor.seats.exists()
        assert last.seats.exists()
        assert "nothing was changed" in rebuild(check=True)

    def test_is_left_to_people_where_both_sat_at_one_table(self, season: Season, pair: tuple[Player, Player]) -> None:
        merged, survivor = pair
        stray = merged.seats.first()
        assert stray
        opposite = Seat.objects.filter(hanchan=stray.hanchan_id).exclude(pk=stray.pk)[0]
        Seat.objects.filter(pk=opposite.pk).update(player=survivor)

        with pytest.raises(CommandError, match="They sat at one table"):
            rebuild()

        assert merged.seats.exists()
