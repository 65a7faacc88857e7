"""Writes that concern people: how they are found, and new guests."""

from __future__ import annotations

from ratings.models import Affiliation, Club, Player
from ratings.names import search_lines


def search_text_for(player: Player) -> str:
    """All names of a player, each plain and folded, a line each."""
    names = [player.native_name, player.latin_name, f"{player.latin_last} {player.latin_first}", player.nickname]
    names += [alias.name for alias in player.aliases.all()] if player.pk else []
    return search_lines(names)


def refresh_search_text(player: Player) -> None:
    player.search_text = search_text_for(player)
    player.save(update_fields=["search_text"])


def add_guest(club: Club, name: str) -> Player:
    """A player known by name only, first seen at this club."""
    player = Player(native_name=name)
    player.search_text = search_text_for(player)
    player.save()
    Affiliation.objects.create(player=player, club=club, kind=Affiliation.Kind.GUEST)
    return player
