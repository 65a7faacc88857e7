"""Forms to choose other rules for a season, and to give the reason for applying them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from ratings.mahjong import rulesets
from ratings.models import RuleSet, Season
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
    def book(self) -> Rulebook:
        if self.rule_set:
            return rulebook(self.rule_set)
        assert self.preset is not None
        return Rulebook(self.preset.rules, self.preset.ranges)

    def of_club(self, season: Season) -> RuleSet:
        """The rule set to apply. For a preset it is the club's unchanged copy, which is made if there is none."""
        if self.rule_set:
            return self.rule_set
        assert self.preset is not None
        return own_copy_of_preset(season.club, self.preset.key)


class RulesChoiceForm(forms.Form):
    rules = forms.ChoiceField(label=_("Rules"), error_messages={"invalid_choice": _("Choose rules from the list.")})

    def __init__(self, season: Season, data: Any = None) -> None:
        super().__init__(data)
        self._own = {f"{OWN}-{rule_set.pk}": rule_set for rule_set in rule_sets_of(season)}
        self._presets = {f"{PRESET}-{key}": preset for key, preset in rulesets.PRESETS.items()}
        own = [(key, self._label(rule_set, season)) for key, rule_set in self._own.items()]
        presets = [(key, preset.name) for key, preset in self._presets.items()]
        self.fields["rules"].choices = [  # type: ignore[attr-defined]
            (gettext("Rules of the club"), own),
            (pgettext("rule sets", "Presets"), presets),
        ]

    @staticmethod
    def _label(rule_set: RuleSet, season: Season) -> str:
        if rule_set.pk != season.rule_set_id:
            return str(rule_set)
        return gettext("%(rules)s (new games use it now)") % {"rules": rule_set}

    @property
    def chosen(self) -> ChosenRules:
        """The chosen rules; only for a valid form."""
        key = self.cleaned_data["rules"]
        return ChosenRules(self._own.get(key), self._presets.get(key))


class ApplyForm(RulesChoiceForm):
    FROM_NOW_ON, REPLAY = "from_now_on", "replay"

    apply = forms.ChoiceField(choices=[(FROM_NOW_ON, ""), (REPLAY, "")], widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why?"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter a short reason.")},
        help_text=_("Shown in the history of the season."),
    )
