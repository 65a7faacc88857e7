"""Writes that concern a club itself."""

from __future__ import annotations

from django.db import transaction

from ratings.models import Club
from ratings.services.seasons import touch


@transaction.atomic
def save_club(club: Club) -> None:
    """Every page of the club's seasons names it, so they are outdated with it."""
    if club.pk:
        touch(club.seasons.values_list("pk", flat=True))
    club.save()
