"""Number fields of forms. They accept ASCII and full-width digits; Django's own fields accept digits of any script."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from clubsite.digits import only_plain_digits


class _PlainDigits:
    """Mixin for a number field of Django: refuses other digits with the field's own message."""

    error_messages: dict[str, Any]

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and not only_plain_digits(value):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)  # type: ignore[misc]


class WholeNumberField(_PlainDigits, forms.IntegerField):
    pass


class DecimalNumberField(_PlainDigits, forms.DecimalField):
    pass


def plain_digits(field: models.Field[Any, Any], **options: Any) -> forms.Field | None:
    """A `formfield_callback` for model forms."""
    if isinstance(field, models.IntegerField):
        options.setdefault("form_class", WholeNumberField)
    return field.formfield(**options)
