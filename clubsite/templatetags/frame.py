"""What surrounds every page: main navigation, club tabs, languages, messages.

Owns links that appear by themselves once their page exists; refuses to know what the pages show.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django import template
from django.conf import settings
from django.template import Context
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_info

register = template.Library()

MESSAGE_KINDS = {"success": "ok", "error": "bad", "warning": "warn"}


class Language(NamedTuple):
    code: str
    name: str
    current: bool


@cache
def _address(name: str, urlconf: str | None, prefix: str) -> str:
    try:
        return reverse(name, urlconf=urlconf)
    except NoReverseMatch:
        return ""


@register.simple_tag
def address(name: str) -> str:
    """The address of a named page without arguments, or nothing while that page is not built.

    Remembered, since every page of the site asks for the same few."""
    return _address(name, get_urlconf(), get_script_prefix())


@register.simple_tag(takes_context=True)
def nav_link(context: Context, name: str, label: str, under: str = "") -> SafeString:
    """A link of the main navigation. `under`: beginnings of further addresses that belong to it, space-separated."""
    url = address(name)
    if not url:
        return SafeString()
    request = context.get("request")
    path = request.path if request else ""
    here = path == url
    within = any(path.startswith(start) for start in under.split()) or (url != "/" and path.startswith(url))
    current = ' aria-current="page"' if here else ' aria-current="true"' if within else ""
    return SafeString(f'<a href="{url}"{current}>{escape(label)}</a>')


@register.simple_tag(takes_context=True)
def tab_link(context: Context, key: str, label: str, slug: str) -> SafeString:
    """One tab of a club, once its page `ratings:club_<key>` exists; the page says which `tab` it is."""
    try:
        url = reverse(f"ratings:club_{key}", args=[slug])
    except NoReverseMatch:
        return SafeString()
    current = SafeString(' aria-current="page"' if context.get("tab") == key else "")
    return format_html('<li><a href="{}"{}>{}</a></li>', url, current, label)


@register.simple_tag
def languages() -> list[Language]:
    """The languages of the site, each under its own name."""
    now = get_language()
    return [Language(code, _own_name(code), code == now) for code, _name in settings.LANGUAGES]


@cache
def _own_name(code: str) -> str:
    name = str(get_language_info(code)["name_local"])
    return name[:1].upper() + name[1:]


@register.filter
def message_kind(level_tag: str) -> str:
    """Django's level of a message → the look's kind: ok, info, warn, bad."""
    return MESSAGE_KINDS.get(level_tag, "info")
