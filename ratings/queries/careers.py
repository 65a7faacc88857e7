"""A player's games: seasons with ranks, figures, streaks, winds, opponents, and the games themselves.

Games are read for a list of seasons (all that the reader may see, or some of them), so that a page needs the same
number of queries whichever seasons are chosen. A seat with a substitute counts in totals only (RULES §1).
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Count, F, FilteredRelation, Max, Min, Prefetch, Q, QuerySet, Sum
from django.utils import timezone

from ratings import rights
from ratings.mahjong import standings
from ratings.mahjong.standings import PlayerTally
from ratings.models import Adjustment, Player, Season, Seat, Standing
from ratings.queries.previews import KEPT
from ratings.queries.standings import OWN

LATELY = datetime.timedelta(days=90)

# --- seasons ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeasonLine:
    """A player's season: the stored standing, and the rank among the players with enough games."""

    standing: Standing
    rank: int | None
    ranked: int

    @property
    def season(self) -> Season:
        return self.standing.season

    @property
    def metric(self) -> standings.Metric:
        return standings.primary_metric(self.season.formula)

    @property
    def value(self) -> standings.Value:
        """The number that the season is ranked by."""
        return self.metric.value(self.standing)

    @property
    def average_place(self) -> Fraction | None:
        return standings.average_place(self.standing)


def seasons_of(player: Player, user: rights.Person) -> list[SeasonLine]:
    """Return the player's seasons whose results the user may see, the last played first. Two queries."""
    kept = Standing.objects.filter(player=player).select_related("season__club")
    order = kept.order_by(F("last_played_on").desc(nulls_last=True), "-season_id")
    seen = [standing for standing in order if rights.sees_results(user, standing.season)]
    rows: dict[int, list[PlayerTally]] = defaultdict(list)
    everybody = Standing.objects.filter(season__in=[standing.season_id for standing in seen])
    for row in everybody.values("season_id", *KEPT):
        rows[row.pop("season_id")].append(PlayerTally(**row))
    return [_line(standing, rows[standing.season_id]) for standing in seen]


def main_season(player: Player, lines: Sequence[SeasonLine]) -> SeasonLine:
    """Return the season that the player's page opens with, if none was asked for.

    It is the season of a club with most own games of the last days, else the one played last. Events come after the
    seasons of clubs, and seasons in which only substitutes played for the player after all others.
    """
    played = [line for line in lines if line.standing.placed] or list(lines)
    candidates = [line for line in played if line.season.kind in Season.CLUB_KINDS] or played
    if len(candidates) == 1:
        return candidates[0]
    lately = timezone.now() - LATELY
    seats = _seats(player, [line.season.pk for line in candidates]).filter(OWN, played_at__gte=lately).order_by()
    games = dict(seats.values_list("season_id").annotate(games=Count("pk")))
    return max(candidates, key=lambda line: games.get(line.season.pk, 0))  # of equals the first: the last played


def _line(standing: Standing, rows: list[PlayerTally]) -> SeasonLine:
    season = standing.season
    ranked, _waiting = standings.split_by_minimum(rows, season.minimum_games)
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    ranks = (rank for rank, row in standings.rank(ranked, metrics) if row.player_id == standing.player_id)
    return SeasonLine(standing, next(ranks, None), len(ranked))


# --- games in order ---------------------------------------------------------------------------------------


class CareerGame(NamedTuple):
    """One counting game of the player."""

    hanchan_id: int
    played_on: datetime.date
    place: int
    result: int
    rating_after: int | None
    substitute: str

    @property
    def own(self) -> bool:
        return self.substitute == Seat.Substitute.NONE


def games_in_order(player: Player, seasons: Iterable[int]) -> list[CareerGame]:
    """Return every game, oldest first."""
    rows = _seats(player, seasons).order_by("played_at", "hanchan_id").values_list(*CareerGame._fields)
    return [CareerGame(*row) for row in rows]


def adjustments_in_order(player: Player, seasons: Iterable[int]) -> list[Adjustment]:
    """Return the adjustments that count (those not revoked), oldest first."""
    valid = Adjustment.objects.filter(player=player, season__in=seasons, revoked_at=None)
    return list(valid.order_by("given_on", "pk"))


@dataclass(frozen=True)
class Stop:
    """One step of a season's course: a game, or an adjustment between games (for example a penalty)."""

    day: datetime.date
    change: int
    value: int | Fraction  # total, average or rating afterwards
    game: CareerGame | None = None
    number: int = 0  # the game's number within the season
    adjustment: Adjustment | None = None


def course(season: Season, games: Sequence[CareerGame], adjustments: Sequence[Adjustment]) -> list[Stop]:
    """Return, step by step, the number that the season is ranked by. The last step equals the stored standing."""
    return _ratings(season, games) if season.depends_on_order else _totals(season, games, adjustments)


def _ratings(season: Season, games: Sequence[CareerGame]) -> list[Stop]:
    """Games with a substitute and penalties do not change ratings."""
    stops = []
    before = season.initial_rating
    for number, game in enumerate(games, 1):
        if game.rating_after is not None:
            stops.append(Stop(game.played_on, game.rating_after - before, game.rating_after, game, number))
            before = game.rating_after
    return stops


def _totals(season: Season, games: Sequence[CareerGame], adjustments: Sequence[Adjustment]) -> list[Stop]:
    """Games in order; adjustments come after the games of their day."""
    steps = [Stop(game.played_on, game.result, 0, game, number) for number, game in enumerate(games, 1)]
    steps += [Stop(each.given_on, each.points, 0, adjustment=each) for each in adjustments]
    steps.sort(key=lambda step: step.day)  # stable: games of a day stay first
    stops = []
    total = counted = 0
    for step in steps:
        total += step.change
        counted += step.adjustment is None or step.adjustment.kind == Adjustment.Kind.ABSENCE
        averaged = season.rating_formula.figure.per and counted
        stops.append(replace(step, value=Fraction(total, counted) if averaged else total))
    return stops


class Streaks(NamedTuple):
    """The longest runs of games. A game in which the player had a substitute neither extends nor ends a run."""

    firsts: int
    first_or_second: int
    without_fourth: int
    above_zero: int


def streaks(games: Iterable[CareerGame]) -> Streaks:
    own = [game for game in games if game.own]
    return Streaks(
        _longest(own, lambda game: game.place == 1),
        _longest(own, lambda game: game.place <= 2),
        _longest(own, lambda game: game.place < 4),
        _longest(own, lambda game: game.result > 0),
    )


def _longest(games: Iterable[CareerGame], holds: Callable[[CareerGame], bool]) -> int:
    longest = run = 0
    for game in games:
        run = run + 1 if holds(game) else 0
        longest = max(longest, run)
    return longest


# --- winds and points -------------------------------------------------------------------------------------


class WindFigures(NamedTuple):
    wind: int
    games: int
    average_place: Fraction | None
    average: Fraction | None


class Scores(NamedTuple):
    """Points at the end, over the player's own seats."""

    games: int
    above_zero: int
    average_points: Fraction | None
    most_points: int | None
    least_points: int | None


def winds_and_scores(player: Player, seasons: Iterable[int]) -> tuple[list[WindFigures], Scores]:
    """Return figures by starting wind (games with unknown winds left out) and scores of all own seats. One query."""
    seats = _seats(player, seasons).filter(OWN).order_by()
    rows = seats.values("wind", "hanchan__winds_unknown").annotate(
        games=Count("pk"),
        twice=Sum("place_twice"),
        results=Sum("result"),
        sum_points=Sum("points"),
        most=Max("points"),
        least=Min("points"),
        above=Count("pk", filter=Q(result__gt=0)),
    )
    found = list(rows)
    known = {row["wind"]: row for row in found if not row["hanchan__winds_unknown"]}
    winds = []
    for wind in Seat.Wind.values:
        row = known.get(wind, {"games": 0, "twice": 0, "results": 0})
        games = row["games"]
        winds.append(WindFigures(wind, games, _mean(row["twice"], 2 * games), _mean(row["results"], games)))
    games = sum(row["games"] for row in found)
    return winds, Scores(
        games,
        sum(row["above"] for row in found),
        _mean(sum(row["sum_points"] for row in found), games),
        max((row["most"] for row in found), default=None),
        min((row["least"] for row in found), default=None),
    )


def _mean(total: int, count: int) -> Fraction | None:
    return Fraction(total, count) if count else None


# --- opponents --------------------------------------------------------------------------------------------


class Rival(NamedTuple):
    """Another player at the same tables, counted where both played their own seats."""

    player_id: int
    games: int
    ahead: int
    behind: int
    average_difference: Fraction


def rivals_of(player: Player, seasons: Iterable[int]) -> list[Rival]:
    """Return everybody the player sat with, most games first. One query: own seats joined with the tables' seats."""
    other = Q(hanchan__seats__substitute=Seat.Substitute.NONE) & ~Q(hanchan__seats__player=player)
    pairs = (
        _seats(player, seasons)
        .filter(OWN)
        .annotate(rival=FilteredRelation("hanchan__seats", condition=other))
        .filter(rival__isnull=False)
        .order_by()
        .values("rival__player_id")
        .annotate(
            games=Count("pk"),
            ahead=Count("pk", filter=Q(place__lt=F("rival__place"))),
            behind=Count("pk", filter=Q(place__gt=F("rival__place"))),
            difference=Sum(F("result") - F("rival__result")),
        )
    )
    rivals = [
        Rival(
            row["rival__player_id"],
            row["games"],
            row["ahead"],
            row["behind"],
            Fraction(row["difference"], row["games"]),
        )
        for row in pairs
    ]
    return sorted(rivals, key=lambda rival: (-rival.games, -rival.average_difference, rival.player_id))


# --- the games themselves ---------------------------------------------------------------------------------


def games_of(player: Player, seasons: Iterable[int]) -> QuerySet[Seat]:
    """Return the player's seats, newest first, with game, season and everybody at the table."""
    table = Seat.objects.select_related("player").order_by("wind")
    seats = _seats(player, seasons).select_related("hanchan", "season__club").order_by("-played_at", "-hanchan_id")
    return seats.prefetch_related(Prefetch("hanchan__seats", table))


def _seats(player: Player, seasons: Iterable[int]) -> QuerySet[Seat]:
    return Seat.objects.filter(player=player, season__in=seasons, counts=True)
