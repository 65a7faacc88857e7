"""The lines of a leaderboard: kept standings of a season, or its games added up over any span of days.

Lines are tuples and not models: a page of a hundred rows still reads and ranks every player of the season.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count, F, FloatField, Q, QuerySet, Sum, Value, Window
from django.db.models.functions import Cast, Coalesce, RowNumber

from clubsite import freshness
from ratings import formulas, standings
from ratings.models import Adjustment, Hanchan, Player, Season, Seat, Standing
from ratings.queries.standings import COUNTS_AS_GAME, aggregate, counting_seats, recent_results, valid_adjustments


class Span(NamedTuple):
    """Days from – to, both included; none means open on that side."""

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


class Line(NamedTuple):
    """A `standings.Aggregate` of one player."""

    player_id: int
    games: int
    placed: int
    results: int
    adjustments: int
    penalties: int
    firsts: int
    seconds: int
    thirds: int
    fourths: int
    place_twice: int
    best: int | None
    worst: int | None
    chombo: int
    rating: int | None
    recent: Sequence[int] = ()


_ADDED_UP = [name for name in Line._fields if name not in ("player_id", "rating", "recent")]
MANY = 500


class Figures(NamedTuple):
    hanchans: int
    players: int
    ranked: int  # with games enough
    listed: int


def figures(season: Season, minimum: int) -> Figures:
    """How much was played in the season, without counting its games one by one.

    Every game is counted by four standings; what else counts as a game there is an absence.
    """
    kept = Standing.objects.filter(season=season).aggregate(
        counted=Sum("games", default=0),
        players=Count("pk", filter=Q(games__gt=0)),
        ranked=Count("pk", filter=Q(games__gte=minimum)),
        listed=Count("pk"),
    )
    absences = valid_adjustments(season.pk).filter(COUNTS_AS_GAME).count()
    return Figures((kept["counted"] - absences) // 4, kept["players"], kept["ranked"], kept["listed"])


def hanchans_since(season: Season, day: datetime.date) -> int:
    """How many games were played after that day."""
    return season.hanchans.filter(status=Hanchan.Status.FINAL, played_on__gt=day).count()


def _numbered(season: Season) -> QuerySet[Any]:
    """Kept standings with the number the season is ranked by: `standings.primary_metric` in SQL."""
    total = F("results") + F("adjustments")
    number: Any = total
    if season.depends_on_order:
        number = Coalesce(F("rating"), Value(-(2**31)))
    elif season.formula == formulas.AVERAGE:
        # Division rounds correctly: equal averages are equal floats, and a higher one is never below.
        number = Cast(total, FloatField()) / Cast(F("games"), FloatField())
    return Standing.objects.filter(season=season).annotate(number=number).order_by("-number", "player_id")


def ranked_slice(season: Season, minimum: int, start: int, stop: int) -> list[tuple[int, Line]]:
    """Part of the ranking by kept standings, without fetching the rest of it.

    The database cuts by the number the season is ranked by and gives everybody who is equal at either edge;
    among those `standings.rank` decides, as everywhere.
    """
    enough = _numbered(season).filter(games__gte=minimum)
    numbers = list(enough.values_list("number", flat=True)[start:stop])
    if not numbers:
        return []
    above = enough.filter(number__gt=numbers[0]).count() if start else 0
    rows = enough.filter(number__lte=numbers[0], number__gte=numbers[-1]).order_by("player_id")
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    ranked = standings.rank((Line(*row) for row in rows.values_list(*Line._fields)), metrics)
    return [(above + rank, line) for rank, line in ranked[start - above : stop - above]]


def waiting_slice(season: Season, minimum: int, start: int, stop: int) -> list[Line]:
    """Part of those with too few games, the nearest to the minimum first."""
    few = _numbered(season).filter(games__lt=minimum).order_by("-games", "-number", "player_id")
    return [Line(*row) for row in few.values_list(*Line._fields)[start:stop]]


def lines(season: Season, span: Span = WHOLE) -> list[Line]:
    """Everybody's line, in order of players, without the last ten results; see `with_recent`."""
    if not span.whole:
        return _kept_lines(season, span)
    kept = Standing.objects.filter(season=season).order_by("player_id")
    return [Line(*row) for row in kept.values_list(*Line._fields[:-1])]


def _kept_lines(season: Season, span: Span) -> list[Line]:
    found: list[Line] = freshness.keep(
        ("leaderboard", season.pk, season.revision, span), lambda: _added_up(season, span)
    )
    return found


def _seats(season_id: int, span: Span) -> QuerySet[Seat]:
    return counting_seats(season_id).filter(span.days("played_on"))


def _adjustments(season_id: int, span: Span) -> QuerySet[Adjustment]:
    return valid_adjustments(season_id).filter(span.days("given_on"))


def _added_up(season: Season, span: Span) -> list[Line]:
    fields = aggregate(_seats(season.pk, span), _adjustments(season.pk, span))
    ratings = ratings_at(season, span.until) if season.depends_on_order else None
    found = []
    for player, mine in sorted(fields.items()):
        rating = None if ratings is None else ratings.get(player, season.initial_rating)
        found.append(Line(player, rating=rating, **{name: mine[name] for name in _ADDED_UP}))
    return found


def ratings_at(season: Season, until: datetime.date | None) -> dict[int, int]:
    """The rating each player had in the evening of a day: the one after the last rated game."""
    seats = _seats(season.pk, Span(None, until)).filter(rating_after__isnull=False)
    order = [F("played_at").desc(), F("hanchan_id").desc()]
    newest = seats.annotate(back=Window(RowNumber(), partition_by=F("player_id"), order_by=order)).filter(back=1)
    return {player: rating for player, rating in newest.values_list("player_id", "rating_after") if rating is not None}


def with_recent(season: Season, span: Span, found: Sequence[Line]) -> list[Line]:
    """The same lines with the last ten results of each."""
    # A list of many names is longer to read than the whole season.
    mine = Q(player__in=[line.player_id for line in found]) if len(found) <= MANY else Q()
    recent: Mapping[int, Sequence[int]]
    if span.whole:
        recent = dict(Standing.objects.filter(mine, season=season).values_list("player_id", "recent"))
    else:
        recent = recent_results(_seats(season.pk, span).filter(mine))
    return [line._replace(recent=recent.get(line.player_id, ())) for line in found]


def people(ids: Collection[int]) -> dict[int, Player]:
    """The players behind the lines."""
    return Player.objects.in_bulk(ids)
