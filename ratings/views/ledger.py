"""The public penalty ledger of a season."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubsite import export, tables
from ratings import rights
from ratings.forms.filters import LedgerFilter
from ratings.queries import ledger as ledger_queries
from ratings.queries.players import asked_for
from ratings.tables.ledger import LedgerPage, LedgerTable
from ratings.views.seasons import frame_of, open_season


@require_safe
def season_penalties(request: HttpRequest, slug: str, season_slug: str) -> HttpResponseBase:
    opened = open_season(request, slug, season_slug)
    if opened.elsewhere:
        return HttpResponseRedirect(opened.elsewhere)
    season = opened.season()
    context = frame_of(opened, season, "penalties")
    context["may_rule"] = opened.level >= rights.Level.REFEREE
    if not opened.sees_results:
        return render(request, "ratings/penalties.html", context)
    asked = LedgerFilter(request.GET).value("player")
    player = asked_for(season, asked, sees_hidden=opened.sees_hidden)
    if player and not opened.names.follows(player):
        player = None
    entries = ledger_queries.ledger(season, player.pk if player else None)
    table, drawn = LedgerTable([]), LedgerPage(opened.names, context["may_rule"])
    wanted = request.GET.get("export", "")
    if wanted in export.FORMATS:
        name = opened.file_name(season.club.slug, "penalties")
        return export.response(wanted, name, season.name, table.file_columns(), table.file_rows(drawn, entries))
    page: Page[ledger_queries.LedgerEntry] = Paginator(entries, tables.PER_PAGE).get_page(request.GET.get(tables.PAGE))
    context |= {
        "player": player,
        "player_name": opened.names.text(player) if player else "",
        "heads": table.heads(drawn, request.GET),
        "rows": table.rows_on(drawn, page.object_list),
        "page": page,
        "exports": tables.export_addresses(request.GET),
    }
    return render(request, "ratings/penalties.html", context)
