"""The stages of an event: their rules, the cut, a tie at the cut, and the totals carried to the next stage."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from clubsite import confirm
from clubsite.confirm import ConfirmStep
from clubsite.digits import whole_number
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import Rules
from ratings.mahjong.rulesets.rules import SCORING, SESSION
from ratings.mahjong.rulesets.words import words
from tournaments.forms.stages import NewStageForm, StageForm
from tournaments.models import Entry, Round, Stage, Tournament
from tournaments.queries.standings import view_stage
from tournaments.services.events import StagePlan, add_stage, own_rules, plan_rounds, set_stage_rules
from tournaments.services.stages import open_next_stage, propose_cut
from tournaments.standings.ranking import carried
from tournaments.views.access import Context, manage_url, page_context, staff_page, stage_or_404


@staff_page(rights.may_manage)
def stages(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All stages. One more can be added while the last one is not closed and the event is not finished."""
    rows = list(tournament.stages.select_related("season__rule_set").order_by("number"))
    may_add = bool(rows) and rows[-1].closed_at is None and tournament.finished_at is None
    form = NewStageForm(tournament, request.POST if request.method == "POST" and may_add else None)
    if form.is_bound and form.is_valid():
        _add(tournament, rows[-1], form, request)
        messages.success(request, gettext("%(stage)s is added.") % {"stage": form.cleaned_data["name"]})
        return redirect(manage_url("stages", tournament))
    context = page_context(
        request,
        tournament,
        "stages",
        heading=gettext("Stages"),
        stages=[(stage, _can_cut(stage, rows), _own_rules(stage, tournament)) for stage in rows],
        form=form if may_add else None,
    )
    return render(request, "tournaments/manage/stages.html", context, status=422 if form.is_bound else 200)


def _add(tournament: Tournament, last: Stage, form: NewStageForm, request: HttpRequest) -> None:
    data, user = form.cleaned_data, user_of(request)
    last.cut_top, last.cut_totals = data["players"], data["totals"]
    plan_rounds(last, last.rounds_planned, by=user)
    rule_set = own_rules(tournament, data["name"], form.rules_chosen())
    add_stage(tournament, StagePlan(data["name"], data["rounds"], rule_set), by=user)


def _can_cut(stage: Stage, rows: list[Stage]) -> bool:
    following = next((each for each in rows if each.number == stage.number + 1), None)
    return stage.is_open and following is not None


Difference = tuple[str, str, str]


def _differences(event: Rules, stage: Rules) -> list[Difference]:
    """The scoring and time rules in which a stage differs from the event: the rule, the event's value, the stage's.

    Rules about hands are left to the rules page.
    """
    return [
        (
            gettext(parameter.label),
            words(parameter, getattr(event, parameter.name)).sentence(gettext),
            words(parameter, getattr(stage, parameter.name)).sentence(gettext),
        )
        for parameter in event.applied.differences(stage.applied)
        if parameter.group in (SCORING, SESSION)
    ]


def _own_rules(stage: Stage, tournament: Tournament) -> list[Difference]:
    return _differences(tournament.rule_set.rules, stage.rules)


@staff_page(rights.may_manage)
def stage(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change name, rounds, cut and rules of a stage. New rules are stored only after a page has shown the changes."""
    found = stage_or_404(tournament, number)
    found.tournament = tournament
    form = StageForm(request.POST if request.method == "POST" else None, instance=found)
    if request.method == "POST" and not confirm.wants_edit(request) and form.is_valid():
        if form.changes_rules and not confirm.is_confirmed(request):
            return _before_new_rules(request, tournament, found, form)
        try:
            _change(request, form)
            messages.success(request, gettext("Saved."))
            return redirect(manage_url("stages", tournament))
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    context = page_context(
        request,
        tournament,
        "stages",
        heading=found.name,
        form=form,
        differences=_own_rules(found, tournament),
        rules=found.season.rule_set,
        rules_stand="rules" not in form.fields,
        cancel_url=manage_url("stages", tournament),
    )
    status = 422 if form.is_bound and not confirm.wants_edit(request) else 200
    return render(request, "tournaments/manage/stage.html", context, status=status)


@transaction.atomic
def _change(request: HttpRequest, form: StageForm) -> None:
    changed: Stage = form.save(commit=False)
    plan_rounds(changed, changed.rounds_planned, by=user_of(request))
    if form.changes_rules:
        set_stage_rules(changed, form.new_rules(), by=user_of(request))


def _before_new_rules(request: HttpRequest, tournament: Tournament, stage: Stage, form: StageForm) -> HttpResponse:
    """Show in words what the new rules change. The page carries everything that was typed."""
    content = form.new_rules()
    rules = content.rules if content else tournament.rule_set.rules
    context = page_context(
        request,
        tournament,
        "stages",
        heading=gettext("Before you change the rules"),
        stage=stage,
        rules=content.name if content else tournament.rule_set,
        differences=_differences(tournament.rule_set.rules, rules),
        step=ConfirmStep(request, submit=gettext("Play by these rules"), back=gettext("Back")),
    )
    return render(request, "tournaments/manage/stage_rules.html", context)


@staff_page(rights.may_manage)
def cut(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show who goes on and with which total. If there is a tie at the cut, the organiser chooses who passes."""
    found = stage_or_404(tournament, number)
    if request.method == "POST":
        chosen = _chosen(request, tournament)
        try:
            following = open_next_stage(found, by=user_of(request), qualified=chosen)
            messages.success(request, gettext("%(stage)s is open. Draw its first round.") % {"stage": following.name})
            return redirect(manage_url("schedule", tournament))
        except Refused as refused:
            for sentence in refused.sentences(gettext):
                messages.error(request, sentence)
            return redirect(manage_url("cut", tournament, number))
    context = page_context(request, tournament, "stages", heading=gettext("The cut"), **_proposal(found))
    return render(request, "tournaments/manage/cut.html", context)


def _chosen(request: HttpRequest, tournament: Tournament) -> list[Entry] | None:
    """The ticked entries, if a tie had to be decided; None leaves the decision to the standings."""
    numbers = [text for text in request.POST.getlist("through") if whole_number(text, 5) is not None]
    if not numbers:
        return None
    return list(tournament.entries.filter(number__in=numbers).exclude(status__in=Entry.LEFT).select_related("player"))


def _proposal(stage: Stage) -> Context:
    through, tied = propose_cut(stage)
    passing, at_cut = {entry.number for entry in through}, {entry.number for entry in tied}
    rows = view_stage(stage).at_end().rows
    entries = {entry.number: entry for entry in stage.tournament.entries.select_related("player")}
    open_rounds = stage.rounds.exclude(state=Round.State.CONFIRMED)
    lines = [
        {
            "row": row,
            "entry": entries[row.entry],
            "passes": row.entry in passing and row.entry not in at_cut,
            "tied": row.entry in at_cut,
            "ticked": row.entry in passing,
            "carried": carried(row.total, stage.cut_totals),
        }
        for row in rows
    ]
    places = (stage.cut_top or len(rows)) - sum(1 for line in lines if line["passes"])
    following = stage.tournament.stages.filter(number=stage.number + 1).select_related("season__rule_set").first()
    return {
        "stage": stage,
        "lines": lines,
        "tied": tied,
        "places": places,
        "open_rounds": list(open_rounds),
        "following": following,
        "differences": _own_rules(following, stage.tournament) if following else [],
    }
