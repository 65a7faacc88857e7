"""Writes that concern a club itself."""

from __future__ import annotations

from django.db import transaction

from ratings.mahjong.names import slug_from
from ratings.models import Club
from ratings.services.editing import refuse_if_changed
from ratings.services.naming import refuse_bad_names
from ratings.services.player_rows import settings_of
from ratings.services.seasons import touch


@transaction.atomic
def save_club(club: Club, *, seen: int | None = None) -> None:
    """Save the club and outdate all pages of its seasons, because they show its name.

    `seen` is the number of the last change that the user saw; after a later one the club is not overwritten.
    """
    if club.pk:
        Club.objects.select_for_update().get(pk=club.pk)
        refuse_if_changed(club, seen)
        touch(club.seasons.values_list("pk", flat=True))
    refuse_bad_names(club)
    club.slug = club.slug or free_slug(club)
    club.save(update_fields=settings_of(Club) if club.pk else None)


def free_slug(club: Club) -> str:
    """Return an address made from the name; for example `club-3` if the name cannot be written in Latin letters."""
    taken = set(Club.objects.values_list("slug", flat=True))
    return slug_from(club.name, f"club-{len(taken) + 1}", taken)
