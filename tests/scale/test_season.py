"""The large season is realistic: its rows are those that the services write, and rebuilding changes none."""

from __future__ import annotations

from typing import Any

import pytest

from ratings.mahjong import gamesheet
from ratings.models import Hanchan, HanchanEvent, Season, Seat, Standing
from ratings.queries.ratings import Moment
from ratings.services.hanchans import record_hanchan
from ratings.services.ratings import recompute_ratings
from ratings.services.standings import refresh_standings
from tests.scale.season import build_season, make_empty

pytestmark = pytest.mark.django_db

FACTS = ("variation", "played_at", "played_on", "table", "sticks_left", "override", "winds_unknown", "comment")
STATE = ("status", "version", "corrections", "submit_key", "entered_by")


@pytest.fixture(params=["sum", "elo"])
def season(request: pytest.FixtureRequest) -> Season:
    return build_season(80, 14, formula=request.param)


def rows(season: Season) -> dict[str, list[Any]]:
    """Everything stored for the season except ids and times of entry."""
    not_of_it = {"id", "season", "hanchan"}
    seats = [f.name for f in Seat._meta.concrete_fields if f.name not in not_of_it]
    standings = [f.name for f in Standing._meta.concrete_fields if f.name not in not_of_it]
    hanchans = Hanchan.objects.filter(season=season).order_by("played_at", "pk")
    events = HanchanEvent.objects.filter(hanchan__season=season).order_by("hanchan__played_at", "hanchan_id")
    return {
        "hanchans": list(hanchans.values_list(*FACTS, *STATE)),
        "seats": list(season_seats(season).values_list(*seats)),
        "events": list(events.values_list("action", "by", "reason", "version", "sheet")),
        "standings": list(season.standings.order_by("player").values_list(*standings)),
    }


def season_seats(season: Season) -> Any:
    return Seat.objects.filter(season=season).order_by("played_at", "hanchan_id", "wind")


def test_its_rows_are_what_recording_each_game_would_leave(season: Season) -> None:
    typed = make_empty("typed", "furiten", season.formula)
    for event in HanchanEvent.objects.filter(hanchan__season=season).order_by("hanchan_id"):
        record_hanchan(typed, gamesheet.read(event.sheet))
    typed.refresh_from_db()
    assert rows(typed) == rows(season)
    assert typed.revision == season.revision


def test_rebuilding_everything_changes_nothing(season: Season) -> None:
    before = rows(season)
    first = Hanchan.objects.filter(season=season).earliest("played_at", "pk")
    players = set(season.standings.values_list("player_id", flat=True))
    refresh_standings(season.pk, players)
    recompute_ratings(season, Moment(first.played_at, first.pk), players)
    assert rows(season) == before


def test_it_holds_what_seasons_hold(season: Season) -> None:
    seats = season_seats(season)
    assert seats.count() == 320
    assert seats.exclude(substitute="none").exists()
    assert seats.filter(chombo__gt=0).exists()
    assert seats.filter(place_twice__in=(3, 5, 7)).exists()  # a tie of two
    assert Hanchan.objects.filter(season=season, sticks_left__gt=0).exists()
    assert (season.standings.exclude(rating=None).count() == season.standings.count()) == season.depends_on_order
