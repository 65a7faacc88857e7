"""Players as admins edit them, and the form that asks for confirmation before a player is anonymised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings import rights
from ratings.forms.clubs import CountryField
from ratings.forms.sections import FormSection, sections_of
from ratings.mahjong.transliteration import UKRAINIAN, proposed_latin
from ratings.models import Affiliation, Alias, Club, Player
from ratings.queries.people import same_names
from ratings.services.player_edits import PlayerEdit, store_player

SECTIONS = (
    (
        "names",
        _("Names"),
        _("what the player is called, and found by"),
        ("native_name", "remark", "same_name", "latin_first", "latin_last", "nickname", "aliases"),
    ),
    ("clubs", _("Clubs"), _("on whose list the player is"), ()),
    ("facts", _("Country and EMA"), _("for tournaments"), ("country", "ema_number")),
    ("visibility", _("Visitors"), _("what others may see"), ("visibility",)),
)
MOST_ALIASES = 30


class AliasesField(forms.CharField):
    """Names, one on each line. Blank lines and repeated names are left out."""

    widget = forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"})

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        lines = (" ".join(line.split()) for line in str(value or "").splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else "\n".join(value or ())

    def validate(self, value: Any) -> None:
        super().validate(value)
        if len(value) > MOST_ALIASES:
            raise ValidationError(gettext("At most %(most)s names.") % {"most": MOST_ALIASES})

    def run_validators(self, value: Any) -> None:
        check = Alias._meta.get_field("name").clean
        for name in value:
            try:
                check(name, None)
            except ValidationError as wrong:
                raise ValidationError([f"“{name[:40]}”: {message}" for message in wrong.messages]) from wrong


class PlayerForm(forms.ModelForm):
    """A player as the admins of a club see the player: names, aliases, and the clubs that the user manages."""

    aliases = AliasesField(
        label=_("Also called"),
        required=False,
        help_text=_("Other spellings and earlier names, one on each line. Found by search and imports, never shown."),
    )
    aliases_seen = AliasesField(required=False, widget=forms.HiddenInput)
    country = CountryField()
    same_name = forms.BooleanField(label=_("This is another person"), required=False)

    class Meta:
        model = Player
        fields = (
            *("native_name", "remark", "latin_first", "latin_last", "nickname"),
            *("country", "ema_number", "visibility"),
        )
        labels = {
            "native_name": _("Name"),
            "remark": _("Remark"),
            "latin_first": _("First name in Latin letters"),
            "latin_last": _("Last name in Latin letters"),
            "nickname": _("Nickname"),
            "ema_number": _("EMA number"),
            "visibility": _("Visitors see"),
        }
        widgets = {
            "native_name": forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words"}),
            "visibility": forms.RadioSelect,
        }

    def __init__(self, *args: Any, user: rights.Person, club: Club | None = None, **kwargs: Any) -> None:
        """`club` is the club that a new player joins."""
        super().__init__(*args, **kwargs)
        self.user, self.club = user, club
        self.namesakes: list[Player] = []
        known = [alias.name for alias in self.instance.aliases.order_by("pk")] if self.instance.pk else []
        self.initial |= {"aliases": known, "aliases_seen": known}
        self._add_clubs()

    def _add_clubs(self) -> None:
        kinds = [(kind.value, capfirst(kind.label)) for kind in Affiliation.Kind]
        if self.club is not None:
            self.fields["latin_first"].help_text = _("Leave both blank to have a Cyrillic name written as usual.")
            self.fields["kind"] = forms.ChoiceField(
                label=self.club.name, choices=kinds, initial=Affiliation.Kind.REGULAR, widget=forms.RadioSelect
            )
            return
        managed = rights.clubs_of(self.user, rights.Level.ADMIN)
        self.rows = list(self.instance.affiliations.filter(club__in=managed).select_related("club").order_by("pk"))
        for row in self.rows:
            self.fields[f"kind_{row.club_id}"] = forms.ChoiceField(
                label=row.club.name, choices=kinds, initial=row.kind, widget=forms.RadioSelect
            )
        others = managed.exclude(affiliations__player=self.instance).order_by("name")
        if others:
            self.fields["joins"] = forms.ModelChoiceField(
                others, label=_("Add to the players of"), required=False, empty_label="–"
            )

    @property
    def sections(self) -> list[FormSection]:
        clubs = [name for name in self.fields if name == "kind" or name == "joins" or name.startswith("kind_")]
        asked = self.namesakes or "same_name" in self.data
        declared = [(key, title, about, clubs if key == "clubs" else names) for key, title, about, names in SECTIONS]
        return [
            replace(section, fields=[field for field in section.fields if field.name != "same_name" or asked])
            for section in sections_of(self, declared)
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "native_name" in data and "native_name" in self.changed_data and not data.get("same_name"):
            self._ask_about_namesakes(data["native_name"])
        return data

    def _ask_about_namesakes(self, name: str) -> None:
        """A second person of one name in a club is questioned once; the two are told apart by the remark."""
        clubs = [self.club] if self.club else [row.club for row in self.rows]
        found = {player.pk: player for club in clubs for player in same_names(club, name)}
        found.pop(self.instance.pk, None)
        if not found:
            return
        self.namesakes = list(found.values())
        message = gettext(
            "Your club already has a player called “%(name)s”. If this is another person, add a remark that tells them "
            "apart and tick the box below."
        )
        self.add_error("native_name", message % {"name": name})

    def apply(self, *, by: User, seen: int | None = None) -> Player:
        data = self.cleaned_data
        if self.club and not self.instance.latin_name:
            language = UKRAINIAN if self.club.country == "UA" else ""
            self.instance.latin_first, self.instance.latin_last = proposed_latin(data["native_name"], language)
        before, typed = set(data["aliases_seen"]), data["aliases"]
        joins = self.club or data.get("joins")
        edit = PlayerEdit(
            new_aliases=[name for name in typed if name not in before],
            old_aliases=before - set(typed),
            kinds={row.club_id: data[f"kind_{row.club_id}"] for row in self.rows} if self.club is None else {},
            joins=joins,
            joins_as=data["kind"] if self.club else Affiliation.Kind.REGULAR,
        )
        store_player(self.instance, edit, by=by, seen=seen)
        return self.instance


class AnonymiseForm(forms.Form):
    """The name, typed again to confirm, and the free texts in which it is replaced."""

    name = forms.CharField(
        label=_("Type the player's name to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    texts = forms.MultipleChoiceField(
        label=_("Replace the name in these texts"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Texts that are not ticked stay as they are; some may mean another person."),
    )

    def __init__(self, player: Player, texts: Iterable[tuple[str, str]], ticked: list[str], data: Any = None) -> None:
        super().__init__(data, initial={"texts": ticked})
        self.player = player
        field = self.fields["texts"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list(texts)
        if not field.choices:
            del self.fields["texts"]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if name != self.player.native_name.strip():
            raise ValidationError(gettext("This is not the name. Type it exactly as it is shown above."))
        return name
