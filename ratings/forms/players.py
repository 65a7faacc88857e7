"""Players as admins edit them, and the form that asks for confirmation before a player is anonymised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Affiliation, Club, Player

FIELDS = ["native_name", "latin_first", "latin_last", "nickname", "country", "ema_number", "visibility", "remark"]


class PlayerForm(forms.ModelForm):
    class Meta:
        model = Player
        fields = FIELDS


class NewPlayerForm(PlayerForm):
    """A new player belongs to one of the admin's clubs from the start."""

    club = forms.ModelChoiceField(Club.objects.all(), label=_("Club"))


class AffiliationForm(forms.ModelForm):
    """A club of a player. The club of a stored row cannot be changed: another club is another row."""

    class Meta:
        model = Affiliation
        fields = ["club", "kind"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["club"].disabled = True


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
