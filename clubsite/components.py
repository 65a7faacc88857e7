"""The small components of every page as markup: tiles, chips, names, messages (LOOK: Parts).

The module decides which elements and classes a component is made of. It does not know models. Table cells call these
functions; templates use the tags of the same names (`{% load components %}`). All text from people is escaped here. A
table calls `numbers.writer()` once and passes it as `write`; without it each call looks up the active language.
"""

from __future__ import annotations

from functools import cache, lru_cache

from django.conf import settings
from django.templatetags.static import static
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext

from clubsite.names import language_of
from clubsite.numbers import MISSING, Writer, writer

WINDS = "ESWN"
MOST_STICKS = 20  # a longer row of little sticks does not help; the words beside it do
_ICONS = {"ok": "ok", "right": "ok", "info": "info", "wait": "info", "warn": "bad", "bad": "bad", "wrong": "bad"}
_TILES = SafeString(
    '<svg viewBox="0 0 120 64" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2" '
    'stroke-dasharray="5 4"><rect x="6" y="8" width="30" height="40" rx="6"/><rect x="45" y="8" width="30" '
    'height="40" rx="6"/><rect x="84" y="8" width="30" height="40" rx="6"/></g>'
    '<rect x="24" y="55" width="72" height="6" rx="3" fill="currentColor" opacity=".5"/></svg>'
)


@cache
def _sprite(static_url: str) -> str:
    return static("umaoka/sprite.svg")


def symbol(name: str, label: str = "", kind: str = "") -> SafeString:
    """A drawing of the sprite: i-ok, i-info, i-bad, i-down, w-E … Without a label it is decorative."""
    role = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    look = f' class="{kind}"' if kind else ""
    sprite = _sprite(settings.STATIC_URL)
    return SafeString(f'<svg{look} viewBox="0 0 24 24" {role}><use href="{sprite}#{name}"/></svg>')


def icon(kind: str) -> SafeString:
    """The icon of a state: ok, info, warn, bad, or of a check: right, wait, wrong."""
    return symbol(f"i-{_ICONS.get(kind, 'info')}")


@cache
def _wind_names(language: str) -> tuple[str, ...]:
    with translation.override(language):
        return pgettext("wind", "East"), pgettext("wind", "South"), pgettext("wind", "West"), pgettext("wind", "North")


def wind_name(wind: str | int) -> str:
    return _wind_names(writer().language)[_wind(wind)]


def _wind(wind: str | int) -> int:
    """The index of a wind. Winds are given as letters or, in order of play, as 0 to 3."""
    return wind if isinstance(wind, int) else WINDS.index(wind)


def wind_tile(wind: str | int) -> SafeString:
    """The tile alone, with its name for screen readers. Put the word or the letter beside it for everybody else."""
    drawing = symbol(f"w-{WINDS[_wind(wind)]}", wind_name(wind))
    return SafeString(f'<span class="tile">{drawing}</span>')


def wind(wind: str | int) -> SafeString:
    """Tile and word."""
    drawing = symbol(f"w-{WINDS[_wind(wind)]}")
    return SafeString(f'<span class="wind"><span class="tile">{drawing}</span>{escape(wind_name(wind))}</span>')


def rank_tile(rank: int | None) -> SafeString:
    """A rank: 1 to 3 are tiles, the others plain numbers of the same width. Without a rank, a dash."""
    if rank is None:
        return SafeString(f'<span class="rank">{MISSING}</span>')
    if rank > 3:
        return SafeString(f'<span class="rank">{rank}</span>')
    return SafeString(f'<span class="tile{" one" if rank == 1 else ""}">{rank}</span>')


def place_chip(place: int | None, write: Writer | None = None) -> SafeString:
    if place is None:
        return SafeString(MISSING)
    return SafeString(f'<span class="place place-{place}">{escape((write or writer()).ordinal(place))}</span>')


@lru_cache(maxsize=1024)
def _movement(language: str, places: int) -> SafeString:
    with translation.override(language):
        if not places:
            unchanged = escape(gettext("unchanged"))
            return SafeString(f'<span class="movement unchanged"><span class="spoken">{unchanged}</span></span>')
        kind, word = ("upward", gettext("up")) if places > 0 else ("downward", gettext("down"))
        return SafeString(
            f'<span class="movement {kind}"><span class="spoken">{escape(word)} </span>{abs(places)}</span>'
        )


def movement(places: int | None, write: Writer | None = None) -> SafeString:
    """How many ranks up (above zero) or down. None: there was no rank before."""
    if places is None:
        return SafeString(f'<span class="soft">{MISSING}</span>')
    return _movement((write or writer()).language, places)


def player_name(native: str, latin: str = "", url: str = "", country: str = "", lang: str = "") -> SafeString:
    """The native name, linked if there is an address, then the Latin form unless it is the same.

    If no language is given, it is guessed from letters and country. `dir` is for names written from right to left."""
    lang = lang or language_of(native, country)
    attributes = f' lang="{escape(lang)}"' if lang else ""
    open_, close = (f'a class="name" href="{escape(url)}"', "a") if url else ('span class="name"', "span")
    alt = f'<span class="alt">{escape(latin)}</span>' if latin and latin != native else ""
    return SafeString(f'<{open_}{attributes} dir="auto">{escape(native)}</{close}>{alt}')


def tag(text: str, kind: str = "") -> SafeString:
    """A small label. The kind is green, red or brass; without a kind it is plain."""
    return SafeString(f'<span class="tag{" " + kind if kind else ""}">{escape(text)}</span>')


def message(kind: str, text: str, action_url: str = "", action: str = "") -> SafeString:
    """A message that says what happened, with at most one action. The kind is ok, info, warn or bad."""
    link = f'<a class="action" href="{escape(action_url)}">{escape(action)}</a>' if action_url else ""
    return SafeString(f'<div class="message {kind}">{icon(kind)}<p>{escape(text)}</p>{link}</div>')


def empty_state(title: str, text: str = "", url: str = "", action: str = "", level: int = 2) -> SafeString:
    """One line that says what is missing, one line that says what to do, and one button."""
    words = f"<p>{escape(text)}</p>" if text else ""
    button = f'<a class="btn main" href="{escape(url)}">{escape(action)}</a>' if url else ""
    return SafeString(f'<div class="card empty">{_TILES}<h{level}>{escape(title)}</h{level}>{words}{button}</div>')


def cut_row(columns: int, text: str) -> SafeString:
    """The row of a table that says where a line is drawn, as wide as the table."""
    return SafeString(
        f'<tr role="row" class="cut"><td role="cell" colspan="{columns}">'
        f'<div class="cutline"><span>{escape(text)}</span></div></td></tr>'
    )


def games_of_minimum(games: int, minimum: int) -> SafeString:
    """`4 of 6 games`, with little sticks for the games."""
    words = ngettext("%(games)d of %(minimum)d game", "%(games)d of %(minimum)d games", minimum)
    text = escape(words % {"games": games, "minimum": minimum})
    if minimum > MOST_STICKS:
        return text
    sticks = "<i></i>" * min(games, minimum) + '<i class="missing"></i>' * max(minimum - games, 0)
    return SafeString(f'{text}<span class="progress" aria-hidden="true">{sticks}</span>')


def check_bar(state: str, title: str, detail: str = "", amount: str = "") -> SafeString:
    """The spoken part of the live check. Put it into `<div class="check">` beside the buttons.

    Only this part has the role of a status: a screen reader reads the sum after every key, but not the buttons."""
    more = f"<span>{escape(detail)}</span>" if detail else ""
    return SafeString(
        f'{icon(state)}<div class="check-text" role="status"><b>{escape(title)}</b>{more}</div>'
        f'<span class="difference">{escape(amount)}</span>'
    )
