"""Players in the order of their names, as the reader's language sorts.

No database knows the order of each language, so names are sorted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from django.db.models import Case, F, Q, QuerySet, When

from clubsite.numbers import writer
from ratings.mahjong.sorting import sort_key
from ratings.models import Player


def by_name(players: Iterable[Player]) -> list[Player]:
    """Return players by the full name, for staff who read all names."""
    language = writer().language
    return sorted(players, key=lambda player: (sort_key(player.native_name, language), player.pk))


class PlayersByName(Sequence[Player]):
    """Players by the name that visitors see. Only the players of the page asked for are loaded."""

    def __init__(self, players: QuerySet[Player]) -> None:
        # Sorted by the name shown: the position in the list must not reveal a name that is not shown.
        shown = Case(When(Q(visibility=Player.Visibility.NICKNAME), then=F("nickname")), default=F("native_name"))
        names = players.order_by().annotate(shown=shown).values_list("pk", "shown")
        language = writer().language
        self._ids = [pk for pk, _name in sorted(names, key=lambda row: (sort_key(row[1], language), row[0]))]

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> Player: ...

    @overload
    def __getitem__(self, index: slice) -> list[Player]: ...

    def __getitem__(self, index: int | slice) -> Player | list[Player]:
        wanted = self._ids[index] if isinstance(index, slice) else [self._ids[index]]
        rows = Player.objects.filter(pk__in=wanted).prefetch_related("affiliations__club")
        found = {player.pk: player for player in rows}
        players = [found[pk] for pk in wanted if pk in found]
        return players if isinstance(index, slice) else players[0]
