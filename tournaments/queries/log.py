"""The referee's log: every ruling of an event in order, from all places where rulings are stored.

Penalties and absences are adjustments. Lateness, chombo, fines, substitutes and wrong sums are on the sheets.
Corrections are in the history of the games. The rest are rulings of the event itself.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.models import Adjustment, Hanchan, HanchanEvent, Seat
from tournaments.models import Entry, Ruling, Stage, Tournament
from tournaments.queries.rounds import played_rounds
from tournaments.queries.standings import entries_of

RULED = (Adjustment.Kind.PENALTY, Adjustment.Kind.WARNING, Adjustment.Kind.BONUS, Adjustment.Kind.ABSENCE)
CHANGED = (HanchanEvent.Action.CORRECTED, HanchanEvent.Action.VOIDED, HanchanEvent.Action.RESTORED)


@dataclass(frozen=True)
class LogLine:
    """A line of the log. `amount` is in the unit of its kind: game points, minutes or chombo; None if there is none."""

    stage: Stage
    round: int | None
    kind: str
    label: str | Promise
    entry: Entry | None = None
    substitute: Entry | None = None
    table: int | None = None
    amount: int | None = None
    reason: str = ""
    by: User | None = None
    at: datetime.datetime | None = None
    revoked: str | None = None  # why it was taken back; None while it is valid


def referees_log(tournament: Tournament) -> list[LogLine]:
    """All rulings, stage by stage and round by round. Rulings from before the first round come first."""
    people = {entry.player_id: entry for entry in entries_of(tournament)}
    stages = {stage.season_id: stage for stage in tournament.stages.all()}
    lines = [
        *_from_sheets(stages, people),
        *_from_adjustments(stages, people, played_rounds(tournament)),
        *_from_history(stages),
        *_from_rulings(tournament, {entry.number: entry for entry in people.values()}),
    ]
    # The sort is stable: within a round, sheets come first, and each source keeps its own order.
    return sorted(lines, key=lambda line: (line.stage.number, _END if line.round is None else line.round))


_END = 10_000  # the cut and the like: after every round of the stage


def _from_adjustments(
    stages: dict[int, Stage], people: dict[int, Entry], played: set[tuple[int, int]]
) -> Iterator[LogLine]:
    """Lines from adjustments. An absence is stored when its round is published, but listed only once it is played."""
    rows = Adjustment.objects.filter(season__in=stages, kind__in=RULED).select_related("by").order_by("pk")
    for row in rows:
        if row.kind == Adjustment.Kind.ABSENCE and (row.season_id, row.round or 0) not in played:
            continue
        yield LogLine(
            stages[row.season_id],
            row.round,
            row.kind,
            row.get_kind_display(),
            entry=people.get(row.player_id),
            amount=row.points,
            reason=row.reason,
            by=row.by,
            revoked=row.revoked_reason if row.revoked_at else None,
        )


def _from_sheets(stages: dict[int, Stage], people: dict[int, Entry]) -> Iterator[LogLine]:
    remarkable = ~Q(substitute=Seat.Substitute.NONE) | Q(chombo__gt=0) | Q(late_minutes__gt=0) | Q(penalty__gt=0)
    seats = Seat.objects.filter(season__in=stages, counts=True, hanchan__event_table__isnull=False).filter(remarkable)
    order = ("hanchan__event_table__round__number", "hanchan__event_table__number", "wind")
    for seat in seats.select_related("hanchan__event_table__round", "hanchan__entered_by").order_by(*order):
        table, entry = seat.hanchan.event_table, people.get(seat.player_id)
        for kind, label, amount in _incidents(seat):
            if kind == "substitute" and entry is not None and entry.is_substitute:
                continue  # a substitute who fills up a table is not a ruling
            yield LogLine(
                stages[seat.season_id],
                table.round.number,
                kind,
                label,
                entry=entry,
                substitute=people.get(seat.played_by_id) if seat.played_by_id else None,
                table=table.number,
                amount=amount,
                by=seat.hanchan.entered_by,
                at=seat.hanchan.entered_at,
            )
    yield from _wrong_sums(stages)


def _incidents(seat: Seat) -> Iterator[tuple[str, str | Promise, int | None]]:
    if seat.is_substituted:
        yield "substitute", _("substitute"), None
    if seat.late_minutes:
        yield "late", _("minutes late"), seat.late_minutes
    if seat.penalty:
        yield "fine", _("penalty at the table"), -seat.penalty
    if seat.chombo:
        yield "chombo", _("chombo"), seat.chombo


def _wrong_sums(stages: dict[int, Stage]) -> Iterator[LogLine]:
    games = Hanchan.objects.filter(season__in=stages, status=Hanchan.Status.FINAL, event_table__isnull=False)
    for game in games.exclude(override="").select_related("event_table__round", "entered_by").order_by("pk"):
        number = game.event_table.round.number
        yield LogLine(
            stages[game.season_id],
            number,
            "override",
            _("wrong sum"),
            table=game.table,
            reason=game.override,
            by=game.entered_by,
            at=game.entered_at,
        )


def _from_history(stages: dict[int, Stage]) -> Iterator[LogLine]:
    """Corrected, voided and restored games.

    A voided game belongs to no table any more: its line has no round, and the table number comes from the sheet.
    """
    events = HanchanEvent.objects.filter(hanchan__season__in=stages, action__in=CHANGED)
    for event in events.select_related("hanchan__event_table__round", "by").order_by("pk"):
        table = getattr(event.hanchan, "event_table", None)
        yield LogLine(
            stages[event.hanchan.season_id],
            table.round.number if table else None,
            event.action,
            event.get_action_display(),
            table=event.hanchan.table,
            reason=event.reason,
            by=event.by,
            at=event.at,
        )


_TOLD = {
    Seat.Substitute.NONE: _("reported at the desk: plays"),
    Seat.Substitute.FROM_START: _("reported at the desk: substitute from the start"),
    Seat.Substitute.MID_GAME: _("reported at the desk: substitute mid-game"),
}


def _from_rulings(tournament: Tournament, people: dict[int, Entry]) -> Iterator[LogLine]:
    for row in tournament.rulings.select_related("stage", "entry__player", "by").order_by("pk"):
        if row.stage is None:
            continue
        told = row.details if row.kind == Ruling.Kind.AT_DESK else {}
        yield LogLine(
            row.stage,
            row.round,
            row.kind,
            _TOLD[told["substitute"]] if told.get("substitute") in _TOLD else Ruling.Kind(row.kind).label,
            entry=row.entry,
            substitute=people.get(told.get("played_by") or 0),
            amount=told.get("late_minutes") or None,
            reason=row.reason,
            by=row.by,
            at=row.at,
        )
