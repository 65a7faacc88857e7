"""What staff store on the page of a player: names, aliases and clubs, all of it or nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db import transaction

from ratings.models import Affiliation, Alias, Club, Player
from ratings.services.player_rows import save_with_history
from ratings.services.players import refresh_search_text, save_player, welcome


@dataclass(frozen=True)
class PlayerEdit:
    """What changes besides the columns of the player. Aliases and clubs that are not named stay as they are."""

    new_aliases: Collection[str] = ()
    old_aliases: Collection[str] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)  # club of the player -> regular or guest
    joins: Club | None = None
    joins_as: str = Affiliation.Kind.REGULAR


@transaction.atomic
def store_player(player: Player, edit: PlayerEdit, *, by: User, seen: int | None = None) -> None:
    """Store a player, new or known. `seen` is the newest change that the user saw; a later one refuses the edit."""
    save_player(player, seen=seen)
    player.aliases.filter(name__in=edit.old_aliases).delete()
    there = set(player.aliases.values_list("name", flat=True))
    Alias.objects.bulk_create(Alias(player=player, name=name) for name in edit.new_aliases if name not in there)
    for row in Affiliation.objects.select_for_update().filter(player=player, club__in=edit.kinds):
        if row.kind != edit.kinds[row.club_id]:
            row.kind = edit.kinds[row.club_id]
            save_with_history(row, by, "", "kind")
    if edit.joins:
        welcome(edit.joins.pk, [player.pk], kind=edit.joins_as, by=by)
    refresh_search_text(player)
