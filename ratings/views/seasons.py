"""The pages of a season that every club has: its leaderboard, and the tabs that lead to the current season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubsite import export, freshness, tables
from ratings import rights
from ratings.competitions import competition_page
from ratings.forms.filters import BoardFilter
from ratings.mahjong import standings
from ratings.models import Club, Player, Season
from ratings.queries import leaderboard as leaderboard_queries
from ratings.queries.seasons import SeasonSummary, current_season, marks_of, own_seasons, seasons_of
from ratings.tables import leaderboard as board
from ratings.tables.names import Names

TABS = {"season": "ratings:season", "games": "ratings:season_games", "penalties": "ratings:season_penalties"}


def reader_of(request: HttpRequest) -> rights.Person:
    """The user who asks. A request without a session is anonymous, without asking the database."""
    return request.user if settings.SESSION_COOKIE_NAME in request.COOKIES else AnonymousUser()


@dataclass(frozen=True)
class SeasonPage:
    """A season found by its address, and what this reader may see of it."""

    summary: SeasonSummary
    others: list[SeasonSummary]
    level: rights.Level
    sees_results: bool
    sees_hidden: bool
    elsewhere: str  # where its page is, if not under the club

    @cached_property
    def names(self) -> Names:
        return Names(self.sees_hidden, season_id=self.summary.pk)

    @property
    def facts(self) -> tuple[object, ...]:
        """A value that changes whenever a page of this season would look different to this reader."""
        switcher = [(season.slug, season.name) for season in self.others]
        return (self.summary, switcher, self.level, self.summary.today)

    def season(self) -> Season:
        return Season.objects.select_related("club", "rule_set").get(pk=self.summary.pk)

    def file_name(self, club_slug: str, *subject: str) -> str:
        return "-".join([club_slug, self.summary.slug, *subject, self.summary.today.isoformat()])


def open_season(request: HttpRequest, slug: str, season_slug: str) -> SeasonPage:
    seasons = marks_of(slug)
    summary = next((season for season in seasons if season.slug == season_slug), None)
    if summary is None:
        raise Http404
    elsewhere = "" if summary.is_of_club else competition_page(summary.competition)
    if not (summary.is_of_club or elsewhere):
        raise Http404
    reader = reader_of(request)
    level = rights.level(reader, summary.club_id)
    if not summary.is_public and level < rights.Level.SCORER:
        raise Http404
    return SeasonPage(
        summary,
        own_seasons(seasons),
        level,
        sees_results=summary.results_public or rights.may_enter(reader, summary.club_id),
        sees_hidden=rights.sees_hidden_names(reader, summary.club_id),
        elsewhere=elsewhere,
    )


def frame_of(opened: SeasonPage, season: Season, tab: str) -> dict[str, Any]:
    """The context that every page of a season shares."""
    slug = season.club.slug
    return {
        "season": season,
        "club": season.club,
        "tab": tab,
        "is_leaderboard": tab == "season",
        "switch_to": reverse(f"ratings:club_{tab}", args=[slug]),
        "club_address": reverse("ratings:club", args=[slug]),
        "season_address": reverse("ratings:season", args=[slug, season.slug]),
        "race_address": reverse("ratings:season_race", args=[slug, season.slug]),
        "rules_address": reverse("ratings:rule_set", args=[slug, season.rule_set.slug, season.rule_set.version]),
        "seasons": opened.others,
        "sees_results": opened.sees_results,
        "is_staff_here": opened.level > rights.Level.NOBODY,
    }


@require_safe
def tab(request: HttpRequest, slug: str, tab: str) -> HttpResponseBase:
    """A tab of the club. It leads to the season chosen in the switcher, or to the current one."""
    seasons = own_seasons(seasons_of(slug))
    wanted = request.GET.get("season", "")
    season = next((season for season in seasons if season.slug == wanted), None) or current_season(seasons)
    if season is None:
        club = get_object_or_404(Club, slug=slug)
        manages = rights.may_manage(request.user, club.pk)
        return render(request, "ratings/no_season.html", {"club": club, "tab": tab, "manages": manages})
    return redirect(TABS[tab], slug, season.slug)


@require_safe
def leaderboard(request: HttpRequest, slug: str, season_slug: str) -> HttpResponseBase:
    opened = open_season(request, slug, season_slug)
    if opened.elsewhere:
        return HttpResponseRedirect(opened.elsewhere)
    if request.GET.get("export") in export.FORMATS and opened.sees_results:
        return _file(request, opened)
    return freshness.page(request, opened.facts, "ratings/leaderboard.html", lambda: _context(request, opened))


def _context(request: HttpRequest, opened: SeasonPage) -> dict[str, Any]:
    season = opened.season()
    context = frame_of(opened, season, "season")
    if not opened.sees_results:
        return context
    filtered = BoardFilter(request.GET, season, board.sort_choices(season))
    figures = leaderboard_queries.figures(season, filtered.minimum_games)
    primary = standings.primary_metric(season.formula)
    kept = board.KeptPlaces(season, filtered.minimum_games, figures)
    as_it_is = filtered.span.whole and not request.GET.get(tables.SORT)
    table = board.build(season, kept, []) if as_it_is else _table(request, opened, season, filtered)
    page: Page[board.Ranked] = Paginator(table.data, tables.PER_PAGE).get_page(request.GET.get(tables.PAGE))
    shown = list(page.object_list)
    people: Mapping[int, Player] = kept.people
    if not as_it_is:
        shown = _with_recent(season, filtered, shown)
        people = leaderboard_queries.people([line.player_id for _rank, line in shown])
    draw = board.drawing_of(people, opened.names, _links(request, season), shown, filtered.minimum_games)
    ranked = [row for row in shown if row[0] is not None]
    unranked = [row for row in shown if row[0] is None]
    waiting = board.build_unranked(season)
    return {
        **context,
        "filter": filtered,
        "figures": figures,
        "since": leaderboard_queries.hanchans_since(season, filtered.past_day) if filtered.past_day else 0,
        "heads": table.heads(draw, request.GET, f"-{primary.key}"),
        "rows": board.rows(table, ranked, draw),
        "unranked_heads": waiting.heads(draw),
        "unranked_rows": waiting.rows_on(draw, unranked),
        "page": page,
        "exports": tables.export_addresses(request.GET),
    }


def _table(request: HttpRequest, opened: SeasonPage, season: Season, filtered: BoardFilter) -> board.BoardTable:
    """All players, ranked, in the order that the reader chose."""
    order_by = tables.wanted_order(request.GET)
    lines = leaderboard_queries.lines(season, filtered.span)
    if any(alias.removeprefix("-") == "recent" for alias in order_by):
        lines = leaderboard_queries.with_recent(season, filtered.span, lines)
    ranked, unranked = board.rank_all(season, lines, filtered.minimum_games)
    return board.build(season, board.RankedLines(ranked, unranked, opened.names), order_by)


def _with_recent(season: Season, filtered: BoardFilter, rows: Sequence[board.Ranked]) -> list[board.Ranked]:
    lines = leaderboard_queries.with_recent(season, filtered.span, [line for _rank, line in rows])
    return [(rank, line) for (rank, _line), line in zip(rows, lines, strict=True)]


def _links(request: HttpRequest, season: Season) -> board.Links:
    where = (season.club.slug, season.slug)
    return board.Links(
        reverse("ratings:season_games", args=where),
        reverse("ratings:season_penalties", args=where),
        tables.kept_parameters(request.GET, ("period", "since", "asof")),
    )


def _file(request: HttpRequest, opened: SeasonPage) -> HttpResponseBase:
    season = opened.season()
    filtered = BoardFilter(request.GET, season, board.sort_choices(season))
    table = _table(request, opened, season, filtered)
    rows = _with_recent(season, filtered, list(table.data))
    everybody = board.Everybody(opened.names, [line.player_id for _rank, line in rows])
    return export.response(
        request.GET["export"],
        opened.file_name(season.club.slug, "leaderboard"),
        season.name,
        table.file_columns(),
        table.file_rows(everybody, rows),
    )
