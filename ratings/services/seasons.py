"""Writes that concern a season as a whole: its lock, its settings."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import ngettext

from clubsite import generated_files
from ratings.mahjong.names import slug_from
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Hanchan, Season, Seat
from ratings.queries.ratings import Moment
from ratings.services.naming import refuse_bad_names
from ratings.services.ratings import recompute_ratings

_ = gettext_noop

SEASON_BOOKS = "workbooks"  # the folder in which workbooks of seasons are kept
BEFORE_ALL = Moment(datetime.datetime.min.replace(tzinfo=datetime.UTC), 0)
# Every column but the revision, which rises by the lock alone.
STORED = [field.name for field in Season._meta.concrete_fields if field.name not in ("id", "revision")]


def lock(season_id: int) -> Season:
    """The season, locked until the transaction ends.

    The first statement of every write to a season: raising the revision locks its row, so that the
    re-aggregation that follows sees every committed game, and outdates every cached page of it.
    """
    Season.objects.filter(pk=season_id).update(revision=F("revision") + 1)
    return Season.objects.select_related("club", "rule_set").get(pk=season_id)


def forget_books(season_ids: Iterable[int]) -> None:
    """Removes the workbooks of seasons that were written and kept: somebody in them wants to be forgotten."""
    for season_id in season_ids:
        generated_files.forget(SEASON_BOOKS, f"season-{season_id}-*")


def touch(season_ids: Iterable[int]) -> None:
    """Outdates the pages of several seasons, locking them in order of id so that two writers cannot embrace."""
    for season_id in sorted(set(season_ids)):
        Season.objects.filter(pk=season_id).update(revision=F("revision") + 1)


def check_dates(season: Season) -> list[Problem]:
    """A season's days may not leave out games that were played in it; void ones do not count."""
    outside = Q(played_on__lt=season.starts_on)
    if season.ends_on:
        outside |= Q(played_on__gt=season.ends_on)
    count = season.hanchans.exclude(status=Hanchan.Status.VOID).filter(outside).count() if season.pk else 0
    if not count:
        return []
    message = ngettext(
        "%(count)d game of the season lies outside these days. Choose days that hold it.",
        "%(count)d games of the season lie outside these days. Choose days that hold them.",
        count,
    )
    return [Problem(message, {"count": count}, code="games_outside")]


@transaction.atomic
def save_season(season: Season, *, by: User | None = None) -> None:
    """Stores a season's settings. Another formula, initial rating or K folds the ratings of all its games again."""
    if season._state.adding:
        _store(season, by)
        return
    before = lock(season.pk)
    if problems := [*check_dates(season), *_check_fixed(season, before)]:
        raise Refused(*problems)
    _store(season, by)
    if _rating_settings(season) == _rating_settings(before):
        return
    if season.depends_on_order:
        recompute_ratings(season, BEFORE_ALL, season.standings.values_list("player_id", flat=True))
    elif before.depends_on_order:
        season.standings.update(rating=None, rated_games=0)
        Seat.objects.filter(season=season, rating_after__isnull=False).update(rating_after=None)


def _rating_settings(season: Season) -> tuple[str, int, int]:
    return season.formula, season.initial_rating, season.elo_k


def _check_fixed(season: Season, before: Season) -> list[Problem]:
    """With games in it, a season's rules change only through what-if, which shows what will move."""
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
    # The revision is the lock's own: what was read before it may be old.
    season.save(update_fields=None if season._state.adding else STORED)


def free_slug(season: Season) -> str:
    """An address made from the name; `season-3` for a name that leaves nothing of the Latin alphabet."""
    taken = set(Season.objects.filter(club=season.club_id).values_list("slug", flat=True))
    return slug_from(season.name, f"season-{len(taken) + 1}", taken)
