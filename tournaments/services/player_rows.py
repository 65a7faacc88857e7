"""Entries as player rows: they move along when two players are merged."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext

from ratings.mahjong.problems import Problem, gettext_noop
from ratings.models import Player
from ratings.services.player_rows import PlayerRows, save_with_history
from tournaments.models import Entry, Stage, Tournament

_ = gettext_noop


class Entries(PlayerRows):
    key = "entries"
    model = Entry

    def seasons(self, player_ids: list[int]) -> set[int]:
        stages = Stage.objects.filter(tournament__entries__player__in=player_ids)
        return set(stages.values_list("season_id", flat=True).distinct().order_by())

    def objections(self, merged: Player, survivor: Player) -> list[Problem]:
        """Two entries in one event mean two people, or one entry was a mistake."""
        both = Tournament.objects.filter(entries__player=merged).filter(entries__player=survivor).distinct()
        message = _("Both are entered in %(event)s. Remove or withdraw the wrong entry there first.")
        return [Problem(message, {"event": event.name}, code="both_entered") for event in both]

    def describe(self, merged: Player, survivor: Player) -> list[str]:
        names = Tournament.objects.filter(entries__player=merged).order_by("starts_on").values_list("name", flat=True)
        return [gettext("the entry in %(event)s") % {"event": name} for name in names]

    def move(self, merged: Player, survivor: Player, by: User | None) -> list[int]:
        return self._hand_over(merged.entries.order_by("pk"), survivor, by, f"merge {merged.pk} → {survivor.pk}")

    def move_back(self, merged: Player, survivor: Player, moved: list[int], by: User | None) -> None:
        reason = f"undo merge {merged.pk} → {survivor.pk}"
        self._hand_over(survivor.entries.filter(pk__in=moved), merged, by, reason)

    def _hand_over(self, entries: Any, taker: Player, by: User | None, reason: str) -> list[int]:
        rows = list(entries)
        for row in rows:
            row.player = taker
            save_with_history(row, by, reason)
        return [row.pk for row in rows]

    def erase(self, player: Player) -> None:
        """Blank country, team and EMA number, because they identify a person.

        The update writes no new history, and the old history is blanked too.
        """
        blank: dict[str, Any] = {"country": "", "ema_number": "", "team": ""}
        player.entries.update(**blank)
        Entry.history.filter(player_id=player.pk).update(**blank)
