"""What surrounds every page: head, main navigation, tabs, languages, messages.

A link to a page that the site does not have is left out. The module does not know what the pages show. The frame is
rendered with every page, so the parts that are the same for all readers of a language are rendered once and cached.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from django import template
from django.conf import settings
from django.template import Context
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_info

from clubsite.navigation import main_links
from clubsite.sections import sections_of
from clubsite.staff_actions import actions_for

register = template.Library()

MESSAGE_KINDS = {"success": "ok", "error": "bad", "warning": "warn"}


class Language(NamedTuple):
    code: str
    name: str
    current: bool


@cache
def _remembered(name: str, language: str | None, urlconf: str | None, prefix: str) -> SafeString:
    return render_to_string(name)


@register.simple_tag
def remembered(name: str) -> SafeString:
    """A template that needs no context, rendered once per language and process; with DEBUG, each time."""
    if settings.DEBUG:
        return render_to_string(name)
    return _remembered(name, get_language(), get_urlconf(), get_script_prefix())


@cache
def _address(name: str, urlconf: str | None, prefix: str) -> str:
    try:
        return reverse(name, urlconf=urlconf)
    except NoReverseMatch:
        return ""


@register.simple_tag
def address(name: str) -> str:
    """The address of a named page without arguments, or nothing if there is no such page."""
    return _address(name, get_urlconf(), get_script_prefix())


@cache
def _navigation(language: str | None, urlconf: str | None, prefix: str) -> list[tuple[str, str, tuple[str, ...]]]:
    links = [(_address(link.name, urlconf, prefix), link) for link in main_links()]
    return [(url, escape(link.label), link.under if url == "/" else (url, *link.under)) for url, link in links if url]


@register.simple_tag(takes_context=True)
def main_navigation(context: Context) -> SafeString:
    """Links to the main pages that exist. The link of the current page is marked."""
    request = context.get("request")
    path = request.path if request else ""
    pages = _navigation(get_language(), get_urlconf(), get_script_prefix())
    is_own_page = any(path == url for url, _label, _under in pages)  # also for a page under another page
    links = []
    for url, label, under in pages:
        current = ' aria-current="page"' if path == url else ""
        if not is_own_page and path.startswith(under):
            current = ' aria-current="true"'
        links.append(f'<a href="{url}"{current}>{label}</a>')
    return SafeString("".join(links))


@lru_cache(maxsize=1024)
def _tab_address(page: str, slug: str, urlconf: str | None, prefix: str) -> str:
    return reverse(page, urlconf=urlconf, args=[slug])


@register.simple_tag(takes_context=True)
def tab_link(context: Context, key: str, label: str, page: str, slug: str) -> SafeString:
    """One tab of a club or an event: a link to a page, marked if it is the `tab` of the context."""
    url = _tab_address(page, slug, get_urlconf(), get_script_prefix())
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


@register.simple_tag(takes_context=True)
def sections(context: Context, page: str) -> SafeString:
    """The sections that other apps add to a page."""
    assert context.template is not None  # there is one while a page is rendered
    template_of = context.template.engine.get_template
    drawn = [
        template_of(section.template).render(context.new(dict(section.context(context))))
        for section in sections_of(page)
    ]
    return SafeString("".join(drawn))


@register.inclusion_tag("partials/staff_actions.html", takes_context=True)
def staff_actions(context: Context, row: Any, of_list: str = "") -> dict[str, Any]:
    """What the user may do with the row, beside the heading of its page. Nothing for visitors."""
    user = context.get("user")
    return {"actions": actions_for(row, user, of_list) if user is not None and row is not None else []}


@register.filter
def message_kind(level_tag: str) -> str:
    """The kind of a message by Django's level: ok, info, warn or bad."""
    return MESSAGE_KINDS.get(level_tag, "info")
