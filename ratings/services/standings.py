"""Keeps each player's aggregates in a season equal to what its games and adjustments say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ratings.mahjong.formulas import Rated
from ratings.mahjong.standings import ADDED_UP
from ratings.models import Season, Standing
from ratings.queries.standings import aggregate, counting_seats, recent_results, valid_adjustments

BASE_FIELDS = [*ADDED_UP, "last_played_on", "recent"]
FIELDS = [*BASE_FIELDS, "rating", "rated_games"]


def derive(season_id: int, players: Iterable[int] | None = None) -> list[Standing]:
    """What the standings must be, not yet stored, in order of player. Ratings are not touched here.

    The order of a GROUP BY is the planner's choice; without one of our own, rows were made in another order each time.
    """
    seats = counting_seats(season_id, players)
    tallies = aggregate(seats, valid_adjustments(season_id, players))
    recent = recent_results(seats)
    return [
        Standing(
            season_id=season_id,
            player_id=player,
            last_played_on=tally.last_played_on,
            recent=recent.get(player, []),
            **{name: getattr(tally, name) for name in ADDED_UP},
        )
        for player, tally in sorted(tallies.items())
    ]


def refresh_standings(season_id: int, players: Iterable[int], *, initial: int | None = None) -> None:
    """Stores the standings of exactly these players anew; call with the season locked.

    `initial` is the rating of whoever had no standing yet, where no fold of games follows to set it.
    """
    players = set(players)
    derived = derive(season_id, players)
    for standing in derived:
        standing.rating = initial  # stored with new rows only
    gone = players - {standing.player_id for standing in derived}
    if gone:
        Standing.objects.filter(season_id=season_id, player_id__in=gone).delete()
    Standing.objects.bulk_create(
        derived, update_conflicts=True, unique_fields=["season", "player"], update_fields=BASE_FIELDS
    )


class StandingDifference(NamedTuple):
    """A field of a standing that is not what it must be; without a field the whole row is missing or too many."""

    player_id: int
    field: str
    stored: Any
    derived: Any


class Overhaul(NamedTuple):
    """What keeps a season's standings from being right."""

    wrong: list[Standing]  # as they must be, new ones included
    gone: list[int]  # players who have nothing in the season any more
    differences: list[StandingDifference]


def overhaul(season: Season, ratings: Mapping[int, Rated]) -> Overhaul:
    """Every standing of the season against what its stored seats say and these ratings, folded from all games."""
    stored = {standing.player_id: standing for standing in Standing.objects.filter(season=season)}
    found = Overhaul([], [], [])
    for standing in derive(season.pk):
        if season.depends_on_order:
            # Whoever has no rated game yet stands at the start.
            rated = ratings.get(standing.player_id, Rated(season.initial_rating, 0))
            standing.rating, standing.rated_games = rated
        was = stored.pop(standing.player_id, None)
        differences = _differences(was, standing)
        if differences:
            found.wrong.append(standing)
            found.differences.extend(differences)
    for player in stored:
        found.gone.append(player)
        found.differences.append(StandingDifference(player, "", "kept", None))
    return found


def _differences(was: Standing | None, now: Standing) -> list[StandingDifference]:
    if was is None:
        return [StandingDifference(now.player_id, "", None, "missing")]
    pairs = ((name, getattr(was, name), getattr(now, name)) for name in FIELDS)
    return [StandingDifference(now.player_id, name, before, after) for name, before, after in pairs if before != after]


def refresh_all_standings(season: Season, ratings: Mapping[int, Rated]) -> Overhaul:
    """Stores every standing of the season that is not right; call with the season locked and its seats right."""
    found = overhaul(season, ratings)
    Standing.objects.filter(season=season, player_id__in=found.gone).delete()
    Standing.objects.bulk_create(
        found.wrong, update_conflicts=True, unique_fields=["season", "player"], update_fields=FIELDS
    )
    return found
