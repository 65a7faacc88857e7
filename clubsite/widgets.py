"""Form widgets rendered in Python: a filter of five fields must not take longer to render than a hundred rows.

Each widget of Django renders a template, and one more for every option.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from django import forms
from django.utils.safestring import SafeString


def attributes(given: Mapping[str, Any]) -> str:
    """` name="value"` for each attribute. True gives the name only; False and None are left out."""
    return "".join(
        f" {name}" if value is True else f' {name}="{escape(str(value))}"'
        for name, value in given.items()
        if value is not None and value is not False
    )


class Input(forms.TextInput):
    """An input of any type: text, search, number, date."""

    def __init__(self, kind: str = "text", attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        self.input_type = kind

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        shown = self.format_value(value)
        given = {"type": self.input_type, "name": name, "value": shown, **self.build_attrs(self.attrs, attrs)}
        return SafeString(f"<input{attributes(given)}>")


class DayInput(Input):
    """A date. Other input is shown again as it was typed."""

    def __init__(self) -> None:
        super().__init__("date")

    def format_value(self, value: Any) -> str | None:
        return value.isoformat() if hasattr(value, "isoformat") else super().format_value(value)


class Select(forms.Select):
    """One of several choices, without groups."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = "" if value is None else str(value)
        choices = [(str(key), escape(str(label))) for key, label in self.choices]
        options = "".join(
            f'<option value="{escape(key)}"{" selected" if key == chosen else ""}>{label}</option>'
            for key, label in choices
        )
        given = {"name": name, **self.build_attrs(self.attrs, attrs)}
        return SafeString(f"<select{attributes(given)}>{options}</select>")
