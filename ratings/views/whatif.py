"""What if: a season by other rules compared with the season as it is, and buttons to apply them. Club admins only."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite.rank_charts import Slope, slope
from clubsite.signing_in import user_of
from ratings import rights
from ratings.forms.rule_choices import ChosenRules
from ratings.forms.whatif import ApplyForm, RulesChoiceForm
from ratings.mahjong.problems import Refused
from ratings.mahjong.rulesets import SCORING_PARAMETERS
from ratings.mahjong.rulesets.words import difference_words
from ratings.mahjong.standings import primary_metric
from ratings.models import Season
from ratings.queries import entry as entry_queries
from ratings.queries import whatif
from ratings.services.replay import apply_from_now_on
from ratings.services.replay_job import start_replay

PER_PAGE = 100
SLOPES = 12  # places of the picture


def what_if(request: HttpRequest, pk: int) -> HttpResponse:
    season = Season.objects.select_related("club", "rule_set").filter(pk=pk).first()
    if season is None or not rights.may_manage(user_of(request), season.club_id):
        raise Http404
    if request.method == "POST":
        return _apply(request, season)
    choice = RulesChoiceForm(season, request.GET if "rules" in request.GET else None)
    if not choice.is_valid():
        return _page(request, season, choice)
    return _page(request, season, choice, ApplyForm(season))


def _page(
    request: HttpRequest, season: Season, choice: RulesChoiceForm, apply: ApplyForm | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"season": season, "club": season.club, "tab": "season", "choice": choice}
    if apply is not None:
        context |= {"apply": apply, **_comparison(request, season, choice.chosen)}
    refused = choice.errors or (apply is not None and apply.errors)
    return render(request, "ratings/what_if.html", context, status=422 if refused else 200)


def _comparison(request: HttpRequest, season: Season, chosen: ChosenRules) -> dict[str, Any]:
    outcome = whatif.what_if(season, chosen.book)
    page = Paginator(outcome.moves, PER_PAGE).get_page(request.GET.get("page"))
    return {
        "chosen": chosen,
        "is_current": chosen.rule_set == season.rule_set,
        "differences": _differences(season, chosen),
        "outcome": outcome,
        "shifts": sorted(outcome.shifts.items()),
        "page": page,
        "slope": _slope(outcome) if page.number == 1 else "",
        "people": entry_queries.players({move.player_id for move in page.object_list}),
        "metric": primary_metric(season.formula),
    }


def _slope(outcome: whatif.WhatIfOutcome) -> SafeString:
    """Draw how the first places change. The page's table has the same ranks."""
    ranked = [(move.rank_before, move.rank_after, move.player_id) for move in outcome.moves if move.up is not None]
    before = {player: place for place, (_then, _now, player) in enumerate(sorted(ranked), 1)}
    after = {player: place for place, (_then, _now, player) in enumerate(ranked, 1)}
    shown = {player for player in after if min(before[player], after[player]) <= SLOPES}
    people = entry_queries.players(shown)
    slopes = [
        Slope(SafeString(escape(people[player].native_name)), before[player], after[player], (was or 0, becomes or 0))
        for was, becomes, player in ranked
        if player in shown
    ]
    return slope(
        slopes,
        SLOPES,
        title=gettext("How the first places change"),
        before=gettext("Now"),
        after=gettext("Then"),
    )


def _differences(season: Season, chosen: ChosenRules) -> list[tuple[str, str, str]]:
    """Return the scoring rules that differ from those that new games use now: label, value now, chosen value."""
    differences = difference_words(season.rule_set.rules.applied, chosen.rules.applied)
    return [
        (gettext(parameter.label), now.sentence(gettext), then.sentence(gettext))
        for parameter, now, then in differences
        if parameter.name in SCORING_PARAMETERS
    ]


def _apply(request: HttpRequest, season: Season) -> HttpResponse:
    form = ApplyForm(season, request.POST)
    if not form.is_valid():
        choice = RulesChoiceForm(season, request.POST)
        return _page(request, season, choice, form if choice.is_valid() else None)
    user, reason = user_of(request), form.cleaned_data["reason"]
    if form.cleaned_data["apply"] == ApplyForm.REPLAY:
        blocked = whatif.what_if(season, form.chosen.book).blocked_count
        if blocked:
            form.add_error(None, gettext("Some games cannot follow these rules. Correct or void them first."))
            return _page(request, season, form, form)
        return redirect(start_replay(season, form.chosen.of_club(season.club), by=user, reason=reason))
    try:
        apply_from_now_on(season, form.chosen.of_club(season.club), by=user, reason=reason)
    except Refused as refused:
        form.add_error(None, refused.problems[0].sentence(gettext))
        return _page(request, season, form, form)
    messages.success(request, gettext("New games use %(rules)s from now on.") % {"rules": form.chosen})
    return redirect(season)
