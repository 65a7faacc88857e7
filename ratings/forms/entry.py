"""A score sheet as it is typed: four seats, shorthand for points, players by name.

Reads what was typed into a Sheet and asks the services what keeps it from being recorded. Nothing is written
here; a name nobody has yet becomes a guest only when the sheet is saved.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings import amounts, scoring
from ratings.forms.amounts import AmountField, SureField, ask_about
from ratings.gamesheet import SeatSheet, Sheet
from ratings.models import Hanchan, Player, Season, Seat
from ratings.names import objection_to_name
from ratings.problems import Problem, Refused
from ratings.queries.people import as_seen, called, choosable
from ratings.rights import Person
from ratings.shorthand import read_points, write_points

FIRST_DAY, LAST_DAY = datetime.date(1980, 1, 1), datetime.date(2199, 12, 31)
NOON = datetime.time(12, 0)
NEW_GUEST = -1  # stands for a player who is made when the sheet is saved; seat i's is NEW_GUEST - i


class PointsField(forms.Field):
    """Points in any of the ways people type them."""

    widget = forms.TextInput(attrs={"autocomplete": "off", "maxlength": "20"})

    def to_python(self, value: Any) -> int | None:
        if value in self.empty_values or not str(value).strip():
            return None
        try:
            return read_points(str(value))
        except Refused as refused:
            raise forms.ValidationError([problem.sentence(gettext) for problem in refused.problems]) from refused


def _count(label: Any) -> WholeNumberField:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return WholeNumberField(label=label, min_value=0, max_value=100_000, required=False, widget=widget, localize=False)


def _person(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )


class SeatForm(forms.Form):
    """One row of the sheet. `player_id` is set by the list of suggestions and emptied when the name is typed over."""

    player = _person(_("Player"))
    player_id = WholeNumberField(required=False, widget=forms.HiddenInput)
    new_guest = forms.BooleanField(label=_("New guest"), required=False)
    points = PointsField(label=_("Points"), required=False)
    chombo = _count(_("Chombo"))
    late_minutes = _count(_("Minutes late"))
    penalty = AmountField(label=_("Penalty"), required=False)
    sure = SureField()
    substitute = forms.ChoiceField(label=_("Substitute"), choices=Seat.Substitute, required=False)
    played_by = _person(_("Who played"))
    played_by_id = WholeNumberField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        wind: int,
        required: bool = True,
        user: Person | None = None,
        seated: Collection[int] = (),
        **options: Any,
    ) -> None:
        """`user` is who types; `seated` are those of the game being changed, who stay whatever the user may see."""
        options["prefix"] = f"seat{wind}"
        super().__init__(*args, **options)
        self.wind = wind
        self.must_be_whole = required
        self.user, self.seated = user, seated

    @property
    def person(self) -> Player | None:
        """The player of this row, once the name is understood, as the user may see them."""
        found: Player | None = self.cleaned_data.get("person") if hasattr(self, "cleaned_data") else None
        return found

    @property
    def opened(self) -> bool:
        """Whether the part behind the link holds anything, so that it is not hidden from whoever looks again."""
        names = ("late_minutes", "penalty", "sure", "substitute", "played_by")
        return any(self[name].value() not in (None, "", 0, "0", scoring.NONE) or self[name].errors for name in names)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.must_be_whole and not self.errors:
            ask_about(self, amounts.unlikely_penalty(cleaned.get("penalty") or 0))
        if not self.must_be_whole and not any(self[name].value() for name in ("player", "points")):
            return cleaned
        self._clean_player(cleaned)
        if cleaned.get("points") is None and "points" not in self.errors and self.must_be_whole:
            self.add_error("points", _("Points are missing."))
        if cleaned.get("played_by") or cleaned.get("played_by_id"):
            cleaned["substitute_player"] = self._resolve(cleaned, "played_by")
        return cleaned

    def _clean_player(self, cleaned: dict[str, Any]) -> None:
        name = cleaned.get("player", "").strip()
        if not name and not cleaned.get("player_id"):
            if self.must_be_whole:
                self.add_error("player", _("The player is missing. Type a name."))
            return
        if cleaned.get("new_guest") and name and not cleaned.get("player_id"):
            cleaned["person"] = None
            if problem := objection_to_name(name):
                self.add_error("player", forms.ValidationError(gettext(problem.message), code=problem.code))
                return
            cleaned["guest"] = name
            return
        cleaned["person"] = self._resolve(cleaned, "player")

    def _resolve(self, cleaned: dict[str, Any], field: str) -> Player | None:
        """The one player meant by an id or a name; says so when there is none, or several."""
        pk, name = cleaned.get(f"{field}_id"), cleaned.get(field, "").strip()
        if pk:
            found = [*Player.objects.filter(pk=pk, merged_into=None)]
            found = found if pk in self.seated else choosable(found, self.user, name)
            if found:
                return as_seen(found, self.user, name)[0]
        found = called(name)
        if len(found) == 1:
            return as_seen(found, self.user, name)[0]
        if not found:
            message = _("Nobody is called “%(name)s” yet. Check the spelling, or tick “New guest”.")
            self.add_error(field, forms.ValidationError(message, code="unknown", params={"name": name}))
        else:
            message = _("Several players are called “%(name)s”. Choose one from the list.")
            self.add_error(field, forms.ValidationError(message, code="ambiguous", params={"name": name}))
        return None

    def played(self) -> scoring.Seat | None:
        """What happened on this seat; None until its points can be read."""
        data = getattr(self, "cleaned_data", {})
        if data.get("points") is None:
            return None
        facts = {name: data.get(name) or default for name, default in scoring.Seat._field_defaults.items()}
        return scoring.Seat(data["points"], **facts)

    def seat_sheet(self) -> SeatSheet[int] | None:
        """The row as part of a sheet; None until it has a player and points."""
        played, data = self.played(), self.cleaned_data
        person = data.get("person")
        player = person.pk if person else NEW_GUEST - self.wind if data.get("guest") else None
        if player is None or played is None:
            return None
        played_by = data.get("substitute_player")
        return SeatSheet(player, played, played_by.pk if played_by else None)


class SheetForm(forms.Form):
    """What stands above and below the seats."""

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
    sticks_left = _count(_("Sticks left"))
    winds_unknown = forms.BooleanField(label=_("Winds unknown"), required=False)
    comment = forms.CharField(
        label=_("Comment"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("Optional"), "autocomplete": "off"}),
    )
    override = forms.CharField(
        label=_("Reason, if the sum is really so"),
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("Needed to save with a wrong sum"), "autocomplete": "off"}),
    )
    submit_key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    version = WholeNumberField(required=False, min_value=1, widget=forms.HiddenInput)

    def clean_date(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["date"]
        if not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(_("This date cannot be meant. Use one such as 2026-04-18."))
        return day


@dataclass(frozen=True)
class Typed:
    """Everything on the entry page, bound together: the frame, the seats and the variation."""

    season: Season
    frame: SheetForm
    seats: list[SeatForm]
    variation: dict[str, Any]

    @property
    def guests(self) -> dict[int, str]:
        """Names to become guests, by the number that stands for them in the sheet."""
        return {NEW_GUEST - seat.wind: seat.cleaned_data["guest"] for seat in self.seats if _guest(seat)}

    def sheet(self) -> Sheet[int] | None:
        """The sheet, once date and all four seats can be read."""
        rows = [seat.seat_sheet() for seat in self.seats if hasattr(seat, "cleaned_data")]
        day = self.frame.cleaned_data.get("date") if self.frame.is_bound else None
        if day is None or len(rows) != 4 or not all(rows):
            return None
        data = self.frame.cleaned_data
        at = datetime.datetime.combine(day, data.get("time") or NOON, self.season.club.zone)
        return Sheet(
            played_at=at.astimezone(datetime.UTC),
            played_on=day,
            seats=tuple(row for row in rows if row),
            sticks_left=data.get("sticks_left") or 0,
            table=data.get("table"),
            override=data.get("override", "").strip(),
            winds_unknown=data.get("winds_unknown", False),
            comment=data.get("comment", "").strip(),
            variation=self.variation,
        )

    @property
    def is_valid(self) -> bool:
        return self.frame.is_valid() and all(seat.is_valid() for seat in self.seats) and self.sheet() is not None

    def refuse(self, problems: list[Problem]) -> None:
        """Writes each problem where it belongs: at its seat, or above the sheet."""
        for problem in problems:
            sentence = problem.sentence(gettext)
            if problem.seat is not None:
                field = "player" if problem.code == "player_twice" else "points"
                self.seats[problem.seat].add_error(field, sentence)
            elif problem.code in ("future", "outside_season"):
                self.frame.add_error("date", sentence)
            else:
                self.frame.add_error(None, sentence)


def _guest(seat: SeatForm) -> str:
    return str(seat.cleaned_data.get("guest", "")) if hasattr(seat, "cleaned_data") else ""


def with_guests(sheet: Sheet[int], made: dict[int, Player]) -> Sheet[int]:
    """The sheet with the guests' own numbers in place of those that stood for them."""
    return sheet.map(lambda person: made[person].pk if person in made else person)


def bind(
    season: Season,
    data: Any,
    variation: dict[str, Any],
    *,
    user: Person,
    seated: Collection[int] = (),
    partial: bool = False,
) -> Typed:
    """The page as somebody sent it. `partial`: still being typed, so that nothing is missing yet."""
    frame = SheetForm(data)
    frame.is_valid()
    seats = [SeatForm(data, wind=wind, required=not partial, user=user, seated=seated) for wind in range(4)]
    for seat in seats:
        seat.is_valid()
    return Typed(season, frame, seats, variation)


def blank(season: Season, when: datetime.datetime | None = None) -> Typed:
    """An empty sheet for now, or for the evening somebody is typing in."""
    local = (when or timezone.now()).astimezone(season.club.zone)
    initial = {"date": local.date(), "time": local.time().replace(second=0, microsecond=0), "submit_key": uuid.uuid4()}
    return Typed(season, SheetForm(initial=initial), [SeatForm(wind=wind) for wind in range(4)], {})


def filled(hanchan: Hanchan, user: Person) -> Typed:
    """A recorded game, to be corrected; its players as the user may see them."""
    local = hanchan.played_at.astimezone(hanchan.season.club.zone)
    frame = SheetForm(
        initial={
            "date": local.date(),
            "time": local.time(),
            "table": hanchan.table,
            "sticks_left": hanchan.sticks_left,
            "winds_unknown": hanchan.winds_unknown,
            "comment": hanchan.comment,
            "override": hanchan.override,
            "version": hanchan.version,
        }
    )
    people = [person for seat in hanchan.seats.all() for person in (seat.player, seat.played_by) if person]
    names = {person.pk: person.native_name for person in as_seen(people, user)}
    seats = [SeatForm(initial=_seat_initial(seat, names), wind=seat.wind) for seat in hanchan.seats.all()]
    return Typed(hanchan.season, frame, seats, hanchan.variation)


def _seat_initial(seat: Seat, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "player": names[seat.player_id],
        "player_id": seat.player_id,
        "points": write_points(seat.points),
        "chombo": seat.chombo,
        "late_minutes": seat.late_minutes or None,
        "penalty": seat.penalty if seat.penalty else None,
        "substitute": seat.substitute,
        "played_by": names[seat.played_by_id] if seat.played_by_id else "",
        "played_by_id": seat.played_by_id,
    }
