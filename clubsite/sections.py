"""Sections that one app adds to the pages of another. The page shows them with `{% sections "name of the page" %}`.

Apps register them in `AppConfig.ready()`, so that a page needs no tag library of a higher app.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.template import Context


@dataclass(frozen=True)
class Section:
    """A template, and a function that makes its context from the page's context."""

    template: str
    context: Callable[[Context], Mapping[str, Any]]


_by_page: dict[str, list[Section]] = defaultdict(list)


def register(page: str, section: Section) -> None:
    if section not in _by_page[page]:
        _by_page[page].append(section)


def sections_of(page: str) -> list[Section]:
    return _by_page[page]
