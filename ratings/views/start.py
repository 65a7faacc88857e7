"""The first steps of a club: club, rules, season, people, and then the entry page.

Nothing is kept between the steps. Each one stores what it asks for, so a user may leave at any step and go on later,
and each shows what exists. Once a club has had a game, its first steps are over and lead to its desk.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.presets import HIGHEST, LOWEST, PresetForm
from ratings.forms.start import StartClubForm, StartSeasonForm, with_usual_zone
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import PRESETS
from ratings.models import Club
from ratings.queries.first_steps import CLUB, PEOPLE, RULES, SEASON, FirstSteps, first_steps
from ratings.services.clubs import save_club
from ratings.services.first_steps import choose_rules
from ratings.services.rulesets import is_unchanged_copy
from ratings.services.seasons import save_season
from ratings.views.people_lists import PeoplePage

P = ParamSpec("P")
LABELS = {CLUB: _("Club"), RULES: _("Rules"), SEASON: _("Season"), PEOPLE: _("People")}
HEADINGS = {
    CLUB: _("Your club"),
    RULES: _("Which rules do you play by?"),
    SEASON: _("The first season"),
    PEOPLE: _("Who plays in your club?"),
}
PAGES = {CLUB: "desk:start_club", RULES: "desk:start_rules", SEASON: "desk:start_season", PEOPLE: "desk:start_people"}


class WizardStep(NamedTuple):
    """One of the four sticks over a page."""

    number: int
    label: str
    url: str  # empty for a step that cannot be opened yet
    is_done: bool
    is_current: bool


def wizard_steps(current: str, club: Club | None, steps: FirstSteps | None) -> list[WizardStep]:
    done = steps.done if steps else []
    open_until = len(done)
    return [
        WizardStep(
            number=number,
            label=str(label),
            url=reverse(PAGES[key], args=[club.slug]) if club and number <= open_until + 1 else "",
            is_done=key in done,
            is_current=key == current,
        )
        for number, (key, label) in enumerate(LABELS.items(), 1)
    ]


def _posted(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _page(
    request: HttpRequest, step: str, context: dict[str, Any], steps: FirstSteps | None = None, status: int = 200
) -> HttpResponse:
    club = steps.club if steps else None
    shown = {"steps": wizard_steps(step, club, steps), "club": club, "first_steps": steps, "heading": HEADINGS[step]}
    return render(request, f"desk/start/{step}.html", shown | context, status=status)


def _step(
    view: Callable[Concatenate[HttpRequest, FirstSteps, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """A step of a club that the user manages and that has had no game yet."""

    @wraps(view)
    def found(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        club = get_object_or_404(Club, slug=slug)
        if not rights.may_manage(user_of(request), club.pk):
            raise Http404
        steps = first_steps(club)
        if steps.has_game:
            return redirect("desk:club", club.slug)
        return view(request, steps, *args, **kwargs)

    return found


# --- club ---------------------------------------------------------------------------------------------------


def new(request: HttpRequest) -> HttpResponse:
    """The first step of a club that does not exist yet. Only the owner of the site adds clubs."""
    if not rights.is_owner(user_of(request)):
        raise PermissionDenied
    return _club(request, StartClubForm(_posted(request)), None)


@_step
def club(request: HttpRequest, steps: FirstSteps) -> HttpResponse:
    return _club(request, StartClubForm(_posted(request), instance=steps.club), steps)


def _club(request: HttpRequest, form: StartClubForm, steps: FirstSteps | None) -> HttpResponse:
    if form.is_valid():
        saved = form.club()
        save_club(saved)
        return redirect("desk:start_rules", saved.slug)
    return _page(request, CLUB, {"form": form}, steps, status=422 if form.is_bound else 200)


@require_POST
def zone(request: HttpRequest) -> HttpResponse:
    """The field of the time zone again, after another country was chosen."""
    if not rights.has_level_somewhere(user_of(request), rights.Level.ADMIN):
        raise Http404
    return render(request, "desk/start/zone.html", {"field": with_usual_zone(request.POST)["time_zone"]})


# --- rules --------------------------------------------------------------------------------------------------


@_step
def rules(request: HttpRequest, steps: FirstSteps) -> HttpResponse:
    current = steps.rule_set
    chosen = current.preset if current and current.preset in PRESETS else next(iter(PRESETS))
    form = PresetForm(_posted(request), initial={"preset": chosen})
    if form.is_valid():
        rule_set = choose_rules(steps.club, form.cleaned_data["preset"], by=user_of(request))
        if "edit" in request.POST:
            return redirect("desk:rule_set", rule_set.pk)
        return redirect("desk:start_season", steps.club.slug)
    context = {
        "form": form,
        "own": current if current and not is_unchanged_copy(current) else None,
        "lowest": LOWEST,
        "highest": HIGHEST,
    }
    return _page(request, RULES, context, steps, status=422 if form.is_bound else 200)


# --- season -------------------------------------------------------------------------------------------------


@_step
def season(request: HttpRequest, steps: FirstSteps) -> HttpResponse:
    if steps.rule_set is None:
        messages.info(request, gettext("Choose the rules first: a season is played by them."))
        return redirect("desk:start_rules", steps.club.slug)
    form = StartSeasonForm(steps.club, steps.rule_set, _posted(request), instance=steps.season)
    if form.is_valid():
        try:
            save_season(form.instance, by=user_of(request))
            return redirect("desk:start_people", steps.club.slug)
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    return _page(request, SEASON, {"form": form}, steps, status=422 if form.is_bound else 200)


# --- people -------------------------------------------------------------------------------------------------


@_step
def people(request: HttpRequest, steps: FirstSteps) -> HttpResponse:
    page = PeoplePage(request, steps.club)
    if request.method == "POST" and (batch := page.accept()):
        return redirect(enter_url(steps) if batch.is_done else page.next_url(batch))
    skip_url = enter_url(steps) if steps.season else reverse("desk:start_season", args=[steps.club.slug])
    return _page(request, PEOPLE, {**page.context(), "skip_url": skip_url}, steps, status=page.status)


def enter_url(steps: FirstSteps) -> str:
    """The entry page, on the season of the club."""
    return f"{reverse('desk:enter')}?season={steps.season.pk}" if steps.season else reverse("desk:enter")
