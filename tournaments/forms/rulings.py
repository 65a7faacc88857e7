"""Forms for a referee: reasons, penalties, absences, withdrawals and disqualifications."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.forms.amounts import SURE, AmountField, SureField, ask_about
from ratings.mahjong import amounts
from tournaments.models import Entry, Round, Stage, Tournament
from tournaments.queries.cancelling import may_cancel
from tournaments.queries.rounds import current_round, round_being_played

ON_TOTAL, AT_TABLE = "total", "table"
MOST_POINTS = 1_000_000


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Why?"),
        max_length=300,
        help_text=_("Kept in the referee's log."),
        error_messages={"required": _("Enter a short reason.")},
    )


class _RulingForm(forms.Form):
    """A ruling about an entry in a stage: who, from which round on, and why."""

    entry = forms.ChoiceField(label=_("Player"))
    moment = forms.ChoiceField(label=_("After round"))
    reason = forms.CharField(label=_("Why?"), max_length=300, error_messages={"required": _("Enter a short reason.")})
    substitutes = False  # whether substitutes may be chosen too
    gone = False  # whether players who left and keep their results may be chosen: their missed rounds are absences
    first_round = 0

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        self.entries = {str(entry.number): entry for entry in self._whom()}
        self.stages = {stage.number: stage for stage in _open_stages(tournament)}
        self._set("entry", [("", "–"), *((n, f"{n} {entry.player.native_name}") for n, entry in self.entries.items())])
        self._set("moment", self._moments())
        self.fields["moment"].initial = self._now()

    def _set(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _whom(self) -> list[Entry]:
        found = self.tournament.entries.exclude(status__in=Entry.NOT_IN).exclude(keep_results=False)
        if not self.gone:
            found = found.exclude(status__in=Entry.LEFT)
        if not self.substitutes:
            found = found.filter(substitute_kind="")
        return list(found.select_related("player").order_by("number"))

    def _moments(self) -> list[tuple[str, str]]:
        several = len(self.stages) > 1
        return [
            (f"{stage.number}.{number}", f"{stage.name}: {number}" if several else str(number))
            for stage in self.stages.values()
            for number in range(self.first_round, stage.rounds_planned + 1)
        ]

    def _now(self) -> str:
        """After the round being played, even if later ones are published; 0 before the stage's first round begins."""
        if not self.stages:
            return ""
        stage = self.stages[max(self.stages)]
        playing = round_being_played(stage)
        return f"{stage.number}.{playing.number if playing else 0}"

    @property
    def who(self) -> Entry:
        return self.entries[self.cleaned_data["entry"]]

    @property
    def stage(self) -> Stage:
        return self.stages[int(self.cleaned_data["moment"].partition(".")[0])]

    @property
    def round_number(self) -> int:
        return int(self.cleaned_data["moment"].partition(".")[2])

    @property
    def round(self) -> Round:
        rounds = Round.objects.select_related("stage__season__rule_set", "stage__tournament__club")
        return rounds.get(stage=self.stage, number=self.round_number)


def _open_stages(tournament: Tournament) -> list[Stage]:
    stages = tournament.stages.filter(opened_at__isnull=False)
    return list(stages.select_related("season__rule_set", "season__club", "tournament__club").order_by("number"))


class PenaltyForm(_RulingForm):
    points = AmountField(
        label=_("Points"), required=False, help_text=_("8 or 8000 means 8000 points. Blank or 0 is a warning.")
    )
    sure = SureField()
    where = forms.ChoiceField(
        label=_("Taken off"),
        choices=[
            (ON_TOTAL, _("the total, after that round")),
            (AT_TABLE, _("the points at the table of that round, before placing")),
        ],
        initial=ON_TOTAL,
        widget=forms.RadioSelect,
    )
    submit_key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    substitutes = True
    field_order = ["entry", "points", SURE, "where", "moment", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["submit_key"].initial = uuid.uuid4()
        if any(stage.rules.penalty_off_result for stage in self.stages.values()):
            where = self.fields["where"]
            assert isinstance(where, forms.ChoiceField)
            at_table = _("the points or the result at the table of that round, as the rules say")
            where.choices = [(ON_TOTAL, _("the total, after that round")), (AT_TABLE, at_table)]

    def clean_points(self) -> int:
        points = abs(self.cleaned_data.get("points") or 0)
        if points > MOST_POINTS:
            raise forms.ValidationError(_("That is more than any penalty can be."))
        return points

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("where") == AT_TABLE and not data.get("points") and "points" not in self.errors:
            self.add_error("points", _("A warning has no points and is not taken off at a table."))
        if data.get("where") == AT_TABLE and str(data.get("moment", "")).endswith(".0"):
            self.add_error("moment", _("Before the first round there is no table."))
        if not self.errors:
            ask_about(self, amounts.unlikely_penalty(data["points"]))
        return data


class AbsentForm(_RulingForm):
    bye = forms.BooleanField(label=_("A bye, not an absence: 0 points, and not a game"), required=False)
    first_round = 1
    gone = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["moment"].label = _("In round")
        self.fields["reason"].required = False

    def _now(self) -> str:
        """The current round, because absences are reported before it begins."""
        round_ = current_round(self.tournament)
        if round_ is None or round_.stage.number not in self.stages:
            return next(iter(self._moments()), ("", ""))[0]
        return f"{round_.stage.number}.{round_.number}"


class WithdrawForm(_RulingForm):
    results = forms.ChoiceField(
        label=_("The results so far"),
        choices=[
            ("keep", _("stay; missed rounds count as absent")),
            ("drop", _("the name is removed from the standings")),
        ],
        initial="keep",
        widget=forms.RadioSelect,
    )
    substitutes = True
    field_order = ["entry", "moment", "results", "reason"]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        entry = self.entries.get(data.get("entry", ""))
        if data.get("moment") == "1.0" and entry is not None and may_cancel(entry):
            message = _(
                "Before the first round an entry is cancelled, without a ruling and without absences. "
                "Cancel it on the page of the entry."
            )
            self.add_error("moment", message)
        return data

    @property
    def keeps(self) -> bool:
        return bool(self.cleaned_data["results"] == "keep")


class DisqualifyForm(_RulingForm):
    pass
