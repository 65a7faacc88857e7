"""The states of a round: planned → seated (published) → playing → confirmed. Published seats are fixed.

They change only if seats are swapped or handed over, or if the whole seating is taken back.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings.mahjong.problems import Phrase, Problem, Refused, Term, gettext_noop
from ratings.mahjong.scoring import WINDS
from ratings.services import adjustments
from ratings.services.player_rows import freshen
from ratings.services.seasons import lock, touch
from tournaments.models import Entry, PlannedSeat, Round, Ruling, Table, Tournament
from tournaments.queries.rounds import records_of, unaccounted
from tournaments.services.rulings import check_belongs, give_bye, log, mark_absent, take_back

_ = gettext_noop

State = Round.State


@dataclass(frozen=True)
class LineUp:
    """Who sits where (tables in order, seats East to North), who is absent, and who has a bye."""

    tables: Sequence[Sequence[Entry]]
    absent: Sequence[Entry] = ()
    byes: Sequence[Entry] = ()


@transaction.atomic
def seat_round(round_: Round, line_up: LineUp, *, by: User | None = None, drawn: dict[str, Any] | None = None) -> Round:
    """Publish who sits where, with one record for each entry that misses the round. `drawn` says how it was drawn."""
    round_ = _open(round_)
    if round_.is_published:
        raise Refused(
            Problem(_("Round %(round)s is published already; its seats stay."), _of(round_), code="published")
        )
    _check_line_up(round_, line_up)
    tables = Table.objects.bulk_create(Table(round=round_, number=n) for n in range(1, len(line_up.tables) + 1))
    PlannedSeat.objects.bulk_create(
        PlannedSeat(table=table, round=round_, wind=wind, entry=entry)
        for table, entries in zip(tables, line_up.tables, strict=True)
        for wind, entry in enumerate(entries)
    )
    for entry in line_up.absent:
        mark_absent(round_, entry, by=by)
    for entry in line_up.byes:
        give_bye(round_, entry, by=by)
    round_.state, round_.seated_at, round_.drawn = State.SEATED, timezone.now(), drawn or {}
    round_.save()
    return round_


def _check_line_up(round_: Round, line_up: LineUp) -> None:
    seen: dict[int, Phrase] = {}

    def place(entry: Entry, where: Phrase) -> None:
        check_belongs(round_.stage, entry)
        if entry.pk in seen:
            message = _("%(name)s is in round %(round)s twice: %(first)s and %(second)s.")
            params = {"name": entry, "first": seen[entry.pk], "second": where, **_of(round_)}
            raise Refused(Problem(message, params, code="seated_twice"))
        seen[entry.pk] = where

    for number, entries in enumerate(line_up.tables, 1):
        if len(entries) != 4:
            params = {"table": number, "count": len(entries), **_of(round_)}
            message = _("Table %(table)s of round %(round)s has %(count)s seats; a hanchan has four.")
            raise Refused(Problem(message, params, code="not_four"))
        for wind, entry in enumerate(entries):
            at = {"table": number, "wind": Term(WINDS[wind])}
            place(entry, Phrase(_("table %(table)s, %(wind)s"), at))
    for where, entries in ((_("absent"), line_up.absent), (_("bye"), line_up.byes)):
        for entry in entries:
            place(entry, Phrase(where))


@transaction.atomic
def unseat_round(round_: Round, *, by: User | None = None, reason: str) -> Round:
    """Take a published seating back so that it can be drawn again, while none of its tables has a result or draft."""
    round_ = _open(round_)
    if not round_.is_published or Table.objects.filter(round=round_, hanchan__isnull=False).exists():
        raise Refused(
            Problem(_("Round %(round)s has results or is not seated; it cannot be seated again."), _of(round_))
        )
    log(round_.stage, Ruling.Kind.RESEATED, round_.number, None, reason, by, {"seats": _seating(round_)})
    for record in records_of(round_):
        adjustments.revoke(record, by=by, reason=reason)
    round_.tables.all().delete()
    round_.state, round_.seated_at, round_.drawn = State.PLANNED, None, {}
    round_.save()
    return round_


@transaction.atomic
def swap_seats(round_: Round, one: Entry, other: Entry, *, by: User | None = None, reason: str = "") -> None:
    """Let two entries change places. Seats at a table with a result or draft cannot be changed.

    `other` may have no seat in the round: it then takes the seat, and `one` has none. For each missed round there is
    exactly one record (RULES §1). So an entry that takes a seat loses its absence or bye, and in a published round
    `one` gets an absence if it has left the event and keeps its results.
    """
    round_ = _open(round_)
    for entry in (one, other):
        freshen(entry)
    check_belongs(round_.stage, other)
    seats = {seat.entry_id: seat for seat in round_.seats.select_related("table").filter(entry__in=[one, other])}
    if one.pk not in seats or any(seat.table.hanchan_id for seat in seats.values()):
        message = _("In round %(round)s %(name)s has no seat that could be changed, or the table has a result already.")
        raise Refused(Problem(message, {"name": one, **_of(round_)}, code="cannot_swap"))
    before = _seating(round_)
    first, second = seats[one.pk], seats.get(other.pk)
    if second is not None:
        second.delete()  # the database does not allow two seats of one entry in a round, not even for a moment
        place = {"table": second.table, "round": round_, "wind": second.wind}
        PlannedSeat.objects.filter(pk=first.pk).update(entry=other, **_told(second))
        PlannedSeat.objects.create(entry=one, **place, **_told(first))
    else:
        take_back(round_, other, by=by, reason=reason or "plays after all")
        PlannedSeat.objects.filter(pk=first.pk).update(entry=other, **_told(None))
        gone = one.has_left_before(round_.stage, round_.number)
        if round_.is_published and gone and one.keep_results and not one.is_substitute:
            mark_absent(round_, one, by=by)
    round_.drawn["swaps"] = round_.drawn.get("swaps", 0) + 1
    round_.save()
    if round_.is_published:
        log(round_.stage, Ruling.Kind.RESEATED, round_.number, one, reason, by, {"seats": before, "with": other.number})


def hand_over_seat(seat: PlannedSeat, other: Entry, *, by: User | None = None) -> None:
    """Give a published seat of a cancelled entry to another entry. The round has not begun, so no ruling is needed."""
    round_ = _open(seat.round)
    taken = round_.seats.filter(entry=other).exists()
    touched = Table.objects.filter(pk=seat.table_id, hanchan__isnull=False).exists()
    if taken or touched:
        message = _("In round %(round)s %(name)s has a seat already, or the table has a result.")
        raise Refused(Problem(message, {"name": other, **_of(round_)}, code="cannot_swap"))
    take_back(round_, other, by=by, reason="plays after all")
    PlannedSeat.objects.filter(pk=seat.pk).update(entry=other, **_told(None))
    round_.drawn["swaps"] = round_.drawn.get("swaps", 0) + 1
    round_.save(update_fields=["drawn"])


def _told(seat: PlannedSeat | None) -> dict[str, Any]:
    """What was reported at the desk about an entry, which moves with it to another seat."""
    if seat is None:
        return {"substitute": "", "played_by": None, "late_minutes": 0}
    return {"substitute": seat.substitute, "played_by": seat.played_by, "late_minutes": seat.late_minutes}


def _seating(round_: Round) -> list[list[int]]:
    """Entry numbers table by table, for the log."""
    tables: dict[int, list[int]] = {}
    for table, number in round_.seats.order_by("table__number", "wind").values_list("table__number", "entry__number"):
        tables.setdefault(table, []).append(number)
    return [tables[number] for number in sorted(tables)]


# --- confirming ---------------------------------------------------------------------------------------------


@transaction.atomic
def confirm_round(round_: Round, *, by: User | None = None, missing_ok: bool = False) -> Round:
    """Confirm a round: every table has a checked result, and every entry in the stage has a seat or a record.

    `missing_ok` is for event files. They list who was absent, and an entry that they do not mention is accepted.
    """
    round_ = _open(round_)
    if not round_.is_published:
        raise Refused(Problem(_("Round %(round)s is not seated yet."), _of(round_), code="not_seated"))
    tables = list(round_.tables.select_related("hanchan"))
    _refuse_tables(round_, _("Tables without a result: %(tables)s."), (t for t in tables if not t.has_result))
    _refuse_tables(round_, _("Tables not checked yet: %(tables)s."), (t for t in tables if not t.is_checked))
    forgotten = [] if missing_ok else unaccounted(round_)
    if forgotten:
        names = ", ".join(str(entry) for entry in forgotten)
        message = _("Without a seat, an absence or a bye in round %(round)s: %(names)s.")
        raise Refused(Problem(message, {"names": names, **_of(round_)}, code="unaccounted"))
    _stop_clock(round_)
    round_.state, round_.confirmed_at, round_.confirmed_by = State.CONFIRMED, timezone.now(), by
    round_.save()
    return round_


def _refuse_tables(round_: Round, message: str, tables: Iterable[Table]) -> None:
    numbers = ", ".join(str(table.number) for table in tables)
    if numbers:
        raise Refused(Problem(message, {"tables": numbers, **_of(round_)}, code="tables_missing"))


@transaction.atomic
def unconfirm_round(round_: Round, *, by: User | None = None, reason: str) -> Round:
    """Open a confirmed round again and log the reason."""
    round_ = _open(round_)
    if round_.state != State.CONFIRMED:
        raise Refused(Problem(_("Round %(round)s is not confirmed."), _of(round_), code="not_confirmed"))
    if not reason.strip():
        raise Refused(Problem(_("Enter why the round is opened again."), code="no_reason"))
    log(round_.stage, Ruling.Kind.UNCONFIRMED, round_.number, None, reason, by)
    round_.state, round_.confirmed_at, round_.confirmed_by = State.PLAYING, None, None
    round_.save()
    return round_


@transaction.atomic
def announce_times(tournament: Tournament, times: Mapping[int, datetime.datetime | None]) -> None:
    """Store when rounds start; pages, phones and the screen count down to it. The clock is started by hand."""
    touch(tournament.stages.values_list("season_id", flat=True))
    for round_ in Round.objects.filter(stage__tournament=tournament, pk__in=times):
        Round.objects.filter(pk=round_.pk).update(starts_at=times[round_.pk])


# --- the clock ----------------------------------------------------------------------------------------------


@transaction.atomic
def start_clock(round_: Round) -> Round:
    """Start the clock, or continue after a pause. A seated round is then being played."""
    round_ = _open(round_)
    if round_.state not in (State.SEATED, State.PLAYING):
        raise Refused(Problem(_("Only a round that is seated and not confirmed has a clock."), code="no_clock"))
    if round_.running_since is None:
        round_.running_since = timezone.now()
    round_.started_at = round_.started_at or round_.running_since
    round_.state = State.PLAYING
    round_.save()
    return round_


@transaction.atomic
def pause_clock(round_: Round) -> Round:
    round_ = _open(round_)
    _stop_clock(round_)
    round_.save()
    return round_


@transaction.atomic
def add_time(round_: Round, seconds: int, *, table: Table | None = None) -> None:
    """Give extra time to all tables or to one; a negative number takes time back."""
    round_ = _open(round_)
    row: Round | Table = round_ if table is None else Table.objects.get(pk=table.pk, round=round_)
    row.extra_seconds += seconds
    row.save()


def _stop_clock(round_: Round) -> None:
    round_.elapsed_seconds = int(round_.played(timezone.now()).total_seconds())
    round_.running_since = None


def _open(round_: Round) -> Round:
    """Lock the season and read the round again, so that writes to a round happen one after another."""
    lock(round_.stage.season_id)
    return Round.objects.select_related("stage__tournament__club", "stage__season__rule_set").get(pk=round_.pk)


def _of(round_: Round) -> dict[str, object]:
    return {"round": round_.number}
