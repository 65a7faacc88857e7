"""Players: the search over all clubs, and a player's own page."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from ratings.queries.players import known_players, search_players

PLAYERS_A_PAGE = 50


def search(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "").strip()
    found = Paginator(search_players(text, request.user), PLAYERS_A_PAGE).get_page(request.GET.get("page"))
    context = {"q": text, "page": found, "known": known_players(found.object_list, request.user)}
    return render(request, "ratings/player_search.html", context)


def player(request: HttpRequest, pk: int, slug: str = "") -> HttpResponse:
    raise NotImplementedError
