"""Forms to choose other rules for a season, and to give the reason for applying them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.forms.rule_choices import ChosenRules, ClubRulesField
from ratings.models import Season


class RulesChoiceForm(forms.Form):
    rules = ClubRulesField()

    def __init__(self, season: Season, data: Any = None) -> None:
        super().__init__(data)
        self._rules.offer(season.club, used_now=season.rule_set_id)

    @property
    def _rules(self) -> ClubRulesField:
        field = self.fields["rules"]
        assert isinstance(field, ClubRulesField)
        return field

    @property
    def chosen(self) -> ChosenRules:
        """The chosen rules; only for a valid form."""
        return self._rules.chosen(self.cleaned_data["rules"])


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
