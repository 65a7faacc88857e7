"""What a change of a game would move, computed from what is kept and stored nowhere.

The same scoring, aggregates, formulas and ranking as saving; opens no transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ratings import scoring, standings
from ratings.gamesheet import Sheet
from ratings.models import Adjustment, Hanchan, Season, Standing
from ratings.queries.ratings import Moment, SeatRow, folded, rater_of, rows_since, state_before
from ratings.queries.standings import aggregate, counting_seats, valid_adjustments

KEPT = (
    "player_id",
    "games",
    "placed",
    "results",
    "adjustments",
    "penalties",
    "firsts",
    "seconds",
    "thirds",
    "fourths",
    "place_twice",
    "best",
    "worst",
    "chombo",
    "rating",
)


PLACES = ("firsts", "seconds", "thirds", "fourths")


class Facts(Protocol):
    """What of a seat is counted besides its result."""

    @property
    def chombo(self) -> int: ...
    @property
    def penalty(self) -> int: ...
    @property
    def substitute(self) -> str: ...


@dataclass
class Row:
    """A standing as it would be."""

    player_id: int
    games: int = 0
    placed: int = 0
    results: int = 0
    adjustments: int = 0
    penalties: int = 0
    firsts: int = 0
    seconds: int = 0
    thirds: int = 0
    fourths: int = 0
    place_twice: int = 0
    best: int | None = None
    worst: int | None = None
    chombo: int = 0
    rating: int | None = None
    recent: Sequence[int] = field(default_factory=list)  # no rank hangs on it

    def add(self, seat: Facts, place: int, place_twice: int, total: int) -> None:
        """One more game, counted as the kept standings count it."""
        self.games += 1
        self.results += total
        self.penalties += seat.penalty
        self.chombo += seat.chombo
        if seat.substitute != scoring.NONE:
            return
        self.placed += 1
        self.place_twice += place_twice
        name = PLACES[place - 1]
        setattr(self, name, getattr(self, name) + 1)
        self.best = total if self.best is None else max(self.best, total)
        self.worst = total if self.worst is None else min(self.worst, total)

    def adjust(self, kind: str, points: int) -> None:
        """A result without a game, counted as `queries.standings` counts it."""
        self.adjustments += points
        self.penalties -= points if kind == Adjustment.Kind.PENALTY else 0
        self.games += kind == Adjustment.Kind.ABSENCE


@dataclass(frozen=True)
class Move:
    """One player's place in the season, before and after. A rank is None under the minimum of games."""

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
    def moves(self) -> bool:
        return self.rank_before != self.rank_after or self.value_before != self.value_after


def moves(
    season: Season, sheet: Sheet | None, results: Sequence[scoring.SeatResult], hanchan: Hanchan | None = None
) -> list[Move]:
    """Everybody's move when `hanchan` (none: a new game) becomes `sheet` (none: it is void)."""
    before = standing_rows(season)
    after = {player: replace(row) for player, row in before.items()}
    people = {seat.player for seat in sheet.seats} if sheet else set()
    if hanchan:
        people |= {seat.player_id for seat in hanchan.seats.all()}
    _recount(season, hanchan, people, before, after)
    if sheet:
        _count_in(sheet, results, after)
    if season.depends_on_order:
        _refold(season, sheet, results, hanchan, after)
    return compare(season, before, after)


def moves_of_many(
    season: Season,
    games: Sequence[tuple[Sheet, Sequence[scoring.SeatResult]]],
    given: Sequence[tuple[int, str, int]] = (),
) -> list[Move]:
    """Everybody's move when all these new games are recorded, in their order, and these adjustments given (player,
    kind, points); the season may be a new one."""
    before = standing_rows(season) if not season._state.adding else {}
    after = {player: replace(row) for player, row in before.items()}
    for sheet, results in games:
        _count_in(sheet, results, after)
    for player, kind, points in given:
        after.setdefault(player, Row(player)).adjust(kind, points)
    if season.depends_on_order and games:
        _refold_many(season, games, after)
    return compare(season, before, after)


def _refold_many(
    season: Season, games: Sequence[tuple[Sheet, Sequence[scoring.SeatResult]]], after: dict[int, Row]
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
    """Everybody's rank at present."""
    return _ranks(season, standing_rows(season))


def standing_rows(season: Season) -> dict[int, Row]:
    """The kept standings, by player."""
    return {row[0]: Row(*row) for row in Standing.objects.filter(season=season).values_list(*KEPT)}


def _recount(
    season: Season, hanchan: Hanchan | None, people: set[int], before: dict[int, Row], after: dict[int, Row]
) -> None:
    """The aggregates of the people concerned without the game as it was."""
    seats = counting_seats(season.pk, people)
    if hanchan:
        seats = seats.exclude(hanchan=hanchan)
    fields = aggregate(seats, valid_adjustments(season.pk, people))
    for player in people:
        after.pop(player, None)
        if player in fields:
            mine = {name: value for name, value in fields[player].items() if name in KEPT}
            rating = before[player].rating if player in before else None
            after[player] = Row(player, **mine, rating=rating)


def _count_in(sheet: Sheet, results: Sequence[scoring.SeatResult], after: dict[int, Row]) -> None:
    places = [result.place for result in results]
    for seat, result in zip(sheet.seats, results, strict=True):
        row = after.setdefault(seat.player, Row(seat.player))
        row.add(seat, result.place, 2 * result.place + places.count(result.place) - 1, result.total)


def _refold(
    season: Season,
    sheet: Sheet | None,
    results: Sequence[scoring.SeatResult],
    hanchan: Hanchan | None,
    after: dict[int, Row],
) -> None:
    """Ratings folded from the earlier of the game's two moments, with the game as it would be."""
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


def _as_rows(sheet: Sheet, results: Sequence[scoring.SeatResult], hanchan_id: int) -> list[SeatRow]:
    places = [result.place for result in results]
    return [
        SeatRow(0, hanchan_id, seat.player, 2 * result.place + places.count(result.place) - 1, seat.substitute, None)
        for seat, result in zip(sheet.seats, results, strict=True)
    ]


def compare(season: Season, before: dict[int, Row], after: dict[int, Row]) -> list[Move]:
    """Everybody's move from one table to the other, in the order of the second."""
    metric = standings.primary_metric(season.formula)
    ranks = [_ranks(season, rows) for rows in (before, after)]
    found = [
        Move(
            player,
            ranks[0].get(player),
            ranks[1].get(player),
            metric.value(before[player]) if player in before else None,
            metric.value(after[player]) if player in after else None,
        )
        for player in before.keys() | after.keys()
    ]
    return sorted(found, key=lambda move: (move.rank_after is None, move.rank_after or 0, move.player_id))


def _ranks(season: Season, rows: dict[int, Row]) -> dict[int, int]:
    ranked, _waiting = standings.split_by_minimum(rows.values(), season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    return {row.player_id: rank for rank, row in standings.rank(ranked, metrics)}
