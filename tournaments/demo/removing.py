"""Take the events of the demo's clubs off the site, so that no row of them holds a game, a season or a player."""

from __future__ import annotations

from ratings.demo.removing import remove_rows
from tournaments.models import Entry, PlannedSeat, Registration, Round, Ruling, Stage, Table, Tournament


def remove(club_ids: list[int]) -> None:
    events = list(Tournament.objects.filter(club__in=club_ids).values_list("pk", flat=True))
    PlannedSeat.objects.filter(round__stage__tournament__in=events).delete()
    Table.objects.filter(round__stage__tournament__in=events).delete()
    for model in (Ruling, Entry, Registration):
        remove_rows(model._default_manager.filter(tournament__in=events))
    Round.objects.filter(stage__tournament__in=events).delete()
    remove_rows(Stage.objects.filter(tournament__in=events))
    remove_rows(Tournament.objects.filter(pk__in=events))
