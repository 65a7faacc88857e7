"""Rulings by the rule set: penalties, warnings, absences, byes, withdrawals and disqualifications.

Rulings with points are adjustments of ratings, with the round they belong to.
"""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Adjustment
from ratings.services import adjustments
from ratings.services.player_rows import freshen, save_with_history
from ratings.services.seasons import lock, touch
from tournaments.models import Entry, Round, Ruling, Stage, Table, Tournament
from tournaments.queries.rounds import played_rounds
from tournaments.services.carrying import carry_again

_ = gettext_noop

Kind = Adjustment.Kind
ONE_RECORD = (Kind.ABSENCE, Kind.BYE)
DEPARTURE = ("status", "left_stage", "left_round", "keep_results", "reason")


def day_of(tournament: Tournament) -> datetime.date:
    """Today, or the nearest day of the event."""
    return min(max(tournament.today(), tournament.starts_on), tournament.ends_on)


# --- points without a game ----------------------------------------------------------------------------------


@transaction.atomic
def give_penalty(
    stage: Stage,
    entry: Entry,
    points: int,
    reason: str,
    *,
    after_round: int,
    by: User | None = None,
    submit_key: uuid.UUID | None = None,
) -> Adjustment:
    """Take points off the total from a round on; 0 points is a warning. A penalty at the table is on the sheet."""
    if points < 0:
        raise Refused(Problem(_("Enter a penalty as a positive number of points; 0 is a warning."), code="negative"))
    if not reason.strip():
        raise Refused(Problem(_("A penalty needs a reason."), code="no_reason"))
    lock(stage.season_id)
    freshen(entry)  # its player may have been merged meanwhile
    check_belongs(stage, entry)
    given = adjustments.give(
        stage.season,
        entry.player,
        Kind.PENALTY if points else Kind.WARNING,
        -points,
        reason,
        by=by,
        on=day_of(stage.tournament),
        round_number=after_round,
        submit_key=submit_key,
    )
    carry_again(stage)
    return given


@transaction.atomic
def revoke_penalty(stage: Stage, given: Adjustment, *, by: User | None = None, reason: str) -> Adjustment:
    """Take a penalty, warning, absence or bye back; it stays in the log, marked as taken back."""
    revoked = adjustments.revoke(given, by=by, reason=reason)
    carry_again(stage)
    return revoked


@transaction.atomic
def mark_absent(round_: Round, entry: Entry, *, by: User | None = None, reason: str = "") -> Adjustment:
    """Record a missed round without a substitute: the fixed result of a substituted seat, counted as a game."""
    rules = lock(round_.stage.season_id).rule_set.rules
    points = rules.substitute_points + rules.substitute_uma
    given = _one_record(round_, entry, Kind.ABSENCE, points, reason or "absent", by)
    carry_again(round_.stage)
    return given


def give_bye(round_: Round, entry: Entry, *, by: User | None = None, reason: str = "") -> Adjustment:
    """Record a bye, a round sat out because the tables are full: 0 points, not counted as a game."""
    return _one_record(round_, entry, Kind.BYE, 0, reason or "bye", by)


@transaction.atomic
def take_back(round_: Round, entry: Entry, *, by: User | None = None, reason: str) -> None:
    """Revoke an absence or bye of a round, because the entry plays after all."""
    lock(round_.stage.season_id)
    for given in _records(round_, entry):
        adjustments.revoke(given, by=by, reason=reason)
    carry_again(round_.stage)


def _one_record(
    round_: Round, entry: Entry, kind: Adjustment.Kind, points: int, reason: str, by: User | None
) -> Adjustment:
    """Store the record of a missed round; there is exactly one for each missed round (RULES §1)."""
    stage = round_.stage
    with transaction.atomic():
        lock(stage.season_id)
        freshen(entry)
        check_belongs(stage, entry)
        table = Table.objects.filter(round=round_, seats__entry=entry).first()
        if table is not None:
            raise Refused(
                Problem(
                    _("%(name)s sits at table %(table)s in round %(round)s: seat another player there first."),
                    {"name": entry, "table": table.number, "round": round_.number},
                    code="is_seated",
                )
            )
        if _records(round_, entry):
            raise Refused(
                Problem(
                    _("Round %(round)s is recorded for %(name)s already, as absent or as a bye."),
                    {"name": entry, "round": round_.number},
                    code="recorded_already",
                )
            )
        on = day_of(stage.tournament)
        return adjustments.give(
            stage.season, entry.player, kind, points, reason, by=by, on=on, round_number=round_.number
        )


def _records(round_: Round, entry: Entry) -> list[Adjustment]:
    valid = Adjustment.objects.filter(season=round_.stage.season_id, revoked_at=None, round=round_.number)
    return list(valid.filter(player=entry.player_id, kind__in=ONE_RECORD))


def check_belongs(stage: Stage, entry: Entry) -> None:
    if entry.tournament_id != stage.tournament_id:
        raise Refused(Problem(_("%(name)s is not entered in this event."), {"name": entry}, code="not_entered"))


# --- leaving ------------------------------------------------------------------------------------------------


def withdraw(
    entry: Entry, stage: Stage, after_round: int, *, keep_results: bool, reason: str, by: User | None = None
) -> Entry:
    """Withdraw an entry. The referee decides whether the results stay or the name is taken out of the table.

    If the results stay, missed rounds count as absent.
    """
    return _leave(entry, Entry.Status.WITHDRAWN, stage, after_round, keep_results, reason, by)


def disqualify(entry: Entry, stage: Stage, after_round: int, *, reason: str, by: User | None = None) -> Entry:
    """Disqualify an entry: from then on it is last in the table but stays in it; missed rounds count as absent."""
    if not reason.strip():
        raise Refused(Problem(_("A disqualification needs a reason."), code="no_reason"))
    return _leave(entry, Entry.Status.DISQUALIFIED, stage, after_round, True, reason, by)


def _leave(
    entry: Entry, status: Entry.Status, stage: Stage, after_round: int, keep: bool, reason: str, by: User | None
) -> Entry:
    check_belongs(stage, entry)
    with transaction.atomic():
        touch(stage.tournament.stages.values_list("season_id", flat=True))
        freshen(entry)
        entry.status, entry.left_stage, entry.left_round = status, stage, after_round
        entry.keep_results, entry.reason = keep, reason
        save_with_history(entry, by, reason[:100], *DEPARTURE)
        log(stage, Ruling.Kind(status.value), after_round, entry, reason, by, {"keep_results": keep})
        carry_again(stage)
    return entry


@transaction.atomic
def reinstate(entry: Entry, *, reason: str, by: User | None = None) -> Entry:
    """Take a withdrawal or disqualification back, together with the absences of rounds that are not played yet.

    Absences of played rounds stay until they are taken back one by one.
    """
    touch(entry.tournament.stages.values_list("season_id", flat=True))
    freshen(entry)
    stage = entry.left_stage
    if not entry.has_left or stage is None:
        raise Refused(Problem(_("%(name)s has not left the event."), {"name": entry}, code="not_left"))
    log(stage, Ruling.Kind.REINSTATED, entry.left_round, entry, reason, by)
    entry.status = Entry.Status.SUBSTITUTE if entry.is_substitute else Entry.Status.CHECKED_IN
    entry.left_stage, entry.left_round, entry.keep_results, entry.reason = None, None, True, ""
    save_with_history(entry, by, reason[:100], *DEPARTURE)
    played = played_rounds(stage.tournament)
    given = Adjustment.objects.filter(season__stage__tournament=stage.tournament, player=entry.player_id)
    for record in given.filter(kind=Kind.ABSENCE, revoked_at=None):
        if (record.season_id, record.round or 0) not in played:
            adjustments.revoke(record, by=by, reason=reason)
    carry_again(stage)
    return entry


def log(
    stage: Stage,
    kind: Ruling.Kind,
    round_number: int | None,
    entry: Entry | None,
    reason: str,
    by: User | None,
    details: dict[str, Any] | None = None,
) -> Ruling:
    """Add a row to the referee's log, with the current time."""
    return Ruling.objects.create(
        tournament=stage.tournament,
        kind=kind,
        stage=stage,
        round=round_number,
        entry=entry,
        reason=reason,
        by=by,
        at=timezone.now(),
        details=details or {},
    )
