"""The games of a season as a list: all of them, of a day, or those behind a player's total."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubsite import export
from ratings import rights, standings
from ratings.forms.filters import GamesFilter
from ratings.models import Hanchan, Player, Season
from ratings.queries import games as reads
from ratings.queries.leaderboard import Line
from ratings.tables import drawing, games
from ratings.views.seasons import Opened, frame_of, open_season

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
    player = _player(filtered, opened)
    wanted = reads.GamesWanted(
        season,
        filtered.span,
        player.pk if player else None,
        filtered.value("result") if player else None,
        uncounted=opened.level >= rights.Level.SCORER,
    )
    found = reads.with_seats(reads.games(wanted))
    if request.GET.get("export") in export.FORMATS:
        return _file(request.GET["export"], opened, season, found)
    page: Page[Hanchan] = Paginator(found, PER_PAGE).get_page(request.GET.get(drawing.PAGE))
    if wanted.result is not None and page.paginator.count == 1:
        return redirect(page.object_list[0])  # a single result leads to the game it was made in
    line = reads.player_line(season, filtered.span, player.pk) if player else None
    context |= {
        "filter": filtered,
        "player": player,
        "whole_season": f"{request.path}?player={player.pk}" if player else request.path,
        "player_name": opened.names.text(player) if player else "",
        "hidden_asked_for": bool(filtered.value("player")) and player is None,
        "account": _account(season, line) if line else None,
        "heads": drawing.heads(games.GamesTable([]), request.GET),
        "rows": games.rows(page.object_list, opened.names, player.pk if player else None),
        "page": page,
        "exports": drawing.export_addresses(request.GET),
    }
    return render(request, "ratings/games.html", context)


def _choices(season: Season, opened: Opened) -> list[tuple[int, str]]:
    """Players by the names this reader sees; hidden ones are not offered."""
    named = [
        (player.pk, opened.names.text(player))
        for player in reads.season_players(season, MOST_CHOICES)
        if opened.names.follows(player)
    ]
    return sorted(named, key=lambda choice: choice[1].casefold())


def _player(filtered: GamesFilter, opened: Opened) -> Player | None:
    """Whose games are wanted; a hidden player's cannot be picked out."""
    wanted = filtered.value("player")
    player = Player.objects.filter(pk=wanted).first() if wanted else None
    return player if player and opened.names.follows(player) else None


def _account(season: Season, line: Line) -> dict[str, Any]:
    """What the games of a player add up to, as the leaderboard has it."""
    return {
        "line": line,
        "total": standings.METRICS["total"].value(line),
        "rating": line.rating if season.depends_on_order else None,
    }


def _file(wanted: str, opened: Opened, season: Season, found: Any) -> HttpResponseBase:
    rows = games.export_rows(found.iterator(chunk_size=500), season.club.zone, opened.names)
    name = opened.file_name(season.club.slug, "games")
    return export.response(wanted, name, season.name, games.export_columns(), rows)
