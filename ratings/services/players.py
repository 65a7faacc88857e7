"""Writes that concern a player: so far, the text by which a player is found."""

from __future__ import annotations

from clubsite.names import folded
from ratings.models import Player


def search_text_for(player: Player) -> str:
    """What `queries.players.matching` searches: the nickname on the first line, every name and alias on the second.

    Apart, because strangers find a player who is known by the nickname only by that line alone. Reads aliases.
    """
    aliases = [alias.name for alias in player.aliases.all()] if player.pk else []
    names = (player.native_name, player.latin_name, player.nickname, player.ema_number, *aliases)
    return f"{folded(player.nickname)}\n{' | '.join(folded(name) for name in dict.fromkeys(names) if name)}"


def refresh_search_text(player: Player) -> None:
    """Call after names or aliases changed. Written without a history row: it follows from what has one."""
    player.search_text = search_text_for(player)
    Player.objects.filter(pk=player.pk).update(search_text=player.search_text)
