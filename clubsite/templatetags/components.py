"""`{% load components %}`: clubsite/components.py and clubsite/charts.py as tags of the same names."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from django import template
from django.core.paginator import Page

from clubsite import charts, components

register = template.Library()

for _tag in (
    components.symbol,
    components.icon,
    components.wind,
    components.wind_tile,
    components.wind_name,
    components.rank_tile,
    components.place_chip,
    components.movement,
    components.player_name,
    components.tag,
    components.message,
    components.empty_state,
    components.games_of_minimum,
    components.check_bar,
    charts.shares_bar,
    charts.sparkline,
    charts.bar,
    charts.duel,
):
    register.simple_tag(_tag)

register.filter(components.wind_name)


class PageLink(NamedTuple):
    """A page of a list. Without a number it represents the pages left out."""

    number: int | None
    address: str
    current: bool


@register.inclusion_tag("partials/pager.html", takes_context=True)
def pager(context: template.Context, page: Page[object], name: str = "page") -> dict[str, object]:
    """Links to the pages of a list. All other parameters of the address stay as they are."""
    query = context["request"].GET
    kept = [(key, value) for key, values in query.lists() for value in values if key != name]
    here = f"?{urlencode(kept)}&" if kept else "?"

    def link(number: int | str) -> PageLink:
        if not isinstance(number, int):
            return PageLink(None, "", current=False)
        return PageLink(number, f"{here}{name}={number}", current=number == page.number)

    shown = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    return {
        "page": page,
        "links": [link(number) for number in shown],
        "back": link(page.number - 1) if page.has_previous() else None,
        "next": link(page.number + 1) if page.has_next() else None,
    }
