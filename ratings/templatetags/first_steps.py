"""`{% load first_steps %}`: what the desk shows of the beginning, until a club has had its first game."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from clubsite.country_names import country_name
from ratings import rights
from ratings.demo.removing import demo_clubs
from ratings.models import Club, Season
from ratings.queries import first_steps as queries
from ratings.queries.first_steps import CLUB, GAME, PEOPLE, RULES, SEASON, STEPS, FirstSteps
from ratings.services.rulesets import is_unchanged_copy

register = template.Library()


class ChecklistStep(NamedTuple):
    title: str
    detail: str
    action: str
    url: str
    is_done: bool
    is_next: bool


@register.inclusion_tag("desk/start/cards.html", takes_context=True)
def first_steps(context: Context) -> dict[str, Any]:
    """What the desk shows of the beginning: the checklist of its club, and the demo to the owner of the site.

    The context has `club`. There is no checklist after the club's first game, nor for somebody who cannot take the
    steps.
    """
    user, club = context["request"].user, context["club"]
    shown: dict[str, Any] = {"club": club, "demo_clubs": demo_clubs() if rights.is_owner(user) else []}
    if rights.may_manage(user, club.pk):
        steps = queries.first_steps(club)
        if not steps.has_game:
            shown |= {"first_steps": steps, "checklist": _lines(steps)}
    return shown


def _lines(steps: FirstSteps) -> list[ChecklistStep]:
    slug, done = [steps.club.slug], steps.done
    enter = f"?season={steps.season.pk}" if steps.season else ""
    told = {
        CLUB: (
            *(gettext("Create the club"), _club(steps.club)),
            *(gettext("Edit club"), reverse("desk:start_club", args=slug)),
        ),
        RULES: (
            *(gettext("Choose the rules"), _rules(steps)),
            *(gettext("Edit rules") if RULES in done else gettext("Choose rules"), _rules_url(steps)),
        ),
        SEASON: (
            *(gettext("Open a season"), _season(steps.season)),
            *(gettext("Edit season") if SEASON in done else gettext("Create season"),),
            reverse("desk:start_season", args=slug),
        ),
        PEOPLE: (
            *(gettext("Add the players"), _people(steps)),
            *(gettext("Add players"), reverse("desk:start_people", args=slug)),
        ),
        GAME: (
            *(gettext("Enter the first game"), gettext("It opens the leaderboard. You can correct or void it later.")),
            *(gettext("Enter the first table"), reverse("desk:enter") + enter if steps.season else ""),
        ),
    }
    return [ChecklistStep(*told[step], is_done=step in done, is_next=step == steps.next) for step in STEPS]


def _club(club: Club) -> str:
    place = [club.city, country_name(club.country) if club.country else "", club.time_zone.replace("_", " ")]
    return ", ".join([club.name, *filter(None, place)])


def _rules(steps: FirstSteps) -> str:
    if steps.rule_set is None:
        return gettext("Choose a known rule set; every number can be changed.")
    if is_unchanged_copy(steps.rule_set):
        return gettext("%(rules)s, nothing changed") % {"rules": steps.rule_set.name}
    return steps.rule_set.name


def _rules_url(steps: FirstSteps) -> str:
    if steps.rule_set and not is_unchanged_copy(steps.rule_set):
        return reverse("desk:rule_set", args=[steps.rule_set.pk])
    return reverse("desk:start_rules", args=[steps.club.slug])


def _season(season: Season | None) -> str:
    if season is None:
        return gettext("Games belong to a season, with a leaderboard of its own.")
    words = ngettext(
        "%(season)s, from %(day)s, ranked from %(n)s game",
        "%(season)s, from %(day)s, ranked from %(n)s games",
        season.minimum_games,
    )
    told = {"season": season.name, "day": date_format(season.starts_on, "DATE_FORMAT"), "n": season.minimum_games}
    return words % told


def _people(steps: FirstSteps) -> str:
    if not steps.people:
        return gettext("Paste their names, or upload a list.")
    words = ngettext("%(n)s player", "%(n)s players", steps.people)
    return words % {"n": steps.people}
