"""The games of a season as a list: all of them, of a day, or those behind a player's total."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubsite import export, tables
from ratings import rights
from ratings.forms.filters import GamesFilter
from ratings.mahjong import standings
from ratings.mahjong.standings import PlayerTally
from ratings.models import Hanchan, Season
from ratings.queries.games import GamesWanted, games, player_line, season_players, with_seats
from ratings.queries.players import asked_for, strangers_in
from ratings.tables.games import GamesPage, GamesTable
from ratings.tables.names import Names
from ratings.views.seasons import SeasonPage, frame_of, open_season

PER_PAGE = 50
MOST_CHOICES = 300  # more names than this are found through the leaderboard


@require_safe
def season_games(request: HttpRequest, slug: str, season_slug: str) -> HttpResponseBase:
    opened = open_season(request, slug, season_slug)
    if opened.elsewhere:
        return HttpResponseRedirect(opened.elsewhere)
    season = opened.season()
    context = frame_of(opened, season, "games")
    if not opened.sees_results:
        return render(request, "ratings/games.html", context)
    filtered = GamesFilter(request.GET, season, _choices(season, opened))
    names = Names(opened.sees_hidden, strangers_in(season) if opened.sees_hidden else (), season.pk)
    player = asked_for(season, filtered.value("player"), sees_hidden=opened.sees_hidden)
    player = player if player and names.follows(player) else None  # a hidden player's games cannot be picked out
    wanted = GamesWanted(
        season,
        filtered.span,
        player.pk if player else None,
        filtered.value("result") if player else None,
        uncounted=opened.level >= rights.Level.SCORER,
    )
    found = with_seats(games(wanted))
    table, drawn = GamesTable([]), GamesPage(names, season.club.zone, player.pk if player else None)
    if request.GET.get("export") in export.FORMATS:
        rows = table.file_rows(drawn, found.iterator(chunk_size=500))
        name = opened.file_name(season.club.slug, "games")
        return export.response(request.GET["export"], name, season.name, table.file_columns(), rows)
    page: Page[Hanchan] = Paginator(found, PER_PAGE).get_page(request.GET.get(tables.PAGE))
    if wanted.result is not None and page.paginator.count == 1:
        return redirect(page.object_list[0])  # a single result leads to the game it was made in
    line = player_line(season, filtered.span, player.pk) if player else None
    context |= {
        "filter": filtered,
        "player": player,
        "whole_season": f"{request.path}?player={player.pk}" if player else request.path,
        "player_name": names.text(player) if player else "",
        "hidden_asked_for": bool(filtered.value("player")) and player is None,
        "account": _account(season, line) if line else None,
        "heads": table.heads(drawn, request.GET),
        "rows": table.rows_on(drawn, page.object_list),
        "page": page,
        "exports": tables.export_addresses(request.GET),
    }
    return render(request, "ratings/games.html", context)


def _choices(season: Season, opened: SeasonPage) -> list[tuple[int, str]]:
    """Players by the names that this reader sees, without hidden players."""
    names = opened.names
    players = [player for player in season_players(season, MOST_CHOICES) if names.follows(player)]
    return [(player.pk, names.text(player)) for player in sorted(players, key=names.place)]


def _account(season: Season, line: PlayerTally) -> dict[str, Any]:
    """The total of a player's games, as the leaderboard shows it."""
    return {
        "line": line,
        "total": standings.METRICS["total"].value(line),
        "rating": line.rating if season.depends_on_order else None,
    }
