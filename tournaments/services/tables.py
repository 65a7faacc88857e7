"""The result of a table: enter, check, correct and void it. The services of ratings write the game itself.

The seat belongs to the entry's player; `played_by` is the player of the substitute (RULES §1, whose result it is).
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.problems import Problem, Refused, Term, gettext_noop
from ratings.models import Hanchan, Seat
from ratings.services import hanchans
from ratings.services.seasons import lock
from tournaments.models import Entry, Round, Table
from tournaments.services.carrying import carry_again

_ = gettext_noop

State = Round.State


def new_sheet(table: Table, seats: Iterable[SeatSheet[Entry]], **facts: Any) -> Sheet[Entry]:
    """A sheet of this table, East to North, with the time of its round; `facts` are other fields of the sheet."""
    at = facts.pop("played_at", None) or _time_of(table.round)
    on = facts.pop("played_on", None) or timezone.localdate(at, table.round.stage.tournament.zone)
    return Sheet(at, on, tuple(seats), table=table.number, **facts)


def as_recorded(sheet: Sheet[Entry]) -> Sheet[int]:
    """The sheet as ratings records it, also for previews and checks.

    An entry that is a substitute fills up the table, so its seat counts as substituted from the start.
    """
    seats = [
        seat.changed(substitute=scoring.FROM_START)
        if seat.player.is_substitute and seat.played.substitute == scoring.NONE
        else seat
        for seat in sheet.seats
    ]
    return replace(sheet, seats=tuple(seats)).map(lambda entry: entry.player_id)


def _time_of(round_: Round) -> datetime.datetime:
    """When the round began. A result typed before or after the event's days is put on the nearest of those days."""
    at, zone, tournament = round_.started_at or timezone.now(), round_.stage.tournament.zone, round_.stage.tournament
    day = timezone.localdate(at, zone)
    nearest = min(max(day, tournament.starts_on), tournament.ends_on)
    return at if day == nearest else datetime.datetime.combine(nearest, datetime.time(12), zone)


# --- writing ------------------------------------------------------------------------------------------------


@transaction.atomic
def record_table(
    table: Table,
    sheet: Sheet[Entry],
    *,
    by: User | None = None,
    draft: bool = False,
    submit_key: uuid.UUID | None = None,
) -> Table:
    """Enter a table's result, or a draft of it (phones may only send drafts). An existing draft is replaced.

    Sending the same form twice raises SubmittedBefore, as everywhere.
    """
    table, sheet = _open(table), _as_now(sheet)
    _check_open(table, submit_key)
    _check_people(table, sheet)
    recorded = as_recorded(sheet)
    first = Hanchan.objects.filter(submit_key=submit_key).first() if submit_key else None
    if first is not None:  # the same form posted twice: only then use the time of the first
        recorded = replace(recorded, played_at=first.played_at, played_on=first.played_on)
    if table.has_draft and table.hanchan is not None and first is None:
        version = table.hanchan.version
        hanchan = hanchans.change_hanchan(table.hanchan, recorded, version=version, by=by, draft=draft)
    else:
        season = table.round.stage.season
        hanchan = hanchans.record_hanchan(season, recorded, by=by, draft=draft, submit_key=submit_key)
    table.hanchan, table.checked_at, table.checked_by = hanchan, None, None
    table.save()
    if table.round.state == State.SEATED:
        Round.objects.filter(pk=table.round_id).update(state=State.PLAYING)
    if not draft:
        carry_again(table.round.stage)
    return table


@transaction.atomic
def correct_table(table: Table, sheet: Sheet[Entry], *, version: int, by: User | None = None, reason: str) -> Table:
    """Correct a result of any round, confirmed or not. Published pairings stay; carried totals are updated.

    `version` is the version that the editor saw; if it has changed, Conflict is raised.
    """
    table = _open(table)
    if table.hanchan is None or not table.has_result:
        raise _no_result(table)
    if not reason.strip():
        raise Refused(Problem(_("Enter why the sheet is corrected."), code="no_reason"))
    sheet = _as_now(sheet)
    _check_people(table, sheet)
    hanchan = table.hanchan
    recorded = replace(as_recorded(sheet), played_at=hanchan.played_at, played_on=hanchan.played_on)
    table.hanchan = hanchans.change_hanchan(hanchan, recorded, version=version, by=by, reason=reason)
    if table.checked_at is not None:  # the user who corrects it has looked at it
        table.checked_at, table.checked_by = timezone.now(), by
    table.save()
    carry_again(table.round.stage)
    return table


@transaction.atomic
def check_table(table: Table, *, by: User | None = None) -> Table:
    """Mark a table as checked: a user has compared the paper sheet with the screen."""
    table = _open(table)
    if not table.has_result:
        raise _no_result(table)
    table.checked_at, table.checked_by = timezone.now(), by
    table.save()
    return table


@transaction.atomic
def void_table(table: Table, *, by: User | None = None, reason: str) -> Table:
    """Remove a result or draft, so that the table can be entered again."""
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
    """Lock the season and read the table again."""
    lock(table.round.stage.season_id)
    related = ("hanchan", "round__stage__tournament__club", "round__stage__season__rule_set")
    return Table.objects.select_related(*related).get(pk=table.pk)


def _as_now(sheet: Sheet[Entry]) -> Sheet[Entry]:
    """The sheet with its entries read again: a player may have been merged since."""
    now = Entry.objects.select_related("player").in_bulk({entry.pk for entry in sheet.people})
    return sheet.map(lambda entry: now.get(entry.pk, entry))


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


def _check_people(table: Table, sheet: Sheet[Entry]) -> None:
    """Check that the four planned entries play, in any order of winds, and no one plays at two tables of a round."""
    planned = set(table.seats.values_list("entry_id", flat=True))
    if {seat.player.pk for seat in sheet.seats} != planned or len(sheet.seats) != 4:
        params = {"table": table.number, "round": table.round.number}
        message = _("These are not the four of table %(table)s in round %(round)s. Swap the seats first.")
        raise Refused(Problem(message, params, code="other_people"))
    for index, seat in enumerate(sheet.seats):
        if seat.played_by is not None:
            check_substitute(table, seat.played_by, index)


def check_substitute(table: Table, substitute: Entry, index: int | None = None) -> None:
    """Refuse a substitute who is not an entry of this event or plays at another table of the round."""
    if substitute.tournament_id != table.round.stage.tournament_id:
        raise Refused(Problem(_("The substitute is not entered in this event."), code="not_entered", seat=index))
    busy = table.round.seats.filter(entry=substitute).select_related("table").first()
    elsewhere = Seat.objects.filter(hanchan__event_table__round=table.round_id, played_by=substitute.player_id)
    other = elsewhere.exclude(hanchan__event_table=table).select_related("hanchan").first()
    if busy is None:  # reported at the desk for another table that has no result yet
        told = table.round.seats.filter(played_by=substitute, table__hanchan=None).exclude(table=table)
        busy = told.select_related("table").first()
    if busy or other:
        number = busy.table.number if busy else other.hanchan.table  # type: ignore[union-attr]
        message = _("%(name)s plays at table %(table)s in this round already.")
        raise Refused(Problem(message, {"name": substitute, "table": number}, code="plays_twice", seat=index))


def _no_result(table: Table) -> Refused:
    params = {"table": table.number, "round": table.round.number, "kind": Term(_("result"))}
    return Refused(Problem(_("Table %(table)s of round %(round)s has no %(kind)s yet."), params, code="no_result"))
