"""Forms for a table's result, for a scorer or for a phone at the table. The schedule fixes who sits where."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.forms.entry import EntrySheet, FrameForm, SeatForm, count_field
from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.models import Player
from tournaments.models import Entry, Table
from tournaments.services.sheets import expected_seats, sheet_at
from tournaments.services.tables import as_recorded, new_sheet

MOST_CHOMBO, MOST_STICKS = 20, 40  # the most that a phone may send without a scorer


class EntrySeatForm(SeatForm):
    """A seat whose player is known from the schedule."""

    def __init__(self, seat: SeatSheet[Entry], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.seat = seat

    @property
    def entry(self) -> Entry:
        return self.seat.player

    @property
    def person(self) -> Player:
        return self.entry.player

    def entry_seat(self) -> SeatSheet[Entry] | None:
        """The row as a seat of the event's sheet; None until its points can be read."""
        raise NotImplementedError


class PlannedSeatForm(EntrySeatForm):
    """A seat as a scorer types it. The player who played for an absent one is chosen from the entries."""

    def __init__(self, seat: SeatSheet[Entry], people: Mapping[int, Entry], *args: Any, **options: Any) -> None:
        played = seat.played
        expected = {
            "late_minutes": played.late_minutes or None,
            "substitute": played.substitute,
            "played_by": str(seat.played_by.number) if seat.played_by else "",
        }
        super().__init__(seat, *args, initial=expected, **options)
        self.people = people
        others = [("", "–"), *((str(n), f"{n} {e.player.native_name}") for n, e in people.items() if e != self.entry)]
        self.fields["played_by"] = forms.ChoiceField(label=_("Who played"), choices=others, required=False)

    @property
    def is_opened(self) -> bool:
        """Whether the extra fields are shown. A substitute who fills up the table as planned does not open them."""
        fills_up = self.entry.is_substitute and not any(self[name].errors for name in self.fields)
        return super().is_opened and not fills_up

    @property
    def shows_extras(self) -> bool:
        return self.is_opened or self["chombo"].value() not in (None, "", 0, "0")

    @property
    def extras(self) -> list[forms.BoundField]:
        """All fields except the points, which are always typed."""
        return [field for field in self if field.name != "points"]

    @property
    def is_substituted(self) -> bool:
        return self["substitute"].value() not in (None, "", scoring.NONE)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("played_by") and cleaned.get("substitute") in ("", scoring.NONE):
            self.add_error("substitute", _("A substitute played: select whether from the start or from mid-game."))
        return cleaned

    def entry_seat(self) -> SeatSheet[Entry] | None:
        played = self.played()
        if played is None:
            return None
        if not self.is_bound:
            return self.seat
        number = self.cleaned_data.get("played_by")
        return SeatSheet(self.entry, played, self.people.get(int(number)) if number else None)


class PhoneSeatForm(EntrySeatForm):
    """A seat as it is typed at the table: points and chombo. What was reported at the desk about the seat stays."""

    chombo = count_field(_("Chombo"), MOST_CHOMBO)
    late_minutes = penalty = sure = substitute = None  # type: ignore[assignment]  # this removes fields in Django

    def so_far(self) -> scoring.Seat:
        typed = super().so_far()
        return self.seat.played._replace(points=typed.points, chombo=typed.chombo)

    def entry_seat(self) -> SeatSheet[Entry] | None:
        played = self.played()
        return None if played is None else SeatSheet(self.entry, played, self.seat.played_by)


class PhoneFrameForm(FrameForm):
    sticks_left = count_field(_("Riichi sticks left"), MOST_STICKS)
    comment = override = version = None  # type: ignore[assignment]


@dataclass(frozen=True)
class TableSheet(EntrySheet):
    """A table of an event."""

    seats: Sequence[EntrySeatForm]
    table: Table

    def entry_sheet(self) -> Sheet[Entry] | None:
        """The sheet with the event's entries; None until all four seats can be read."""
        rows = [row for seat in self.seats if (row := seat.entry_seat())]
        if len(rows) != 4:
            return None
        return new_sheet(self.table, rows, **self.frame.facts())

    def sheet(self) -> Sheet[int] | None:
        sheet = self.entry_sheet()
        return as_recorded(sheet) if sheet else None


def type_table(
    table: Table,
    seats: Sequence[SeatSheet[Entry]],
    people: Mapping[int, Entry],
    data: Any = None,
    *,
    partial: bool = False,
) -> TableSheet:
    """A table's form for a scorer, as it is stored or as it was sent.

    `seats` are the stored seats or, if nothing is stored, the expected ones. `partial` means that the form is still
    being typed, so nothing counts as missing yet.
    """
    prefix = f"t{table.number}"
    frame = FrameForm(data, prefix=prefix, initial=_frame_of(table))
    forms_ = [
        PlannedSeatForm(
            seat, people, data, wind=wind, prefix=f"{prefix}-", required=not partial, start=_start(table, seat)
        )
        for wind, seat in enumerate(seats)
    ]
    return _validated(TableSheet(table.round.stage.season, frame, forms_, {}, table))


def type_on_phone(table: Table, data: Any = None, *, partial: bool = False) -> TableSheet:
    """A table's form for the players who sit at it."""
    seats = sheet_at(table).seats if table.has_draft else expected_seats(table)
    forms_ = [
        PhoneSeatForm(seat, data, wind=wind, required=not partial, start=_start(table, seat))
        for wind, seat in enumerate(seats)
    ]
    frame = PhoneFrameForm(data, initial=_frame_of(table))
    return _validated(TableSheet(table.round.stage.season, frame, forms_, {}, table))


def _start(table: Table, seat: SeatSheet[Entry]) -> scoring.Seat | None:
    """What was stored for the seat; None while the table has no result and no draft."""
    return seat.played if table.hanchan is not None else None


def _frame_of(table: Table) -> dict[str, Any]:
    hanchan = table.hanchan
    if hanchan is None:
        return {"submit_key": uuid.uuid4()}
    return {
        "submit_key": uuid.uuid4(),
        "sticks_left": hanchan.sticks_left or None,
        "override": hanchan.override,
        "comment": hanchan.comment,
        "version": hanchan.version,
    }


def _validated(sheet: TableSheet) -> TableSheet:
    for form in (sheet.frame, *sheet.seats):
        form.is_valid()
    return sheet
