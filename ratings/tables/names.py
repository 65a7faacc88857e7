"""Players as one reader may see them: who is named, how, and where the name leads.

A hidden player is a row without name and link, except for the staff of the club.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import quote

from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from clubsite.components import player_name, tag
from clubsite.numbers import Writer, writer
from clubsite.tables import Column
from ratings.mahjong.sorting import SortKey, sort_key
from ratings.models import Player


@cache
def _around_player(urlconf: str | None, prefix: str) -> tuple[str, str]:
    """The markup before and after number and name. Resolving a hundred addresses takes longer than a query."""
    before, _number, after = reverse("ratings:player", urlconf=urlconf, args=[0, "player"]).partition("0-player")
    return before, after


def _slug(name: str) -> str:
    return quote(slugify(name, allow_unicode=True) or "player")


def season_key(season_id: int) -> str:
    """How the address of a player's page names the season that it shows."""
    return f"season-{season_id}"


class Names:
    """The names on one page."""

    def __init__(self, sees_hidden: bool, strangers: Collection[int] = (), season_id: int | None = None) -> None:
        """`strangers` are players whose hidden names even a reader who sees hidden names does not see.

        On the pages of a season the links lead to that season of the player.
        """
        self.sees_hidden = sees_hidden
        self._strangers = strangers
        self._before, self._after = _around_player(get_urlconf(), get_script_prefix())
        if season_id is not None:
            self._after += f"?show={season_key(season_id)}"

    def follows(self, player: Player) -> bool:
        """Whether the reader may know who this player is, and so follow links to the player's games."""
        return self._wholly(player) or not player.is_hidden

    def text(self, player: Player) -> str:
        """The name without a link, for files. Staff see the number of an anonymised player, to tell two apart."""
        numbered = self.sees_hidden and player.anonymised_at
        return player.native_name if numbered or self._wholly(player) else player.public_name

    def latin(self, player: Player) -> str:
        return player.latin_name if self._wholly(player) else player.public_latin

    def place(self, player: Player) -> SortKey:
        """By what a list in order of names is sorted: the name that the reader sees, as the reader's language sorts."""
        return sort_key(self.text(player), writer().language)

    def _wholly(self, player: Player) -> bool:
        known = self.sees_hidden and player.pk not in self._strangers
        return (known or player.visibility == "full") and not player.anonymised_at

    def address(self, player: Player) -> str:
        """The same as `player.get_absolute_url()`, with the season."""
        return f"{self._before}{player.pk}-{'player' if player.is_hidden else _slug(player.public_name)}{self._after}"

    def cell(self, player: Player) -> SafeString:
        """The name with its link. Staff also see what visitors see instead."""
        if player.visibility == "full" and not player.anonymised_at:
            return player_name(player.native_name, player.latin_name, self.address(player), player.country)
        if not self.follows(player):
            return player_name(player.public_name)
        shown = player_name(self.text(player), self.latin(player), self.address(player), player.country)
        return SafeString(f"{shown} {tag(player.get_visibility_display())}") if self.sees_hidden else shown


@dataclass(frozen=True)
class NamesOnPage:
    """What the cells of every list of players need."""

    names: Names
    write: Writer = field(default_factory=writer, kw_only=True)


PlayerOf = Callable[[Any, Any], Player]  # the player that a row is about


class NameColumn(Column):
    """The player of a row, sorted by the name that the reader sees: a hidden name does not influence the order."""

    def __init__(
        self,
        player: PlayerOf,
        *,
        css: str = "name-cell",
        cell_css: str | None = None,
        cell: Callable[[Any, Any], str] | None = None,  # where more than the name is drawn
        width: int = 0,
        sortable: bool = False,
    ) -> None:
        super().__init__(
            _("Player"),
            css=css,
            cell_css=cell_css,
            is_row_head=True,
            cell=cell or (lambda page, row: page.names.cell(player(page, row))),
            value=lambda page, row: page.names.text(player(page, row)),
            key=(lambda page, row: page.names.place(player(page, row))) if sortable else None,
            width=width,
        )


class LatinColumn(Column):
    """The name in Latin letters, for files. A page shows it beside the native name."""

    def __init__(self, player: PlayerOf, heading: Any = None, *, width: int = 0) -> None:
        super().__init__(
            heading or _("Name in Latin letters"),
            value=lambda page, row: page.names.latin(player(page, row)),
            width=width,
        )
