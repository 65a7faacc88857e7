"""Forms for planning a stage: name, rounds, the cut after it, and its own rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubsite.fields import WholeNumberField, plain_digits
from ratings.mahjong.rulesets.files import RuleFile
from ratings.models.clubs import valid_name
from tournaments.forms.events import MOST_ROUNDS
from tournaments.forms.rules import AS_EVENT, KEPT, StageRulesField, content_of
from tournaments.models import Stage, Tournament


class StageForm(forms.ModelForm):
    """A stage's name, rounds, cut and rules. Published rounds cannot be removed; games fix the rules."""

    rules = StageRulesField()

    class Meta:
        model = Stage
        formfield_callback = plain_digits
        fields = ["name", "rounds_planned", "cut_top", "cut_totals"]
        help_texts = {"cut_top": _("How many go on into the next stage; empty means all.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rounds_planned"].validators.append(_at_most_rounds)
        if self.instance.season.hanchans.exists():
            del self.fields["rules"]
        else:
            rules = self.fields["rules"]
            assert isinstance(rules, StageRulesField)
            rules.offer_for(self.instance.tournament.rule_set, self.instance)

    @property
    def changes_rules(self) -> bool:
        own = self.instance.own_rule_set_id is not None
        return "rules" in self.fields and self.cleaned_data["rules"] != (KEPT if own else AS_EVENT)

    def new_rules(self) -> RuleFile | None:
        """The rules for the stage from now on; None means the rules of the event."""
        return content_of(self.cleaned_data["rules"]) if self.cleaned_data["rules"] else None


def _at_most_rounds(rounds: int) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValidationError(_("A stage has from 1 to %(most)s rounds."), params={"most": MOST_ROUNDS})


class NewStageForm(forms.Form):
    """One more stage after the last one, and the cut before it."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=120, validators=[valid_name])
    rounds = WholeNumberField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS)
    players = WholeNumberField(label=_("How many go on into it"), min_value=4)
    totals = forms.ChoiceField(label=_("Their totals are"), choices=Stage.Totals.choices)
    rules = StageRulesField()

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = self.fields["rules"]
        assert isinstance(rules, StageRulesField)
        rules.offer_for(tournament.rule_set)

    def rules_chosen(self) -> RuleFile | None:
        return content_of(self.cleaned_data["rules"]) if self.cleaned_data["rules"] else None

    def clean_players(self) -> int:
        players: int = self.cleaned_data["players"]
        if players % 4:
            raise ValidationError(_("A final has full tables: use a multiple of four."))
        return players
