"""Sections that events add to the home page, a player's page and a new club's first steps.

The lower app itself knows nothing of events.
"""

from __future__ import annotations

from django.template import Context

from clubsite.sections import Section
from tournaments.queries import honours, listing

ON_HOME = 6


def _newest_events(context: Context) -> dict[str, object]:
    """Running events first, then those to come, then finished ones."""
    groups = listing.grouped(listing.listed_events(context["request"].user))
    events = [*groups.running, *groups.open, *groups.coming, *groups.finished][:ON_HOME]
    return {"events": events}


def _live_events(context: Context) -> dict[str, object]:
    """The events that are being played today."""
    running = listing.grouped(listing.listed_events(context["request"].user)).running
    return {"events": running}


def _events_of_player(context: Context) -> dict[str, object]:
    """The events among the seasons of the page, with the ranks in the event."""
    seasons = [line.season for line in context["lines"]]
    return {"honours": honours.honours_of(context["player"], seasons)}


def _nothing_to_read(context: Context) -> dict[str, object]:
    return {}


FIRST_STEPS = Section("tournaments/first_steps.html", _nothing_to_read)
HOME = Section("tournaments/home_section.html", _newest_events)
LIVE = Section("tournaments/live_section.html", _live_events)
PLAYER = Section("tournaments/player_section.html", _events_of_player)
