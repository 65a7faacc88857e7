"""A table's own result, typed on a phone at the table: points in shorthand, chombo, and the sticks that were left."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.digits import whole_number
from clubsite.fields import WholeNumberField
from ratings import scoring
from ratings.gamesheet import SeatSheet, Sheet
from ratings.problems import Refused
from ratings.rulesets import Rules
from ratings.services.hanchans import check_sheet
from ratings.shorthand import read_points, write_points
from tournaments.models import Entry, Table
from tournaments.services.tables import as_recorded, new_sheet

MOST_CHOMBO = 20


class PointsField(forms.CharField):
    """Points as people type them: 31100, 311, 31.1 or -12."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=20, error_messages={"required": _("Type the points of this seat.")}, **more)
        self.widget.attrs.update(
            {"class": "numeric", "inputmode": "decimal", "autocomplete": "off", "enterkeyhint": "next"}
        )

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return read_points(text)
        except Refused as refused:
            raise ValidationError(refused.problems[0].sentence(gettext)) from refused


class ChomboField(WholeNumberField):
    def __init__(self) -> None:
        super().__init__(label=_("Chombo"), min_value=0, max_value=MOST_CHOMBO, required=False)
        self.widget.attrs.update({"class": "numeric", "inputmode": "numeric", "autocomplete": "off"})


class SeatRow(NamedTuple):
    """What the page draws line by line."""

    wind: int
    seat: SeatSheet[Entry]
    points: forms.BoundField
    chombo: forms.BoundField


class DraftForm(forms.Form):
    """The seats are those planned for the table, East to North; who sits there cannot be changed here."""

    sticks_left = WholeNumberField(
        label=_("Riichi sticks left"), min_value=0, max_value=40, initial=0, required=False, help_text=_("How many.")
    )
    submit_key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, table: Table, seats: Sequence[SeatSheet[Entry]], data: Any = None) -> None:
        initial: dict[str, Any] = {"submit_key": uuid.uuid4()}
        if table.has_draft:
            initial |= {f"points_{wind}": write_points(seat.played.points) for wind, seat in enumerate(seats)}
            initial |= {f"chombo_{wind}": seat.played.chombo or None for wind, seat in enumerate(seats)}
            initial["sticks_left"] = table.hanchan.sticks_left if table.hanchan else 0
        super().__init__(data, initial=initial)
        self.table, self.seats = table, seats
        for wind in range(len(seats)):
            self.fields[f"points_{wind}"] = PointsField(label=_("Points"))
            self.fields[f"chombo_{wind}"] = ChomboField()
        self.fields["sticks_left"].widget.attrs["class"] = "numeric sticks"

    @property
    def rules(self) -> Rules:
        return self.table.round.stage.rules

    def rows(self) -> list[SeatRow]:
        return [
            SeatRow(wind, seat, self[f"points_{wind}"], self[f"chombo_{wind}"]) for wind, seat in enumerate(self.seats)
        ]

    @property
    def counted(self) -> list[int]:
        """Points that could be read so far, for the sum while it is typed."""
        found = []
        for wind in range(len(self.seats)):
            with suppress(Refused):
                found.append(read_points(str(self[f"points_{wind}"].value() or "-")))
        return found

    @property
    def difference(self) -> int | None:
        """How many points are too many, or missing; none while something is still to be typed."""
        counted = self.counted
        sticks = whole_number(str(self["sticks_left"].value() or "0"), 3)
        if len(counted) < len(self.seats) or sticks is None:
            return None
        return sum(counted) + scoring.STICK * sticks - self.rules.full_sum

    def sheet(self) -> Sheet[Entry]:
        data = self.cleaned_data
        seats = [
            seat.changed(points=data[f"points_{wind}"], chombo=data[f"chombo_{wind}"] or 0)
            for wind, seat in enumerate(self.seats)
        ]
        return new_sheet(self.table, seats, sticks_left=data.get("sticks_left") or 0)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        season = self.table.round.stage.season
        # Stricter than a draft need be: a wrong sum is best counted again while the sticks are on the table.
        for problem in check_sheet(season, season.rule_set, as_recorded(self.sheet())):
            field = f"points_{problem.seat}" if problem.seat is not None else None
            self.add_error(field, problem.sentence(gettext))
        return cleaned
