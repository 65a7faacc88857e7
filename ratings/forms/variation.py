"""A game's own variation of its season's rules: a field for each parameter that may differ."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext

from ratings.forms.amounts import SURE, SureField, ask_about
from ratings.forms.fields import parameter_field
from ratings.mahjong import amounts, rulesets
from ratings.mahjong.problems import Refused
from ratings.models import Hanchan, Season


class VariationForm(forms.Form):
    """The variation of a game. It is empty and always valid in seasons whose games may not vary the rules."""

    prefix = "variation"

    def __init__(self, season: Season, data: Any = None, hanchan: Hanchan | None = None) -> None:
        self.rule_set = hanchan.rule_set if hanchan else season.rule_set
        self.base = self.rule_set.rules
        shown = hanchan.rules if hanchan else self.base
        ranges = self.rule_set.allowed_ranges if season.has_variations else {}
        super().__init__(data, initial={name: getattr(shown, name) for name in ranges})
        for name, allowed in ranges.items():
            field = parameter_field(rulesets.PARAMETERS[name])
            if allowed.values and isinstance(field, forms.TypedChoiceField):
                words = {str(value) for value in allowed.values}
                field.choices = [option for option in list(field.widget.choices) if option[0] in words]
            field.required = False  # a field that is not sent stays; an empty one is checked by the parameter
            self.fields[name] = field
        if ranges:
            self.fields[SURE] = SureField()
        self.difference: dict[str, Any] = {}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        sent = {name: value for name, value in cleaned.items() if name != SURE and self._was_sent(name)}
        try:
            written = {name: rulesets.PARAMETERS[name].write(value) for name, value in sent.items()}
            self.difference = rulesets.difference(self.base, rulesets.change(self.base, written))
            varied = rulesets.vary(self.base, self.rule_set.allowed_ranges, self.difference)
        except Refused as refused:
            for problem in refused.problems:
                field = problem.parameter if problem.parameter in self.fields else None
                self.add_error(field, problem.sentence(gettext))
        else:
            if not self.errors:
                ask_about(self, (each for each in amounts.unlikely(varied) if each.parameter in self.difference))
        return cleaned

    def _was_sent(self, name: str) -> bool:
        """Whether the page sent this field. A field that was not shown keeps the value of the rule set."""
        widget = self.fields[name].widget
        return not widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name))

    @property
    def opened(self) -> bool:
        return bool(self.errors or self.difference or any(self._differs(name) for name in self.initial))

    def _differs(self, name: str) -> bool:
        return not self.is_bound and self.initial[name] != getattr(self.base, name)
