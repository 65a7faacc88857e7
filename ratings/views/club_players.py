"""The players of a club."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubsite import export, tables
from ratings import rights
from ratings.forms.filters import PlayersFilter
from ratings.models import Club
from ratings.queries.club_players import ClubPlayer, club_players
from ratings.tables.club_players import build, matching
from ratings.tables.names import Names, NamesOnPage


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponseBase:
    club = get_object_or_404(Club, slug=slug)
    names = Names(rights.sees_hidden_names(request.user, club.pk))
    everybody = club_players(club, all_results=rights.may_enter(request.user, club.pk))
    filtered = PlayersFilter(request.GET)
    found = matching(everybody, filtered.value("q") or "", names)
    drawn = NamesOnPage(names)
    table = build(found, drawn, tables.wanted_order(request.GET))
    wanted = request.GET.get("export", "")
    if wanted in export.FORMATS:
        name = f"{club.slug}-players-{timezone.localdate(timezone=club.zone)}"
        return export.response(wanted, name, club.name, table.file_columns(), table.file_rows(drawn, table.data))
    page: Page[ClubPlayer] = Paginator(table.data, tables.PER_PAGE).get_page(request.GET.get(tables.PAGE))
    context = {
        "club": club,
        "tab": "players",
        "filter": filtered,
        "everybody": len(everybody),
        "heads": table.heads(drawn, request.GET, "player"),
        "rows": table.rows_on(drawn, page.object_list),
        "page": page,
        "exports": tables.export_addresses(request.GET),
    }
    return render(request, "ratings/club_players.html", context)
