"""Writes that concern people: how they are found, and new guests."""

from __future__ import annotations

import unicodedata

from ratings.models import Affiliation, Club, Player

# Letters that are one with their stroke or tail, which no decomposition takes apart.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})


def folded(text: str) -> str:
    """A name as search compares it: no case, no marks. SQLite itself folds ASCII only."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_STROKES)


def search_text_for(player: Player) -> str:
    """All names of a player, each plain and folded, a line each."""
    names = [player.native_name, player.latin_name, f"{player.latin_last} {player.latin_first}", player.nickname]
    names += [alias.name for alias in player.aliases.all()] if player.pk else []
    lines = {form for name in names if name.strip() for form in (name.strip().casefold(), folded(name.strip()))}
    return "\n".join(sorted(lines))


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
