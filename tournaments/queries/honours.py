"""The tournaments on a player's page, with the ranks of the event, which a season does not know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ratings.models import Player, Season
from tournaments.models import Entry, Tournament
from tournaments.queries.standings import final_ranking, view_event

MOST = 20  # only the newest, because each costs a few queries


@dataclass(frozen=True)
class Honour:
    """One event. `rank` is None if the player was a substitute or was taken out of the ranking."""

    event: Tournament
    entry: Entry
    rank: int | None
    ranked: int
    total: int | None
    stage: str

    @property
    def is_final(self) -> bool:
        return self.event.finished_at is not None


def honours_of(player: Player, seasons: Iterable[Season]) -> list[Honour]:
    """The player's events among these seasons, newest first; no query without events.

    The caller passes only seasons whose results the reader may see.
    """
    ids = [season.pk for season in seasons if season.is_competition]
    if not ids:
        return []
    entries = Entry.objects.filter(player=player, tournament__stages__season__in=ids).exclude(status__in=Entry.NOT_IN)
    newest = (
        entries.distinct().select_related("tournament__club").order_by("-tournament__starts_on", "tournament")[:MOST]
    )
    return [_honour(entry) for entry in newest]


def _honour(entry: Entry) -> Honour:
    views = view_event(entry.tournament)
    rows = final_ranking(views)
    own = next((row for row in rows if row.entry == entry.number), None)
    names = {view.stage.number: view.stage.name for view in views}
    return Honour(
        entry.tournament,
        entry,
        own.rank if own else None,
        len(rows),
        own.total if own else None,
        names[own.stage] if own and len(names) > 1 else "",
    )
