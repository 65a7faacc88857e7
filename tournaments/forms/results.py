"""A table's result as it is typed: the club's own seat form, but who sits where is fixed by the schedule."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings import scoring
from ratings.amounts import write_amount
from ratings.forms.entry import SeatForm, SheetForm, Typed
from ratings.gamesheet import SeatSheet, Sheet
from ratings.models import Player
from ratings.problems import Problem
from ratings.shorthand import write_points
from tournaments.models import Entry, Table
from tournaments.services.tables import as_recorded, new_sheet

NOT_ASKED = ("date", "time", "table", "winds_unknown")  # the round knows


class PlannedSeatForm(SeatForm):
    """Numbers for a seat whose player is known. Whoever played for an absent one is chosen from the entries."""

    def __init__(
        self, expected: SeatSheet[Entry], table: Table, people: Mapping[int, Entry], *args: Any, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.prefix = f"t{table.number}-seat{self.wind}"
        self.entry, self.people = expected.player, people
        for name in ("player", "player_id", "new_guest", "played_by_id"):
            del self.fields[name]
        others = [("", "–"), *((str(n), f"{n} {e.player.native_name}") for n, e in people.items() if e != self.entry)]
        self.fields["played_by"] = forms.ChoiceField(label=_("Who played"), choices=others, required=False)
        self.initial = {
            "late_minutes": expected.played.late_minutes or None,
            "substitute": expected.played.substitute,
            "played_by": str(expected.played_by.number) if expected.played_by else "",
        }

    @property
    def person(self) -> Player:
        return self.entry.player

    @property
    def opened(self) -> bool:
        """A table filled up by a substitute is nothing to look at: that one sits there as planned."""
        fills_up = self.entry.is_substitute and not any(self[name].errors for name in self.fields)
        return super().opened and not fills_up

    @property
    def shows_extras(self) -> bool:
        return self.opened or self["chombo"].value() not in (None, "", 0, "0")

    @property
    def extras(self) -> list[forms.BoundField]:
        """All but the points, which everybody types."""
        return [field for field in self if field.name != "points"]

    @property
    def is_substituted(self) -> bool:
        return self["substitute"].value() not in (None, "", scoring.NONE)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = forms.Form.clean(self) or {}
        cleaned["person"] = self.entry.player
        if cleaned.get("points") is None and "points" not in self.errors and self.must_be_whole:
            self.add_error("points", _("Points are missing."))
        if cleaned.get("played_by") and cleaned.get("substitute") in ("", scoring.NONE):
            self.add_error("substitute", _("Somebody else played: say whether from the start or from mid-game."))
        return cleaned

    def entry_seat(self) -> SeatSheet[Entry] | None:
        """The row as part of the event's sheet; None until its points can be read."""
        played = self.played()
        if played is None:
            return None
        number = self.cleaned_data.get("played_by")
        return SeatSheet(self.entry, played, self.people.get(int(number)) if number else None)


class TableFrame(SheetForm):
    """What stands below the seats; when and where is the round's."""

    def __init__(self, table: Table, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "prefix": f"t{table.number}"})
        for name in NOT_ASKED:
            del self.fields[name]


@dataclass(frozen=True)
class TypedTable(Typed):
    """A table of an event as somebody typed it; previews and checks are those of the club's entry page."""

    table: Table

    def entry_sheet(self) -> Sheet[Entry] | None:
        """The sheet with the event's entries on it, once all four seats can be read."""
        seats = [seat.entry_seat() for seat in self.seats if isinstance(seat, PlannedSeatForm)]
        whole = [seat for seat in seats if seat is not None]
        if len(whole) != 4 or not self.frame.is_bound:
            return None
        data = self.frame.cleaned_data
        return new_sheet(
            self.table,
            whole,
            sticks_left=data.get("sticks_left") or 0,
            override=(data.get("override") or "").strip(),
            comment=(data.get("comment") or "").strip(),
        )

    def sheet(self) -> Sheet[int] | None:
        sheet = self.entry_sheet()
        return as_recorded(sheet) if sheet else None

    def refuse(self, problems: Sequence[Problem]) -> None:
        for problem in problems:
            sentence = problem.sentence(gettext)
            if problem.seat is not None:
                self.seats[problem.seat].add_error("points", sentence)
            else:
                self.frame.add_error(None, sentence)


def type_table(
    table: Table,
    expected: Sequence[SeatSheet[Entry]],
    people: Mapping[int, Entry],
    data: Any = None,
    *,
    partial: bool = False,
) -> TypedTable:
    """A table's form: empty, or as somebody sent it. `partial`: still being typed, so that nothing is missing yet."""
    frame = TableFrame(table, data, initial={"submit_key": uuid.uuid4()})
    seats: list[SeatForm] = [
        PlannedSeatForm(seat, table, people, data, wind=wind, required=not partial)
        for wind, seat in enumerate(expected)
    ]
    for form in (frame, *seats):
        form.is_valid()
    return TypedTable(table.round.stage.season, frame, seats, {}, table)


def as_data(table: Table, sheet: Sheet[Entry]) -> dict[str, str]:
    """What is stored, as if it had just been typed: for drafts and corrections."""
    prefix = f"t{table.number}"
    version = table.hanchan.version if table.hanchan else 1
    data = {
        f"{prefix}-sticks_left": str(sheet.sticks_left or ""),
        f"{prefix}-override": sheet.override,
        f"{prefix}-comment": sheet.comment,
        f"{prefix}-version": str(version),
    }
    for wind, seat in enumerate(sheet.seats):
        played = seat.played
        data |= {
            f"{prefix}-seat{wind}-points": write_points(played.points),
            f"{prefix}-seat{wind}-chombo": str(played.chombo or ""),
            f"{prefix}-seat{wind}-late_minutes": str(played.late_minutes or ""),
            f"{prefix}-seat{wind}-penalty": write_amount(played.penalty) if played.penalty else "",
            f"{prefix}-seat{wind}-substitute": played.substitute,
            f"{prefix}-seat{wind}-played_by": str(seat.played_by.number) if seat.played_by else "",
        }
    return data
