"""The lines of a leaderboard: stored standings of a season, or its games added up over any span of days.

Lines are tallies and not model instances, because a page of a hundred rows may have to read and rank every player of
the season.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, F, Q, QuerySet, Sum, Value, Window
from django.db.models.functions import Coalesce, RowNumber

from clubsite import freshness
from clubsite.statements import Statement
from ratings.mahjong import standings
from ratings.mahjong.formulas import FORMULAS
from ratings.mahjong.standings import ADDED_UP, PlayerTally
from ratings.models import Adjustment, Hanchan, Player, Season, Seat, Standing
from ratings.queries.standings import (
    COUNTS_AS_GAME,
    aggregate,
    counting_seats,
    ranking_number,
    recent_results,
    valid_adjustments,
)


class Span(NamedTuple):
    """Days from – to, both included. None means open on that side."""

    since: datetime.date | None = None
    until: datetime.date | None = None

    @property
    def whole(self) -> bool:
        return self == (None, None)

    def days(self, field: str) -> Q:
        found = Q()
        if self.since:
            found &= Q(**{f"{field}__gte": self.since})
        if self.until:
            found &= Q(**{f"{field}__lte": self.until})
        return found


WHOLE = Span()


_KEPT = ("player_id", *ADDED_UP, "rating")
_SHOWN = (*_KEPT, "recent")
MANY = 500


class Figures(NamedTuple):
    hanchans: int
    players: int
    ranked: int  # with enough games
    listed: int


_figures = Statement(
    lambda season, minimum: (
        Standing.objects.filter(season=season)
        .values("season_id")
        .annotate(
            counted=Sum("games"),
            players=Count("pk", filter=Q(games__gt=0)),
            ranked=Count("pk", filter=Q(games__gte=minimum)),
            listed=Count("pk"),
        )
        .values_list("counted", "players", "ranked", "listed")
    ),
    values=2,
)
_absences = Statement(
    lambda season: (
        valid_adjustments(season).filter(COUNTS_AS_GAME).values("season_id").annotate(n=Count("pk")).values_list("n")
    ),
    values=1,
)


def figures(season: Season, minimum: int) -> Figures:
    """Return how much was played in the season, without counting its games one by one.

    Every game is counted in four standings. Besides games, standings count only absences as games.
    """
    for counted, players, ranked, listed in _figures.rows(season.pk, minimum):
        absences = sum(count for (count,) in _absences.rows(season.pk))
        return Figures((int(counted) - absences) // 4, players, ranked, listed)
    return Figures(0, 0, 0, 0)


def hanchans_since(season: Season, day: datetime.date) -> int:
    """Return how many games were played after that day."""
    return season.hanchans.filter(status=Hanchan.Status.FINAL, played_on__gt=day).count()


# What the name of a player needs, in the order of the model's fields.
_PLAYER = ("id", "native_name", "latin_first", "latin_last", "nickname", "country", "visibility", "anonymised_at")
Shown = tuple[PlayerTally, Player]


def _numbered(formula: str, season_id: int) -> QuerySet[Any]:
    """Return stored standings with the number that a season of this formula is ranked by."""
    figure = FORMULAS[formula].figure
    number = ranking_number(figure)
    if figure.optional:
        # PostgreSQL would sort players without a number above all others.
        number = Coalesce(number, Value(-1e300 if figure.per else -(2**31)))
    return Standing.objects.filter(season_id=season_id).annotate(number=number).order_by("-number", "player_id")


class _Slices:
    """The statements that read parts of a ranking by one formula."""

    def __init__(self, formula: str) -> None:
        def enough(season: int, minimum: int) -> QuerySet[Any]:
            return _numbered(formula, season).filter(games__gte=minimum)

        shown = (*_SHOWN, *(f"player__{name}" for name in _PLAYER), "number")
        self.enough = Statement(lambda s, least: enough(s, least).values_list(*shown), values=2)
        self.equal = Statement(lambda s, least, n: enough(s, least).filter(number=n).values_list(*shown), values=3)
        self.above = Statement(
            lambda s, least, n: enough(s, least).filter(number__gt=n).order_by().values_list("pk"), values=3
        )
        self.waiting = Statement(
            lambda s, least: (
                _numbered(formula, s)
                .filter(games__lt=least)
                .order_by("-games", "-number", "player_id")
                .values_list(*shown)
            ),
            values=2,
        )


_SLICES = {formula: _Slices(formula) for formula in FORMULAS}


def _shown(row: tuple[Any, ...]) -> Shown:
    line = PlayerTally(**dict(zip(_SHOWN, row, strict=False)))
    line.recent = json.loads(row[len(_KEPT)])
    return line, Player.from_db(connection.alias, _PLAYER, row[len(_SHOWN) : -1])


def ranked_slice(season: Season, minimum: int, start: int, stop: int) -> list[tuple[int, Shown]]:
    """Return part of the ranking by stored standings, without fetching the rest.

    The database cuts by the number the season is ranked by. Players with the same number as a player at an edge of
    the part are fetched too, and `standings.rank` orders equal players, as everywhere.
    """
    slices, first = _SLICES[season.formula], max(start - 1, 0)
    rows = slices.enough.rows(season.pk, minimum, start=first, stop=stop + 1)
    if len(rows) <= start - first:
        return []
    above, edges = start, {rows[start - first][-1]}
    if start and rows[0][-1] in edges:
        above = len(slices.above.rows(season.pk, minimum, rows[0][-1]))
    if len(rows) > stop - first and rows[-1][-1] == rows[-2][-1]:
        edges.add(rows[-1][-1])
    elif above == start:
        edges.clear()  # no player outside the slice is equal to one inside
    found = {row[0]: row for row in rows[start - first : stop - first]}
    for number in edges:
        found |= {row[0]: row for row in slices.equal.rows(season.pk, minimum, number)}
    people = {player: _shown(row) for player, row in sorted(found.items())}
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    ranked = standings.rank((line for line, _person in people.values()), metrics)
    return [(above + rank, people[line.player_id]) for rank, line in ranked[start - above : stop - above]]


def waiting_slice(season: Season, minimum: int, start: int, stop: int) -> list[Shown]:
    """Return part of the players with too few games, the nearest to the minimum first."""
    rows = _SLICES[season.formula].waiting.rows(season.pk, minimum, start=start, stop=stop)
    return [_shown(row) for row in rows]


def lines(season: Season, span: Span = WHOLE) -> list[PlayerTally]:
    """Return the lines of all players, ordered by player id, without the last ten results; see `with_recent`."""
    if not span.whole:
        return _kept_lines(season, span)
    kept = Standing.objects.filter(season=season).order_by("player_id")
    return [PlayerTally(**row) for row in kept.values(*_KEPT, "last_played_on")]


def _kept_lines(season: Season, span: Span) -> list[PlayerTally]:
    found: list[PlayerTally] = freshness.keep(
        ("leaderboard", season.pk, season.revision, span), lambda: _added_up(season, span)
    )
    return found


def _seats(season_id: int, span: Span) -> QuerySet[Seat]:
    return counting_seats(season_id).filter(span.days("played_on"))


def _adjustments(season_id: int, span: Span) -> QuerySet[Adjustment]:
    return valid_adjustments(season_id).filter(span.days("given_on"))


def _added_up(season: Season, span: Span) -> list[PlayerTally]:
    tallies = aggregate(_seats(season.pk, span), _adjustments(season.pk, span))
    if season.depends_on_order:
        ratings = ratings_at(season, span.until)
        for player, tally in tallies.items():
            tally.rating = ratings.get(player, season.initial_rating)
    return [tally for _player, tally in sorted(tallies.items())]


def ratings_at(season: Season, until: datetime.date | None) -> dict[int, int]:
    """Return each player's rating at the end of a day: the rating after the last rated game."""
    seats = _seats(season.pk, Span(None, until)).filter(rating_after__isnull=False)
    order = [F("played_at").desc(), F("hanchan_id").desc()]
    newest = seats.annotate(back=Window(RowNumber(), partition_by=F("player_id"), order_by=order)).filter(back=1)
    return {player: rating for player, rating in newest.values_list("player_id", "rating_after") if rating is not None}


def with_recent(season: Season, span: Span, found: Sequence[PlayerTally]) -> list[PlayerTally]:
    """Return the same lines with the last ten results of each player."""
    # Filtering by a long list of players takes longer than reading the whole season.
    mine = Q(player__in=[line.player_id for line in found]) if len(found) <= MANY else Q()
    recent: Mapping[int, Sequence[int]]
    if span.whole:
        recent = dict(Standing.objects.filter(mine, season=season).values_list("player_id", "recent"))
    else:
        recent = recent_results(_seats(season.pk, span).filter(mine))
    return [replace(line, recent=recent.get(line.player_id, ())) for line in found]


def people(ids: Collection[int]) -> dict[int, Player]:
    """Return the players of the lines."""
    return Player.objects.in_bulk(ids)
