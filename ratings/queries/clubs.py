"""What the pages and cards of clubs show: seasons, the top of a season, number of players, the last day played."""

from __future__ import annotations

import datetime
import zoneinfo
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Case, Count, F, FloatField, Max, OuterRef, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import Cast, Coalesce, Rank
from django.utils import timezone

from ratings import rights
from ratings.mahjong import standings
from ratings.mahjong.formulas import FORMULAS
from ratings.models import Affiliation, Club, Hanchan, Season, Standing
from ratings.queries.standings import ranking_number

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

TOP = 3
FINAL = Q(hanchans__status=Hanchan.Status.FINAL)


class ClubFigures(TypedDict):
    player_count: int
    last_played_on: datetime.date | None


@dataclass
class RankedPlayer:
    """A line of a short list: rank, player, and the number the season is ranked by."""

    rank: int
    standing: Standing
    metric: standings.Metric

    @property
    def value(self) -> standings.Value:
        return self.metric.value(self.standing)


@dataclass
class ClubCard:
    club: Club
    players: int
    last_played_on: datetime.date | None
    running: list[Season]
    top: list[RankedPlayer] = field(default_factory=list)

    @property
    def season(self) -> Season | None:
        """The running season that the card shows."""
        return self.running[0] if self.running else None


def club_cards() -> list[ClubCard]:
    """Return every club with its running seasons and the top three of the first. Always three queries."""
    clubs = list(_with_figures(Club.objects.all()))
    running: dict[int, list[Season]] = defaultdict(list)
    for season in running_seasons():
        running[season.club_id].append(season)
    cards = [ClubCard(club, club.player_count, club.last_played_on, running[club.pk]) for club in clubs]
    tops = top_players([card.season for card in cards if card.season])
    for card in cards:
        if card.season:
            card.top = tops[card.season.pk]
    return cards


def _with_figures(clubs: QuerySet[Club]) -> QuerySet[WithAnnotations[Club, ClubFigures]]:
    players = Affiliation.objects.filter(club=OuterRef("pk"), player__merged_into=None).order_by().values("club")
    played = Standing.objects.filter(season__club=OuterRef("pk"), season__results_public=True).order_by()
    return clubs.annotate(
        player_count=Coalesce(Subquery(players.annotate(n=Count("pk")).values("n")), 0),
        last_played_on=Subquery(played.values("season__club").annotate(day=Max("last_played_on")).values("day")),
    )


def club_card(club: Club) -> ClubCard:
    """Return one club for its own page, with the same figures as on its card."""
    figures = _with_figures(Club.objects.filter(pk=club.pk)).get()
    return ClubCard(club, figures.player_count, figures.last_played_on, running_seasons(club))


def staff_zone(user: rights.Person, club_slug: str = "") -> datetime.tzinfo:
    """Return the time zone of the user's club: of the one named, else of the first.

    The owner of the site has all clubs; while they are in several zones and none is named, times are in UTC.
    """
    zones = dict(rights.clubs_of(user).values_list("slug", "time_zone"))
    if club_slug in zones:
        return zoneinfo.ZoneInfo(zones[club_slug])
    if not zones or (rights.is_owner(user) and len(set(zones.values())) > 1):
        return datetime.UTC
    return zoneinfo.ZoneInfo(next(iter(zones.values())))


def running_seasons(club: Club | None = None) -> list[Season]:
    """Return seasons with public results that cover today's date at the club, the most important first."""
    today = timezone.localdate(timezone=datetime.UTC)
    day = datetime.timedelta(days=1)  # clubs in other time zones may have yesterday's or tomorrow's date
    near = Q(starts_on__lte=today + day) & (Q(ends_on=None) | Q(ends_on__gte=today - day))
    seasons = public_seasons(club).filter(near)
    return sorted(
        (season for season in seasons if season.covers(season.today())),
        key=lambda season: (_importance(season), -season.starts_on.toordinal(), season.pk),
    )


def _importance(season: Season) -> int:
    """Return a number for sorting by importance to a visitor: rated seasons, simplified seasons, competitions."""
    own = Season.CLUB_KINDS
    return len(own) if season.is_competition else own.index(Season.Kind(season.kind))


def public_seasons(club: Club | None = None) -> QuerySet[Season]:
    seasons = Season.objects.filter(results_public=True).select_related("club", "rule_set")
    return seasons.filter(club=club) if club else seasons


def seasons_with_games(club: Club) -> list[Season]:
    """Return the club's seasons with public results, newest first, each with its number of finished games."""
    return list(public_seasons(club).annotate(games=Count("hanchans", filter=FINAL)).order_by("-starts_on", "name"))


def top_players(seasons: Iterable[Season], top: int = TOP) -> dict[int, list[RankedPlayer]]:
    """Return the best players of several seasons, read in one query from stored standings.

    The database cuts by the number a season is ranked by and includes ties at the cut. `standings.rank` then decides
    with the season's tie-breaks, as on every other list.
    """
    wanted = {season.pk: season for season in seasons}
    number = _primary_number()
    best = (
        Standing.objects.filter(season__in=wanted, games__gte=F("season__minimum_games"), games__gt=0)
        .annotate(
            cut=Window(Rank(), partition_by=F("season_id"), order_by=number.desc(nulls_last=True)),
        )
        .filter(cut__lte=top)
        .select_related("player")
    )
    rows: dict[int, list[Standing]] = {pk: [] for pk in wanted}
    for standing in best:
        rows[standing.season_id].append(standing)
    return {pk: _ranked(wanted[pk], found)[:top] for pk, found in rows.items()}


def _primary_number() -> Case:
    """Return the number that each season is ranked by."""
    return Case(
        *(
            When(season__formula=formula.key, then=Cast(ranking_number(formula.figure), FloatField()))
            for formula in FORMULAS.values()
        ),
        output_field=FloatField(),
    )


def _ranked(season: Season, rows: list[Standing]) -> list[RankedPlayer]:
    metrics = standings.ranking_metrics(season.formula, season.tie_breaks)
    return [RankedPlayer(rank, standing, metrics[0]) for rank, standing in standings.rank(rows, metrics)]
