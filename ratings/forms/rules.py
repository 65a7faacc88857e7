"""Forms for rule sets: one field for each declared parameter, made from its kind.

Only start points, target points and oka are known by name. `RuleSetForm` changes a version through
`services.rulesets`. `remarks` returns what is unusual but allowed.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite.widgets import Chips, Segments
from ratings.forms.amounts import AmountField, SureField, ask_about
from ratings.forms.fields import JSONTextField, parameter_field
from ratings.mahjong import amounts, rulesets
from ratings.mahjong.problems import Refused
from ratings.mahjong.problems import grouped as points
from ratings.mahjong.rulesets import PARAMETERS, Parameter, files
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import RuleSet
from ratings.services import rulesets as services

BESIDES = ("notes", "paragraphs", "ranges")  # edited as JSON; few users change them
OKA, TARGET, START = "oka", "target_points", "start_points"
FIELD_OF = {"bad_range": "ranges", "bad_note": "notes"}
MOST_SEGMENTS = 3  # choices with more options are lists


class _RuleSetForm(forms.ModelForm):
    """A version of a rule set. Its parameter fields are added below, one for each declaration.

    A club may type its oka instead of the target points; the rules store the target points.
    """

    oka = AmountField(
        label=_("Oka"),
        required=False,
        help_text=_("In place of target points: what first place gets from the four players together."),
    )
    sure = SureField()

    class Meta:
        model = RuleSet
        fields = ["name", *BESIDES]
        labels = {
            "name": pgettext_lazy("of a thing", "Name"),
            "notes": _("Notes"),
            "paragraphs": _("Paragraphs of the source"),
        }
        field_classes = dict.fromkeys(BESIDES, JSONTextField)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[TARGET].required = False
        for name in BESIDES:  # Django would add a hidden field with the old JSON, because the default is a callable
            self.fields[name].show_hidden_initial = False
        if self.instance.pk:
            for parameter in PARAMETERS.values():
                self.initial.setdefault(parameter.name, getattr(self.instance.rules, parameter.name))
        self.content: RuleFile | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            self._settle_target(cleaned)
        if self.errors:
            return cleaned
        parameters = {name: parameter.write(cleaned[name]) for name, parameter in PARAMETERS.items()}
        data = {"name": cleaned["name"], "preset": self.instance.preset, "parameters": parameters}
        try:
            self.content = files.read_file({**data, **{name: cleaned[name] or {} for name in BESIDES}})
        except Refused as refused:
            for problem in refused.problems:
                self.add_error(FIELD_OF.get(problem.code, problem.parameter), problem.sentence(gettext))
        else:
            ask_about(self, amounts.unlikely(self.content.rules))
        return cleaned

    def _settle_target(self, cleaned: dict[str, Any]) -> None:
        """Compute the target points from a typed oka; refuse typed target points that give another oka."""
        start, target, oka = cleaned[START], cleaned[TARGET], cleaned[OKA]
        if oka is None:
            if target is None:
                self.add_error(TARGET, _("Enter the target points or the oka."))
            return
        try:
            cleaned[TARGET] = amounts.target_for(start, oka)
        except Refused as refused:
            self.add_error(OKA, refused.sentences(gettext))
            return
        if target not in (None, cleaned[TARGET]) and TARGET in self.changed_data:
            message = _("These target points make an oka of %(made)s points. Leave one of the two blank.")
            self.add_error(OKA, ValidationError(message, params={"made": points(4 * (target - start))}))

    def _post_clean(self) -> None:
        """Leave the instance unchanged: a service decides whether it may change at all."""

    def typed(self, name: str) -> Any:
        """The value of a parameter in the form; NotImplemented if it cannot be read."""
        if not self.is_bound:
            return self.initial[name]
        return NotImplemented if name in self.errors else self.cleaned_data.get(name, NotImplemented)

    def apply(self, seen: int | None = None) -> RuleSet:
        """Store the rules and return their version: this one, or the next if games use this one."""
        assert self.content is not None
        return services.change_rule_set(self.instance, self.content, seen=seen)


def _field(parameter: Parameter) -> forms.Field:
    """The field of a parameter, with a widget that shows a few options at once."""
    field = parameter_field(parameter)
    options = list(getattr(field.widget, "choices", ()))
    if isinstance(field, forms.MultipleChoiceField):
        field.widget = Chips(choices=options)
    elif isinstance(field, forms.TypedChoiceField) and len(options) <= MOST_SEGMENTS:
        field.widget = Segments(choices=options)
    return field


RuleSetForm = type(
    "RuleSetForm",
    (_RuleSetForm,),
    {"__module__": __name__, **{name: _field(parameter) for name, parameter in PARAMETERS.items()}},
)


def remarks(rule_set: RuleSet) -> list[str]:
    """What is unusual about a set: it is shown but not refused."""
    return [problem.sentence(gettext) for problem in rulesets.remarks(rule_set.rules)]
