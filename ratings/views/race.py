"""The season race: ranks over time. The leaderboard fetches it when a reader scrolls to it; it is also a page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from clubsite import days, freshness
from clubsite.rank_charts import RaceLine, race
from ratings.queries import leaderboard as leaderboard_queries
from ratings.queries.race import Race, race_of
from ratings.tables.names import Names
from ratings.views.seasons import SeasonPage, frame_of, open_season


@require_safe
def season_race(request: HttpRequest, slug: str, season_slug: str) -> HttpResponseBase:
    opened = open_season(request, slug, season_slug)
    if opened.elsewhere:
        return HttpResponseRedirect(opened.elsewhere)
    if not opened.sees_results:
        raise Http404
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    template = "ratings/race_figure.html" if htmx else "ratings/race.html"
    answer = freshness.page(request, (template, opened.facts), template, lambda: _context(opened, is_page=not htmx))
    answer["Vary"] = "Cookie, HX-Request"
    return answer


def _context(opened: SeasonPage, *, is_page: bool) -> dict[str, Any]:
    season = opened.season()
    title = season.name if is_page else gettext("Season race")  # the heading of the page says that it is a race
    return {**frame_of(opened, season, "season"), "race": _figure(title, race_of(season), opened.names)}


def _figure(title: str, found: Race, names: Names) -> SafeString:
    people = leaderboard_queries.people(found.courses)
    lines = [
        RaceLine(
            names.cell(people[player]),
            [each.place if each else None for each in course],
            [str(each.rank) if each else "" for each in course],
        )
        for player, course in found.courses.items()
    ]
    return race(
        [days.day_of_year(day) for day in found.days],
        lines,
        title=title,
        note=gettext("The rank of the leading players after each evening. The bottom row is for all places below."),
    )
