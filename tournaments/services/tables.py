"""A table's result: entered, checked, corrected, voided. The game itself goes through the one door of ratings.

The seat is the entry's player, `played_by` the substitute's (RULES §1, whose result it is).
"""

from __future__ import annotations

import datetime
import uuid
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings import gamesheet, scoring
from ratings.models import Hanchan, Seat
from ratings.problems import Problem, Refused, Term, gettext_noop
from ratings.services import hanchans
from ratings.services.seasons import lock
from tournaments.models import Entry, Round, Table
from tournaments.services.carrying import carry_again

_ = gettext_noop

State = Round.State


@dataclass(frozen=True)
class SeatFacts:
    """What happened on one seat. An entry that is a substitute itself is stored as one from the start."""

    entry: Entry
    points: int
    chombo: int = 0
    late_minutes: int = 0
    penalty: int = 0
    substitute: str = scoring.NONE
    played_by: Entry | None = None


@dataclass(frozen=True)
class TableFacts:
    """Seats in order East to North; `played_at` is the round's own time unless said."""

    seats: tuple[SeatFacts, ...]
    sticks_left: int = 0
    override: str = ""
    comment: str = ""
    played_at: datetime.datetime | None = None
    played_on: datetime.date | None = None


def sheet_for(table: Table, facts: TableFacts) -> gamesheet.Sheet:
    """The sheet as it would be recorded; previews and checks ask ratings about it."""
    at = facts.played_at or _time_of(table.round)
    on = facts.played_on or timezone.localdate(at, table.round.stage.tournament.zone)
    return gamesheet.Sheet(
        played_at=at,
        played_on=on,
        seats=tuple(_seat(seat) for seat in facts.seats),
        sticks_left=facts.sticks_left,
        table=table.number,
        override=facts.override,
        comment=facts.comment,
    )


def _seat(seat: SeatFacts) -> gamesheet.SeatSheet:
    fills_up = seat.entry.is_substitute and seat.substitute == scoring.NONE
    return gamesheet.SeatSheet(
        player=seat.entry.player_id,
        points=seat.points,
        chombo=seat.chombo,
        late_minutes=seat.late_minutes,
        penalty=seat.penalty,
        substitute=scoring.FROM_START if fills_up else seat.substitute,
        played_by=seat.played_by.player_id if seat.played_by else None,
    )


def _time_of(round_: Round) -> datetime.datetime:
    """When the round began; a result typed before or after the event's days is put on the nearest of them."""
    at, zone, tournament = round_.started_at or timezone.now(), round_.stage.tournament.zone, round_.stage.tournament
    day = timezone.localdate(at, zone)
    nearest = min(max(day, tournament.starts_on), tournament.ends_on)
    return at if day == nearest else datetime.datetime.combine(nearest, datetime.time(12), zone)


# --- writing ------------------------------------------------------------------------------------------------


@transaction.atomic
def record_table(
    table: Table, facts: TableFacts, *, by: User | None = None, draft: bool = False, submit_key: uuid.UUID | None = None
) -> Table:
    """Enters a table's result, or a draft of it (a table's phone may do no more); a draft there is taken over.

    The same form twice raises SubmittedBefore, as everywhere.
    """
    table, facts = _open(table), _as_now(facts)
    _check_open(table, submit_key)
    _check_people(table, facts)
    sheet = sheet_for(table, facts)
    first = Hanchan.objects.filter(submit_key=submit_key).first() if submit_key else None
    if first is not None:  # typed once, posted twice: only then the time of the first counts
        sheet = replace(sheet, played_at=first.played_at, played_on=first.played_on)
    if table.has_draft and table.hanchan is not None and first is None:
        version = table.hanchan.version
        hanchan = hanchans.change_hanchan(table.hanchan, sheet, version=version, by=by, draft=draft)
    else:
        season = table.round.stage.season
        hanchan = hanchans.record_hanchan(season, sheet, by=by, draft=draft, submit_key=submit_key)
    table.hanchan, table.checked_at, table.checked_by = hanchan, None, None
    table.save()
    if table.round.state == State.SEATED:
        Round.objects.filter(pk=table.round_id).update(state=State.PLAYING)
    if not draft:
        carry_again(table.round.stage)
    return table


@transaction.atomic
def correct_table(table: Table, facts: TableFacts, *, version: int, by: User | None = None, reason: str) -> Table:
    """Corrects a result of any round, confirmed or not; pairings already published stay, carried totals follow.

    `version` is the one the editor saw; another one raises Conflict.
    """
    table = _open(table)
    if table.hanchan is None or not table.has_result:
        raise _no_result(table)
    if not reason.strip():
        raise Refused(Problem(_("Say why the sheet is corrected."), code="no_reason"))
    facts = _as_now(facts)
    _check_people(table, facts)
    kept = replace(facts, played_at=table.hanchan.played_at, played_on=table.hanchan.played_on)
    sheet = sheet_for(table, kept)
    table.hanchan = hanchans.change_hanchan(table.hanchan, sheet, version=version, by=by, reason=reason)
    if table.checked_at is not None:  # whoever corrects has looked at it
        table.checked_at, table.checked_by = timezone.now(), by
    table.save()
    carry_again(table.round.stage)
    return table


@transaction.atomic
def check_table(table: Table, *, by: User | None = None) -> Table:
    """A second pair of eyes has compared sheet and screen."""
    table = _open(table)
    if not table.has_result:
        raise _no_result(table)
    table.checked_at, table.checked_by = timezone.now(), by
    table.save()
    return table


@transaction.atomic
def void_table(table: Table, *, by: User | None = None, reason: str) -> Table:
    """Takes a result or draft away, so that the table can be entered anew."""
    table = _open(table)
    _check_round(table)
    if table.hanchan is None:
        raise _no_result(table)
    hanchans.void_hanchan(table.hanchan, version=table.hanchan.version, by=by, reason=reason)
    table.hanchan, table.checked_at, table.checked_by = None, None, None
    table.save()
    carry_again(table.round.stage)
    return table


# --- checking -----------------------------------------------------------------------------------------------


def _open(table: Table) -> Table:
    """The table as it is now, its season locked."""
    lock(table.round.stage.season_id)
    related = ("hanchan", "round__stage__tournament__club", "round__stage__season__rule_set")
    return Table.objects.select_related(*related).get(pk=table.pk)


def _as_now(facts: TableFacts) -> TableFacts:
    """The facts with their entries read again: a player may have been merged since."""
    named = {entry.pk for seat in facts.seats for entry in (seat.entry, seat.played_by) if entry}
    now = Entry.objects.select_related("player").in_bulk(named)
    seats = [
        replace(
            seat,
            entry=now.get(seat.entry.pk, seat.entry),
            played_by=now.get(seat.played_by.pk, seat.played_by) if seat.played_by else None,
        )
        for seat in facts.seats
    ]
    return replace(facts, seats=tuple(seats))


def _check_round(table: Table) -> None:
    if table.round.state == State.CONFIRMED:
        params = {"round": table.round.number}
        raise Refused(
            Problem(
                _("Round %(round)s is confirmed: correct the table, or open the round again."), params, code="confirmed"
            )
        )


def _check_open(table: Table, submit_key: uuid.UUID | None) -> None:
    _check_round(table)
    if not table.round.is_published:
        raise Refused(
            Problem(_("Round %(round)s is not seated yet."), {"round": table.round.number}, code="not_seated")
        )
    hanchan = table.hanchan
    if hanchan is None or not table.has_result or (submit_key is not None and hanchan.submit_key == submit_key):
        return
    params = {"table": table.number, "round": table.round.number}
    message = _("Table %(table)s of round %(round)s has a result already; correct that one.")
    raise Refused(Problem(message, params, code="has_result"))


def _check_people(table: Table, facts: TableFacts) -> None:
    """The four who are planned here, in any order of winds; and nobody plays at two tables of a round."""
    planned = set(table.seats.values_list("entry_id", flat=True))
    if {seat.entry.pk for seat in facts.seats} != planned or len(facts.seats) != 4:
        params = {"table": table.number, "round": table.round.number}
        message = _("These are not the four of table %(table)s in round %(round)s. Swap the seats first.")
        raise Refused(Problem(message, params, code="other_people"))
    for index, seat in enumerate(facts.seats):
        if seat.played_by is not None:
            check_substitute(table, seat.played_by, index)


def check_substitute(table: Table, substitute: Entry, index: int | None = None) -> None:
    """Whoever sits down for somebody is of this event and plays nowhere else in the round."""
    if substitute.tournament_id != table.round.stage.tournament_id:
        raise Refused(Problem(_("The substitute is no entry of this event."), code="not_entered", seat=index))
    busy = table.round.seats.filter(entry=substitute).select_related("table").first()
    elsewhere = Seat.objects.filter(hanchan__event_table__round=table.round_id, played_by=substitute.player_id)
    other = elsewhere.exclude(hanchan__event_table=table).select_related("hanchan").first()
    if busy is None:  # told at the desk for another table that has no result yet
        told = table.round.seats.filter(played_by=substitute, table__hanchan=None).exclude(table=table)
        busy = told.select_related("table").first()
    if busy or other:
        number = busy.table.number if busy else other.hanchan.table  # type: ignore[union-attr]
        message = _("%(name)s plays at table %(table)s in this round already.")
        raise Refused(Problem(message, {"name": substitute, "table": number}, code="plays_twice", seat=index))


def _no_result(table: Table) -> Refused:
    params = {"table": table.number, "round": table.round.number, "kind": Term(_("result"))}
    return Refused(Problem(_("Table %(table)s of round %(round)s has no %(kind)s yet."), params, code="no_result"))
