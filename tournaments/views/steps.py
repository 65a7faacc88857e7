"""The steps of an event's agenda in words, with a link to the page for each step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from ratings import rights
from tournaments.models import Tournament
from tournaments.queries.agenda import AgendaStep
from tournaments.views.access import Right, manage_url

NEEDS: dict[str, Right] = {
    "check_in": rights.may_enter,
    "drafts": rights.may_enter,
    "tables_missing": rights.may_enter,
    "tables_unchecked": rights.may_enter,
    "confirm": rights.may_rule,
}


class Task(NamedTuple):
    """A line of the agenda. Steps with `post` have a button that does them."""

    code: str
    text: str
    action: str
    url: str
    post: bool = False


def worded(tournament: Tournament, steps: Iterable[AgendaStep], user: rights.Person) -> list[Task]:
    """The steps that this user may do, in words."""
    return [
        _task(tournament, step) for step in steps if NEEDS.get(step.code, rights.may_manage)(user, tournament.club_id)
    ]


def _task(tournament: Tournament, step: AgendaStep) -> Task:
    text, action = _words(step)
    return Task(step.code, text, action, _address(tournament, step), step.code in ("finish", "show_results"))


def _words(step: AgendaStep) -> tuple[str, str]:
    params = {"count": step.count, "round": _round_name(step), "stage": step.stage, **step.params}
    match step.code:
        case "enter_players":
            text, action = gettext("No one is entered yet."), gettext("Enter players")
        case "registrations":
            text = ngettext(
                "%(count)s registration is waiting for your confirmation.",
                "%(count)s registrations are waiting for your confirmation.",
                step.count,
            )
            action = gettext("See registrations")
        case "fill_up":
            text = ngettext(
                "%(players)s players: %(count)s more needed to fill the tables.",
                "%(players)s players: %(count)s more needed to fill the tables.",
                step.count,
            )
            action = gettext("Fill up the tables")
        case "check_in":
            text = ngettext(
                "%(count)s of %(players)s players is not checked in.",
                "%(count)s of %(players)s players are not checked in.",
                step.count,
            )
            action = gettext("Check in")
        case "drafts":
            text = ngettext(
                "%(count)s table sent its result for %(round)s.",
                "%(count)s tables sent their results for %(round)s.",
                step.count,
            )
            action = gettext("Confirm drafts")
        case "tables_missing":
            text = ngettext(
                "%(count)s table missing in %(round)s.", "%(count)s tables missing in %(round)s.", step.count
            )
            action = gettext("Enter results")
        case "tables_unchecked":
            text = ngettext(
                "%(count)s table not checked in %(round)s.", "%(count)s tables not checked in %(round)s.", step.count
            )
            action = gettext("Check tables")
        case _:
            text, action = _plain(step.code)
    return capfirst(text % params), action


def _plain(code: str) -> tuple[str, str]:
    return {
        "confirm": (gettext("Every table of %(round)s is in and checked."), gettext("Confirm the round")),
        "draw": (gettext("There is no seating for %(round)s yet."), gettext("Draw the round")),
        "draw_again": (
            gettext("The draw of %(round)s is for other players than those who play now."),
            gettext("Draw it again"),
        ),
        "publish": (gettext("The seating of %(round)s is drawn and not published."), gettext("Look and publish")),
        "cut": (gettext("%(stage)s is over."), gettext("Cut, and open the next stage")),
        "finish": (gettext("The last round is confirmed."), gettext("Finish the event")),
        "show_results": (gettext("The event is over and its results are hidden."), gettext("Show the results")),
    }[code]


def _round_name(step: AgendaStep) -> str:
    return round_name(step.round.stage.name, step.round.number, step.round.stage.number) if step.round else ""


def round_name(stage: str, number: int, stage_number: int) -> str:
    """The name of a round: `round 3`, in later stages with the stage's name."""
    if stage_number == 1:
        return gettext("round %(round)s") % {"round": number}
    return gettext("%(stage)s, round %(round)s") % {"stage": stage, "round": number}


def _address(tournament: Tournament, step: AgendaStep) -> str:
    names = {
        "registrations": "entries", "enter_players": "entries",
        "fill_up": "fill", "check_in": "checkin", "cut": "stages", "finish": "finish",
        "show_results": "show_results", "draw": "schedule", "draw_again": "schedule",
    }  # fmt: skip
    if step.code in names:
        return manage_url(names[step.code], tournament)
    assert step.round is not None
    page = "seating" if step.code == "publish" else "round"
    return manage_url(page, tournament, step.round.stage.number, step.round.number)
