"""The form for cancelling an entry: who takes its published seats, and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.models import Entry
from tournaments.queries.cancelling import rounds_to_draw_again, who_may_take_over
from tournaments.queries.rounds import seats_of
from tournaments.services.cancelling import SeatsOfEntry

DRAW_AGAIN = "draw"


class CancelForm(forms.Form):
    """Without published seats the form has only the reason, which is optional."""

    seats = forms.ChoiceField(
        label=_("Who takes the seats?"),
        error_messages={"required": _("Select who takes the seats, or have the rounds drawn again.")},
        help_text=_("A substitute is outside the ranking. A player from the waiting list gets the place."),
    )
    reason = forms.CharField(
        label=_("Note"), max_length=300, required=False, help_text=_("For club staff. It is not shown to visitors.")
    )

    def __init__(self, entry: Entry, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.published = list(seats_of(entry))
        self.heirs = {str(heir.number): heir for heir in who_may_take_over(entry)} if self.published else {}
        if not self.published:
            del self.fields["seats"]
            return
        choices = [("", "–"), *((number, _heir_label(heir)) for number, heir in self.heirs.items())]
        again = rounds_to_draw_again(entry)
        if {seat.round_id for seat in self.published} <= {round_.pk for round_ in again}:
            choices.append((DRAW_AGAIN, _again_label([round_.number for round_ in again])))
        field = self.fields["seats"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def settled(self) -> SeatsOfEntry:
        wanted = self.cleaned_data.get("seats", "")
        return SeatsOfEntry(self.heirs.get(wanted), wanted == DRAW_AGAIN)


def _heir_label(heir: Entry) -> str:
    return f"{heir.number} {heir.player.native_name} ({heir.get_status_display()})"


def _again_label(rounds: list[int]) -> str:
    words = ngettext(
        "No one: take back the seats of round %(rounds)s and draw it again",
        "No one: take back the seats of rounds %(rounds)s and draw them again",
        len(rounds),
    )
    return words % {"rounds": ", ".join(map(str, rounds))}
