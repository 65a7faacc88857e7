"""Create and change an event, and the page that shows what to do next."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.services.rulesets import add_rule_set
from tournaments.forms.events import EventForm, NewEventForm
from tournaments.models import Tournament
from tournaments.queries.agenda import agenda, round_states
from tournaments.queries.events import headcount
from tournaments.services.events import change_event, make_event, set_results_hidden
from tournaments.services.stages import finish_event
from tournaments.views.access import manage_url, page_context, staff_page
from tournaments.views.steps import worded


@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Create an event of one of the user's clubs; `?club=` preselects one."""
    user = user_of(request)
    clubs = rights.clubs_of(user, rights.Level.ADMIN)
    if not clubs.exists():
        raise PermissionDenied
    wanted = next((club for club in clubs if club.slug == request.GET.get("club")), None)
    form = NewEventForm(clubs, request.POST if request.method == "POST" else None, initial={"club": wanted})
    if request.method == "POST" and form.is_valid():
        try:
            tournament = _make(form, request)
        except Refused as refused:
            for sentence in refused.sentences(gettext):
                form.add_error(None, sentence)
        else:
            messages.success(request, gettext("The tournament is created. Now enter the players."))
            return redirect(manage_url("home", tournament))
    context = {"heading": gettext("New tournament"), "form": form, "submit": gettext("Create tournament")}
    return render(request, "tournaments/manage/new.html", context, status=422 if form.is_bound else 200)


@transaction.atomic
def _make(form: NewEventForm, request: HttpRequest) -> Tournament:
    tournament: Tournament = form.save(commit=False)
    tournament.rule_set = add_rule_set(tournament.club, form.rule_file(), tournament.name)
    return make_event(tournament, form.stage_plans(), by=user_of(request))


@staff_page(rights.may_enter)
def home(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what to do next and the state of every round."""
    states = round_states(tournament)
    steps = worded(tournament, agenda(tournament, states), request.user)
    context = page_context(
        request,
        tournament,
        "home",
        heading=gettext("What to do next"),
        steps=steps,
        states=states,
        count=headcount(tournament),
    )
    return render(request, "tournaments/manage/home.html", context)


@staff_page(rights.may_manage)
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = EventForm(request.POST if request.method == "POST" else None, instance=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            change_event(form.save(commit=False), by=user_of(request))
        except Refused as refused:
            for sentence in refused.sentences(gettext):
                form.add_error(None, sentence)
        else:
            messages.success(request, gettext("Saved."))
            return redirect(manage_url("settings", tournament))
    context = page_context(request, tournament, "settings", heading=gettext("Settings"), form=form)
    return render(request, "tournaments/manage/settings.html", context, status=422 if form.is_bound else 200)


@require_POST
@staff_page(rights.may_manage)
def show_results(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Hide all results until the ceremony, or show them again."""
    hidden = request.POST.get("hidden") == "1"
    set_results_hidden(tournament, hidden, by=user_of(request))
    words = (
        gettext("Results are hidden from everyone except staff.")
        if hidden
        else gettext("Everyone can see the results now.")
    )
    messages.success(request, words)
    return redirect(manage_url("home", tournament))


@require_POST
@staff_page(rights.may_manage)
def finish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Finish the event: its ranking becomes final."""
    try:
        finish_event(tournament, by=user_of(request))
        messages.success(request, gettext("The event is finished and its ranking final."))
    except Refused as refused:
        for sentence in refused.sentences(gettext):
            messages.error(request, sentence)
    return redirect(manage_url("home", tournament))
