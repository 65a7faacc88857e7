"""Standings of an event, after any round of any stage or of the whole event, as a page and as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from clubsite import export, freshness, tables
from clubsite.digits import whole_number
from ratings.tables.names import Names
from tournaments.models import Stage
from tournaments.queries.mers import mers_report
from tournaments.queries.overview import RoundLine, round_lines
from tournaments.queries.standings import final_ranking, hanchans_of, view_event, view_stage
from tournaments.tables import final as final_table
from tournaments.tables import standings as table
from tournaments.views.opening import EventPage, frame_of, open_event

WHOLE = "all"


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponseBase:
    opened = open_event(request, slug)
    if request.GET.get("export") in export.FORMATS and opened.sees_results:
        return _file(request, opened)
    if wants_whole_event(request, opened):
        return freshness.page(request, opened.facts, "tournaments/final.html", lambda: _final(request, opened))
    return freshness.page(request, opened.facts, "tournaments/standings.html", lambda: _context(request, opened))


def wants_whole_event(request: HttpRequest, opened: EventPage) -> bool:
    """Whether to show the ranking over all stages: when it is chosen, or when a finished event is opened."""
    several = sum(stage.is_opened for stage in opened.summary.stages) > 1
    return several and request.GET.get("stage", WHOLE if opened.summary.finished else "") == WHOLE


def board_of(request: HttpRequest, opened: EventPage, stage: Stage) -> table.Board:
    """The standings after the round of `?after=3`. Without a valid round, after the last one with results."""
    view = view_stage(stage)
    wanted, last = request.GET.get("after", ""), view.last_round
    number = whole_number(wanted)
    after = last if number is None or not last else min(max(number, 1), last)
    return table.board(view, after, hanchans_of(stage), opened.is_staff)


def _context(request: HttpRequest, opened: EventPage) -> dict[str, Any]:
    context = frame_of(opened, "standings")
    stage = opened.stage_asked_for(request)
    if not opened.sees_results:
        return {**context, "stage": stage}
    board = board_of(request, opened, stage)
    lines = [line for line in round_lines(opened.tournament) if line.round.stage_id == stage.pk]
    return {
        **context,
        "stage": stage,
        "board": board,
        "heads": table.heads(board),
        "rows": table.rows(board),
        "outside_rows": table.outside_rows(board),
        "needs": table.needs(board),
        "rounds_left": max((one.rounds for one in board.prospects), default=0),
        "round": _line(lines, board.after),
        "latest": f"{request.path}?stage={stage.number}",
        "rounds": range(1, board.view.last_round + 1),
        "tie_breaks": final_table.tie_break_words(opened.tournament),
        "exports": tables.export_addresses(request.GET),
    }


def _line(lines: list[RoundLine], number: int) -> RoundLine | None:
    return next((line for line in lines if line.round.number == number), None)


def _final(request: HttpRequest, opened: EventPage) -> dict[str, Any]:
    context = frame_of(opened, "standings")
    if not opened.sees_results:
        return context
    views = view_event(opened.tournament)
    rows = final_ranking(views)
    return {
        **context,
        "whole": True,
        "ranked": len(rows),
        **final_table.drawn(rows, views, opened.is_staff),
        "tie_breaks": final_table.tie_break_words(opened.tournament),
        "exports": tables.export_addresses(request.GET),
    }


def _file(request: HttpRequest, opened: EventPage) -> HttpResponseBase:
    wanted, name = request.GET["export"], opened.tournament.name
    if wants_whole_event(request, opened):
        report = mers_report(opened.tournament)
        with_points, final = opened.tournament.reports_to_mers, final_table.FinalTable([])
        page = final_table.FinalPage(Names(opened.is_staff), weight=report.weight if with_points else None)
        rows = final.file_rows(page, final_table.file_rows(report, with_points=with_points))
        return export.response(wanted, opened.file_name("final"), name, final.file_columns(), rows)
    board = board_of(request, opened, opened.stage_asked_for(request))
    file_name = opened.file_name("standings", f"{board.view.stage.number}", f"{board.after}")
    found = table.build(board)
    rows = found.file_rows(board, table.everybody(board))
    return export.response(wanted, file_name, name, found.file_columns(), rows)
