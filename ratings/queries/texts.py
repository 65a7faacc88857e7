"""Search for names in free texts: everything that people wrote and that the database stores.

All text and JSON columns of the product's own models are searched, including those that an upper app adds and those of
the history tables. Columns with choices, slugs and the names of players and aliases are not free texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import CharField, Field, JSONField, Model, Q, SlugField, TextField
from django.db.models.functions import Cast

from ratings.models import Alias, Player

PRODUCT = ("ratings", "tournaments")
OF_PLAYERS: tuple[type[Model], ...] = (Player, Player.history.model, Alias)
SHORTEST_PART = 3  # letters; a shorter word of a name occurs in too many texts


@dataclass(frozen=True)
class NamesInTexts:
    """The names of a person: in full, and their single words, which may also mean another person."""

    full: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True)
class FoundText:
    model: type[Model]
    pk: int
    field: str
    text: str
    in_full: bool  # it contains a full name, not just a word of one

    @property
    def key(self) -> str:
        return f"{self.model._meta.label_lower}:{self.pk}:{self.field}"

    @property
    def place(self) -> str:
        """The model, row and column of the text, in words."""
        return f"{self.model._meta.verbose_name} {self.pk}: {self.model._meta.get_field(self.field).verbose_name}"  # type: ignore[union-attr]

    def row(self) -> Model | None:
        return self.model._default_manager.filter(pk=self.pk).first()


def names_of(people: Iterable[Player]) -> NamesInTexts:
    """Return every name that these players have or had; longer names first, so that they are replaced whole."""
    full: set[str] = set()
    parts: set[str] = set()
    for player in people:
        rows = [player, *player.history.all()]
        full |= {alias.name for alias in player.aliases.all()} | {row.nickname for row in rows}
        for row in rows:
            latin = (row.latin_first, row.latin_last)
            full |= {row.native_name, " ".join(latin).strip(), " ".join(reversed(latin)).strip(), row.ema_number}
            parts |= {*row.native_name.split(), *row.latin_first.split(), *row.latin_last.split()}
    full = {name.strip() for name in full if len(name.strip()) > 1}
    parts = {part for part in parts if len(part) >= SHORTEST_PART} - full
    return NamesInTexts(_longest_first(full), _longest_first(parts))


def _longest_first(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


def pattern(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, names)) or r"(?!)", re.IGNORECASE)


def find_texts(names: NamesInTexts) -> list[FoundText]:
    full, any_part = pattern(names.full), pattern((*names.full, *names.parts))
    found = []
    for model, field in _columns():
        for pk, value in _candidates(model, field, (*names.full, *names.parts)):
            text = "\n".join(strings_in(value))
            if any_part.search(text):
                found.append(FoundText(model, pk, field.name, text, bool(full.search(text))))
    return found


def _columns() -> Iterator[tuple[type[Model], Field[Any, Any]]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label not in PRODUCT:
            continue
        for field in model._meta.concrete_fields:
            if model in OF_PLAYERS and field.name != "remark":
                continue
            is_text = isinstance(field, CharField | TextField | JSONField) and not isinstance(field, SlugField)
            if is_text and not field.choices:
                yield model, field


def _candidates(model: type[Model], field: Field[Any, Any], names: Iterable[str]) -> Iterator[tuple[int, Any]]:
    """Yield rows that may contain a name, found by the database.

    The database ignores case for ASCII letters at most, so the usual upper and lower case forms are searched for.
    """
    written = {form for name in names for form in (name, name.lower(), name.upper(), name.title())}
    if isinstance(field, JSONField):
        written |= {json.dumps(form)[1:-1] for form in written}  # SQLite stores JSON as ASCII text
    if not written:
        return
    holds = Q()
    for form in sorted(written):
        holds |= Q(as_text__contains=form)
    rows = model._default_manager.annotate(as_text=Cast(field.name, TextField())).filter(holds)
    yield from rows.order_by("pk").values_list("pk", field.name)


def strings_in(value: Any) -> Iterator[str]:
    """Yield the texts within a value of a column. JSON may contain them at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from strings_in(key)
            yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)
