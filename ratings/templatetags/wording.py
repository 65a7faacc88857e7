"""`{% load wording %}`: phrases of the pure modules in the reader's language, and addresses of pages that exist."""

from __future__ import annotations

from typing import Protocol

from django import template
from django.urls import NoReverseMatch
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubsite import numbers
from ratings.mahjong.explain import PLACE, POINTS, Figure
from ratings.mahjong.problems import Phrase, Term
from ratings.mahjong.rulesets.words import Joined
from ratings.mahjong.standings import COUNT, RATING, Metric, Value
from ratings.mahjong.standings import PLACE as AVERAGE_PLACE

register = template.Library()


class HasPage(Protocol):
    def get_absolute_url(self) -> str: ...


@register.filter
def words(phrase: Phrase) -> SafeString:
    """Return a phrase as HTML: figures are bold, and everything that users wrote is escaped."""
    return SafeString(_markup(phrase))


@register.filter
def plainly(phrase: Phrase) -> str:
    """Return a phrase as plain text, for small print beside figures that are already emphasised."""
    return _text(phrase)


def _text(value: object) -> str:
    if isinstance(value, Figure):
        return figure(value)
    if isinstance(value, Phrase) and not isinstance(value, Joined):
        return gettext(value.message) % {key: _text(filling) for key, filling in value.params.items()}
    if isinstance(value, Phrase):
        return value.sentence(gettext)
    if type(value) is int:
        return numbers.points(value)
    return gettext(value) if isinstance(value, Term) else str(value)


def _markup(value: object) -> str:
    if isinstance(value, Figure):
        return format_html("<b{}>{}</b>", SafeString(' class="negative"') if value.value < 0 else "", figure(value))
    if isinstance(value, Phrase) and not isinstance(value, Joined):
        return escape(gettext(value.message)) % {key: _markup(filling) for key, filling in value.params.items()}
    return escape(_text(value))


def figure(value: Figure) -> str:
    if value.kind == PLACE:
        return numbers.ordinal(int(value.value))
    return numbers.points(int(value.value)) if value.kind == POINTS else numbers.exact(value.value)


@register.filter
def in_language(text: str) -> str:
    """Translate a word of the product (a label, a note of a preset); other text is returned unchanged."""
    return gettext(text) if text else ""


@register.filter
def measured(value: Value, metric: Metric) -> str:
    """Write a metric's value in the format of its unit."""
    if metric.unit == RATING:
        return numbers.rating(value)
    if metric.unit == AVERAGE_PLACE:
        return numbers.average_place(value)
    if metric.unit == COUNT:
        return numbers.points(None if value is None else int(value))
    return numbers.result(value)


@register.simple_tag
def page_of(thing: HasPage) -> str:
    """Return the address of an object's page, or an empty text if there are no pages of its kind yet."""
    try:
        return thing.get_absolute_url()
    except NoReverseMatch:
        return ""
