"""Forms for entries: adding one, pasting a list, changing one, and registration by the players themselves."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField, plain_digits
from ratings.mahjong.names import folded, objection_to_name
from ratings.models import Player
from ratings.models.clubs import country_code, valid_name
from ratings.models.players import ema_number
from ratings.queries.people import as_seen, called, choosable
from ratings.rights import Person
from tournaments.models import Entry, Tournament
from tournaments.services.registration import Newcomer

MOST_LINES = 500
LONGEST_NAME = 120


def latin_name(label: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=80, required=False, validators=[valid_name])


class _PersonFields(forms.Form):
    """The fields about a person, for organisers and for players who register themselves."""

    country = forms.CharField(
        label=_("Country"), max_length=2, required=False, validators=[country_code], help_text=_("Two letters: PL.")
    )
    ema_number = forms.CharField(
        label=_("EMA number"), max_length=8, required=False, validators=[ema_number], help_text=_("Eight digits.")
    )
    team = forms.CharField(label=_("Team"), max_length=80, required=False, validators=[valid_name])

    def clean_country(self) -> str:
        return str(self.cleaned_data["country"]).upper()

    def _facts(self) -> dict[str, Any]:
        return {name: self.cleaned_data.get(name, "") for name in ("country", "ema_number", "team")}


def _upper(field: forms.Field) -> None:
    field.validators = [lambda value: country_code(str(value).upper())]


class AddEntryForm(_PersonFields):
    """One entry added by an organiser: a known player by name, or a new player if the box is ticked."""

    player = forms.CharField(
        label=_("Player"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )
    player_id = WholeNumberField(required=False, widget=forms.HiddenInput)
    new_player = forms.BooleanField(label=_("New player: no one of this name has played here before"), required=False)
    latin_first = latin_name(_("First name in Latin letters"))
    latin_last = latin_name(_("Last name in Latin letters"))
    substitute_kind = forms.ChoiceField(
        label=_("Substitute"), choices=[("", _("no, plays for a place")), *Entry.SubstituteKind.choices], required=False
    )
    number = WholeNumberField(
        label=_("Number"), required=False, min_value=1, max_value=9999, help_text=_("Leave blank for the next number.")
    )

    field_order = ["player", "player_id", "new_player", "latin_first", "latin_last"]

    def __init__(self, *args: Any, user: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _upper(self.fields["country"])
        self.user = user
        self.candidates: list[Player] = []  # as the organiser may see them

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        name = (data.get("player") or "").strip()
        if name:
            data["person"] = self._person(data, name)
        return data

    @property
    def details(self) -> list[forms.BoundField]:
        """The fields other than the player."""
        return [field for field in self if field.name not in ("player", "player_id", "new_player")]

    def _person(self, data: dict[str, Any], name: str) -> Player | None:
        if data.get("player_id"):
            chosen = Player.objects.filter(pk=data["player_id"], merged_into=None, anonymised_at=None)
            if found := choosable(chosen, self.user, name):
                return found[0]
        if data.get("new_player"):
            self._check_new_name(name)
            return None
        found = called(name)
        self.candidates = as_seen(found, self.user, name)
        if len(found) == 1:
            return found[0]
        message = (
            _("Several players are called “%(name)s”. Choose one from the list.")
            if self.candidates
            else _("There is no player “%(name)s” yet. Check the spelling, or tick “New player”.")
        )
        self.add_error("player", ValidationError(message, params={"name": name}))
        return None

    def _check_new_name(self, name: str) -> None:
        try:
            valid_name(name)
        except ValidationError as wrong:
            self.add_error("player", wrong)

    def newcomer(self) -> Newcomer:
        data = self.cleaned_data
        names = {name: data.get(name, "") for name in ("latin_first", "latin_last", "substitute_kind")}
        return Newcomer(
            name=data["player"].strip(), player=data.get("person"), number=data.get("number"), **names, **self._facts()
        )


class EntryForm(forms.ModelForm):
    """The details of an entry that can be changed at any time."""

    class Meta:
        model = Entry
        formfield_callback = plain_digits
        fields = ["number", "team", "country", "ema_number", "substitute_kind", "stationary_table"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = self.fields["substitute_kind"]
        assert isinstance(kind, forms.ChoiceField)
        kind.choices = [("", _("no, plays for a place")), *Entry.SubstituteKind.choices]

    def clean_number(self) -> int:
        number: int = self.cleaned_data["number"]
        if self.instance.tournament.entries.filter(number=number).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("Number %(number)s is taken."), params={"number": number})
        return number


# --- a pasted list ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PastedLine:
    """A line as it was understood, and the players it may mean."""

    number: int
    name: str
    country: str = ""
    ema_number: str = ""
    team: str = ""
    candidates: tuple[Player, ...] = ()
    seen: tuple[Player, ...] = ()  # the same, as the organiser may see them
    entered: frozenset[int] = frozenset()
    twice: bool = False  # the same person is in an earlier line

    @property
    def field(self) -> str:
        return f"line{self.number}"

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Whom to enter, the likeliest first: a known player, a new player, or no one."""
        known = [(str(player.pk), self._label(player)) for player in self.seen]
        new, skip = ("new", gettext("new player")), ("skip", gettext("leave out"))
        if self.twice or any(player.pk in self.entered for player in self.candidates):
            return [skip, *known, new]
        return [*known, new, skip]

    def _label(self, player: Player) -> str:
        told = [player.native_name, player.latin_name if player.latin_name != player.native_name else ""]
        told += [player.country, player.ema_number]
        if player.pk in self.entered:
            told.append(gettext("entered already"))
        return " · ".join(word for word in told if word)

    @property
    def remark(self) -> str:
        if any(player.pk in self.entered for player in self.candidates):
            return gettext("entered already")
        if self.twice:
            return gettext("twice in this list")
        if len(self.candidates) > 1:
            return gettext("several of this name: choose")
        return "" if self.candidates else gettext("no player of this name yet")


def read_line(text: str) -> tuple[str, str, str, str]:
    """Name, country, EMA number and team of a line whose columns are separated by tabs, semicolons or commas.

    The name comes first. The others are recognised by their format, so their order does not matter.
    """
    separator = next((mark for mark in "\t;," if mark in text), None)
    cells = [cell.strip() for cell in text.split(separator)] if separator else [text.strip()]
    name, country, ema, team = cells[0], "", "", ""
    for cell in cells[1:]:
        if re.fullmatch(r"[A-Za-z]{2}", cell) and not country:
            country = cell.upper()
        elif re.fullmatch(r"[0-9]{8}", cell) and not ema:
            ema = cell
        elif cell and not team:
            team = cell
    return name, country, ema, team[:80]


class PasteForm(forms.Form):
    text = forms.CharField(
        label=_("One player per line"),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_(
            "The name first; then, if you have them, country in two letters, EMA number and team, separated "
            "by tabs, semicolons or commas. Rows copied from a spreadsheet work as they are."
        ),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > MOST_LINES:
            raise ValidationError(
                _("That’s more than %(most)s lines. Paste them in batches."), params={"most": MOST_LINES}
            )
        for number, line in enumerate(lines, 1):
            name, country, _ema, team = read_line(line)
            if not name or len(name) > LONGEST_NAME:
                raise ValidationError(
                    _("Line %(number)s has no name, or one that is too long: “%(line)s”."),
                    params={"number": number, "line": line[:60]},
                )
            if country:
                country_code(country)
            for part in filter(None, (name, team)):
                if problem := objection_to_name(part):
                    message = gettext("Line %(number)s: %(problem)s")
                    told = {"number": number, "problem": problem.sentence(gettext)}
                    raise ValidationError(message, code=problem.code, params=told)
        return "\n".join(lines)

    def lines(self, tournament: Tournament, user: Person) -> list[PastedLine]:
        """The lines as they were understood, with the players they may mean; one search for each line."""
        entered = frozenset(tournament.entries.values_list("player_id", flat=True))
        found: list[PastedLine] = []
        seen: set[tuple[str, str]] = set()
        for number, line in enumerate(self.cleaned_data["text"].splitlines(), 1):
            name, country, ema, team = read_line(line)
            known = [player for player in called(name) if not (ema and player.ema_number and player.ema_number != ema)]
            shown = tuple(as_seen(known, user, name))
            person = (" ".join(folded(name).split()), ema)
            found.append(PastedLine(number, name, country, ema, team, tuple(known), shown, entered, person in seen))
            seen.add(person)
        return found

    def newcomers(self, tournament: Tournament, user: Person) -> list[Newcomer]:
        """The lines as the organiser decided; a decision that was not offered counts as the first choice."""
        chosen = []
        for line in self.lines(tournament, user):
            decision = self.data.get(line.field, "")
            if decision not in dict(line.choices):
                decision = line.choices[0][0]
            player = next((each for each in line.candidates if str(each.pk) == decision), None)
            if decision != "skip":
                chosen.append(Newcomer(line.name, player, "", "", line.country, line.ema_number, line.team))
        return chosen


# --- by the players themselves ------------------------------------------------------------------------------


class RegisterForm(_PersonFields):
    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        validators=[valid_name],
        help_text=_("As you write it yourself, in any script."),
    )
    latin_first = latin_name(_("First name in Latin letters"))
    latin_last = latin_name(_("Last name in Latin letters"))
    # People leave this field empty because they do not see it; a program that fills in every field is detected by it.
    website = forms.CharField(required=False, widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}))
    submit_key = forms.UUIDField(required=False, widget=forms.HiddenInput)  # one form, one registration

    field_order = ["name", "latin_first", "latin_last"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _upper(self.fields["country"])
        self.initial.setdefault("submit_key", uuid.uuid4())

    @property
    def seen_fields(self) -> list[forms.BoundField]:
        """The fields that a person sees. The website field is rendered separately, as a trap for programs."""
        return [field for field in self.visible_fields() if field.name != "website"]

    @property
    def key(self) -> uuid.UUID:
        """The key of the posted form; a form without a key gets a new one."""
        return self.cleaned_data.get("submit_key") or uuid.uuid4()

    @property
    def is_a_program(self) -> bool:
        return bool(self.cleaned_data.get("website"))

    def newcomer(self) -> Newcomer:
        data = self.cleaned_data
        names = {name: data.get(name, "") for name in ("latin_first", "latin_last")}
        return Newcomer(name=data["name"].strip(), **names, **self._facts())
