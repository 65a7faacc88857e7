"""The rows of a score sheet: one seat each, with its points, and its player where one is typed by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings.forms.amounts import AmountField, SureField, ask_about
from ratings.mahjong import amounts, scoring
from ratings.mahjong.gamesheet import SeatSheet
from ratings.mahjong.names import objection_to_name
from ratings.mahjong.problems import Problem, Refused
from ratings.mahjong.shorthand import read_points, write_points
from ratings.models import Club, Player, Seat
from ratings.models.clubs import valid_name
from ratings.queries.people import as_seen, called, choosable, same_names
from ratings.rights import Person

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
    remark = forms.CharField(
        label=_("Remark that tells the two apart"),
        max_length=60,
        required=False,
        validators=[valid_name],
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": _("such as “from Gdynia”")}),
    )
    played_by = person_field(_("Who played"))
    played_by_id = WholeNumberField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        club: Club | None = None,
        user: Person | None = None,
        seated: Collection[int] = (),
        sent_before: Collection[int] = (),
        **options: Any,
    ) -> None:
        """`user` is the user who types, for `club`. `seated` are the players of the game being changed; they may stay
        if hidden. `sent_before` are those of a game that this very form made already.
        """
        super().__init__(*args, **options)
        self.club, self.user, self.seated, self.sent_before = club, user, seated, sent_before
        self.namesakes: list[Player] = []  # of a new guest, as long as no remark tells them apart

    @property
    def person(self) -> Player | None:
        found: Player | None = getattr(self, "cleaned_data", {}).get("person")
        return found

    @property
    def guest(self) -> str:
        """The name of a guest to be made when the sheet is saved."""
        return str(getattr(self, "cleaned_data", {}).get("guest", ""))

    @property
    def guest_remark(self) -> str:
        return str(getattr(self, "cleaned_data", {}).get("remark", ""))

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
            if self._is_namesake(name, cleaned):
                return
            cleaned["guest"] = name
            return
        cleaned["person"] = self._resolve(cleaned, "player")

    def _is_namesake(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Ask about a new guest who has the name of a player of the club, until a remark tells the two apart."""
        if cleaned.get("remark") or self.club is None:
            return False
        others = [player for player in same_names(self.club, name) if player.pk not in self.sent_before]
        self.namesakes = as_seen(others, self.user, name)
        if self.namesakes:
            message = _("There is a %(name)s in this club already. Is it the same person, or another one?")
            self.add_error("player", forms.ValidationError(message, code="namesake", params={"name": name}))
        return bool(self.namesakes)

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
