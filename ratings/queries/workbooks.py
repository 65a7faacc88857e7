"""The content of a season's workbook: every game with every stored fact, in order of play, and the rows it refers to.

Games are read in pieces and no cursor is kept open, so a long export holds no locks. Code that writes the file must
check by the season's revision that the season did not change.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Prefetch, Q, QuerySet

from clubsite.numbers import writer
from ratings.mahjong.sorting import sort_key
from ratings.models import Adjustment, Affiliation, Hanchan, Player, RuleSet, Season, Seat
from ratings.queries.seats import StoredSeat, stored_seats

AT_ONCE = 1000  # games read at a time


class StoredGame(NamedTuple):
    pk: int
    rule_set_id: int
    variation: dict[str, Any]
    played_at: datetime.datetime
    played_on: datetime.date
    table: int | None
    status: str
    sticks_left: int
    override: str
    winds_unknown: bool
    comment: str


def hanchans_of(season: Season, *, uncounted: bool) -> QuerySet[Hanchan]:
    """Return final games, with `uncounted` also drafts and void games."""
    found = Hanchan.objects.filter(season=season)
    return found if uncounted else found.filter(status=Hanchan.Status.FINAL)


def games_in_order(season: Season, *, uncounted: bool) -> Iterator[tuple[StoredGame, list[StoredSeat]]]:
    """Yield each game with its seats East to North, in order of play."""
    games = hanchans_of(season, uncounted=uncounted).order_by("played_at", "pk").values_list(*StoredGame._fields)
    piece = [StoredGame._make(row) for row in games[:AT_ONCE]]
    while piece:
        seats = stored_seats([game.pk for game in piece])
        for game in piece:
            yield game, seats[game.pk]
        last = piece[-1]
        later = games.filter(played_at__gte=last.played_at).exclude(played_at=last.played_at, pk__lte=last.pk)
        piece = [StoredGame._make(row) for row in later[:AT_ONCE]]


def adjustments_of(season: Season) -> QuerySet[Adjustment]:
    """Return adjustments in the order in which they were entered, including revoked ones."""
    return season.adjustments.select_related("by", "revoked_by").order_by("pk")


def rule_sets_in(season: Season) -> list[RuleSet]:
    """Return the season's own rule set version, then every other version that one of its games follows."""
    used = Hanchan.objects.filter(season=season).order_by().values("rule_set")
    others = RuleSet.objects.filter(pk__in=used).exclude(pk=season.rule_set_id).order_by("slug", "version")
    return [season.rule_set, *others]


def everybody_in(season: Season) -> list[Player]:
    """Return everybody who has or played a seat or has an adjustment, with aliases and the affiliation to the club.

    They are sorted by names, as the language of the workbook does it, then country and EMA number, so that the same
    people have the same order in another database. The id decides only if all of these are equal.
    """
    seats = Seat.objects.filter(season=season).order_by()
    own = Affiliation.objects.filter(club=season.club_id)
    found = Player.objects.filter(
        Q(pk__in=seats.values("player"))
        | Q(pk__in=seats.exclude(played_by=None).values("played_by"))
        | Q(pk__in=Adjustment.objects.filter(season=season).order_by().values("player"))
    ).prefetch_related("aliases", Prefetch("affiliations", own, to_attr="here"))
    return sorted(found, key=_by_name)


def _by_name(player: Player) -> tuple[Any, ...]:
    others = (player.latin_last, player.latin_first, player.nickname)
    by_name = sort_key(player.native_name, writer().language)
    return by_name, *(name.casefold() for name in others), player.country, player.ema_number, player.pk
