"""Writes of the first steps of a club that are more than one save."""

from __future__ import annotations

from contextlib import suppress

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError

from ratings.models import Club, RuleSet, Season
from ratings.services.rulesets import is_unchanged_copy, own_copy_of_preset
from ratings.services.seasons import save_season


@transaction.atomic
def choose_rules(club: Club, preset: str, *, by: User) -> RuleSet:
    """Copy a preset for the club, and let its seasons without games play by the copy.

    A copy of another preset that was chosen before and that nothing uses is removed.
    """
    rule_set = own_copy_of_preset(club, preset)
    seasons = Season.objects.of_clubs().filter(club=club, hanchans=None).exclude(rule_set=rule_set)
    for season in seasons.order_by("pk"):
        season.rule_set = rule_set
        save_season(season, by=by)
    others = RuleSet.objects.filter(club=club, version=1, children=None).exclude(pk=rule_set.pk)
    for unused in filter(is_unchanged_copy, others):
        with suppress(ProtectedError):  # a season, a game or an event uses it
            unused.delete()
    return rule_set
