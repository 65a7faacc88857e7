"""What a change of a game would move, computed from stored data. Nothing is written.

It uses the same scoring, aggregates, formulas and ranking as saving, and opens no transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ratings.mahjong import scoring, standings
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.standings import ADDED_UP, PlayerTally, Tally
from ratings.models import Hanchan, Season, Standing
from ratings.queries.ratings import Moment, SeatRow, folded, rater_of, rows_since, state_before
from ratings.queries.standings import aggregate, counting_seats, valid_adjustments

KEPT = (*ADDED_UP, "rating", "player_id")  # ranks depend on no other columns


@dataclass(frozen=True)
class Move:
    """One player's rank and value in the season, before and after. A rank is None below the minimum of games."""

    player_id: int
    rank_before: int | None
    rank_after: int | None
    value_before: Any
    value_after: Any

    @property
    def up(self) -> int | None:
        if self.rank_before is None or self.rank_after is None:
            return None
        return self.rank_before - self.rank_after

    @property
    def changes_rank(self) -> bool:
        return self.rank_before != self.rank_after

    @property
    def moves(self) -> bool:
        return self.changes_rank or self.value_before != self.value_after


def moves(
    season: Season, sheet: Sheet[int] | None, results: Sequence[scoring.SeatResult], hanchan: Hanchan | None = None
) -> list[Move]:
    """Return all players' moves if `hanchan` (None: a new game) becomes `sheet` (None: it is void)."""
    before = standing_rows(season)
    after = {player: replace(row) for player, row in before.items()}
    people = {seat.player for seat in sheet.seats} if sheet else set()
    if hanchan:
        people |= {seat.player_id for seat in hanchan.seats.all()}
    _recount(season, hanchan, people, before, after)
    if sheet:
        _count_in(sheet, results, after)
    if season.depends_on_order:
        _recompute(season, sheet, results, hanchan, after)
    return compare(season, before, after)


def moves_of_many(
    season: Season,
    games: Sequence[tuple[Sheet[int], Sequence[scoring.SeatResult]]],
    given: Sequence[tuple[int, str, int]] = (),
) -> list[Move]:
    """Return all players' moves if these new games are recorded in their order and these adjustments are given.

    `given` holds (player, kind, points). The season may be new.
    """
    before = standing_rows(season) if not season._state.adding else {}
    after = {player: replace(row) for player, row in before.items()}
    for sheet, results in games:
        _count_in(sheet, results, after)
    for player, kind, points in given:
        after.setdefault(player, PlayerTally(player_id=player)).adjust(kind, points)
    if season.depends_on_order and games:
        _recompute_many(season, games, after)
    return compare(season, before, after)


def _recompute_many(
    season: Season, games: Sequence[tuple[Sheet[int], Sequence[scoring.SeatResult]]], after: dict[int, PlayerTally]
) -> None:
    mine = [
        (Moment(sheet.played_at, _AFTER_ALL + index), row)
        for index, (sheet, results) in enumerate(games)
        for row in _as_rows(sheet, results, _AFTER_ALL + index)
    ]
    since = min(moment for moment, _row in mine)
    stored = [] if season._state.adding else rows_since(season.pk, since)
    rows = [row for _moment, row in sorted([*stored, *mine], key=lambda pair: pair[0])]
    people = {row.player_id for row in rows} | set(after)
    state = {} if season._state.adding else state_before(season, since, people)
    for _row, _rating in folded(rows, state, rater_of(season)):
        pass
    for player, row in after.items():
        row.rating = state[player].rating if player in state else season.initial_rating


def ranks_now(season: Season) -> dict[int, int]:
    """Return the current rank of each player."""
    return _ranks(season, standing_rows(season))


def standing_rows(season: Season) -> dict[int, PlayerTally]:
    """Return the stored standings by player."""
    rows = Standing.objects.filter(season=season).values(*KEPT)
    return {row["player_id"]: PlayerTally(**row) for row in rows}


def _recount(
    season: Season,
    hanchan: Hanchan | None,
    people: set[int],
    before: dict[int, PlayerTally],
    after: dict[int, PlayerTally],
) -> None:
    """Compute the aggregates of these people again, without the stored game."""
    seats = counting_seats(season.pk, people)
    if hanchan:
        seats = seats.exclude(hanchan=hanchan)
    tallies = aggregate(seats, valid_adjustments(season.pk, people))
    for player in people:
        after.pop(player, None)
        if player in tallies:
            after[player] = tallies[player]
            after[player].rating = before[player].rating if player in before else None


def _count_in(sheet: Sheet[int], results: Sequence[scoring.SeatResult], after: dict[int, PlayerTally]) -> None:
    twice = scoring.places_twice([result.place for result in results])
    for seat, result, place_twice in zip(sheet.seats, results, twice, strict=True):
        tally = after.setdefault(seat.player, PlayerTally(player_id=seat.player))
        count_seat(tally, seat.played, result.total, result.place, place_twice)


def count_seat(tally: Tally, played: scoring.Seat, result: int, place: int, place_twice: int) -> None:
    own = played.substitute == scoring.NONE
    tally.add(result, place, place_twice, own=own, chombo=played.chombo, penalty=played.penalty)


def _recompute(
    season: Season,
    sheet: Sheet[int] | None,
    results: Sequence[scoring.SeatResult],
    hanchan: Hanchan | None,
    after: dict[int, PlayerTally],
) -> None:
    """Recompute ratings from the earlier of the game's old and new moments, with the game as it would be."""
    own_id = hanchan.pk if hanchan else _AFTER_ALL
    moments = [Moment(hanchan.played_at, own_id)] if hanchan else []
    if sheet:
        moments.append(Moment(sheet.played_at, own_id))
    since = min(moments)
    keyed = [(moment, row) for moment, row in rows_since(season.pk, since) if row.hanchan_id != own_id]
    if sheet:
        mine = Moment(sheet.played_at, own_id)
        keyed += [(mine, row) for row in _as_rows(sheet, results, own_id)]
    keyed.sort(key=lambda pair: pair[0])
    rows = [row for _moment, row in keyed]
    people = {row.player_id for row in rows} | set(after)
    state = state_before(season, since, people)
    for _row, _rating in folded(rows, state, rater_of(season)):
        pass
    for player, row in after.items():
        row.rating = state[player].rating if player in state else season.initial_rating


_AFTER_ALL = 2**62  # a new game gets a higher id than all others


def _as_rows(sheet: Sheet[int], results: Sequence[scoring.SeatResult], hanchan_id: int) -> list[SeatRow]:
    twice = scoring.places_twice([result.place for result in results])
    return [
        SeatRow(0, hanchan_id, seat.player, place_twice, seat.played.substitute, None)
        for seat, place_twice in zip(sheet.seats, twice, strict=True)
    ]


def compare(
    season: Season, before: dict[int, PlayerTally], after: dict[int, PlayerTally], *, now: Season | None = None
) -> list[Move]:
    """Return all players' moves from one set of standings to the other, in the order of the second.

    `now` is the season with its stored settings, if `season` has other ones: ranks before are those of `now`, and
    values before are left out.
    """
    metric = standings.primary_metric(season.formula)
    ranks = [_ranks(now or season, before), _ranks(season, after)]
    found = [
        Move(
            player,
            ranks[0].get(player),
            ranks[1].get(player),
            metric.value(before[player]) if player in before and now is None else None,
            metric.value(after[player]) if player in after else None,
        )
        for player in before.keys() | after.keys()
    ]
    return sorted(found, key=lambda move: (move.rank_after is None, move.rank_after or 0, move.player_id))


def _ranks(season: Season, rows: dict[int, PlayerTally]) -> dict[int, int]:
    ranked, _waiting = standings.split_by_minimum(rows.values(), season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    return {row.player_id: rank for rank, row in standings.rank(ranked, metrics)}
