"""Writes that concern a season as a whole: its lock and its settings."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import ngettext

from clubsite import generated_files
from ratings.mahjong.names import slug_from
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Hanchan, Season, Seat
from ratings.queries.ratings import BEFORE_ALL
from ratings.services.editing import refuse_if_changed
from ratings.services.naming import refuse_bad_names
from ratings.services.ratings import recompute_ratings

_ = gettext_noop

SEASON_BOOKS = "workbooks"  # the folder of the generated workbooks of seasons
# Every column but the revision, which only `lock` and `touch` raise.
STORED = [field.name for field in Season._meta.concrete_fields if field.name not in ("id", "revision")]


def lock(season_id: int) -> Season:
    """Lock the season until the transaction ends, and return it.

    This is the first statement of every write to a season. Raising the revision locks its row, so that the following
    re-aggregation sees every committed game. It also outdates every cached page of the season.
    """
    Season.objects.filter(pk=season_id).update(revision=F("revision") + 1)
    return Season.objects.select_related("club", "rule_set").get(pk=season_id)


def forget_books(season_ids: Iterable[int]) -> None:
    """Remove the generated workbooks of seasons, because they name a player who was anonymised."""
    for season_id in season_ids:
        generated_files.forget(SEASON_BOOKS, f"season-{season_id}-*")


def touch(season_ids: Iterable[int]) -> None:
    """Outdate the pages of several seasons. Their rows are locked in order of id, to avoid deadlocks."""
    for season_id in sorted(set(season_ids)):
        Season.objects.filter(pk=season_id).update(revision=F("revision") + 1)


def check_dates(season: Season) -> list[Problem]:
    """Check that the season's days cover all its games, except void ones."""
    outside = Q(played_on__lt=season.starts_on)
    if season.ends_on:
        outside |= Q(played_on__gt=season.ends_on)
    count = season.hanchans.exclude(status=Hanchan.Status.VOID).filter(outside).count() if season.pk else 0
    if not count:
        return []
    message = ngettext(
        "%(count)d game of the season is outside these days. Choose days that include it.",
        "%(count)d games of the season are outside these days. Choose days that include them.",
        count,
    )
    return [Problem(message, {"count": count}, code="games_outside")]


@transaction.atomic
def save_season(season: Season, *, by: User | None = None, seen: int | None = None) -> None:
    """Store a season's settings. If formula, initial rating or K changed, recompute or clear all its ratings.

    `seen` is the number of the last change that the user saw; after a later one the settings are not overwritten.
    """
    if season._state.adding:
        _store(season, by)
        return
    before = lock(season.pk)
    refuse_if_changed(season, seen)
    if problems := [*check_dates(season), *_check_fixed(season, before)]:
        raise Refused(*problems)
    _store(season, by)
    if season.rating_settings == before.rating_settings:
        return
    if season.depends_on_order:
        recompute_ratings(season, BEFORE_ALL, season.standings.values_list("player_id", flat=True))
    elif before.depends_on_order:
        season.standings.update(rating=None, rated_games=0)
        Seat.objects.filter(season=season, rating_after__isnull=False).update(rating_after=None)


def _check_fixed(season: Season, before: Season) -> list[Problem]:
    """Refuse to change club, kind or rule set of a season with games.

    Its rules change only through what-if, which shows what will move.
    """
    fixed = ("club_id", "rule_set_id", "kind")
    if all(getattr(season, name) == getattr(before, name) for name in fixed) or not season.hanchans.exists():
        return []
    message = _("The season has games: its club, kind and rule set cannot be changed here.")
    return [Problem(message, code="has_games")]


def _store(season: Season, by: User | None) -> None:
    refuse_bad_names(season)
    if by is not None:
        season._history_user = by  # type: ignore[attr-defined]
    season.slug = season.slug or free_slug(season)
    # Only the lock writes the revision: the value read before the lock may be old.
    season.save(update_fields=None if season._state.adding else STORED)


def free_slug(season: Season) -> str:
    """Return an address made from the name; for example `season-3` if the name cannot be written in Latin letters."""
    taken = set(Season.objects.filter(club=season.club_id).values_list("slug", flat=True))
    return slug_from(season.name, f"season-{len(taken) + 1}", taken)
