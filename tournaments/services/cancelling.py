"""Cancel an entry before its first round, without a ruling and without absences, or take the cancellation back.

The entry is kept as cancelled. A player who leaves later withdraws, which is a ruling (`services.rulings`).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Adjustment
from ratings.services import adjustments
from ratings.services.player_rows import save_with_history
from ratings.services.seasons import touch
from tournaments.models import Entry, PlannedSeat, Round, Table, Tournament
from tournaments.queries.cancelling import may_cancel, rounds_to_draw_again
from tournaments.queries.registration import is_occupied
from tournaments.queries.rounds import RECORDS, seats_of
from tournaments.services.rounds import hand_over_seat, unseat_round

_ = gettext_noop

Status = Entry.Status


@dataclass(frozen=True)
class SeatsOfEntry:
    """What happens to published seats: another entry takes them all, or their rounds are drawn again."""

    taken_by: Entry | None = None
    draw_again: bool = False


@transaction.atomic
def cancel(entry: Entry, seats: SeatsOfEntry, *, reason: str = "", by: User | None = None) -> list[Round]:
    """Take an entry off the list. Return the rounds that have to be drawn again because of it."""
    current = _open(entry)
    if not may_cancel(current):
        message = _("%(name)s has a part in a round that has begun, or is not entered. Withdraw the entry instead.")
        raise Refused(Problem(message, {"name": current}, code="cannot_cancel"))
    _check_promises(current)
    planned = Round.objects.filter(stage__tournament=current.tournament_id, state=Round.State.PLANNED)
    again = list(planned.filter(seats__entry=current).distinct())
    Table.objects.filter(round__in=again).delete()
    _settle_seats(current, seats, again, by)
    for record in _records(current):
        adjustments.revoke(record, by=by, reason="cancelled")
    current.status, current.checked_in_at, current.reason = Status.CANCELLED, None, reason
    save_with_history(current, by, "cancelled")
    return sorted(again, key=lambda round_: (round_.stage_id, round_.number))


def _settle_seats(entry: Entry, seats: SeatsOfEntry, again: list[Round], by: User | None) -> None:
    published = list(seats_of(entry))
    if not published:
        return
    if seats.taken_by is not None:
        for seat in published:
            hand_over_seat(seat, seats.taken_by, by=by)
        _let_in(seats.taken_by, by)
    elif seats.draw_again:
        for round_ in rounds_to_draw_again(entry):
            again.append(unseat_round(round_, by=by, reason="cancellation"))
    else:
        message = _("%(name)s has published seats: choose who takes them, or have the rounds drawn again.")
        raise Refused(Problem(message, {"name": entry}, code="has_seats"))


def _let_in(entry: Entry, by: User | None) -> None:
    """Let the entry that takes the seats play every round from now on."""
    current = Entry.objects.get(pk=entry.pk)
    if current.is_substitute:
        current.substitute_kind = Entry.SubstituteKind.PERMANENT
    elif current.status == Status.WAITING:
        current.status = Status.REGISTERED
    save_with_history(current, by, "takes the seats of a cancelled entry")


def _check_promises(entry: Entry) -> None:
    told = PlannedSeat.objects.filter(played_by=entry, table__hanchan=None).select_related("round", "entry").first()
    if told is not None:
        message = _(
            "%(name)s is set to play for %(other)s in round %(round)s. Choose another substitute for that seat first."
        )
        params = {"name": entry, "other": told.entry, "round": told.round.number}
        raise Refused(Problem(message, params, code="plays_for_somebody"))


def _records(entry: Entry) -> list[Adjustment]:
    """Absences and byes of the entry. They all belong to rounds that have not begun."""
    seasons = entry.tournament.stages.values("season_id")
    rows = Adjustment.objects.filter(season__in=seasons, player=entry.player_id, revoked_at=None)
    return list(rows.filter(kind__in=RECORDS))


@transaction.atomic
def take_back_cancellation(entry: Entry, *, by: User | None = None) -> Entry:
    """Put the entry back on the list, or on the waiting list if all places are taken.

    Published seats are not given back.
    """
    current = _open(entry)
    if current.status != Status.CANCELLED:
        raise Refused(Problem(_("%(name)s has not cancelled."), {"name": current}, code="not_cancelled"))
    current.status = Status.SUBSTITUTE if current.is_substitute else Status.REGISTERED
    if not current.is_substitute and is_occupied(current.tournament):
        current.status = Status.WAITING
    current.reason = ""
    save_with_history(current, by, "cancellation taken back")
    return current


def _open(entry: Entry) -> Entry:
    """Lock the event's seasons and read the entry again."""
    stages = Tournament.objects.get(pk=entry.tournament_id).stages
    touch(stages.values_list("season_id", flat=True))
    return Entry.objects.select_related("player", "tournament__club").get(pk=entry.pk)
