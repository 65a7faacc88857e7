"""Giving and revoking penalties."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.forms.amounts import AmountField, SureField, ask_about
from ratings.mahjong import amounts
from ratings.models import Adjustment, Player, Season
from ratings.queries.players_by_name import by_name

Kind = Adjustment.Kind
GIVEN = (Kind.PENALTY, Kind.WARNING, Kind.BONUS)  # the other kinds are made by tournaments


class AdjustmentForm(forms.Form):
    player = forms.ModelChoiceField(label=_("Player"), queryset=Player.objects.none())
    kind = forms.ChoiceField(label=_("Kind"), choices=[(kind.value, kind.label) for kind in GIVEN])
    points = AmountField(
        label=_("Points"),
        required=False,
        help_text=_("8 or 8000 means 8000 points. A penalty takes them off the total; a warning has none."),
    )
    sure = SureField()
    reason = forms.CharField(label=_("Reason"), max_length=300, help_text=_("Listed publicly."))
    given_on = forms.DateField(label=_("Date"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    submit_key = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, season: Season, data: Any = None) -> None:
        initial = {"given_on": season.today(), "submit_key": uuid.uuid4()}
        super().__init__(data, initial=initial)
        self.season = season
        players = self.fields["player"]
        assert isinstance(players, forms.ModelChoiceField)
        players.queryset = Player.objects.filter(standings__season=season)
        names = ((player.pk, str(player)) for player in by_name(players.queryset))
        players.choices = [("", "–"), *names]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        points = cleaned.get("points") or 0
        kind = cleaned.get("kind")
        if kind == Kind.WARNING and points:
            self.add_error("points", _("A warning has no points. Choose a penalty, or leave the points empty."))
        if kind in (Kind.PENALTY, Kind.BONUS) and not points and "points" not in self.errors:
            self.add_error("points", _("Enter the number of points."))
        if abs(points) > 1_000_000:
            self.add_error("points", _("That is more than any penalty can be."))
        if not self.errors:
            ask_about(self, amounts.unlikely_penalty(points))
        cleaned["change"] = abs(points) if kind == Kind.BONUS else -abs(points)
        return cleaned


class RevokeForm(forms.Form):
    reason = forms.CharField(label=_("Why is it revoked?"), max_length=300)
