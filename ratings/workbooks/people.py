"""The sheet of players, and the number by which every other sheet refers to a player.

Numbers follow from the names and not from the database, so that they are the same wherever the workbook is imported.
In a stranger's workbook a hidden player has neither a name nor a number, so that no one can add up their games.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from django.contrib.auth.models import User
from django.utils.translation import gettext

from clubsite.export import Cell, ExportColumn, Kind
from clubsite.workbooks import WorkbookSheet, fitting
from ratings.models import Player


class People:
    """Everybody in the workbook, with the names that its reader may see."""

    def __init__(self, players: Sequence[Player], sees_hidden: bool, strangers: Collection[int] = ()) -> None:
        """Prepare names and numbers. Even a reader who `sees_hidden` sees `strangers` only as visitors do."""
        self.sees_hidden = sees_hidden
        self._strangers = strangers
        self.listed = [player for player in players if self._may_be_listed(player)]
        self.hidden = [player.pk for player in players if not self._may_be_listed(player)]
        self.numbers = {player.pk: number for number, player in enumerate(self.listed, 1)}
        self.names = {player.pk: self.name(player) for player in players}
        self.latin = {player.pk: self._latin(player) for player in players}
        self.width = fitting(self.names.values(), least=14)
        self.latin_width = fitting(self.latin.values(), gettext("Name in Latin letters"))

    def _may_be_listed(self, player: Player) -> bool:
        return self._knows(player) or not player.is_hidden

    def _knows(self, player: Player) -> bool:
        return self.sees_hidden and (player.anonymised_at is not None or player.pk not in self._strangers)

    def name(self, player: Player) -> str:
        """Return the name to show. Staff see the stored name; that of an anonymised player has a unique number."""
        return player.native_name if self._knows(player) else player.public_name

    def _latin(self, player: Player) -> str:
        known = self._knows(player) and not player.anonymised_at
        return player.latin_name if known else player.public_latin

    def sheet(self) -> WorkbookSheet:
        return WorkbookSheet(gettext("Players"), self._columns(), self.rows(), name="players", frozen_columns=2)

    def _columns(self) -> list[ExportColumn]:
        firsts, lasts = [p.latin_first for p in self.listed], [p.latin_last for p in self.listed]
        return [
            ExportColumn(gettext("No."), Kind.COUNT),
            ExportColumn(gettext("Name"), width=self.width),
            ExportColumn(gettext("First name in Latin letters"), width=fitting(firsts, least=14)),
            ExportColumn(gettext("Last name in Latin letters"), width=fitting(lasts, least=14)),
            ExportColumn(gettext("Nickname")),
            ExportColumn(gettext("Country"), width=10),
            ExportColumn(gettext("EMA number"), width=12),
            ExportColumn(gettext("Shown as"), width=11),
            ExportColumn(gettext("In the club"), width=11),
            ExportColumn(gettext("Aliases"), width=30),
            ExportColumn(gettext("Remark"), width=20),
        ]

    def rows(self) -> Iterator[list[Cell]]:
        for number, player in enumerate(self.listed, 1):
            here = player.here[0].kind if player.here else ""  # type: ignore[attr-defined]
            remark = player.remark if self._knows(player) else ""
            yield [number, *self._facts(player), here, self._aliases(player), remark]

    def _facts(self, player: Player) -> list[Cell]:
        if not self._knows(player) and player.visibility != Player.Visibility.FULL:
            return [self.names[player.pk], None, None, None, player.country, None, None]
        return [
            self.names[player.pk],
            player.latin_first,
            player.latin_last,
            player.nickname,
            player.country,
            player.ema_number,
            player.visibility if self.sees_hidden else None,
        ]

    def _aliases(self, player: Player) -> str:
        return "\n".join(sorted(alias.name for alias in player.aliases.all())) if self._knows(player) else ""


def person(user: User | None) -> str:
    """Return the name of a staff user, or an empty text."""
    return (user.get_full_name() or user.get_username()) if user else ""
