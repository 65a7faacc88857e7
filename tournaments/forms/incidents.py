"""The form for incidents reported at the desk about one seat: late, absent, ill, or back again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings.mahjong import scoring
from tournaments.models import Entry, PlannedSeat, Round
from tournaments.services.incidents import Incident

LATE, BACK = "late", "back"
MOST_MINUTES = 600


class IncidentForm(forms.Form):
    entry = forms.ChoiceField(label=_("Player"))
    what = forms.ChoiceField(
        label=_("What happened"),
        choices=[
            (LATE, _("is late and plays")),
            (scoring.FROM_START, _("is not there: a substitute plays from the start")),
            (scoring.MID_GAME, _("fell ill or had to go: a substitute took over mid-game")),
            (BACK, _("is there after all, or back: plays the seat")),
        ],
        widget=forms.RadioSelect,
    )
    minutes = WholeNumberField(
        label=_("Minutes late"),
        required=False,
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=_("A begun minute counts. With a substitute they are only kept as the reason."),
    )
    played_by = forms.ChoiceField(
        label=_("Who plays instead"), required=False, help_text=_("Leave blank for a person who is not entered.")
    )
    reason = forms.CharField(label=_("Why?"), max_length=300, required=False, help_text=_("Kept in the referee's log."))

    def __init__(self, round_: Round, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = PlannedSeat.objects.filter(round=round_).select_related("entry__player", "table__hanchan")
        self.round = round_
        self.seats = {str(seat.entry.number): seat for seat in seats.order_by("entry__number")}
        others = round_.stage.tournament.entries.exclude(status__in=(*Entry.LEFT, *Entry.NOT_IN))
        free = [e for e in others.select_related("player").order_by("number") if str(e.number) not in self.seats]
        self.free = {str(entry.number): entry for entry in sorted(free, key=lambda e: not e.is_substitute)}
        self._set("entry", [("", "–"), *((number, _seat_label(seat)) for number, seat in self.seats.items())])
        self._set("played_by", [("", "–"), *((number, _free_label(e)) for number, e in self.free.items())])

    def _set(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        what, minutes = data.get("what"), data.get("minutes") or 0
        most = self.round.stage.rules.late_max_minutes
        if what == LATE and not minutes and "minutes" not in self.errors:
            self.add_error("minutes", _("Enter the number of minutes."))
        if what == LATE and most is not None and minutes > most:
            message = _("More than %(most)s minutes late: by the rules a substitute plays from the start.")
            self.add_error("what", forms.ValidationError(message, params={"most": most}))
        if what in (LATE, BACK) and data.get("played_by"):
            self.add_error("played_by", _("No one plays instead: choose a substitute above, or leave this blank."))
        seat = self.seats.get(data.get("entry", ""))
        if seat is not None and seat.table.has_result and not data.get("reason"):
            self.add_error("reason", _("The table has a result already: enter a short reason for the correction."))
        return data

    @property
    def seat(self) -> PlannedSeat:
        return self.seats[self.cleaned_data["entry"]]

    @property
    def incident(self) -> Incident:
        data = self.cleaned_data
        minutes = data.get("minutes") or 0
        if data["what"] == BACK:
            return Incident()
        if data["what"] == LATE:
            return Incident(late_minutes=minutes)
        return Incident(data["what"], self.free.get(data["played_by"]), minutes)


def _seat_label(seat: PlannedSeat) -> str:
    words = gettext("%(number)s %(name)s, table %(table)s")
    return words % {"number": seat.entry.number, "name": seat.entry.player.native_name, "table": seat.table.number}


def _free_label(entry: Entry) -> str:
    name = f"{entry.number} {entry.player.native_name}"
    return f"{name} ({entry.get_status_display()})" if entry.is_substitute else name
