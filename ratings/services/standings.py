"""Keep each player's stored aggregates in a season equal to its games and adjustments."""

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
    """Return the standings as they must be, not yet stored, in order of player id. Ratings are not set here.

    They are sorted because the database returns GROUP BY rows in any order, so rows were created in varying order.
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
    """Compute and store the standings of exactly these players again. Call it with the season locked.

    `initial` is the rating of players who had no standing yet. Pass it if no `recompute_ratings` follows to set it.
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
    """A field of a standing with a wrong value. Without a field, the whole row is missing or should not exist."""

    player_id: int
    field: str
    stored: Any
    derived: Any


class Overhaul(NamedTuple):
    """Everything that is wrong in a season's standings."""

    wrong: list[Standing]  # as they must be, new ones included
    gone: list[int]  # players whose standings must be deleted: they have nothing in the season any more
    differences: list[StandingDifference]


def overhaul(season: Season, ratings: Mapping[int, Rated]) -> Overhaul:
    """Compare every standing of the season with its stored seats and with these ratings, computed from all games."""
    stored = {standing.player_id: standing for standing in Standing.objects.filter(season=season)}
    found = Overhaul([], [], [])
    for standing in derive(season.pk):
        if season.depends_on_order:
            # A player without a rated game has the initial rating.
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
    """Correct every wrong standing of the season. Call it with the season locked and its seats already correct."""
    found = overhaul(season, ratings)
    Standing.objects.filter(season=season, player_id__in=found.gone).delete()
    Standing.objects.bulk_create(
        found.wrong, update_conflicts=True, unique_fields=["season", "player"], update_fields=FIELDS
    )
    return found
