"""A long form in sections that fold, as the settings pages draw it (`templates/desk/settings`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms


@dataclass(frozen=True)
class FormSection:
    """Fields under one heading. `about` says in a few words what is inside while the section is folded."""

    key: str
    title: Any
    about: Any
    fields: Sequence[forms.BoundField]
    folded: bool = False

    @property
    def is_open(self) -> bool:
        """A refused field must be seen, and must take the focus."""
        return not self.folded or any(field.errors for field in self.fields)


def sections_of(form: forms.BaseForm, declared: Iterable[tuple[str, Any, Any, Iterable[str]]]) -> list[FormSection]:
    """The fields of a form under their headings (key, title, about, names). Fields that the form lacks are left out."""
    found = (
        FormSection(key, title, about, [form[name] for name in names if name in form.fields])
        for key, title, about, names in declared
    )
    return [section for section in found if section.fields]
