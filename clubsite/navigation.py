"""The main navigation: its links are registered by the apps that have the pages, in `AppConfig.ready()`."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise


class NavLink(NamedTuple):
    """A page of the main navigation, and how the addresses begin that belong to it besides its own.

    Links are shown by their `order`, whichever app registered first.
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
