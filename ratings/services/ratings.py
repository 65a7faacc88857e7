"""Order-dependent ratings: recomputed from the game that changed, and written only where they differ."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.mahjong.formulas import Rated
from ratings.models import Season, Seat, Standing
from ratings.queries.ratings import Moment, folded, rater_of, rows_since, state_before
from ratings.services.staging import update_rows


def recompute_ratings(season: Season, since: Moment, touched: Iterable[int] = ()) -> None:
    """Recompute ratings from a moment on. Call it with the season locked and results already stored.

    `touched` are players who may no longer be in any later game: their rating falls back to what it was before the
    moment.
    """
    if not season.depends_on_order:
        return
    rows = [row for _moment, row in rows_since(season.pk, since)]
    players = {row.player_id for row in rows} | set(touched)
    state = state_before(season, since, players)
    changed = []
    for row, rating in folded(rows, state, rater_of(season)):
        if rating != row.rating_after:
            changed.append((row.pk, rating))
    update_rows(Seat, ["rating_after"], changed)
    _store_ratings(season, state, players)


def _store_ratings(season: Season, state: dict[int, Rated], players: set[int]) -> None:
    standings = []
    for standing in Standing.objects.filter(season=season, player__in=players):
        now = state.get(standing.player_id, Rated(season.initial_rating, 0))
        if (standing.rating, standing.rated_games) != now:
            standing.rating, standing.rated_games = now
            standings.append(standing)
    Standing.objects.bulk_update(standings, ["rating", "rated_games"], batch_size=500)
