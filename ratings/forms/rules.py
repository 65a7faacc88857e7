"""Forms for rule sets: one field for each declared parameter, made from its kind.

Only start points, target points and oka are known by name. `RuleSetForm` changes a version. `NewRuleSetForm` makes the
first version from a preset, another set of the club or a file. Both call `services.rulesets`. `remarks` returns what is
unusual but allowed.
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.forms.amounts import HELP, SURE, AmountField, SureField, ask_about
from ratings.forms.fields import parameter_field
from ratings.mahjong import amounts, rulesets
from ratings.mahjong.problems import Refused
from ratings.mahjong.problems import grouped as points
from ratings.mahjong.rulesets import GROUPS, PARAMETERS, PRESETS, files
from ratings.mahjong.rulesets.files import RuleFile
from ratings.mahjong.rulesets.rules import SCORING
from ratings.models import RuleSet
from ratings.services import rulesets as services

BESIDES = ("notes", "paragraphs", "ranges")  # edited as JSON; few users change them
OKA, TARGET, START = "oka", "target_points", "start_points"
FIELD_OF = {"bad_range": "ranges", "bad_note": "notes"}
LARGEST_FILE = 200_000  # bytes; an exported set has about 5000


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

    def apply(self) -> RuleSet:
        """Store the rules and return their version: this one, or the next if games use this one."""
        assert self.content is not None
        return services.change_rule_set(self.instance, self.content)


RuleSetForm = type(
    "RuleSetForm",
    (_RuleSetForm,),
    {"__module__": __name__, **{name: parameter_field(parameter) for name, parameter in PARAMETERS.items()}},
)


def _fields_of(group: str) -> list[str]:
    """The parameters of a group in their order, with the oka after the target points."""
    names = [name for name, parameter in PARAMETERS.items() if parameter.group == group]
    if TARGET in names:
        names.insert(names.index(TARGET) + 1, OKA)
    return names


FIELDSETS: list[tuple[Any, dict[str, Any]]] = [
    (None, {"fields": ["name", SURE]}),
    *(
        (_(label), {"fields": _fields_of(group), **({"description": HELP} if group == SCORING else {})})
        for group, label in GROUPS.items()
    ),
    (_("Notes, sources and what a game may vary"), {"fields": list(BESIDES), "classes": ["collapse"]}),
]


def remarks(rule_set: RuleSet) -> list[str]:
    """What is unusual about a set: it is shown but not refused."""
    return [problem.sentence(gettext) for problem in rulesets.remarks(rule_set.rules)]


class OwnSetField(forms.ModelChoiceField):
    def label_from_instance(self, obj: RuleSet) -> str:
        return f"{obj.club}: {obj}"


class NewRuleSetForm(forms.ModelForm):
    """The first version of a set, copied from exactly one source: a preset, an own set, a file or its text."""

    preset = forms.ChoiceField(
        label=_("A preset"),
        required=False,
        choices=lambda: [("", "–"), *((preset.key, preset.name) for preset in PRESETS.values())],
    )
    own = OwnSetField(
        RuleSet.objects.select_related("club").order_by("club__name", "name", "-version"),
        label=_("Another rule set of the club"),
        required=False,
        empty_label="–",
    )
    upload = forms.FileField(label=_("A file"), required=False, help_text=_("As downloaded from a rules page."))
    pasted = forms.CharField(
        label=_("The text of a file"), required=False, widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})
    )

    class Meta:
        model = RuleSet
        fields = ["club", "name"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = False
        self.fields["name"].help_text = _("Leave blank to keep the name of what it is copied from.")
        self.content: RuleFile | None = None
        self.parent: RuleSet | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        given = [name for name in ("preset", "own", "upload", "pasted") if cleaned.get(name)]
        if len(given) != 1:
            if not self.errors:
                self.add_error(None, _("Choose one thing to start from: a preset, another set, a file or its text."))
            return cleaned
        try:
            self.content = self._content(cleaned, given[0])
        except Refused as refused:
            self.add_error(given[0], refused.sentences(gettext))
        except ValidationError as wrong:
            self.add_error(given[0], wrong)
        return cleaned

    def _content(self, cleaned: dict[str, Any], given: str) -> RuleFile:
        if given == "preset":
            return files.of_preset(PRESETS[cleaned["preset"]])
        if given == "own":
            source: RuleSet = cleaned["own"]
            if source.club != cleaned.get("club"):
                raise ValidationError(
                    _("This set belongs to another club. Download it there and upload the file here.")
                )
            self.parent = source
            return services.as_file(source)
        return files.read_file(_read_json(_text(cleaned["upload"]) if given == "upload" else cleaned["pasted"]))

    def _post_clean(self) -> None:
        """Put nothing on the instance: the service makes it. Only check that there is a name."""
        if not self.errors and not (self.cleaned_data.get("name") or (self.content and self.content.name)):
            self.add_error("name", _("Enter a name for the rule set; the file has none."))

    def apply(self) -> RuleSet:
        assert self.content is not None
        return services.add_rule_set(
            self.cleaned_data["club"], self.content, self.cleaned_data["name"], parent=self.parent
        )


def _text(upload: Any) -> str:
    if upload.size > LARGEST_FILE:
        raise ValidationError(_("The file is too large to be a rule set."))
    try:
        return str(upload.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValidationError(_("The file is not a text file. Upload the JSON as it was downloaded.")) from None


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValidationError(_("This is not JSON. Paste the text exactly as it was downloaded.")) from None
