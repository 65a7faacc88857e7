"""Fields for amounts that show how each amount is read, and the question about unlikely amounts.

Amounts are read by `ratings.mahjong.amounts`. While a user types, the reading comes from the server
(`ratings.views.amounts`); without JavaScript it is shown beside the field when the page comes back. This module knows
no parameter by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.mahjong import amounts
from ratings.mahjong.problems import Problem, Refused

PLACES = (_("first place"), _("second place"), _("third place"), _("fourth place"))
HELP = _("20 or 7.5 means thousands, 20000 or 7500 means points. How an amount is read is shown beside it.")
SURE = "sure"


# --- readings ---------------------------------------------------------------------------------------------


def _one(value: Any) -> list[str]:
    return [amounts.reading(amounts.read_amount(str(value))).sentence(gettext)]


def _four(value: Any) -> list[str]:
    return [amounts.reading(*amounts.read_amounts([str(text) for text in value])).sentence(gettext)]


def _rows(value: Any) -> list[str]:
    rows = [amounts.read_row(line) for line in str(value).splitlines() if line.strip()]
    return [f"{count}: {amounts.reading(*uma).sentence(gettext)}" for count, uma in rows]


def reading_of(read: Callable[[Any], list[str]], value: Any, *, refusals: bool = False) -> SafeString:
    """How a value is read, as markup; with `refusals` also why it cannot be read. Empty while something is missing."""
    texts = value if isinstance(value, list | tuple) else [value]
    if any(text is None or not str(text).strip() for text in texts):
        return SafeString("")
    try:
        return format_html_join(SafeString("<br>"), "→ {}", ((line,) for line in read(value)))
    except Refused as refused:
        sentence = " ".join(refused.sentences(gettext))
        return format_html('<span class="error">{}</span>', sentence) if refusals else SafeString("")


class _WithReading(forms.Widget):
    """A widget followed by the reading of its value, which is updated while a user types."""

    read_as: str  # key in READ_AS

    @staticmethod
    def read(value: Any) -> list[str]:
        """The lines of the reading; refuses like `ratings.mahjong.amounts`."""
        raise NotImplementedError

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        asked = {"of": name, "as": self.read_as}
        return format_html(
            '<span class="amount {}" hx-get="{}?{}" hx-trigger="input delay:250ms" hx-include="this" '
            'hx-target="find output" hx-swap="innerHTML" hx-sync="this:replace">{}'
            '<output class="reading">{}</output></span>',
            self.read_as,
            reverse("ratings:amounts"),
            urlencode(asked),
            super().render(name, value, attrs, renderer),
            reading_of(self.read, value),
        )


def _box(**more: Any) -> dict[str, Any]:
    return {"class": "vIntegerField", "autocomplete": "off", "maxlength": "20", "spellcheck": "false", **more}


class AmountInput(_WithReading, forms.TextInput):
    read, read_as = staticmethod(_one), "one"

    def __init__(self) -> None:
        super().__init__(attrs=_box())


class FourAmountsInput(_WithReading, forms.MultiWidget):
    read, read_as = staticmethod(_four), "four"

    def __init__(self) -> None:
        super().__init__([forms.TextInput(attrs=_box(**{"aria-label": place})) for place in PLACES])

    def decompress(self, value: Any) -> list[str | None]:
        return list(value) if value else [None] * len(PLACES)


class AmountRows(_WithReading, forms.Textarea):
    read, read_as = staticmethod(_rows), "rows"


READ_AS: dict[str, type[_WithReading]] = {each.read_as: each for each in (AmountInput, FourAmountsInput, AmountRows)}


# --- fields -----------------------------------------------------------------------------------------------


def refusing(read: Callable[[Any], Any], value: Any) -> Any:
    """Call `read` with the value; a refusal becomes a validation error of the field."""
    try:
        return read(value)
    except Refused as refused:
        raise ValidationError(refused.sentences(gettext)) from refused


class _ReadField(forms.Field):
    """A field that writes its stored value in such a way that it is read back as the same value."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


class AmountField(_ReadField):
    """One amount, in game points."""

    widget = AmountInput

    def to_python(self, value: Any) -> int | None:
        blank = value in self.empty_values or not str(value).strip()
        return None if blank else refusing(amounts.read_amount, str(value))

    def prepare_value(self, value: Any) -> Any:
        return amounts.write_amount(value) if isinstance(value, int) else value


class FourAmountsField(_ReadField):
    """One amount for each place, first to fourth, all in one unit."""

    widget = FourAmountsInput

    def to_python(self, value: Sequence[str] | None) -> tuple[int, ...] | None:
        texts = [str(text or "") for text in value or ()]
        given = sum(bool(text.strip()) for text in texts)
        if not given:
            return None
        if given != len(PLACES):
            raise ValidationError(_("Enter four amounts, for first to fourth place."))
        return tuple(refusing(amounts.read_amounts, texts))

    def prepare_value(self, value: Any) -> Any:
        return amounts.write_amounts(value) if isinstance(value, tuple) else value


# --- unlikely amounts -------------------------------------------------------------------------------------


class Checkbox(forms.CheckboxInput):
    """A checkbox whose value is the question, so that a tick answers no other question.

    The class has this name so that it is drawn like any checkbox.
    """

    def __init__(self, asked: str) -> None:
        super().__init__(attrs={"value": asked}, check_test=lambda value: value == asked)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.get(name, "")

    def format_value(self, value: Any) -> Any:
        return None


class SureField(forms.CharField):
    """The answer to the question about unlikely amounts; hidden until the question is asked."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False, max_length=1000, label=_("Yes, these amounts are right"))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


def ask_about(form: forms.BaseForm, unlikely: Iterable[Problem]) -> None:
    """Asks whether unlikely amounts are right and lists how they were read. A tick accepts them."""
    found = list(unlikely)
    asked = " ".join(problem.sentence() for problem in found)[:1000]
    if not found or form.data.get(form.add_prefix(SURE)) == asked:
        return
    form.fields[SURE].widget = Checkbox(asked)
    form.add_error(SURE, [gettext("Is this right?"), *(problem.sentence(gettext) for problem in found)])
