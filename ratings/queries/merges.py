"""Merged players: the current player for an old id, and the games that show that two players are two people."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from ratings.models import Hanchan, Player, Seat


def survivors(player_ids: Iterable[int]) -> dict[int, int]:
    """Return the current id for each id: itself, or that of the survivor, over any number of merges."""
    today = {player: player for player in player_ids}
    while True:
        onward = Player.objects.filter(pk__in=set(today.values()), merged_into__isnull=False)
        steps = dict(onward.values_list("pk", "merged_into_id"))
        if not steps:
            return today
        today = {old: steps.get(now) or now for old, now in today.items()}


def merged_people(player: Player) -> list[Player]:
    """Return the player and everybody merged into this player, over any number of merges."""
    people, fresh = [player], [player.pk]
    while fresh:
        found = list(Player.objects.filter(merged_into__in=fresh).order_by("pk"))
        people += found
        fresh = [each.pk for each in found]
    return people


def games_together(one: Player, other: Player) -> list[Hanchan]:
    """Return the games in which both had a seat or played one for another player, oldest first.

    Drafts and void games are included.
    """

    def seat_of(player: Player) -> Exists:
        own = Q(player=player) | Q(played_by=player)
        return Exists(Seat.objects.filter(own, hanchan=OuterRef("pk")))

    return list(Hanchan.objects.filter(seat_of(one), seat_of(other)).order_by("played_at", "pk"))
