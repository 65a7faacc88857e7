"""Finding people by any of their names, for the entry page."""

from __future__ import annotations

from django.db.models import F, Max, Q, QuerySet

from ratings.models import Club, Player
from ratings.names import folded

SUGGESTIONS = 8


def living() -> QuerySet[Player]:
    """Players who may sit down: neither merged away nor anonymised."""
    return Player.objects.filter(merged_into=None, anonymised_at=None)


def suggest(club: Club, typed: str, limit: int = SUGGESTIONS) -> list[Player]:
    """Players whose names hold every word typed; those who played here lately first, then the club's own."""
    found = living()
    for word in folded(typed).split():
        found = found.filter(search_text__contains=word)
    found = found.annotate(
        lately=Max("standings__last_played_on", filter=Q(standings__season__club=club)),
        own=Max("affiliations__club_id", filter=Q(affiliations__club=club)),
    )
    lately, own = F("lately").desc(nulls_last=True), F("own").desc(nulls_last=True)
    return list(found.order_by(lately, own, "native_name", "pk")[:limit])


def named(name: str) -> list[Player]:
    """Players who are called exactly this, in any of their names, whatever the case and marks."""
    line = folded(name.strip())
    found = living().filter(search_text__contains=line)[:50]
    return [player for player in found if line in player.search_text.split("\n")]
