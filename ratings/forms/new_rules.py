"""The first version of a rule set: a copy of a preset, of another set of the club, or of a file."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS, files
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import Club, RuleSet
from ratings.models.clubs import valid_name
from ratings.services import rulesets as services

LARGEST_FILE = 200_000  # bytes; an exported set has about 5000


class NewRuleSetForm(forms.Form):
    """The first version of a set, copied from exactly one source: a preset, an own set, a file or its text."""

    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        required=False,
        max_length=120,
        validators=[valid_name],
        help_text=_("Leave blank to keep the name of what it is copied from."),
    )
    preset = forms.ChoiceField(
        label=_("A preset"),
        required=False,
        choices=lambda: [("", "–"), *((preset.key, preset.name) for preset in PRESETS.values())],
    )
    own = forms.ModelChoiceField(
        RuleSet.objects.none(), label=_("Another rule set of the club"), required=False, empty_label="–"
    )
    upload = forms.FileField(label=_("A file"), required=False, help_text=_("As downloaded from a rules page."))
    pasted = forms.CharField(
        label=_("The text of a file"), required=False, widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        own = self.fields["own"]
        assert isinstance(own, forms.ModelChoiceField)
        own.queryset = RuleSet.objects.filter(club=club).order_by("name", "-version")
        self.content: RuleFile | None = None
        self.parent: RuleSet | None = None

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields for everything but presets; the first only if the club has sets, or one was refused."""
        own = self["own"]
        is_shown = own.errors or RuleSet.objects.filter(club=self.club).exists()
        return [*([own] if is_shown else []), self["upload"], self["pasted"]]

    @property
    def starts_elsewhere(self) -> bool:
        """Whether something but a preset was chosen, or refused."""
        return any(field.errors or field.value() for field in self.others)

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
            self.parent = cleaned["own"]
            return services.as_file(cleaned["own"])
        return files.read_file(_read_json(_text(cleaned["upload"]) if given == "upload" else cleaned["pasted"]))

    def _post_clean(self) -> None:
        """Check that there is a name, once everything else is right."""
        super()._post_clean()  # type: ignore[misc]
        if not self.errors and not (self.cleaned_data.get("name") or (self.content and self.content.name)):
            self.add_error("name", _("Enter a name for the rule set; the file has none."))

    def apply(self) -> RuleSet:
        assert self.content is not None
        return services.add_rule_set(self.club, self.content, self.cleaned_data["name"], parent=self.parent)


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
