"""What staff may do with a row, shown beside the heading of its public page: `{% staff_actions season %}`.

A list that belongs to a row has a name of its own: `{% staff_actions club "players" %}`.

Apps register what they offer for rows of a model in `AppConfig.ready()`; an upper app may add to a model of a lower
one. Each source asks for the user's rights itself, and offers visitors nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

Person = AbstractBaseUser | AnonymousUser


class StaffAction(NamedTuple):
    """A link to a page for staff. `creates`: the page makes something new, so the desk of a club offers it too."""

    order: int
    label: str
    url: str
    is_main: bool = False
    creates: bool = False


Source = Callable[[Any, Person], Iterable[StaffAction]]

_sources: dict[tuple[type[Model], str], list[Source]] = defaultdict(list)


def register(model: type[Model], source: Source, of_list: str = "") -> None:
    if source not in _sources[model, of_list]:
        _sources[model, of_list].append(source)


def actions_for(row: Model, user: Person, of_list: str = "") -> list[StaffAction]:
    """What the user may do with the row, in the order of the declarations; nothing for visitors."""
    if not user.is_authenticated:
        return []
    return sorted(action for source in _sources[type(row), of_list] for action in source(row, user))
