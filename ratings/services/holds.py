"""Locks on rows that a write depends on: players and rule sets.

PostgreSQL checks our foreign keys when the transaction ends. Until then another transaction can merge the player of
a new game into another player, or change the rules that scored it. SQLite has one writer at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Model, QuerySet

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Player

_ = gettext_noop

Row = TypeVar("Row", bound=Model)


def held(rows: QuerySet[Row]) -> list[Row]:
    """Lock these rows until the transaction ends, and return their current state in order of id.

    The lock is shared: only `select_for_update` waits for it. This function waits for `select_for_update` and then
    returns what that transaction wrote. Filter by id only: PostgreSQL evaluates other conditions before it waits.
    """
    rows = rows.order_by("pk")
    if connection.vendor != "postgresql":
        return list(rows)
    try:
        sql, params = rows.query.sql_with_params()
    except EmptyResultSet:
        return []
    return list(rows.model._base_manager.raw(f"{sql} FOR KEY SHARE", params))


def hold_players(player_ids: Iterable[int]) -> dict[int, Player]:
    """Lock players against being merged or removed until the transaction ends. Refuse players who already were.

    Call it with the season locked, before you store anything that belongs to a player. Returns the current rows.
    """
    wanted = set(player_ids)
    found = {player.pk: player for player in held(Player.objects.filter(pk__in=wanted))}
    for player in found.values():
        if player.merged_into_id:
            message = _("%(name)s was merged into another player. Choose that one.")
            raise Refused(Problem(message, {"name": player.native_name}, code="merged_player"))
    if wanted - found.keys():
        raise Refused(
            Problem(_("One of these players was removed by another user. Select the player again."), code="gone_player")
        )
    return found
