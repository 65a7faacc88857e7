"""`{% load desk %}`: the tab that leads to the desk, and the names on its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite import components
from clubsite.templatetags.frame import tab_link
from ratings import rights
from ratings.models import Player, Seat

register = template.Library()


@register.simple_tag(takes_context=True)
def desk_tab(context: Context, club: Any) -> str:
    """The tab of the club's desk. Only its staff get it."""
    user, pk = context.get("user"), getattr(club, "pk", None)
    if user is None or pk is None or not rights.may_enter(user, pk):
        return ""
    return tab_link(context, "desk", gettext("Desk"), "desk:club", club.slug)


@register.simple_tag
def table_name(people: Mapping[int, Player], seat: Seat) -> SafeString:
    """The name at a seat, as the user may read it."""
    player = people[seat.player_id]
    return components.player_name(player.native_name, country=player.country)
