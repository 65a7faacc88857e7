"""`{% load people %}`: players with the name that the reader may see, and what a correction changed."""

from __future__ import annotations

import datetime
from collections.abc import Container, Mapping
from fractions import Fraction
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from clubsite import charts, components, days, numbers
from clubsite.names import language_of
from ratings.mahjong.gamesheet import CHANGE_LABELS, Change
from ratings.mahjong.rulesets import PARAMETERS
from ratings.mahjong.rulesets.words import words
from ratings.models import Player, Seat
from ratings.tables.names import Names

register = template.Library()


@register.simple_tag
def player_link(player: Player, known: Container[int] = (), season_id: int | None = None) -> SafeString:
    """Return name, Latin form and link as a stranger may see them, or in full if the player is in `known`.

    With a season the link leads to that season of the player.
    """
    return Names(player.pk in known, season_id=season_id).cell(player)


@register.simple_tag
def player_words(player: Player, known: Container[int] = ()) -> str:
    """Return the name alone, for titles and headings."""
    return Names(player.pk in known).text(player)


@register.simple_tag
def lang_of(name: str, country: str) -> SafeString:
    """Return the `lang` attribute of a name, if the language is known from its letters and the country."""
    language = language_of(name, country)
    return format_html(' lang="{}"', language) if language else SafeString()


@register.simple_tag
def place_bar(place: int, count: int, figures: Mapping[str, Any]) -> SafeString:
    """Show how often a place was taken: chip, bar, count and share."""
    return format_html(
        '<div class="bar-row">{}{}<span class="num">{}\u00a0×</span><span class="num soft">{}</span></div>',
        components.place_chip(place),
        charts.bar(count, figures["most_of_a_place"], place),
        count,
        numbers.percent(count, figures["placed"]),
    )


@register.filter
def whole_points(value: Fraction | None) -> str:
    """Write a mean of points to the nearest hundred, as players say it."""
    return numbers.points(None if value is None else round(value / 100) * 100)


@register.simple_tag
def wind_class(wind: int) -> str:
    """Return the CSS class for the side of the mat where a seat is."""
    return ("east", "south", "west", "north")[wind]


@register.simple_tag
def wind_glyph(wind: int) -> SafeString:
    """Return only the drawing of a wind, for elements that look like a tile themselves.

    The text beside it is for readers who cannot see the drawing.
    """
    return components.symbol(f"w-{components.WINDS[wind]}")


@register.simple_tag
def wind_letter(wind: int) -> SafeString:
    """Return the letter of a wind, for places without room for the word."""
    east, south = pgettext("letter of a wind", "E"), pgettext("letter of a wind", "S")
    west, north = pgettext("letter of a wind", "W"), pgettext("letter of a wind", "N")
    return format_html('<abbr title="{}">{}</abbr>', components.wind_name(wind), (east, south, west, north)[wind])


@register.simple_tag
def change_words(change: Change, people: Mapping[int, Player], zone: datetime.tzinfo) -> str:
    """Describe a change: “North, points: 11 800 → 11 300”."""
    before, after = (_value(change.field, value, people, zone) for value in (change.before, change.after))
    return f"{change_where(change)}: {before} → {after}"


@register.simple_tag
def change_where(change: Change) -> str:
    """Say what changed: “North, points”."""
    label = gettext(CHANGE_LABELS[change.field])
    return label if change.seat is None else f"{components.wind_name(change.seat)}, {label}"


@register.simple_tag
def change_side(change: Change, value: Any, people: Mapping[int, Player], zone: datetime.tzinfo) -> str:
    """Write one of the two values of a change."""
    return _value(change.field, value, people, zone)


@register.filter
def person(people: Mapping[int, Player], pk: int) -> str:
    return people[pk].native_name if pk in people else numbers.MISSING


def _value(field: str, value: Any, people: Mapping[int, Player], zone: datetime.tzinfo) -> str:
    if value is None or value == "" or value == {}:
        return numbers.MISSING
    match field:
        case "player" | "played_by":
            return people[value].native_name if value in people else f"#{value}"
        case "played_at":
            return days.moment(value, zone)
        case "substitute":
            return str(Seat.Substitute(value).label)
        case "variation":
            return "; ".join(_parameter(name, chosen) for name, chosen in value.items())
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return numbers.points(value) if isinstance(value, int) else f"“{value}”"


def _parameter(name: str, stored: Any) -> str:
    """Write one parameter of a variation from its value in the history."""
    parameter = PARAMETERS.get(name)
    if parameter is None:
        return f"{name}: {stored}"
    return f"{gettext(parameter.label)}: {words(parameter, parameter.kind.read(stored)).sentence(gettext)}"
