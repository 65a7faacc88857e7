"""Number fields of forms. Digits are those of ASCII and full-width ones; Django's own fields read every script's."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from clubsite.digits import only_plain_digits


class _PlainDigits:
    """For a number field of Django's: refuses other digits with the field's own sentence."""

    error_messages: dict[str, Any]

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and not only_plain_digits(value):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)  # type: ignore[misc]


class WholeNumberField(_PlainDigits, forms.IntegerField):
    pass


class DecimalNumberField(_PlainDigits, forms.DecimalField):
    pass


# What admins and model forms make of a model's whole numbers.
FOR_MODEL_FIELDS: dict[type[models.Field[Any, Any]], dict[str, Any]] = {
    models.IntegerField: {"form_class": WholeNumberField}
}


def plain_digits(field: models.Field[Any, Any], **options: Any) -> forms.Field | None:
    """A `formfield_callback` for model forms."""
    for kind, other in FOR_MODEL_FIELDS.items():
        if isinstance(field, kind):
            options = {**other, **options}
    return field.formfield(**options)
