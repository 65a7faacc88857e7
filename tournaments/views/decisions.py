"""The steps of every decision that changes the standings: first its effect is shown, then it is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from clubsite import confirm
from clubsite.confirm import ConfirmStep
from ratings.mahjong.gamesheet import Sheet
from ratings.mahjong.problems import Refused
from ratings.services.hanchans import score_sheet
from tournaments.models import Entry, Stage, Table, Tournament
from tournaments.queries import effects
from tournaments.queries.standings import StageView, view_stage
from tournaments.services.tables import as_recorded
from tournaments.views.access import manage_url, page_context


@dataclass(frozen=True)
class Decision:
    """A decision to be made: its wording, its effect on the standings, and how it is stored.

    The decision counts from `round` on. `waits` means that it shows only with another result of that round.
    """

    words: str
    stage: Stage
    after: Callable[[StageView], StageView]
    store: Callable[[], object]
    round: int = 0
    waits: bool = False
    remark: str = ""
    next_url: str = ""

    def shows_later(self, view: StageView) -> bool:
        """Whether the standings that the public sees now stay unchanged."""
        if view.stage.closed_at is not None:
            return False
        nothing_yet = view.stage.number == 1 and not view.last_round
        return self.waits or nothing_yet or self.round > view.last_round


def with_other_sheet(view: StageView, table: Table, sheet: Sheet[Entry]) -> StageView:
    """The view with another sheet at a table that has a result, scored by that game's own rules."""
    assert table.hanchan is not None
    recorded = as_recorded(sheet)
    return effects.with_sheet(view, table, recorded, score_sheet(table.hanchan.rules, recorded))


def decide_on(
    request: HttpRequest,
    tournament: Tournament,
    form: forms.Form,
    heading: str,
    decide: Callable[[Any, HttpRequest], Decision],
    intro: str = "",
) -> HttpResponse:
    """Show the form; if it is valid, show the effect; after the confirmation, store the decision."""
    if request.method == "POST" and not confirm.wants_edit(request) and form.is_valid():
        try:
            decision = decide(form, request)
            if confirm.is_confirmed(request):
                decision.store()
                messages.success(request, decision.words)
                return redirect(decision.next_url or manage_url("rulings", tournament))
            return _effect(request, tournament, heading, decision)
        except Refused as refused:
            form.add_error(None, refused.sentences(gettext))
    context = page_context(
        request,
        tournament,
        "rulings",
        heading=heading,
        intro=intro,
        form=form,
        submit=gettext("Show the effect"),
        cancel_url=manage_url("rulings", tournament),
    )
    bad = form.is_bound and not confirm.wants_edit(request)
    return render(request, "tournaments/manage/form.html", context, status=422 if bad else 200)


def _effect(request: HttpRequest, tournament: Tournament, heading: str, decision: Decision) -> HttpResponse:
    """Show what the public will see, either at once or from a later result on."""
    view = view_stage(decision.stage)
    at = max(decision.round, 1) if decision.shows_later(view) else None
    context = page_context(
        request,
        tournament,
        "rulings",
        heading=heading,
        words=decision.words,
        remark=decision.remark if decision.waits or not at else f"{_later(view, at)} {decision.remark}".strip(),
        shifts=effects.compare(view, decision.after(view), at),
        step=ConfirmStep(request, submit=gettext("Confirm ruling"), back=gettext("Back")),
    )
    return render(request, "tournaments/manage/effect.html", context)


def _later(view: StageView, at: int) -> str:
    """A sentence that says when the change will show, because the standings will not show it right after saving."""
    params = {"round": at, "last": view.last_round}
    if not view.last_round:
        return gettext("No result is in yet. This counts from the first result of round %(round)s on.") % params
    return (
        gettext(
            "The standings after round %(last)s, which everybody sees now, stay as they are. "
            "This counts from the first result of round %(round)s on."
        )
        % params
    )
