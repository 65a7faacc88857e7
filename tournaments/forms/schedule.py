"""The forms for drawing seats: the way, what to keep apart, how long to search; and for swapping two seats."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from tournaments.models import Entry, PlannedSeat, Round, Stage
from tournaments.queries import schedules
from tournaments.queries.rounds import field_of
from tournaments.queries.schedules import Drawing
from tournaments.seating.ways import OPTIONS, WAYS, Option

MOST_SECONDS = 60


def _apart(label: Any) -> forms.ChoiceField:
    choices = [
        (schedules.NOT_APART, _("may meet")),
        (schedules.FIRST_ROUND, _("are kept apart in the first round")),
        (schedules.ALWAYS, _("are kept apart in every round")),
    ]
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _option_field(option: Option) -> forms.Field:
    return WholeNumberField(
        label=_(option.label),
        required=False,
        min_value=option.least,
        max_value=option.most,
        help_text=_(option.help) if option.help else "",
    )


def _help_on_ways() -> str:
    return " ".join(gettext(way.help) for way in WAYS.values() if way.help)


class DrawForm(forms.Form):
    """Ask for a drawing. `seating.ways` declares the ways and the options for which there are fields."""

    field_order = ("way", "teams_apart", "countries_apart", "clubs_apart", "pairs", "absent", *OPTIONS)
    way = forms.ChoiceField(
        label=_("Draw"),
        choices=[(way.key, _(way.label)) for way in WAYS.values()],
        help_text=lazy(_help_on_ways, str)(),
    )
    teams_apart = forms.BooleanField(label=_("Players of one team never meet"), required=False, initial=True)
    countries_apart = _apart(_("Players of one country"))
    clubs_apart = _apart(_("Players of one club"))
    pairs = forms.CharField(
        label=_("Pairs who never meet"),
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "3-17, 5-9", "autocomplete": "off"}),
        help_text=_("Numbers of entries, such as 3-17, 5-9."),
    )
    absent = forms.MultipleChoiceField(
        label=_("Absent in the next round"),
        required=False,
        help_text=_("They get the result of a missed round. For the next round only."),
        widget=forms.SelectMultiple(attrs={"size": 4}),
    )
    seed = WholeNumberField(
        label=_("Seed"), min_value=0, max_value=10**9, initial=0, help_text=_("The same seed gives the same seats.")
    )
    seconds = WholeNumberField(
        label=_("Seconds to search"),
        min_value=1,
        max_value=MOST_SECONDS,
        initial=10,
        help_text=_("At most; the best so far is kept."),
    )

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {option.name: _option_field(option) for option in OPTIONS.values()}
        self.order_fields(self.field_order)
        self.field = [entry for entry in field_of(stage) if not entry.has_left]
        absent = self.fields["absent"]
        assert isinstance(absent, forms.MultipleChoiceField)
        absent.choices = [(str(e.number), f"{e.number} {e.player.native_name}") for e in self.field]

    def clean_pairs(self) -> tuple[tuple[int, int], ...]:
        known = {entry.number for entry in self.field}
        pairs = []
        for part in re.split(r"[,;\n]", self.cleaned_data["pairs"]):
            if not part.strip():
                continue
            numbers = re.fullmatch(r"\s*([0-9０-９]{1,5})\s*[-–:/ ]\s*([0-9０-９]{1,5})\s*", part)
            if numbers is None:
                raise ValidationError(_("“%(part)s” is not a pair, such as 3-17."), params={"part": part.strip()[:40]})
            one, other = int(numbers[1]), int(numbers[2])
            if one == other or not {one, other} <= known:
                raise ValidationError(
                    _("%(one)s and %(other)s are not two players of this stage."), params={"one": one, "other": other}
                )
            pairs.append((one, other))
        return tuple(pairs)

    @property
    def wishes(self) -> list[forms.BoundField]:
        """The fields that most drawings leave unchanged."""
        return [field for field in self if field.name not in ("way", "teams_apart")]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        way = WAYS.get(data.get("way", ""))
        for option in way.needs if way else ():
            if data.get(option.name) is None:
                self.add_error(option.name, _(option.missing))
        if way and way.is_whole and data.get("absent"):
            self.add_error("absent", _("A player is absent in the next round only: draw that round alone."))
        return data

    def drawing(self) -> Drawing:
        data = self.cleaned_data
        return Drawing(
            way=data["way"],
            seed=data["seed"],
            teams_apart=data["teams_apart"],
            clubs_apart=data["clubs_apart"],
            countries_apart=data["countries_apart"],
            pairs=data["pairs"],
            absent=tuple(int(number) for number in data["absent"]),
            options={name: data[name] for name in OPTIONS if data[name] is not None},
        )


class SwapForm(forms.Form):
    """Two players who change places; the second may be a player without a seat."""

    one = forms.ChoiceField(label=_("Player"))
    other = forms.ChoiceField(label=_("changes places with"))
    reason = forms.CharField(label=_("Why (for the referee's log)"), max_length=300, required=False)

    def __init__(self, round_: Round, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.round = round_
        seats = PlannedSeat.objects.filter(round=round_).select_related("entry__player", "table")
        self.seated = {seat.entry.number: seat.entry for seat in seats.order_by("entry__number")}
        others = round_.stage.tournament.entries.exclude(status__in=(*Entry.LEFT, *Entry.NOT_IN))
        unseated = {e.number: e for e in others.select_related("player") if e.number not in self.seated}
        self.people = {**self.seated, **unseated}
        for name, people in (("one", self.seated), ("other", self.people)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", "–"), *((str(n), f"{n} {entry.player.native_name}") for n, entry in people.items())]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("one") and data.get("one") == data.get("other"):
            self.add_error("other", _("Choose two different players."))
        return data

    def entries(self) -> tuple[Entry, Entry]:
        return self.people[int(self.cleaned_data["one"])], self.people[int(self.cleaned_data["other"])]
