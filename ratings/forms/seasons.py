"""A season's settings as admins type them: ratings in rating points, columns to tick, tie-breaks in order."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.text import format_lazy, get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import DecimalNumberField
from ratings.mahjong import standings
from ratings.mahjong.formulas import FORMULAS
from ratings.models import Season
from ratings.services.seasons import check_dates

THOUSANDTHS = 1000
TIE_BREAKS = ("tie_break_1", "tie_break_2", "tie_break_3", "tie_break_4")
FIELDS = [
    "club", "name", "slug", "kind", "starts_on", "ends_on", "rule_set", "formula", "initial_points", "elo_k",
    "minimum_games", "columns", *TIE_BREAKS, "results_public",
]  # fmt: skip
KINDS = [(kind.value, kind.label) for kind in Season.CLUB_KINDS]


def _label(key: str) -> Any:
    return _(standings.METRICS[key].label)


def _tie_break(label: Any) -> forms.ChoiceField:
    choices = [("", "–"), *((key, _label(key)) for key in standings.TIE_BREAKS)]
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _help_on_initial_rating() -> str:
    named: dict[int, list[str]] = defaultdict(list)
    for formula in FORMULAS.values():
        if formula.initial:
            named[formula.initial].append(gettext(formula.label))
    ratings = [
        gettext("%(points)s for %(formulas)s")
        % {"points": Decimal(initial) / THOUSANDTHS, "formulas": get_text_list(names, gettext("and"))}
        for initial, names in named.items()
    ]
    sentence = gettext("In rating points. Leave blank for the formula’s default: %(ratings)s, otherwise 0.")
    return sentence % {"ratings": ", ".join(ratings)}


class SeasonForm(forms.ModelForm):
    kind = forms.ChoiceField(
        label=_("Kind"), choices=KINDS, help_text=_("In a simplified season each game may vary the rules.")
    )
    initial_points = DecimalNumberField(
        label=_("Initial rating"),
        required=False,
        max_digits=9,
        decimal_places=3,
        help_text=lazy(_help_on_initial_rating, str)(),
    )
    columns = forms.MultipleChoiceField(
        label=_("Columns of the leaderboard"),
        required=False,
        choices=[(key, _label(key)) for key in standings.METRICS],
        widget=forms.CheckboxSelectMultiple,
    )
    tie_break_1 = _tie_break(_("First tie-break"))
    tie_break_2 = _tie_break(_("Second tie-break"))
    tie_break_3 = _tie_break(_("Third tie-break"))
    tie_break_4 = _tie_break(_("Fourth tie-break"))

    class Meta:
        model = Season
        fields = [name for name in FIELDS if name not in ("initial_points", "columns", *TIE_BREAKS)]
        help_texts = {
            "slug": format_lazy("{}", _("The last part of the web address. Leave blank to generate it from the name.")),
            "ends_on": _("Leave blank if the season has no end yet."),
            "minimum_games": _("Players with fewer games are listed below the ranking."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        season: Season = self.instance
        first = {"columns": season.metrics, **dict(zip(TIE_BREAKS, season.tie_breaks, strict=False))}
        if season.pk:
            first["initial_points"] = Decimal(season.initial_rating) / THOUSANDTHS
        for name, value in first.items():
            if name in self.fields:
                self.initial.setdefault(name, value)
        if "slug" in self.fields:
            self.fields["slug"].required = False

    def clean_columns(self) -> list[str]:
        return [key for key in standings.METRICS if key in self.cleaned_data["columns"]]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self._check_rule_set(data)
        chosen = [data[name] for name in TIE_BREAKS if data.get(name)]
        if len(chosen) != len(set(chosen)):
            raise ValidationError(gettext("A tie-break is selected twice. Choose another or leave it blank."))
        self.instance.tie_breaks = chosen
        self.instance.metrics = data.get("columns", self.instance.metrics)
        self._set_initial_rating(data)
        return data

    def _check_rule_set(self, data: dict[str, Any]) -> None:
        club = data.get("club") or (self.instance.club if self.instance.club_id else None)
        rule_set = data.get("rule_set")
        if club and rule_set and rule_set.club_id != club.pk:
            sentence = gettext("This rule set belongs to another club. Choose one of %(club)s.")
            self.add_error("rule_set", sentence % {"club": club})

    def _set_initial_rating(self, data: dict[str, Any]) -> None:
        if "formula" not in data or "initial_points" not in data:
            return
        points = data["initial_points"]
        own = FORMULAS[data["formula"]].initial
        self.instance.initial_rating = own if points is None else int(points * THOUSANDTHS)

    def _post_clean(self) -> None:
        """Check the dates once they are set on the season: its games must be between them."""
        super()._post_clean()  # type: ignore[misc]
        if "starts_on" in self.cleaned_data and "ends_on" in self.cleaned_data:
            for problem in check_dates(self.instance):
                self.add_error("starts_on", problem.sentence(gettext))
