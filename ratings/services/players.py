"""Writes that concern people: how they are found, new guests, and changes of names."""

from __future__ import annotations

from django.db import transaction

from ratings.models import Affiliation, Club, Player
from ratings.names import folded, search_lines
from ratings.services.belongings import seasons_of
from ratings.services.seasons import touch

# What pages show of a player.
SHOWN = ("native_name", "latin_first", "latin_last", "nickname", "country", "visibility")


def search_text_for(player: Player) -> str:
    """The nickname folded, on a line of its own; then all names of a player, each plain and folded, a line each.

    The first line, empty or not, is all that strangers find somebody by who is shown by nickname only.
    """
    names = [player.native_name, player.latin_name, f"{player.latin_last} {player.latin_first}", player.nickname]
    names += [alias.name for alias in player.aliases.all()] if player.pk else []
    return f"{folded(player.nickname.strip())}\n{search_lines(names)}"


def refresh_search_text(player: Player) -> None:
    """After names or aliases changed. Leaves no row of history: the text follows from what has one."""
    player.search_text = search_text_for(player)
    Player.objects.filter(pk=player.pk).update(search_text=player.search_text)


def add_guest(club: Club, name: str) -> Player:
    """A player known by name only, first seen at this club."""
    player = Player(native_name=name)
    player.search_text = search_text_for(player)
    player.save()
    Affiliation.objects.create(player=player, club=club, kind=Affiliation.Kind.GUEST)
    return player


@transaction.atomic
def save_player(player: Player, *, club: Club | None = None) -> None:
    """Stores a player; a new one belongs to the club. Pages that show another name than now are outdated."""
    if player.pk:
        before = Player.objects.filter(pk=player.pk).values(*SHOWN).get()
        if any(before[name] != getattr(player, name) for name in SHOWN):
            touch(seasons_of(player))
    player.save()
    if club is not None:
        Affiliation.objects.get_or_create(player=player, club=club, defaults={"kind": Affiliation.Kind.REGULAR})
    refresh_search_text(player)
