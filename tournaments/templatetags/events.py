"""`{% load events %}`: events, their days and their people in templates."""

from __future__ import annotations

import datetime
from fractions import Fraction

from django import template
from django.template import Context
from django.utils import formats, timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from clubsite import components, days, numbers
from clubsite.names import language_of
from clubsite.numbers import MISSING
from ratings.mahjong.rulesets import Rules
from ratings.models import Player
from ratings.tables.names import Names
from tournaments.models import Entry, Round, Tournament
from tournaments.queries import listing
from tournaments.queries.clock import Clock, to_do_at_signal
from tournaments.queries.log import LogLine
from tournaments.queries.registration import Closed, Door

register = template.Library()

LONG = 180  # from this number of minutes on, hours are shown too; clock.js does the same


@register.simple_tag
def event_days(event: Tournament, short: bool = False) -> str:
    """The days of an event: `18–19 April 2026`, `30 April – 2 May 2026`; the short form has no year."""
    first, last = event.starts_on, event.ends_on
    month, year = (days.short_month(), "") if short else ("E", " Y")
    if first == last:
        return _day(last, f"j {month}{year}")
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{_day(last, f'j {month}{year}')}"
    return f"{_day(first, f'j {month}' + (year if first.year != last.year else ''))} – {_day(last, f'j {month}{year}')}"


def _day(day: datetime.date, form: str) -> str:
    return formats.date_format(day, form)


@register.simple_tag
def phase_tag(listed: listing.Listed) -> SafeString:
    """The progress of an event, as a small label."""
    match listed.phase:
        case listing.Phase.RUNNING if listed.round_now:
            words = pgettext("event", "round %(now)s of %(all)s")
            return components.tag(words % {"now": listed.round_now, "all": listed.rounds}, "green")
        case listing.Phase.RUNNING:
            return components.tag(pgettext("event", "today"), "green")
        case listing.Phase.OPEN:
            return components.tag(pgettext("event", "registration open"))
        case listing.Phase.COMING:
            return components.tag(pgettext("event", "upcoming"))
        case listing.Phase.FINISHED:
            return components.tag(pgettext("event", "final"))
    return components.tag(pgettext("event", "played"))


_STATES = {Round.State.SEATED: "brass", Round.State.PLAYING: "green"}


@register.simple_tag
def round_tag(round_: Round) -> SafeString:
    return components.tag(round_.get_state_display(), _STATES.get(Round.State(round_.state), ""))


@register.simple_tag(takes_context=True)
def round_name(context: Context, round_: Round) -> str:
    """`Round 3`, with the stage's name if the event has several stages. The page's context must have `stages`."""
    if len(context["stages"]) > 1:
        number = gettext("round %(n)s") % {"n": round_.number}
        return f"{round_.stage.name}, {number}"
    return gettext("Round %(n)s") % {"n": round_.number}


@register.simple_tag
def round_start(round_: Round, event: Tournament) -> str:
    """The announced start of a round, `Sat 10:00`, in the event's time zone; a dash if none is announced."""
    if round_.starts_at is None:
        return MISSING
    return formats.date_format(timezone.localtime(round_.starts_at, event.zone), "D H:i")


@register.simple_tag
def closed_words(door: Door, event: Tournament) -> str:
    """Why registration is closed, and since when."""
    at = {"at": _moment(door.at, event)}
    match door.closed:
        case Closed.FINISHED | Closed.OVER:
            last = min(timezone.localdate(door.at, event.zone), event.ends_on)  # an organiser may finish it later
            return gettext("The event ended on %(day)s.") % {"day": days.day(last)}
        case Closed.TIME:
            return gettext("Registration closed on %(at)s.") % at
        case Closed.PUBLISHED:
            return gettext("Registration closed on %(at)s, when the first round was published.") % at
    return gettext("The organiser has not opened registration, or has closed it.")


@register.simple_tag
def open_words(door: Door, event: Tournament) -> str:
    """That registration is open, and until when."""
    if door.at is None:
        return gettext("Registration is open.")
    return gettext("Registration is open until %(at)s.") % {"at": _moment(door.at, event)}


def _moment(at: datetime.datetime | None, event: Tournament) -> str:
    """`18 April 2026, 10:00` in the event's time zone."""
    return days.long_moment(at, event.zone)


@register.simple_tag
def entry_link(entry: Entry, sees_hidden: bool = False) -> SafeString:
    """The name as in a list, with a link to the player's page."""
    return Names(sees_hidden).cell(entry.player)


@register.simple_tag
def shown_player(player: Player, sees_hidden: bool = False) -> SafeString:
    """The name of a player at a finished table."""
    return Names(sees_hidden).cell(player)


@register.simple_tag
def entry_words(entry: Entry, sees_hidden: bool = False) -> SafeString:
    """The name without a link, marked with its language; for paper and for the wall."""
    name = Names(sees_hidden).text(entry.player)
    language = language_of(name, entry.player.country)
    attribute = format_html(' lang="{}"', language) if language else SafeString()
    return format_html('<span{} dir="auto">{}</span>', attribute, name)


@register.simple_tag
def entry_latin(entry: Entry, sees_hidden: bool = False) -> str:
    """The name in Latin letters, if it differs from the name."""
    latin = Names(sees_hidden).latin(entry.player)
    return "" if latin == Names(sees_hidden).text(entry.player) else latin


@register.simple_tag
def entry_state(entry: Entry) -> SafeString:
    """A label for an entry with a special status, otherwise empty."""
    if entry.status == Entry.Status.DISQUALIFIED:
        return components.tag(entry.get_status_display(), "red")
    if entry.has_left or entry.status == Entry.Status.WAITING:
        return components.tag(entry.get_status_display())
    return components.tag(gettext("checked in"), "green") if entry.checked_in_at else SafeString()


@register.filter
def halves(value: Fraction) -> str:
    """A weight as a whole number or with one decimal, for halves."""
    return formats.number_format(value.numerator / value.denominator, 1 if value.denominator > 1 else 0)


@register.simple_tag
def entry_fact(entry: Entry, name: str, sees_hidden: bool = False) -> str:
    """Country, team or number at the event; a dash if the player must not be named, since it could identify them."""
    value = getattr(entry, name) if Names(sees_hidden).follows(entry.player) else ""
    return value or MISSING


@register.filter
def or_dash(value: object) -> str:
    return escape(value) if value else MISSING


@register.simple_tag
def log_place(line: LogLine) -> str:
    """Stage, round and table of a line, as far as they are known."""
    known = [line.stage.name]
    if line.round:
        known.append(gettext("round %(n)s") % {"n": line.round})
    if line.table:
        known.append(gettext("table %(n)s") % {"n": line.table})
    return ", ".join(known)


@register.simple_tag
def log_amount(line: LogLine) -> str:
    """The amount: points with their sign, minutes and chombo as plain numbers."""
    if line.amount is None:
        return MISSING
    return str(line.amount) if line.kind in ("late", "chombo", "at_desk") else numbers.result(line.amount)


@register.simple_tag
def clock_digits(clock: Clock) -> str:
    """The time left when the page was rendered; clock.js continues from the server's next answer."""
    time = clock.remaining if clock.remaining is not None else clock.played
    if clock.starts_in is not None:
        time = clock.starts_in
    elif clock.round is None:
        return "–:–"
    minutes, seconds = divmod(abs(int(time.total_seconds())), 60)
    hours, minutes = divmod(minutes, 60) if minutes >= LONG else (0, minutes)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


@register.filter
def uma_words(points: int) -> str:
    """Uma as players say it: 15, −5. Parts of a thousand keep their decimal."""
    return numbers.result(points).lstrip("+").removesuffix(".0").removesuffix(",0")


@register.simple_tag
def signal_words(rules: Rules) -> str:
    return to_do_at_signal(rules)


@register.filter
def score_words(score: Fraction) -> str:
    """A score of the European ranking, with two decimals."""
    return numbers.average_place(score)


@register.filter
def weight_words(weight: Fraction) -> str:
    """A weight with one or two decimals: weights are halved with age, so 1.25 is possible."""
    return formats.number_format(weight.numerator / weight.denominator, 2 if (4 * weight) % 2 else 1)
