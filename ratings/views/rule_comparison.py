"""Compare a rule set with any other that the reader may see: what differs comes first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext, pgettext

from ratings import rights
from ratings.mahjong.rulesets import NOT_STATED, PRESETS, Preset, Rules
from ratings.mahjong.rulesets.words import difference_words
from ratings.models import RuleSet
from ratings.queries.rulesets import visible_rule_sets

WITH = "with"
Choice = tuple[str, str, bool]  # key, name, whether it is chosen


@dataclass(frozen=True)
class Comparison:
    """What can be compared with, and how the chosen rules differ. `name` is empty while nothing is chosen."""

    choices: list[tuple[str, list[Choice]]]
    name: str = ""
    address: str = ""
    differences: tuple[tuple[str, str, str], ...] = ()  # label, value here, value there


def compared(rules: Rules, asked: Mapping[str, str], user: rights.Person, own_address: str) -> Comparison:
    """Compare with the rules named in the address; an unknown name compares with nothing."""
    wanted = asked.get(WITH, "")
    sets = {_key(rule_set): rule_set for rule_set in visible_rule_sets(user)}
    sets = {key: each for key, each in sets.items() if each.get_absolute_url() != own_address}
    presets = [(key, preset.name, key == wanted) for key, preset in PRESETS.items() if _page_of(preset) != own_address]
    clubs = [
        (str(club), [(_key(each), str(each), _key(each) == wanted) for each in several])
        for club, several in groupby(sets.values(), key=lambda each: each.club)
    ]
    choices = [(pgettext("rule sets", "Presets"), presets), *clubs]
    if wanted in PRESETS:
        preset = PRESETS[wanted]
        return Comparison(choices, preset.name, _page_of(preset), _differences(rules, preset.rules))
    if wanted in sets:
        other = sets[wanted]
        return Comparison(choices, str(other), other.get_absolute_url(), _differences(rules, other.rules))
    return Comparison(choices)


def _page_of(preset: Preset) -> str:
    return reverse("ratings:preset", args=[preset.key])


def _key(rule_set: RuleSet) -> str:
    return f"{rule_set.club.slug}/{rule_set.slug}/{rule_set.version}"


def _differences(here: Rules, there: Rules) -> tuple[tuple[str, str, str], ...]:
    """Return the differences in words; those where one of the two states nothing come last."""
    found = difference_words(here, there)
    found.sort(key=lambda difference: NOT_STATED in (difference[1].message, difference[2].message))
    return tuple(
        (gettext(parameter.label), ours.sentence(gettext), theirs.sentence(gettext))
        for parameter, ours, theirs in found
    )
