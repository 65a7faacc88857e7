"""Incidents at a seat that are reported at the desk: a player is late, absent, substituted or back again.

An incident is stored with the planned seat and is filled into the form when the result is typed. If the table already
has a result, that result is corrected.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction

from ratings.mahjong import scoring
from ratings.mahjong.gamesheet import SeatSheet, Sheet
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.services.seasons import lock
from tournaments.models import Entry, PlannedSeat, Round, Ruling, Table
from tournaments.services.rulings import log
from tournaments.services.sheets import sheet_at
from tournaments.services.tables import check_substitute, correct_table, record_table

_ = gettext_noop


@dataclass(frozen=True)
class Incident:
    """What was reported about a seat.

    A substitute of NONE means that the player is there; `late_minutes` may be the reason for a substitute.
    """

    substitute: str = scoring.NONE
    played_by: Entry | None = None
    late_minutes: int = 0


def with_incident(sheet: Sheet[Entry], entry: Entry, incident: Incident) -> Sheet[Entry]:
    """The sheet with an incident at one of its seats."""
    seats = [_told(seat, incident) if seat.player.pk == entry.pk else seat for seat in sheet.seats]
    return replace(sheet, seats=tuple(seats))


def _told(seat: SeatSheet[Entry], incident: Incident) -> SeatSheet[Entry]:
    played = seat.played._replace(substitute=incident.substitute, late_minutes=incident.late_minutes)
    return SeatSheet(seat.player, played, incident.played_by)


@transaction.atomic
def report(table: Table, entry: Entry, incident: Incident, *, by: User | None = None, reason: str = "") -> Table:
    """Store an incident: as a correction of the table's result, or with the planned seat and in the draft, if any."""
    lock(table.round.stage.season_id)
    table = Table.objects.select_related("hanchan", "round__stage__tournament__club", "round__stage__season").get(
        pk=table.pk
    )
    if table.has_result and table.hanchan is not None:
        sheet = with_incident(sheet_at(table), entry, incident)
        return correct_table(table, sheet, version=table.hanchan.version, by=by, reason=reason)
    _check(table, incident)
    if not PlannedSeat.objects.filter(table=table, entry=entry).update(**vars(incident)):
        message = _("%(name)s has no seat at table %(table)s in round %(round)s.")
        params = {"name": entry, "table": table.number, "round": table.round.number}
        raise Refused(Problem(message, params, code="no_seat"))
    if table.has_draft:
        record_table(table, with_incident(sheet_at(table), entry, incident), by=by, draft=True)
    details = {**vars(incident), "played_by": incident.played_by.number if incident.played_by else None}
    log(table.round.stage, Ruling.Kind.AT_DESK, table.round.number, entry, reason, by, details)
    return table


def _check(table: Table, incident: Incident) -> None:
    if table.round.state not in (Round.State.SEATED, Round.State.PLAYING):
        message = _("Round %(round)s is not being played.")
        raise Refused(Problem(message, {"round": table.round.number}, code="not_playing"))
    most = table.round.stage.rules.late_max_minutes
    if incident.substitute == scoring.NONE and most is not None and incident.late_minutes > most:
        message = _("More than %(most)s minutes late: by the rules a substitute plays from the start.")
        raise Refused(Problem(message, {"most": most}, code="too_late"))
    if incident.played_by is not None:
        check_substitute(table, incident.played_by)
