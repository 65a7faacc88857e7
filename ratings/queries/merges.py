"""Players who turned out to be one: who an old id stands for today, and the games that say they are two."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from ratings.models import Hanchan, Player, Seat


def survivors(player_ids: Iterable[int]) -> dict[int, int]:
    """Who each of these ids is today: itself, or whoever the player was merged into, over any number of merges."""
    today = {player: player for player in player_ids}
    while True:
        onward = Player.objects.filter(pk__in=set(today.values()), merged_into__isnull=False)
        steps = dict(onward.values_list("pk", "merged_into_id"))
        if not steps:
            return today
        today = {old: steps.get(now) or now for old, now in today.items()}


def merged_people(player: Player) -> list[Player]:
    """The player and everybody merged into them, over any number of merges."""
    people, fresh = [player], [player.pk]
    while fresh:
        found = list(Player.objects.filter(merged_into__in=fresh).order_by("pk"))
        people += found
        fresh = [each.pk for each in found]
    return people


def games_together(one: Player, other: Player) -> list[Hanchan]:
    """Games at which both had to do with a seat, drafts and void ones included; oldest first."""

    def seat_of(player: Player) -> Exists:
        own = Q(player=player) | Q(played_by=player)
        return Exists(Seat.objects.filter(own, hanchan=OuterRef("pk")))

    return list(Hanchan.objects.filter(seat_of(one), seat_of(other)).order_by("played_at", "pk"))
