"""A score sheet as it is typed: four seats, shorthand for points, players by name.

The forms read what was typed into a Sheet, and show problems that keep it from being recorded. Nothing is stored here;
a name that no player has yet becomes a guest only when the sheet is saved.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings.forms.amounts import AmountField, SureField, ask_about
from ratings.mahjong import amounts, scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Problem, Refused
from ratings.mahjong.shorthand import read_points, write_points
from ratings.models import Hanchan, Player, Season, Seat
from ratings.queries.people import as_seen, called, choosable
from ratings.rights import Person

FIRST_DAY, LAST_DAY = datetime.date(1980, 1, 1), datetime.date(2199, 12, 31)
NOON = datetime.time(12, 0)
NEW_GUEST = -1  # placeholder for a player who is made when the sheet is saved; for seat i it is NEW_GUEST - i


class PointsField(forms.Field):
    """Points, in any of the notations that people type."""

    widget = forms.TextInput(attrs={"autocomplete": "off", "maxlength": "20"})

    def to_python(self, value: Any) -> int | None:
        if value in self.empty_values or not str(value).strip():
            return None
        try:
            return read_points(str(value))
        except Refused as refused:
            raise forms.ValidationError(refused.sentences(gettext)) from refused


def count_field(label: Any, most: int = 100_000) -> WholeNumberField:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return WholeNumberField(label=label, min_value=0, max_value=most, required=False, widget=widget, localize=False)


def person_field(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )


class SeatForm(forms.Form):
    """The numbers of one seat. A subclass says where its person comes from: typed, planned or fixed.

    `start` holds the initial values of the row; they count until the form is bound.
    """

    points = PointsField(label=_("Points"), required=False)
    chombo = count_field(_("Chombo"))
    late_minutes = count_field(_("Minutes late"))
    penalty = AmountField(label=_("Penalty"), required=False)
    sure = SureField()
    substitute = forms.ChoiceField(label=_("Substitute"), choices=Seat.Substitute, required=False)

    EXTRAS: ClassVar[Sequence[str]] = ("late_minutes", "penalty", "sure", "substitute", "played_by")

    def __init__(
        self,
        *args: Any,
        wind: int,
        required: bool = True,
        start: scoring.Seat | None = None,
        prefix: str = "",
        **options: Any,
    ) -> None:
        """`required`: the row is sent to be saved, so nothing may be missing."""
        options["prefix"] = f"{prefix}seat{wind}"
        options["initial"] = {**(_written(start) if start else {}), **options.get("initial", {})}
        super().__init__(*args, **options)
        self.wind, self.start, self.must_be_whole = wind, start, required

    @property
    def person(self) -> Player | None:
        """The player of this row, once known, with no more of the name than the user may see."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        return self.person.native_name if self.person else ""

    @property
    def is_opened(self) -> bool:
        """Whether the part behind the link has values or errors, so that it must be shown open."""
        shown = [self[name] for name in self.EXTRAS if name in self.fields]
        return any(each.value() not in (None, "", 0, "0", scoring.NONE) or each.errors for each in shown)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.must_be_whole and not self.errors:
            ask_about(self, amounts.unlikely_penalty(cleaned.get("penalty") or 0))
        if self.must_be_whole and cleaned.get("points") is None and "points" not in self.errors:
            self.add_error("points", _("Points are missing."))
        return cleaned

    @property
    def typed_points(self) -> int | None:
        """The points as far as they can be read."""
        if not self.is_bound:
            return self.start.points if self.start else None
        found: int | None = getattr(self, "cleaned_data", {}).get("points")
        return found

    def so_far(self) -> scoring.Seat:
        """What is known about this seat until now; points that cannot be read yet are 0."""
        if not self.is_bound:
            return self.start or scoring.Seat(0)
        data = getattr(self, "cleaned_data", {})
        facts = {name: data.get(name) or default for name, default in scoring.Seat._field_defaults.items()}
        return scoring.Seat(data.get("points") or 0, **facts)

    def played(self) -> scoring.Seat | None:
        """The result of this seat as it was played; None until its points can be read."""
        return None if self.typed_points is None else self.so_far()

    def refuse(self, problem: Problem) -> None:
        self.add_error("points", problem.sentence(gettext))


def _written(seat: scoring.Seat) -> dict[str, Any]:
    """A seat as it would be typed; zeros are left empty, except for points and chombo."""
    return {
        **{name: value or None for name, value in seat._asdict().items()},
        "points": write_points(seat.points),
        "chombo": seat.chombo,
    }


class NamedSeatForm(SeatForm):
    """A seat whose player is typed. `player_id` is set by the list of suggestions and emptied when typed over."""

    player = person_field(_("Player"))
    player_id = WholeNumberField(required=False, widget=forms.HiddenInput)
    new_guest = forms.BooleanField(label=_("New guest"), required=False)
    played_by = person_field(_("Who played"))
    played_by_id = WholeNumberField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: Person | None = None, seated: Collection[int] = (), **options: Any) -> None:
        """`user` is the user who types. `seated` are the players of the game being changed; they may stay if hidden."""
        super().__init__(*args, **options)
        self.user, self.seated = user, seated

    @property
    def person(self) -> Player | None:
        found: Player | None = getattr(self, "cleaned_data", {}).get("person")
        return found

    @property
    def guest(self) -> str:
        """The name of a guest to be made when the sheet is saved."""
        return str(getattr(self, "cleaned_data", {}).get("guest", ""))

    @property
    def name(self) -> str:
        return super().name or str(self["player"].value() or "")

    def clean(self) -> dict[str, Any]:
        if not self.must_be_whole and not any(self[name].value() for name in ("player", "points")):
            return forms.Form.clean(self) or {}
        cleaned = super().clean()
        self._clean_player(cleaned)
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
        """The one player meant by an id or a name; adds an error if there is no such player or several."""
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
            message = _("There is no player “%(name)s” yet. Check the spelling, or tick “New guest”.")
            self.add_error(field, forms.ValidationError(message, code="unknown", params={"name": name}))
        else:
            message = _("Several players are called “%(name)s”. Choose one from the list.")
            self.add_error(field, forms.ValidationError(message, code="ambiguous", params={"name": name}))
        return None

    def seat_sheet(self) -> SeatSheet[int] | None:
        """The row as part of a sheet; None until it has a player and points."""
        played, data = self.played(), getattr(self, "cleaned_data", {})
        player = self.person.pk if self.person else NEW_GUEST - self.wind if self.guest else None
        if player is None or played is None:
            return None
        played_by = data.get("substitute_player")
        return SeatSheet(player, played, played_by.pk if played_by else None)

    def refuse(self, problem: Problem) -> None:
        field = "player" if problem.code == "player_twice" else "points"
        self.add_error(field, problem.sentence(gettext))


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
    another = forms.BooleanField(label=_("No, it is another game: save it too"), required=False)

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
    seats = [NamedSeatForm(data, wind=wind, required=not partial, user=user, seated=seated) for wind in range(4)]
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
