"""The seating: drawing it, its certificate, swaps and their cost, and publishing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from clubsite.heat_map import heat_map, repeats
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from tournaments.forms.rulings import ReasonForm
from tournaments.forms.schedule import DrawForm, SwapForm
from tournaments.models import Round, Stage, Tournament
from tournaments.queries.agenda import round_states
from tournaments.queries.events import headcount
from tournaments.queries.meetings import meetings_of
from tournaments.queries.rounds import records_of, tables_of, to_seat
from tournaments.queries.schedules import (
    Drawing,
    SwapCost,
    certificate_of,
    last_drawing,
    outdated,
    read_drawing,
    seating_request,
    swap_cost,
)
from tournaments.seating.errors import NOTES
from tournaments.seating.request import notes
from tournaments.services.draw_job import draw_now, start_drawing
from tournaments.services.rounds import swap_seats, unseat_round
from tournaments.services.schedules import publish_round
from tournaments.views.access import Context, manage_url, page_context, round_or_404, staff_page

SECONDS = 10  # default search time


@staff_page(rights.may_manage)
def schedule(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The open stage: its certificate, its rounds, and the form for drawing."""
    stage = _current_stage(tournament)
    if stage is None:
        messages.info(request, gettext("No stage is open; there is nothing to draw."))
        return redirect(manage_url("stages", tournament))
    posted = request.method == "POST"
    last = last_drawing(stage)
    again = posted and "again" in request.POST
    form = DrawForm(stage, request.POST if posted and not again else None, initial=_initial(last))
    states = [state for state in round_states(tournament) if state.round.stage_id == stage.pk]
    refused: list[str] = []
    try:
        if again and last is not None:
            return _draw(request, stage, replace(last, absent=()), SECONDS)
        if posted and form.is_valid():
            return _draw(request, stage, form.drawing(), form.cleaned_data["seconds"])
    except Refused as error:
        refused = error.sentences(gettext)
    context = page_context(
        request,
        tournament,
        "schedule",
        heading=gettext("Schedule"),
        stage=stage,
        form=form,
        refused=refused,
        outdated=outdated(stage),
        can_repeat=last is not None,
        certificate=certificate_of(stage),
        **_meetings(stage),
        swaps=sum(state.round.drawn.get("swaps", 0) for state in states),
        count=headcount(tournament),
        states=states,
    )
    return render(request, "tournaments/manage/schedule.html", context, status=422 if posted else 200)


def _meetings(stage: Stage) -> Context:
    """Who meets whom, drawn and, for pairs who meet again, in words."""
    found = meetings_of(stage)
    labels = [str(number) for number in found.numbers]
    return {"heat_map": heat_map(labels, found.counts), "repeats": repeats(labels, found.counts)}


def _current_stage(tournament: Tournament) -> Stage | None:
    stages = tournament.stages.select_related("season__rule_set", "tournament__club").order_by("number")
    return next((stage for stage in stages if stage.is_open), None)


def _round_certificate(round_: Round) -> dict[str, Any] | None:
    """The certificate of a round that was drawn alone. Rounds drawn together share the certificate of their stage."""
    facts: dict[str, Any] = round_.drawn
    return {**facts, "rounds": [round_.number], "drawing": facts} if facts.get("figures") else None


def _initial(last: Drawing | None) -> dict[str, object]:
    """The form's values from the last drawing."""
    if last is None:
        return {}
    pairs = ", ".join(f"{one}-{other}" for one, other in last.pairs)
    return {**last.write(), "pairs": pairs, "absent": [], "seconds": SECONDS}


def _draw(request: HttpRequest, stage: Stage, drawing: Drawing, seconds: int) -> HttpResponse:
    """Draw a single round at once, or a whole schedule as a long job that can be stopped to keep the best so far."""
    user, tournament = user_of(request), stage.tournament
    for note in notes(seating_request(stage, drawing).request):
        messages.warning(request, gettext(NOTES[note.code]) % note.params)
    if drawing.is_whole:
        return redirect(start_drawing(stage, drawing, seconds, by=user, back_url=manage_url("schedule", tournament)))
    drawn = draw_now(stage, drawing, seconds, by=user)
    messages.success(request, gettext("Drawn. Only staff see it until it is published."))
    return redirect(manage_url("seating", tournament, stage.number, drawn.seating.rounds[0].number))


@staff_page(rights.may_manage)
def seating(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """The tables of a round. Two players can change places; the cost is shown before."""
    round_ = round_or_404(tournament, stage, number)
    form = SwapForm(round_, request.POST if request.method == "POST" else None)
    cost: SwapCost | None = None
    if request.method == "POST" and form.is_valid():
        one, other = form.entries()
        try:
            if "accept" in request.POST:
                swap_seats(round_, one, other, by=user_of(request), reason=form.cleaned_data["reason"])
                messages.success(request, gettext("They have changed places."))
                return redirect(manage_url("seating", tournament, stage, number))
            cost = swap_cost(round_, one, other)
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    bad = form.is_bound and bool(form.errors)
    context = _seating_context(request, tournament, round_, form, cost)
    return render(request, "tournaments/manage/seating.html", context, status=422 if bad else 200)


def _seating_context(
    request: HttpRequest, tournament: Tournament, round_: Round, form: SwapForm, cost: SwapCost | None
) -> Context:
    tables = list(tables_of(round_))
    seated = {seat.entry_id for table in tables for seat in table.seats.all()}
    playing, left = to_seat(round_)
    return page_context(
        request,
        tournament,
        "schedule",
        heading=gettext("Seats of round %(round)s") % {"round": round_.number},
        round=round_,
        tables=tables,
        form=form,
        cost=cost,
        unseated=[entry for entry in playing if entry.pk not in seated] if tables else [],
        left=[entry for entry in left if entry.pk not in seated],
        records=records_of(round_),
        certificate=_round_certificate(round_) if tables else None,
        drawing=read_drawing(round_.drawn) if tables and round_.drawn else None,
        ranks={int(number): rank for number, rank in round_.drawn.get("ranks", {}).items()},
        can_unseat=round_.is_published and not any(table.hanchan_id for table in tables),
    )


@require_POST
@staff_page(rights.may_manage)
def publish(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """Publish one round, or every drawn round from this one on."""
    round_ = round_or_404(tournament, stage, number)
    rounds = [round_]
    if "all" in request.POST:
        rounds += round_.stage.rounds.filter(number__gt=number, tables__isnull=False).distinct().order_by("number")
    for each in rounds:
        try:
            publish_round(each, by=user_of(request))
            messages.success(request, gettext("Round %(round)s is published.") % {"round": each.number})
        except Refused as refused:
            for sentence in refused.sentences(gettext):
                messages.error(request, sentence)
            return redirect(manage_url("seating", tournament, stage, each.number))
    return redirect(manage_url("home", tournament))


@staff_page(rights.may_manage)
def unseat(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """Take a published seating back, with a reason, while no table has a result or draft."""
    round_ = round_or_404(tournament, stage, number)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            unseat_round(round_, by=user_of(request), reason=form.cleaned_data["reason"])
            messages.success(request, gettext("The seats are taken back. Draw the round again."))
            return redirect(manage_url("schedule", tournament))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    context = page_context(
        request,
        tournament,
        "schedule",
        heading=gettext("Take back the seats of round %(round)s?") % {"round": number},
        form=form,
        submit=gettext("Take them back"),
        intro=gettext("Players may have seen them already. The old seats stay in the referee's log."),
        cancel_url=manage_url("seating", tournament, stage, number),
    )
    return render(request, "tournaments/manage/form.html", context, status=422 if form.is_bound else 200)
