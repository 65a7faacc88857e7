"""The main navigation. The apps that have the pages register the links in `AppConfig.ready()`."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise


class NavLink(NamedTuple):
    """A link of the main navigation. `under` lists prefixes of further addresses that belong to it.

    Links are sorted by `order`, not by the order in which apps register them.
    """

    order: int
    name: str
    label: str | Promise
    under: tuple[str, ...] = ()


_links: dict[str, NavLink] = {}


def register(*links: NavLink) -> None:
    _links.update({link.name: link for link in links})


def main_links() -> list[NavLink]:
    return sorted(_links.values(), key=lambda link: link.order)
