"""Seats of unpublished rounds: they are stored when drawn and checked again when they are published."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.services.player_rows import save_with_history
from ratings.services.seasons import lock
from tournaments.models import Entry, PlannedSeat, Round, Stage, Table, Tournament
from tournaments.queries.rounds import to_seat
from tournaments.queries.schedules import Drawn, seating_request
from tournaments.services.rounds import LineUp, seat_round

_ = gettext_noop


@transaction.atomic
def store_drawing(drawn: Drawn, *, by: User | None = None) -> Stage:
    """Store a drawing as the plan of its rounds and replace the previous plan.

    Refuses if entries or published rounds changed during the drawing: it would seat the wrong players.
    """
    lock(drawn.seating.stage.season_id)
    stage = Stage.objects.select_related("tournament", "season__rule_set").get(pk=drawn.seating.stage.pk)
    now = seating_request(stage, drawn.seating.drawing)
    if (now.request.players, now.request.history) != (drawn.seating.request.players, drawn.seating.request.history):
        raise Refused(
            Problem(_("Entries or rounds changed while the seats were drawn. Draw again."), code="field_changed")
        )
    figures, drawing = drawn.certificate.as_dict(), drawn.seating.drawing
    for index, round_ in enumerate(now.rounds):
        facts: dict[str, Any] = {**drawing.write(), "moves": drawn.schedule.moves, "stopped": drawn.schedule.stopped}
        if not drawing.is_whole:
            facts |= _of_single_round(drawn, round_.drawn)
        _plan(round_, drawn.tables(index), facts)
    if drawing.is_whole:
        before = stage.certificate or {}
        stage.certificate = {
            "figures": figures,
            "before": before.get("figures", before) or None,
            "before_players": before.get("players"),
            "players": len(drawn.seating.request.players),
            "rounds": [round_.number for round_ in now.rounds],
            "drawing": drawing.write(),
            "stopped": drawn.schedule.stopped,
        }
        save_with_history(stage, by, "drawn")
    return stage


def _of_single_round(drawn: Drawn, before: dict[str, Any]) -> dict[str, Any]:
    """What the page of a round shows about its drawing, with the figures of the previous drawing."""
    return {
        "figures": drawn.certificate.as_dict(),
        "players": len(drawn.seating.request.players),
        "ranks": {str(number): rank for number, rank in drawn.ranks.items()},
        "before": before.get("figures"),
        "before_players": before.get("players"),
    }


def _plan(round_: Round, tables: list[list[Entry]], drawn: dict[str, Any]) -> None:
    """Store the planned seats of an unpublished round."""
    round_.tables.all().delete()
    made = Table.objects.bulk_create(Table(round=round_, number=n) for n in range(1, len(tables) + 1))
    PlannedSeat.objects.bulk_create(
        PlannedSeat(table=table, round=round_, wind=wind, entry=entry)
        for table, entries in zip(made, tables, strict=True)
        for wind, entry in enumerate(entries)
    )
    round_.drawn = drawn
    round_.save(update_fields=["drawn"])


@transaction.atomic
def publish_round(round_: Round, *, by: User | None = None) -> Round:
    """Publish the planned seats.

    Entries that left are absent, and so are those that the drawing excused. Other entries without a seat get a bye if
    the event uses byes; otherwise the round is refused.
    """
    lock(round_.stage.season_id)
    round_ = Round.objects.select_related("stage__tournament__club", "stage__season__rule_set").get(pk=round_.pk)
    if round_.is_published:
        raise Refused(Problem(_("Round %(round)s is published already."), {"round": round_.number}, code="published"))
    _check_order(round_)
    line_up = _line_up(round_)
    round_.tables.all().delete()
    return seat_round(round_, line_up, by=by, drawn=round_.drawn)


def _check_order(round_: Round) -> None:
    earlier = round_.stage.rounds.filter(number__lt=round_.number, state=Round.State.PLANNED).first()
    if earlier is not None:
        message = _("Publish round %(earlier)s first: rounds are published in their order.")
        raise Refused(Problem(message, {"earlier": earlier.number}, code="out_of_order"))
    if not round_.stage.is_open:
        raise Refused(Problem(_("%(stage)s is not open: open it on the page of stages."), {"stage": round_.stage.name}))


def _line_up(round_: Round) -> LineUp:
    tables = [
        [seat.entry for seat in table.seats.all()]
        for table in round_.tables.prefetch_related("seats__entry__player").order_by("number")
    ]
    if not tables:
        raise Refused(Problem(_("Round %(round)s is not drawn yet."), {"round": round_.number}, code="not_drawn"))
    playing, absent = to_seat(round_)
    seated = {entry.pk for table in tables for entry in table}
    stage = round_.stage
    gone = [entry for table in tables for entry in table if entry.has_left_before(stage, round_.number)]
    if gone:
        message = _("In round %(round)s there is a seat for %(names)s, who has left. Draw the round again.")
        raise Refused(Problem(message, {"round": round_.number, "names": _names(gone)}, code="has_left"))
    excused = set(round_.drawn.get("absent", []))
    absent += [entry for entry in playing if entry.number in excused and entry.pk not in seated]
    resting = [entry for entry in playing if entry.pk not in seated and entry.number not in excused]
    if resting and stage.tournament.odd != Tournament.Odd.BYES:
        message = _("In round %(round)s there is no seat for %(names)s. Draw the round again.")
        raise Refused(Problem(message, {"round": round_.number, "names": _names(resting)}, code="not_seated"))
    return LineUp(tables, absent, resting)


def _names(entries: list[Entry]) -> str:
    return ", ".join(entry.player.native_name for entry in entries)
