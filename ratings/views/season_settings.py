"""The settings of a club's season, with the top of its leaderboard beside them, and their history."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from clubsite.confirm import ConfirmStep, is_confirmed, wants_edit
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.seasons import RANKING, SeasonForm
from ratings.models import Club, Season
from ratings.queries.season_settings import board_preview
from ratings.queries.settings_history import metric_names, season_history
from ratings.views.rules import in_short
from ratings.views.settings_pages import Editing, asked_club, history_page, refuse_reading, refuse_writing


def add(request: HttpRequest) -> HttpResponse:
    heading = gettext("New season")
    club = asked_club(request, heading)
    if isinstance(club, HttpResponse):
        return club
    form = SeasonForm(request.POST if request.method == "POST" else None, instance=_new(club), user=user_of(request))
    if request.method == "POST" and form.is_valid():
        season = form.apply()
        messages.success(request, gettext("The season is added. Enter its first table."))
        return redirect(season)
    context = {
        "heading": heading,
        "club": club,
        "form": form,
        "submit": gettext("Create season"),
        "preview_at": f"{reverse('desk:season_add_preview')}?club={club.slug}",
        "cancel_url": reverse("desk:club", args=[club.slug]),
        **_beside(form),
    }
    return render(request, "desk/settings/season.html", context, status=422 if form.is_bound else 200)


def change(request: HttpRequest, pk: int) -> HttpResponse:
    season = _season(pk)
    if refuse_writing(request, season.club_id):
        return render(request, "desk/settings/season_facts.html", _facts(season))
    user = user_of(request)
    form = SeasonForm(request.POST if request.method == "POST" else None, instance=season, user=user)
    editing = Editing.of(request, season, lambda: season_history(season))
    if request.method == "POST" and form.is_valid() and not wants_edit(request):
        if form.changes_ratings and not is_confirmed(request):
            return _confirm(request, form)
        if editing.save(form, form.apply):
            messages.success(request, gettext("Settings saved."))
            return redirect(season)
    stored = form.stored
    context = {
        "heading": gettext("%(name)s: settings") % {"name": stored.name},
        "club": stored.club,
        "season": stored,
        "form": form,
        "editing": editing,
        "submit": gettext("Save season"),
        "preview_at": reverse("desk:season_preview", args=[pk]),
        "history_at": reverse("desk:season_history", args=[pk]),
        "what_if_at": reverse("desk:what_if", args=[pk]),
        "cancel_url": stored.get_absolute_url(),
        **_beside(form),
    }
    return render(request, "desk/settings/season.html", context, status=editing.status(form))


def _confirm(request: HttpRequest, form: SeasonForm) -> HttpResponse:
    """Ask before the ratings of all games are computed again or removed, and show who moves."""
    rates = form.instance.depends_on_order
    submit = gettext("Save and compute again") if rates else gettext("Save and remove ratings")
    step = ConfirmStep(request, submit=submit, back=gettext("Back to the settings"))
    heading = gettext("Compute all ratings again?") if rates else gettext("Remove all ratings?")
    context = {"heading": heading, "club": form.stored.club, "season": form.stored, "step": step, **_beside(form)}
    return render(request, "desk/settings/season_confirm.html", context)


@require_POST
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """A fragment of the form: the top of the leaderboard with the settings that were sent. Nothing is stored."""
    season = _season(pk)
    if not rights.may_manage(user_of(request), season.club_id):
        raise Http404
    return _fragment(request, season)


@require_POST
def add_preview(request: HttpRequest) -> HttpResponse:
    club = asked_club(request, gettext("New season"))
    return club if isinstance(club, HttpResponse) else _fragment(request, _new(club))


def _fragment(request: HttpRequest, season: Season) -> HttpResponse:
    form = SeasonForm(request.POST, instance=season, user=user_of(request))
    ranking = next(section for section in form.sections if section.key == RANKING)
    context = {"is_fragment": True, "section": ranking if form.shows_other_fields else None, **_beside(form)}
    return render(request, "desk/settings/season_preview.html", context)


def _beside(form: SeasonForm) -> dict[str, Any]:
    """What is shown beside the form: the rules in short, and the board with the settings of the form."""
    form.is_valid()
    rules = form.chosen_rules
    return {
        "form": form,
        "board": board_preview(form.instance, form.stored) if form.has_games else None,
        "rules_told": in_short(rules.rules) if rules else [],
        "changed": form.changed_data if form.is_bound else [],
    }


def _facts(season: Season) -> dict[str, Any]:
    return {
        "club": season.club,
        "season": season,
        "columns": metric_names(season.metrics),
        "tie_breaks": metric_names(season.tie_breaks),
    }


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    season = _season(pk)
    refuse_reading(user_of(request), season.club_id)
    back = reverse("desk:season", args=[pk])
    return history_page(request, season.club, season.name, back, season_history(season))


def _new(club: Club) -> Season:
    return Season(club=club)


def _season(pk: int) -> Season:
    """A season of a club; those of competitions are managed on their own pages."""
    season = Season.objects.of_clubs().select_related("club", "rule_set").filter(pk=pk).first()
    if season is None:
        raise Http404
    return season
