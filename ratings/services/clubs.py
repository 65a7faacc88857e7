"""Writes that concern a club itself."""

from __future__ import annotations

from django.db import transaction

from ratings.models import Club
from ratings.services.naming import refuse_bad_names
from ratings.services.player_rows import settings_of
from ratings.services.seasons import touch


@transaction.atomic
def save_club(club: Club) -> None:
    """Save the club and outdate all pages of its seasons, because they show its name."""
    refuse_bad_names(club)
    if club.pk:
        touch(club.seasons.values_list("pk", flat=True))
    club.save(update_fields=settings_of(Club) if club.pk else None)
