"""The home page and the page of a club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from ratings.models import Club
from ratings.queries import clubs, rulesets

TOP_OF_A_CLUB = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "ratings/home.html", {"cards": clubs.club_cards()})


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
    }
    return render(request, "ratings/club.html", context)
