"""A score sheet as it is typed: four seats, shorthand for points, players by name.

The forms read what was typed into a Sheet, and show problems that keep it from being recorded. Nothing is stored here;
a name that no player has yet becomes a guest only when the sheet is saved.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings.forms.seats import NEW_GUEST, NamedSeatForm, SeatForm, count_field
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Problem
from ratings.models import Hanchan, Player, Season
from ratings.queries.entry import seats_of_submission
from ratings.queries.people import as_seen
from ratings.rights import Person

FIRST_DAY, LAST_DAY = datetime.date(1980, 1, 1), datetime.date(2199, 12, 31)
NOON = datetime.time(12, 0)


class FrameForm(forms.Form):
    """The fields for the table as a whole."""

    sticks_left = count_field(_("Sticks left"))
    comment = forms.CharField(
        label=_("Comment"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("Optional"), "autocomplete": "off"}),
    )
    override = forms.CharField(
        label=_("Reason for the wrong sum"),
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("Needed to save with a wrong sum"), "autocomplete": "off"}),
    )
    submit_key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    version = WholeNumberField(required=False, min_value=1, widget=forms.HiddenInput)

    @property
    def sticks(self) -> int:
        """The sticks that are left, as far as they can be read."""
        found = getattr(self, "cleaned_data", {}) if self.is_bound else self.initial
        return int(found.get("sticks_left") or 0)

    def facts(self) -> dict[str, Any]:
        """The values that the sheet takes from this form."""
        data = self.cleaned_data if self.is_bound else self.initial
        return {
            "sticks_left": data.get("sticks_left") or 0,
            "override": (data.get("override") or "").strip(),
            "comment": (data.get("comment") or "").strip(),
        }


class GameFrameForm(FrameForm):
    """The frame of a club game: also when and at which table it was played."""

    date = forms.DateField(label=_("Date"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    time = forms.TimeField(
        label=_("Time"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    table = WholeNumberField(
        label=_("Table"),
        required=False,
        min_value=1,
        max_value=10_000,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    winds_unknown = forms.BooleanField(label=_("Winds unknown"), required=False)
    another = forms.BooleanField(
        label=_("No, it is another game: save it too"),
        required=False,
        widget=forms.CheckboxInput(attrs={"aria-describedby": "another_error"}),
    )

    def ask_whether_another(self, game: Hanchan) -> None:
        """Ask whether this game was entered before; a tick says that it is another game."""
        number = {"number": game.pk}
        message = _("Game %(number)s has the same four players with the same points. Is this the same game again?")
        self.add_error("another", forms.ValidationError(message, code="same_game", params=number))

    def clean_date(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["date"]
        if not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(_("This date is too far away. Use one such as 2026-04-18."))
        return day


@dataclass(frozen=True)
class EntrySheet:
    """Everything that is typed about one table: the frame, the seats and the variation."""

    season: Season
    frame: FrameForm
    seats: Sequence[SeatForm]
    variation: dict[str, Any]

    def sheet(self) -> Sheet[int] | None:
        """The sheet, once all four seats can be read."""
        raise NotImplementedError

    @property
    def is_valid(self) -> bool:
        return self.frame.is_valid() and all(seat.is_valid() for seat in self.seats) and self.sheet() is not None

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Writes each problem where it belongs: at its seat, at the date, or above the sheet."""
        for problem in problems:
            if problem.seat is not None:
                self.seats[problem.seat].refuse(problem)
            else:
                is_date = problem.code in ("future", "outside_season") and "date" in self.frame.fields
                self.frame.add_error("date" if is_date else None, problem.sentence(gettext))


@dataclass(frozen=True)
class GameSheet(EntrySheet):
    """A game of the club."""

    frame: GameFrameForm
    seats: Sequence[NamedSeatForm]

    @property
    def guests(self) -> dict[int, str]:
        """The names of guests to be made, by their placeholder number in the sheet."""
        return {NEW_GUEST - seat.wind: seat.guest for seat in self.seats if seat.guest}

    def remark_of(self, guest: int) -> str:
        """The remark that tells a guest apart from a player of the same name."""
        return self.seats[NEW_GUEST - guest].guest_remark

    def sheet(self) -> Sheet[int] | None:
        rows = [row for seat in self.seats if (row := seat.seat_sheet())]
        day = self.frame.cleaned_data.get("date") if self.frame.is_bound else None
        if day is None or len(rows) != 4:
            return None
        data = self.frame.cleaned_data
        at = datetime.datetime.combine(day, data.get("time") or NOON, self.season.club.zone)
        return Sheet(
            played_at=at.astimezone(datetime.UTC),
            played_on=day,
            seats=tuple(rows),
            table=data.get("table"),
            winds_unknown=data.get("winds_unknown", False),
            variation=self.variation,
            **self.frame.facts(),
        )


def with_guests(sheet: Sheet[int], made: dict[int, Player]) -> Sheet[int]:
    """The sheet with the ids of the new guests instead of their placeholder numbers."""
    return sheet.map(lambda person: made[person].pk if person in made else person)


def bind(
    season: Season,
    data: Any,
    variation: dict[str, Any],
    *,
    user: Person,
    seated: Collection[int] = (),
    partial: bool = False,
) -> GameSheet:
    """The sheet as it was sent. `partial`: it is still being typed, so missing values are no error yet."""
    frame = GameFrameForm(data)
    frame.is_valid()
    key = frame.cleaned_data.get("submit_key")
    sent_before = {seat.player_id for seat in seats_of_submission(key)} if key and not partial else set()
    people: dict[str, Any] = {"club": season.club, "user": user, "seated": seated, "sent_before": sent_before}
    seats = [NamedSeatForm(data, wind=wind, required=not partial, **people) for wind in range(4)]
    for seat in seats:
        seat.is_valid()
    return GameSheet(season, frame, seats, variation)


def blank(season: Season, when: datetime.datetime | None = None) -> GameSheet:
    """An empty sheet for the present time, or for `when`, such as the evening that is being entered."""
    local = (when or timezone.now()).astimezone(season.club.zone)
    initial = {"date": local.date(), "time": local.time().replace(second=0, microsecond=0), "submit_key": uuid.uuid4()}
    return GameSheet(season, GameFrameForm(initial=initial), [NamedSeatForm(wind=wind) for wind in range(4)], {})


def filled(hanchan: Hanchan, user: Person) -> GameSheet:
    """The sheet of a recorded game, to be corrected; names of players as the user may see them."""
    local = hanchan.played_at.astimezone(hanchan.season.club.zone)
    facts = ("table", "sticks_left", "winds_unknown", "comment", "override", "version")
    frame = GameFrameForm(
        initial={"date": local.date(), "time": local.time(), **{name: getattr(hanchan, name) for name in facts}}
    )
    people = [person for seat in hanchan.seats.all() for person in (seat.player, seat.played_by) if person]
    names = {person.pk: person.native_name for person in as_seen(people, user)}
    seats = [
        NamedSeatForm(
            wind=seat.wind,
            start=seat.as_played(),
            initial={
                "player": names[seat.player_id],
                "player_id": seat.player_id,
                "played_by": names[seat.played_by_id] if seat.played_by_id else "",
                "played_by_id": seat.played_by_id,
            },
        )
        for seat in hanchan.seats.all()
    ]
    return GameSheet(hanchan.season, frame, seats, hanchan.variation)
