"""The home page and the page of a club."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from clubsite import days
from clubsite.columns import ChartColumn, column_chart
from ratings import rights
from ratings.mahjong import scoring
from ratings.mahjong.explain import explain
from ratings.models import Club
from ratings.queries import activity, clubs, rulesets
from ratings.queries.activity import ClubEvening
from ratings.queries.clubs import ClubCard
from ratings.tables.games import GamesPage, GamesTable
from ratings.tables.names import Names

TOP_OF_A_CLUB = 5
EVENINGS = 12
LAST_GAMES = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    cards = clubs.club_cards()
    return render(request, "ratings/home.html", {"cards": cards, **_explained(cards)})


def _explained(cards: Sequence[ClubCard]) -> dict[str, Any]:
    """Return the last game of the club that played last, with the seat of its winner and the steps to its result."""
    playing = [card for card in cards if card.season and card.last_played_on]
    newest = max(playing, key=lambda card: card.last_played_on or datetime.date.min, default=None)
    game = activity.game_to_explain(newest.season) if newest and newest.season else None
    if game is None:
        return {}
    table, seats = game.as_table(), list(game.seats.all())
    winner = next(seat for seat in seats if seat.place == 1)
    return {
        "game": game,
        "winner": winner,
        "winner_index": seats.index(winner),
        "explanation": explain(table, game.rules, scoring.work_out(table, game.rules)),
    }


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Club, slug=slug)
    card = clubs.club_card(found)
    tops = clubs.top_players(card.running, TOP_OF_A_CLUB)
    running = {season.pk for season in card.running}
    seasons = clubs.seasons_with_games(found)
    context = {
        "club": found,
        "card": card,
        "running": [(season, tops[season.pk]) for season in seasons if season.pk in running],
        "others": [season for season in seasons if season.pk not in running],
        "rule_sets": rulesets.rule_sets_of(found, request.user),
        "evenings": _evenings(activity.evenings(found, EVENINGS)),
        **_last_games(request, found),
    }
    return render(request, "ratings/club.html", context)


def _evenings(found: Sequence[ClubEvening]) -> SafeString:
    """Draw how much was played on the last evenings."""
    return column_chart([ChartColumn(each.games, days.day_of_year(each.day), _evening_words(each)) for each in found])


def _evening_words(evening: ClubEvening) -> str:
    games = ngettext("%(n)s game", "%(n)s games", evening.games) % {"n": evening.games}
    players = ngettext("%(n)s player", "%(n)s players", evening.players) % {"n": evening.players}
    said = {"day": days.day(evening.day), "games": games, "players": players}
    return gettext("%(day)s: %(games)s, %(players)s") % said


def _last_games(request: HttpRequest, club: Club) -> dict[str, SafeString]:
    table = GamesTable([])
    page = GamesPage(Names(rights.sees_hidden_names(request.user, club.pk)), club.zone)
    return {
        "game_heads": table.heads(page),
        "game_rows": table.rows_on(page, activity.last_games(club, LAST_GAMES)),
    }
