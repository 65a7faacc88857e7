"""The top of a leaderboard as it would be with other settings of its season. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clubsite import freshness
from ratings.mahjong import standings
from ratings.mahjong.formulas import Rated
from ratings.mahjong.standings import Metric
from ratings.models import Hanchan, Player, Season
from ratings.queries.entry import players
from ratings.queries.previews import Move, compare, standing_rows
from ratings.queries.ratings import BEFORE_ALL, folded, rater_of, rows_since

TOP = 5
FINAL = Hanchan.Status.FINAL


@dataclass(frozen=True)
class TopLine:
    """A player in the top of the board, with the rank and value that the settings give."""

    move: Move
    player: Player
    games: int


@dataclass(frozen=True)
class BoardPreview:
    """The leaderboard with other settings: its first lines, and who moves."""

    metric: Metric
    top: list[TopLine]
    leaving: list[tuple[Player, Move]]  # players who are in the top now and would not be
    ranked: int
    players: int
    moving: int  # players whose rank changes
    rated_again: int  # games whose ratings would be computed again


def board_preview(season: Season, now: Season) -> BoardPreview:
    """Return the board of `now`, which is stored, with the settings of `season`, which are not."""
    before = standing_rows(now)
    after = before
    again = season.rating_settings != now.rating_settings
    if again:
        ratings = _ratings(season) if season.depends_on_order else {}
        new = season.initial_rating if season.depends_on_order else None
        after = {player: replace(row, rating=ratings.get(player, new)) for player, row in before.items()}
    moves = compare(season, before, after, now=now)
    ranked = [move for move in moves if move.rank_after is not None]
    top = ranked[:TOP]
    inside = {move.player_id for move in top}
    out = [m for m in moves if m.rank_before and m.rank_before <= TOP and m.player_id not in inside]
    people = players({move.player_id for move in [*top, *out]})
    return BoardPreview(
        metric=standings.primary_metric(season.formula),
        top=[TopLine(move, people[move.player_id], after[move.player_id].games) for move in top],
        leaving=[(people[move.player_id], move) for move in out],
        ranked=len(ranked),
        players=len(moves),
        moving=sum(move.rank_before != move.rank_after for move in moves),
        rated_again=now.hanchans.filter(status=FINAL).count() if again and season.depends_on_order else 0,
    )


def _ratings(season: Season) -> dict[int, int]:
    """Return what every player's rating would be. It is kept until a game of the season changes."""

    def compute() -> dict[int, int]:
        state: dict[int, Rated] = {}
        rows = (row for _moment, row in rows_since(season.pk, BEFORE_ALL))
        for _row, _rating in folded(rows, state, rater_of(season)):
            pass
        return {player: rated.rating for player, rated in state.items()}

    key = ("season settings", season.pk, season.revision, *season.rating_settings)
    found: dict[int, int] = freshness.keep(key, compute)
    return found
