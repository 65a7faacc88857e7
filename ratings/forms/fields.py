"""Form fields for the kinds of parameter a rule set is made of (`rulesets.parameters`).

Cleaned values are values of `Rules`, including None. Whether a value is allowed is checked when the rules are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from django.utils.functional import lazystr
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.fields import WholeNumberField
from ratings.forms.amounts import AmountField, AmountRows, FourAmountsField, refusing
from ratings.mahjong import amounts
from ratings.mahjong.rulesets import Parameter
from ratings.mahjong.rulesets.parameters import (
    Choice,
    Flag,
    FourNumbers,
    FourNumbersByCount,
    HandValues,
    Number,
    ParameterKind,
    Several,
)
from ratings.mahjong.rulesets.words import words

UNSTATED = "-"


def parameter_field(parameter: Parameter) -> forms.Field:
    """The field for one parameter, with its label and help."""
    kind = parameter.kind
    common: dict[str, Any] = {
        "label": _(parameter.label),
        "help_text": _help(parameter),
        "required": not kind.optional,
    }
    match kind:
        case Number() if amounts.is_amount(parameter):
            return AmountField(**_or_empty(kind, common))
        case Number():
            return NumberField(kind, **_or_empty(kind, common))
        case Flag():
            return _choice(kind, ((True, kind.yes), (False, kind.no)), common)
        case Choice():
            return _choice(kind, kind.options, common)
        case Several():
            return SeveralField(kind, **common)
        case FourNumbers():
            return FourAmountsField(**common)
        case FourNumbersByCount():
            return FloatingUmaField(**common)
        case HandValues():
            return HandValuesField(**{**common, "required": False})
    raise TypeError(f"no form field for {parameter.name}")


def _help(parameter: Parameter) -> Any:
    """The help of a parameter, and the value used if it is not stated, unless that value depends on other rules."""
    said = _(parameter.help_text) if parameter.help_text else ""
    if parameter.default is None or callable(parameter.default):
        return said
    taken = lazystr(_Taken(parameter))
    return format_lazy("{} {}", said, taken) if parameter.help_text else taken


class _Taken:
    """The sentence about the default value. It is made when it is shown, in the reader's language."""

    def __init__(self, parameter: Parameter) -> None:
        self.phrase = words(parameter, parameter.default)

    def __str__(self) -> str:
        return gettext("If not stated: %(value)s.") % {"value": self.phrase.sentence(gettext)}


class JSONTextField(forms.JSONField):
    """A JSON field that refuses a number of thousands of digits and deeply nested brackets; Django's field raises."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except (ValueError, RecursionError):
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": ""}) from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return InvalidJSONInput(data)


class NumberField(WholeNumberField):
    """A whole number. Its range is only a hint to the browser; values are refused when the rules are read."""

    def __init__(self, kind: Number, **common: Any) -> None:
        super().__init__(**common)
        self.widget.attrs.update({"min": kind.low, "max": kind.high, "step": kind.step})


def _or_empty(kind: ParameterKind, common: dict[str, Any]) -> dict[str, Any]:
    """Add to the help of an optional number what leaving it empty means."""
    if kind.optional:
        common["help_text"] = format_lazy("{} {}: {}.", common["help_text"], _("Empty"), _(kind.none_label))
    return common


def _choice(kind: ParameterKind, options: Iterable[tuple[Any, str]], common: dict[str, Any]) -> forms.TypedChoiceField:
    values = {str(value): value for value, _label in options}
    choices = [(str(value), _(label)) for value, label in options]
    if kind.optional:
        choices.insert(0, ("", _(kind.none_label)))
    # To see whether the value changed, Django coerces the stored value as well as the sent one.
    return forms.TypedChoiceField(choices=choices, coerce=lambda sent: values[str(sent)], empty_value=None, **common)


class SeveralField(forms.MultipleChoiceField):
    """Checkboxes. No tick means that none of them counts; that it is not stated has a checkbox of its own."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, kind: Several, **common: Any) -> None:
        choices = [(value, _(label)) for value, label in kind.options]
        if kind.optional:
            choices.append((UNSTATED, _(kind.none_label)))
        super().__init__(choices=choices, **{**common, "required": False})

    def prepare_value(self, value: Any) -> Any:
        return [UNSTATED] if value is None else value

    def clean(self, value: Any) -> Any:
        chosen = super().clean(value)
        if UNSTATED not in chosen:
            return tuple(chosen)
        if len(chosen) > 1:
            raise ValidationError(_("Either tick what counts, or that it is not stated, but not both."))
        return None

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


class RowsField(forms.CharField):
    """Rows of whole numbers, one row per line, separated by spaces or any of : , ; / |"""

    numbers = 0  # in each row
    example = ""
    widget = forms.Textarea

    def __init__(self, **common: Any) -> None:
        super().__init__(**common)
        self.widget.attrs.update({"rows": 3, "cols": 40, "placeholder": self.example, "spellcheck": "false"})

    def to_python(self, value: Any) -> Any:
        return self.value_of([self._row(line) for line in (value or "").splitlines() if line.strip()])

    def _row(self, line: str) -> tuple[int, ...]:
        found = re.findall(r"[-−]?[0-9０-９]+", line)
        odd = re.search(r"[^\s0-9０-９:,;/|−-]|[0-9０-９]{10}", line)  # a letter, or a number of ten digits
        if len(found) != self.numbers or odd:
            raise ValidationError(
                _("“%(line)s” is not %(count)s whole numbers, such as %(example)s."),
                params={"line": line.strip()[:60], "count": self.numbers, "example": self.example},
            )
        return tuple(int(number.replace("−", "-")) for number in found)

    def prepare_value(self, value: Any) -> Any:
        return value if value is None or isinstance(value, str) else "\n".join(self.lines_of(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True

    def value_of(self, rows: list[tuple[int, ...]]) -> Any:
        raise NotImplementedError

    def lines_of(self, value: Any) -> list[str]:
        raise NotImplementedError


class FloatingUmaField(RowsField):
    """Rows of a count of seats and the uma for that count; each row is in one unit."""

    widget = AmountRows
    example = amounts.ROW_EXAMPLE

    def _row(self, line: str) -> tuple[int, ...]:
        count, uma = refusing(amounts.read_row, line)
        return (count, *uma)

    def value_of(self, rows: list[tuple[int, ...]]) -> Any:
        if len({row[0] for row in rows}) != len(rows):
            raise ValidationError(_("Two lines are for the same number of seats."))
        return tuple(sorted((row[0], row[1:]) for row in rows)) or None

    def lines_of(self, value: Any) -> list[str]:
        return [amounts.write_row(count, uma) for count, uma in value]


class HandValuesField(RowsField):
    """Rows of han, fu, ron and the dealer's ron."""

    numbers = 4
    example = "1 20 800 1200"

    def value_of(self, rows: list[tuple[int, ...]]) -> Any:
        return tuple(rows)

    def lines_of(self, value: Any) -> list[str]:
        return [" ".join(str(number) for number in row) for row in value]
