"""The rules of an event or a stage: chosen from presets and the club's rule sets, and copied by value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.mahjong.rulesets import PRESETS, files
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models import Club, RuleSet
from ratings.services.rulesets import as_file
from tournaments.models import Stage

AS_EVENT, KEPT = "", "kept"


class RulesField(forms.ChoiceField):
    """A choice of presets and of the rule sets of some clubs."""

    def offer(self, clubs: Iterable[Club], first: Iterable[tuple[str, Any]] = ()) -> None:
        """Set the choices. `first` are extra choices of the form, above the others."""
        sets = RuleSet.objects.filter(club__in=clubs).select_related("club").order_by("club__name", "name", "-version")
        self.choices = [
            *first,
            (_("Presets"), [(f"preset:{key}", preset.name) for key, preset in PRESETS.items()]),
            (_("Rule sets of the club"), [(f"set:{each.pk}", f"{each} ({each.club})") for each in sets]),
        ]


def content_of(chosen: str) -> RuleFile:
    """The rules behind a choice of the field, by value."""
    kind, _colon, key = chosen.partition(":")
    return files.of_preset(PRESETS[key]) if kind == "preset" else as_file(RuleSet.objects.get(pk=int(key)))


class StageRulesField(RulesField):
    """The rules of a stage: those of the event, the stage's present own rules, or others."""

    def __init__(self, **more: Any) -> None:
        help_text = _("A copy: the stage gets a version of its own. Only its own hanchans follow it.")
        super().__init__(label=_("Rules"), required=False, help_text=help_text, **more)

    def offer_for(self, event_rules: RuleSet, stage: Stage | None = None) -> None:
        first = [(AS_EVENT, gettext("as the whole event: %(rules)s") % {"rules": event_rules})]
        if stage is not None and stage.own_rule_set is not None:
            first.append((KEPT, gettext("as now: %(rules)s") % {"rules": stage.own_rule_set}))
            self.initial = KEPT
        self.offer([event_rules.club], first)
