"""Choose the rules of a season: a set of its club, or a preset, which is copied into the club when it is used."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from ratings.mahjong import rulesets
from ratings.models import Club, RuleSet
from ratings.queries.replay import Rulebook, rulebook
from ratings.queries.whatif import rule_sets_of
from ratings.services.rulesets import own_copy_of_preset

OWN, PRESET = "own", "preset"


class ChosenRules:
    """Chosen rules: a set of the club, or a preset."""

    def __init__(self, rule_set: RuleSet | None = None, preset: rulesets.Preset | None = None) -> None:
        self.rule_set = rule_set
        self.preset = preset

    def __str__(self) -> str:
        return str(self.rule_set) if self.rule_set else str(self.preset.name if self.preset else "")

    @property
    def rules(self) -> rulesets.Rules:
        return self.book.rules

    @property
    def book(self) -> Rulebook:
        if self.rule_set:
            return rulebook(self.rule_set)
        assert self.preset is not None
        return Rulebook(self.preset.rules, self.preset.ranges)

    def of_club(self, club: Club) -> RuleSet:
        """The rule set to apply. For a preset it is the club's unchanged copy, which is made if there is none."""
        if self.rule_set:
            return self.rule_set
        assert self.preset is not None
        return own_copy_of_preset(club, self.preset.key)


def own_key(rule_set: RuleSet) -> str:
    return f"{OWN}-{rule_set.pk}"


class ClubRulesField(forms.ChoiceField):
    """The club's rule sets and the presets. Its value is `ChosenRules`; `offer` sets what can be chosen."""

    default_error_messages = {"invalid_choice": _("Choose rules from the list.")}

    def __init__(self, **more: Any) -> None:
        super().__init__(label=_("Rules"), **more)
        self._own: dict[str, RuleSet] = {}
        self._presets: dict[str, rulesets.Preset] = {}

    def offer(self, club: Club, used_now: int | None = None) -> None:
        """Offer the rules of this club. The set of the season, `used_now`, says so."""
        self._own = {own_key(rule_set): rule_set for rule_set in rule_sets_of(club)}
        self._presets = {f"{PRESET}-{key}": preset for key, preset in rulesets.PRESETS.items()}
        own = [(key, self._label(rule_set, used_now)) for key, rule_set in self._own.items()]
        presets = [(key, preset.name) for key, preset in self._presets.items()]
        groups = [(gettext("Rules of the club"), own), (pgettext("rule sets", "Presets"), presets)]
        self.choices = [group for group in groups if group[1]]

    @staticmethod
    def _label(rule_set: RuleSet, used_now: int | None) -> str:
        if rule_set.pk != used_now:
            return str(rule_set)
        return gettext("%(rules)s (new games use it now)") % {"rules": rule_set}

    def chosen(self, key: str) -> ChosenRules:
        """The chosen rules; only for a key that the field accepted."""
        return ChosenRules(self._own.get(key), self._presets.get(key))
