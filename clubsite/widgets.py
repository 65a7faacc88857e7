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


def _boxes(kind: str, name: str, chosen: set[str], choices: Any, given: Mapping[str, Any], tail: str = "") -> str:
    """A labelled radio button or checkbox for each choice, with the ids that Django would give them."""
    boxes = []
    for index, (key, label) in enumerate(choices):
        own = {"type": kind, "name": name, "value": key, **given, "checked": str(key) in chosen}
        if given.get("id"):
            own["id"] = f"{given['id']}_{index}"
        boxes.append(f"<label><input{attributes(own)}>{tail}<span>{escape(str(label))}</span></label>")
    return "".join(boxes)


class Segments(forms.RadioSelect):
    """One of a few choices, all in view: radio buttons drawn as one bar."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        given = self.build_attrs(self.attrs, attrs)
        chosen = {"" if value is None else str(value)}
        return SafeString(f'<div class="choice-bar">{_boxes("radio", name, chosen, self.choices, given)}</div>')


class Chips(forms.CheckboxSelectMultiple):
    """Any of several choices: checkboxes drawn as pills. A tick shows the state besides its colour."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        given = {key: each for key, each in self.build_attrs(self.attrs, attrs).items() if key != "required"}
        chosen = {str(each) for each in self.format_value(value)}
        boxes = _boxes("checkbox", name, chosen, self.choices, given, '<i aria-hidden="true"></i>')
        return SafeString(f'<div class="chips">{boxes}</div>')
