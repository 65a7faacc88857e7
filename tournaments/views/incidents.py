"""Report that a player is late, absent or ill; the cost is shown before it is saved."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext

from clubsite import numbers
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong import scoring
from ratings.mahjong.rulesets import Rules
from tournaments.forms.incidents import IncidentForm
from tournaments.models import Table, Tournament
from tournaments.queries import effects
from tournaments.queries.standings import StageView
from tournaments.services.incidents import report, with_incident
from tournaments.services.sheets import sheet_at
from tournaments.views.access import manage_url, round_or_404, staff_page, table_or_404
from tournaments.views.decisions import Decision, decide_on, with_other_sheet


@staff_page(rights.may_rule)
def incident(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    round_ = round_or_404(tournament, stage, number)
    asked = {"entry": request.GET.get("entry", ""), "what": request.GET.get("what", "")}
    form = IncidentForm(round_, request.POST if request.method == "POST" else None, initial=asked)
    heading = gettext("Late, absent or ill in round %(round)s") % {"round": number}
    intro = gettext(
        "What you enter here is filled in when the table’s result is entered. A substitute who takes over"
        " mid-game counts from the start from the next round on."
    )
    if not form.seats:
        intro = gettext("No one has a seat in this round yet: publish its seats first.")
    return decide_on(request, tournament, form, heading, _decide, intro)


def _decide(form: Any, request: HttpRequest) -> Decision:
    assert isinstance(form, IncidentForm)
    entry, heard, reason = form.seat.entry, form.incident, form.cleaned_data["reason"]
    table = table_or_404(form.round, form.seat.table.number)
    round_, event = form.round, form.round.stage.tournament
    return Decision(
        words=_words(form, table, round_.stage.rules),
        stage=round_.stage,
        after=lambda view: _after(view, table, form),
        store=lambda: report(table, entry, heard, by=user_of(request), reason=reason),
        round=round_.number,
        waits=not table.has_result,
        remark="" if table.has_result else gettext("The standings change when the table's result is in."),
        next_url=manage_url("round", event, round_.stage.number, round_.number),
    )


def _after(view: StageView, table: Table, form: IncidentForm) -> StageView:
    """The view with this incident.

    A table that has a result is scored again. Otherwise only the fixed result of a substituted seat is known.
    """
    entry, heard = form.seat.entry, form.incident
    if table.has_result:
        return with_other_sheet(view, table, with_incident(sheet_at(table), entry, heard))
    if heard.substitute == scoring.NONE:
        return view
    rules = table.round.stage.rules
    return effects.with_fixed_result(view, entry, table, rules.substitute_points + rules.substitute_uma)


def _words(form: IncidentForm, table: Table, rules: Rules) -> str:
    write, what, heard = numbers.writer(), form.cleaned_data["what"], form.incident
    params = {
        "name": form.seat.entry.player.native_name,
        "table": table.number,
        "round": table.round.number,
        "fixed": write.result(rules.substitute_points + rules.substitute_uma),
        "substitute": heard.played_by.player.native_name if heard.played_by else gettext("The substitute"),
    }
    match what:
        case "back":
            words = gettext("%(name)s plays the seat at table %(table)s in round %(round)s.")
        case "late":
            return _late(params, heard.late_minutes, rules)
        case scoring.MID_GAME:
            words = gettext(
                "%(name)s gets %(fixed)s for round %(round)s, whatever happens at table %(table)s. "
                "%(substitute)s took over mid-game and is placed below the others, whatever the points."
            )
        case _:
            words = gettext(
                "%(name)s gets %(fixed)s for round %(round)s, whatever happens at table %(table)s. "
                "%(substitute)s plays from the start, and those points count when the others are placed."
            )
    return words % params


def _late(params: dict[str, Any], minutes: int, rules: Rules) -> str:
    words = ngettext("%(name)s is %(count)s minute late:", "%(name)s is %(count)s minutes late:", minutes)
    taken = minutes * rules.late_per_minute
    if not taken:
        effect = gettext("the rules take nothing off for that.")
    elif rules.late_applies == "net":
        effect = gettext("%(points)s points off at table %(table)s, before placing.")
    else:
        effect = gettext("%(points)s points off the result of round %(round)s, after placing.")
    return f"{words} {effect}" % {**params, "count": minutes, "points": numbers.points(taken)}
