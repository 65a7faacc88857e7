"""Penalties, absences, withdrawals and disqualifications; each shows its effect on the standings before saving."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from clubsite import numbers
from clubsite.signing_in import user_of
from ratings import rights
from ratings.mahjong import standings
from ratings.mahjong.problems import Problem, Refused
from ratings.models import Adjustment
from tournaments.forms.rulings import AT_TABLE, AbsentForm, DisqualifyForm, PenaltyForm, ReasonForm, WithdrawForm
from tournaments.models import Entry, Round, Table, Tournament
from tournaments.queries import effects
from tournaments.queries.cancelling import rounds_without_seat
from tournaments.queries.log import referees_log
from tournaments.queries.rounds import current_round, tables_of
from tournaments.services import rulings as services
from tournaments.services.sheets import sheet_at
from tournaments.services.tables import correct_table
from tournaments.standings import ranking
from tournaments.views.access import entry_or_404, manage_url, page_context, staff_page
from tournaments.views.decisions import Decision, decide_on, with_other_sheet
from tournaments.views.seats import unseated_words

REVOCABLE = (Adjustment.Kind.PENALTY, Adjustment.Kind.WARNING, Adjustment.Kind.ABSENCE, Adjustment.Kind.BYE)


@staff_page(rights.may_rule)
def rulings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The referee's log, and what can be ruled."""
    seasons = {stage.season_id: stage for stage in tournament.stages.all()}
    given = Adjustment.objects.filter(season__in=seasons, kind__in=REVOCABLE, revoked_at=None)
    gone = tournament.entries.filter(status__in=Entry.LEFT).select_related("player", "left_stage")
    context = page_context(
        request,
        tournament,
        "rulings",
        heading=gettext("Referee's log"),
        log=referees_log(tournament),
        given=given.select_related("player").order_by("-pk"),
        gone=gone,
        playing=_playing(tournament),
    )
    return render(request, "tournaments/manage/rulings.html", context)


def _playing(tournament: Tournament) -> Round | None:
    """The current round, for whose seats an incident can be reported; None if it is confirmed."""
    round_ = current_round(tournament)
    return round_ if round_ is not None and round_.state != Round.State.CONFIRMED else None


# --- the rulings --------------------------------------------------------------------------------------------


@staff_page(rights.may_rule)
def penalty(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = PenaltyForm(tournament, request.POST if request.method == "POST" else None, initial=_asked(request))
    return decide_on(request, tournament, form, gettext("Penalty or warning"), _penalty)


def _penalty(form: Any, request: HttpRequest) -> Decision:
    assert isinstance(form, PenaltyForm)
    data, entry, stage = form.cleaned_data, form.who, form.stage
    if data["where"] == AT_TABLE:
        return _penalty_at_table(form, request)
    points = data["points"]
    kind = Adjustment.Kind.PENALTY if points else Adjustment.Kind.WARNING
    params = {"name": entry.player.native_name, "points": points, "round": form.round_number}
    words = gettext("%(name)s: %(points)s points off the total, after round %(round)s.") % params
    if not points:
        words = gettext("%(name)s: a warning, after round %(round)s.") % params
    return Decision(
        words,
        stage,
        lambda view: effects.with_points(view, entry, form.round_number, kind, -points),
        lambda: services.give_penalty(
            stage,
            entry,
            points,
            data["reason"],
            after_round=form.round_number,
            by=user_of(request),
            submit_key=data["submit_key"],
        ),
        round=form.round_number,
    )


def _penalty_at_table(form: PenaltyForm, request: HttpRequest) -> Decision:
    """A penalty that corrects the sheet of that round.

    The points are taken before placing, or off the result if the rules say so.
    """
    entry, points, reason = form.who, form.cleaned_data["points"], form.cleaned_data["reason"]
    table = _table_of(form, entry)
    hanchan = table.hanchan
    assert hanchan is not None
    sheet = sheet_at(table)
    seats = [
        seat.changed(penalty=seat.played.penalty + points) if seat.player.pk == entry.pk else seat
        for seat in sheet.seats
    ]
    fined = replace(sheet, seats=tuple(seats))
    params = {"name": entry.player.native_name, "points": points, "table": table.number, "round": form.round_number}
    words = (
        gettext("%(name)s: %(points)s points off the result at table %(table)s of round %(round)s; places stay.")
        if hanchan.rules.penalty_off_result
        else gettext("%(name)s: %(points)s points off at table %(table)s of round %(round)s, before placing.")
    )
    return Decision(
        words % params,
        form.stage,
        lambda view: with_other_sheet(view, table, fined),
        lambda: correct_table(table, fined, version=hanchan.version, by=user_of(request), reason=reason),
    )


def _table_of(form: PenaltyForm, entry: Entry) -> Table:
    round_ = form.round
    table = next((each for each in tables_of(round_) if entry.pk in {seat.entry_id for seat in each.seats.all()}), None)
    if table is None or not table.has_result:
        message = gettext("The table has no result yet: type the penalty together with the result.")
        raise Refused(Problem(message, code="no_result"))
    table.round = round_
    return table


@staff_page(rights.may_rule)
def absent(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = AbsentForm(tournament, request.POST if request.method == "POST" else None, initial=_asked(request))
    intro = gettext(
        "For a round in which the seat is not played. If a substitute plays it, enter the substitute with the"
        " table’s result."
    )
    return decide_on(request, tournament, form, gettext("Absent in a round"), _absent, intro)


def _absent(form: Any, request: HttpRequest) -> Decision:
    assert isinstance(form, AbsentForm)
    entry, round_, reason = form.who, form.round, form.cleaned_data["reason"]
    params = {"name": entry.player.native_name, "round": form.round_number}
    if form.cleaned_data["bye"]:
        return Decision(
            gettext("%(name)s: a bye in round %(round)s.") % params,
            form.stage,
            lambda view: effects.with_points(view, entry, form.round_number, standings.BYE, 0),
            lambda: services.give_bye(round_, entry, by=user_of(request), reason=reason),
            round=form.round_number,
        )
    rules = form.stage.rules
    points = rules.substitute_points + rules.substitute_uma
    return Decision(
        gettext("%(name)s: absent in round %(round)s.") % params,
        form.stage,
        lambda view: effects.with_points(view, entry, form.round_number, standings.ABSENCE, points),
        lambda: services.mark_absent(round_, entry, by=user_of(request), reason=reason),
        round=form.round_number,
    )


@staff_page(rights.may_rule)
def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = WithdrawForm(tournament, request.POST if request.method == "POST" else None, initial=_asked(request))
    return decide_on(request, tournament, form, gettext("A player withdraws"), _withdraw, _after_drop_outs())


def _withdraw(form: Any, request: HttpRequest) -> Decision:
    assert isinstance(form, WithdrawForm)
    entry, stage, number, keeps = form.who, form.stage, form.round_number, form.keeps
    departure = ranking.Departure(ranking.RoundMoment(stage.number, number), keep_results=keeps)
    words = (
        gettext("%(name)s withdraws after round %(round)s; the results stay.")
        if keeps
        else gettext("%(name)s withdraws after round %(round)s; the name is removed from the standings.")
    )
    return Decision(
        words % {"name": entry.player.native_name, "round": number},
        stage,
        lambda view: effects.with_departure(view, entry, departure),
        lambda: services.withdraw(
            entry, stage, number, keep_results=keeps, reason=form.cleaned_data["reason"], by=user_of(request)
        ),
        round=number,
        remark=_missed_rounds(form) if keeps else "",
    )


@staff_page(rights.may_rule)
def disqualify(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = DisqualifyForm(tournament, request.POST if request.method == "POST" else None, initial=_asked(request))
    return decide_on(request, tournament, form, gettext("Disqualify"), _disqualify, _after_drop_outs())


def _disqualify(form: Any, request: HttpRequest) -> Decision:
    assert isinstance(form, DisqualifyForm)
    entry, stage, number = form.who, form.stage, form.round_number
    departure = ranking.Departure(ranking.RoundMoment(stage.number, number), disqualified=True)
    params = {"name": entry.player.native_name, "round": number}
    return Decision(
        gettext("%(name)s is disqualified after round %(round)s: last in the standings, and stays in them.") % params,
        stage,
        lambda view: effects.with_departure(view, entry, departure),
        lambda: services.disqualify(entry, stage, number, reason=form.cleaned_data["reason"], by=user_of(request)),
        round=number,
        remark=_missed_rounds(form),
    )


def _missed_rounds(form: WithdrawForm | DisqualifyForm) -> str:
    """What the missed rounds will cost; the effect page shows only the present standings."""
    left = form.stage.rounds_planned - form.round_number
    if left < 1 or form.who.is_substitute:
        return ""
    rules = form.stage.rules
    words = ngettext(
        "%(count)s round is missed and counts as absent: %(fixed)s.",
        "%(count)s rounds are missed and count as absent: %(fixed)s each.",
        left,
    )
    return words % {"count": left, "fixed": numbers.result(rules.substitute_points + rules.substitute_uma)}


def _after_drop_outs() -> str:
    return gettext("Published seats stay. Rounds that are not published are drawn again afterwards.")


# --- taking back --------------------------------------------------------------------------------------------


@staff_page(rights.may_rule)
def revoke(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take back a penalty, warning, absence or bye; it stays in the log."""
    given = Adjustment.objects.filter(pk=pk, season__stage__tournament=tournament, kind__in=REVOCABLE)
    found = given.select_related("player", "season__stage").first()
    if found is None:
        raise Http404
    if found.revoked_at is not None:
        messages.info(request, gettext("This entry was revoked already."))
        return redirect(manage_url("rulings", tournament))
    stage = tournament.stages.select_related("season__rule_set", "tournament__club").get(season=found.season_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    given_words = f"{found.player.native_name}: {found.get_kind_display()}. {found.reason}"
    words = gettext("Taken back: %(what)s") % {"what": given_words}

    def decide(form: Any, request: HttpRequest) -> Decision:
        return Decision(
            words,
            stage,
            lambda view: effects.without(view, found),
            lambda: services.revoke_penalty(stage, found, by=user_of(request), reason=form.cleaned_data["reason"]),
            round=found.round or 0,
        )

    return decide_on(request, tournament, form, gettext("Take a ruling back"), decide, given_words)


@staff_page(rights.may_rule)
def reinstate(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let a player who withdrew or was disqualified play again."""
    entry = entry_or_404(tournament, number)
    if not entry.has_left or entry.left_stage is None:
        messages.info(request, gettext("%(name)s has not left the event.") % {"name": entry.player.native_name})
        return redirect(manage_url("rulings", tournament))
    stage = tournament.stages.select_related("season__rule_set", "tournament__club").get(pk=entry.left_stage.pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    unseated = rounds_without_seat(entry)
    taken_back = gettext("Absences of rounds that are not played yet are taken back.")

    def decide(form: Any, request: HttpRequest) -> Decision:
        return Decision(
            gettext("%(name)s plays again.") % {"name": entry.player.native_name},
            stage,
            lambda view: effects.with_departure(view, entry, None),
            lambda: services.reinstate(entry, reason=form.cleaned_data["reason"], by=user_of(request)),
            round=entry.left_round or 0,
            remark=f"{taken_back} {unseated_words(entry, unseated) if unseated else ''}".strip(),
        )

    heading = gettext("%(name)s plays again?") % {"name": entry.player.native_name}
    return decide_on(request, tournament, form, heading, decide)


def _asked(request: HttpRequest) -> dict[str, str]:
    return {"entry": request.GET.get("entry", "")}
