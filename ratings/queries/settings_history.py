"""The histories of a club, a season and a rule set, with their stored values in words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from clubsite import numbers
from ratings import rights
from ratings.mahjong import rulesets, standings
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets.words import difference_words
from ratings.models import Club, Invitation, Membership, RuleSet, Season
from ratings.queries.history import Formatters, Happening, HistoryChange, happenings, season_happenings


def metric_names(keys: list[str]) -> str:
    return ", ".join(gettext(standings.METRICS[key].label) for key in keys if key in standings.METRICS)


OF_SEASONS: Formatters = {
    "initial_rating": numbers.rating,
    "metrics": metric_names,
    "tie_breaks": metric_names,
}


def club_history(club: Club, user: rights.Person) -> list[Happening]:
    """For admins also memberships and invitations: the row of a former member is gone with its own page."""
    told = happenings(club.history.all())
    if rights.may_manage(user, club.pk):
        told += happenings(Membership.history.filter(club_id=club.pk))
        told += happenings(Invitation.history.filter(club_id=club.pk))
    return _newest_first(told)


def season_history(season: Season) -> list[Happening]:
    """Changes of its settings, and the events of the season as a whole."""
    return _newest_first([*happenings(season.history.all(), OF_SEASONS), *season_happenings(season)])


def rule_set_history(rule_set: RuleSet) -> list[Happening]:
    """Changes of all versions of the set, one line for each rule that changed."""
    versions = RuleSet.objects.filter(club=rule_set.club_id, slug=rule_set.slug).values("pk")
    return happenings(RuleSet.history.filter(id__in=versions), splitters={"parameters": changed_rules})


def told_since(told: list[Happening], row: Any, seen: int) -> list[Happening]:
    """Return what happened after a stored change of the row; the newest if that change is not known."""
    at = row.history.filter(history_id=seen).values_list("history_date", flat=True).first()
    return told[:1] if at is None else [happening for happening in told if happening.at > at]


def changed_rules(old: Any, new: Any) -> list[HistoryChange]:
    """Return what differs between the stored parameters of two moments."""
    try:
        differences = difference_words(rulesets.read(old), rulesets.read(new))
    except Refused:  # stored before a check that exists today
        return []
    return [
        HistoryChange(gettext(parameter.label), was.sentence(gettext), now.sentence(gettext))
        for parameter, was, now in differences
    ]


def _newest_first(told: list[Happening]) -> list[Happening]:
    return sorted(told, key=lambda happening: happening.at, reverse=True)
