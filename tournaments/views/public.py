"""Public pages of events: the list, the page of one event, its rounds, its teams and its rulings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubsite import freshness
from ratings import rights
from tournaments.models import Entry
from tournaments.queries import listing, overview
from tournaments.queries.log import referees_log
from tournaments.queries.mers import mers_report
from tournaments.queries.registration import door_of
from tournaments.queries.rounds import tables_of
from tournaments.queries.standings import entries_of, final_ranking, view_event
from tournaments.standings import ranking
from tournaments.views.opening import EventPage, frame_of, open_event

TOP = 8


class Link(NamedTuple):
    """A button in the head of the page."""

    label: str
    url: str
    is_main: bool = False


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    groups = listing.grouped(listing.listed_events(request.user))
    may_plan = rights.has_level_somewhere(request.user, rights.Level.ADMIN)
    return render(request, "tournaments/index.html", {"groups": groups, "may_plan": may_plan})


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponseBase:
    opened = open_event(request, slug)
    return freshness.page(request, opened.facts, "tournaments/event.html", lambda: _event(opened))


def _event(opened: EventPage) -> dict[str, Any]:
    tournament = opened.tournament
    entries = entries_of(tournament)
    lines = overview.round_lines(tournament)
    now = overview.round_now(lines)
    views = view_event(tournament) if any(line.results for line in lines) else []
    ranked = final_ranking(views)
    field = overview.field_of(entries)
    published = min((line.round.seated_at for line in lines if line.round.seated_at), default=None)
    door = door_of(tournament, published, opened.now)
    return {
        **frame_of(opened, "event"),
        "links": list(_links(opened, now is not None)),
        "warnings": list(_warnings(opened)),
        "field": field,
        "entry_lists": _entry_lists(field),
        "nobody_yet": gettext("Be the first: registration is open.")
        if door.is_open
        else gettext("The list fills when registration opens."),
        "places": None if views else tournament.capacity,
        "players": len(ranked) if views else field.places_taken,
        "lines": lines,
        "now": now,
        "door": door,
        "several_stages": len(opened.summary.stages) > 1,
        "announced": any(line.round.starts_at for line in lines),
        "tables": list(tables_of(now.round)) if now else [],
        **(_results(opened, views[0].entries, ranked) if opened.sees_results and views else {}),
    }


def _links(opened: EventPage, is_round_on: bool) -> Iterator[Link]:
    slug = opened.summary.slug
    if is_round_on:
        yield Link(gettext("Find your table"), reverse("tournaments:me", args=[slug]), is_main=True)
    if not opened.summary.finished:
        yield Link(gettext("Screen for the wall"), reverse("tournaments:screen", args=[slug]))
    if opened.is_staff:
        yield Link(gettext("Manage"), reverse("tournaments:manage_home", args=[slug]))


def _warnings(opened: EventPage) -> Iterator[str]:
    """Notes for staff about what other readers do not see."""
    if not opened.summary.is_public:
        yield gettext("This event is hidden: only staff of the club see it.")
    elif not opened.summary.results_public and opened.sees_results:
        yield gettext("Results are hidden until the ceremony. You see them because you are staff.")


def _entry_lists(field: overview.EventField) -> list[tuple[str, list[Entry]]]:
    lists = [
        (gettext("Players"), field.players),
        (gettext("Substitutes, outside the ranking"), field.substitutes),
        (gettext("Waiting for a place"), field.waiting),
    ]
    return [(caption, entries) for caption, entries in lists if entries]


def _results(opened: EventPage, people: dict[int, Entry], rows: list[ranking.FinalRow]) -> dict[str, Any]:
    """The top of the ranking, and what the event counts for the European ranking."""
    report = mers_report(opened.tournament) if opened.tournament.reports_to_mers and opened.summary.finished else None
    return {
        "top": [(row, people[row.entry]) for row in rows[:TOP]],
        "top_caption": gettext("Final ranking") if opened.summary.finished else gettext("Standings so far"),
        "ranked": len(rows),
        "mers": report,
    }


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponseBase:
    opened = open_event(request, slug)

    def context() -> dict[str, Any]:
        lines = overview.round_lines(opened.tournament)
        seated = overview.seated_rounds(opened.tournament, lines)
        return {**frame_of(opened, "rounds"), "lines": lines, "seated": seated}

    return freshness.page(request, opened.facts, "tournaments/rounds.html", context)


@require_safe
def teams(request: HttpRequest, slug: str) -> HttpResponseBase:
    opened = open_event(request, slug)
    wanted = request.GET.get("stage", "")
    return freshness.page(request, opened.facts, "tournaments/teams.html", lambda: _teams(opened, wanted))


def _teams(opened: EventPage, wanted: str) -> dict[str, Any]:
    """Teams over the whole event, or in the stage of `?stage=2`; only their members if results are hidden."""
    context = frame_of(opened, "teams")
    if not opened.sees_results:
        return {**context, "field": overview.field_of(entries_of(opened.tournament))}
    views = view_event(opened.tournament)
    people = views[0].entries
    of_stage = next((view for view in views if len(views) > 1 and str(view.stage.number) == wanted), None)
    if of_stage is not None:
        rows = of_stage.at_end().rows
    else:
        rows = ranking.over_all_stages(views[0].contestants, [view.at_end() for view in views])
    return {
        **context,
        "field": overview.field_of(people.values()),
        "teams": [(team, [(row, people[row.entry]) for row in team.members]) for team in ranking.team_standings(rows)],
        "of_stage": of_stage.stage if of_stage else None,
    }


@require_safe
def rulings(request: HttpRequest, slug: str) -> HttpResponseBase:
    """All rulings with their reasons. A penalty in the standings links to this page."""
    opened = open_event(request, slug)

    def context() -> dict[str, Any]:
        lines = referees_log(opened.tournament) if opened.sees_results else []
        return {**frame_of(opened, "standings"), "lines": lines}

    return freshness.page(request, opened.facts, "tournaments/rulings.html", context)
