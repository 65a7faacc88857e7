"""Reads for cancelling an entry: whether it may still be cancelled, and what happens to its published seats."""

from __future__ import annotations

from django.db.models import Q

from ratings.models import Adjustment, Seat
from tournaments.models import Entry, PlannedSeat, Round
from tournaments.queries.rounds import RECORDS, field_of, seats_of

BEGUN = (Round.State.PLAYING, Round.State.CONFIRMED)


def may_cancel(entry: Entry) -> bool:
    """Whether no round has begun in which the entry has a seat, an absence or a bye, and it has no game."""
    if not entry.is_in or entry.has_left:
        return False
    begun = Round.objects.filter(stage__tournament=entry.tournament_id, state__in=BEGUN)
    if PlannedSeat.objects.filter(Q(entry=entry) | Q(played_by=entry), round__in=begun).exists():
        return False
    rounds = Q()
    for season, number in begun.values_list("stage__season_id", "number"):
        rounds |= Q(season=season, round=number)
    if rounds:
        records = Adjustment.objects.filter(rounds, player=entry.player_id, kind__in=RECORDS, revoked_at=None)
        if records.exists():
            return False
    played = Seat.objects.filter(season__stage__tournament=entry.tournament_id, counts=True)
    return not played.filter(Q(player=entry.player_id) | Q(played_by=entry.player_id)).exists()


def who_may_take_over(entry: Entry) -> list[Entry]:
    """Substitutes, then waiting entries, that have no seat in any round in which the entry has one."""
    rounds = [seat.round_id for seat in seats_of(entry)]
    busy = PlannedSeat.objects.filter(round__in=rounds).values("entry")
    states = (Entry.Status.SUBSTITUTE, Entry.Status.WAITING)
    found = Entry.objects.filter(tournament=entry.tournament_id, status__in=states).exclude(pk__in=busy)
    return sorted(found.select_related("player"), key=lambda one: (not one.is_substitute, one.registered_at, one.pk))


def rounds_without_seat(entry: Entry) -> list[Round]:
    """Published, unconfirmed rounds of the entry's stages in which the entry has no seat."""
    seated = (Round.State.SEATED, Round.State.PLAYING)
    rounds = Round.objects.filter(stage__tournament=entry.tournament_id, state__in=seated).exclude(seats__entry=entry)
    found = rounds.select_related("stage").order_by("stage__number", "number")
    return [round_ for round_ in found if entry in field_of(round_.stage)]


def rounds_to_draw_again(entry: Entry) -> list[Round]:
    """Published rounds that have not begun and have no result or draft: their seats can be taken back."""
    rounds = Round.objects.filter(stage__tournament=entry.tournament_id, state=Round.State.SEATED)
    untouched = rounds.exclude(tables__hanchan__isnull=False)
    return list(untouched.select_related("stage").order_by("stage__number", "number").distinct())
