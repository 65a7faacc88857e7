"""From one stage to the next: the cut, the carried totals, and the end of the event."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Adjustment
from ratings.services import adjustments
from ratings.services.player_rows import freshen, save_with_history
from ratings.services.seasons import lock
from tournaments.models import Entry, Round, Ruling, Stage, Tournament
from tournaments.queries.standings import view_stage
from tournaments.services.carrying import next_stage
from tournaments.services.rulings import day_of, log
from tournaments.standings import ranking

_ = gettext_noop


def propose_cut(stage: Stage) -> tuple[list[Entry], list[Entry]]:
    """The entries that would go on, best first, and those tied at the cut, among whom the organiser has to choose.

    Players who have left do not go on: the next in the standings takes the place.
    """
    view = view_stage(stage)
    rows = [row for row in view.at_end().rows if not row.tally.left]
    through, tied = ranking.passes(rows, stage.cut_top), ranking.tied_at_cut(rows, stage.cut_top)
    return [view.entries[number] for number in through], [view.entries[number] for number in tied]


@transaction.atomic
def close_stage(stage: Stage, *, by: User | None = None) -> Stage:
    """Close a stage whose rounds are all confirmed; nothing more is played in it."""
    lock(stage.season_id)
    freshen(stage)
    open_rounds = stage.rounds.exclude(state=Round.State.CONFIRMED).values_list("number", flat=True)
    if open_rounds:
        params = {"rounds": ", ".join(str(number) for number in open_rounds)}
        raise Refused(Problem(_("Rounds not confirmed yet: %(rounds)s."), params, code="rounds_open"))
    stage.closed_at = timezone.now()
    save_with_history(stage, by, "closed", "closed_at")
    return stage


@transaction.atomic
def open_next_stage(stage: Stage, *, by: User | None = None, qualified: Collection[Entry] | None = None) -> Stage:
    """Close a stage and let those who passed the cut into the next one, with their totals carried, halved or reset.

    `qualified` names them if a play-off or the organiser decided. Otherwise they are the first in the standings, and
    a tie at the cut is refused.
    """
    close_stage(stage, by=by)
    following = next_stage(stage)
    if following is None or following.opened_at is not None:
        raise Refused(Problem(_("There is no stage left to open after this one."), code="no_next_stage"))
    if qualified is None:
        qualified, tied = propose_cut(stage)
        if tied:
            names = ", ".join(str(entry) for entry in tied)
            message = _("Equal at the cut in everything: %(names)s. Select who goes on.")
            raise Refused(Problem(message, {"names": names}, code="tied_at_cut"))
    totals = {row.entry: row.total for row in view_stage(stage).at_end().rows}
    lock(following.season_id)
    people = Entry.objects.filter(pk__in=[entry.pk for entry in qualified]).select_related("player")
    for entry in people.order_by("number"):
        points = ranking.carried(totals.get(entry.number, 0), stage.cut_totals)
        adjustments.give(
            following.season,
            entry.player,
            Adjustment.Kind.CARRIED,
            points,
            f"{stage.name}: {stage.get_cut_totals_display()}",
            by=by,
            on=day_of(stage.tournament),
            round_number=0,
        )
    log(stage, Ruling.Kind.CUT, None, None, "", by, {"through": sorted(entry.number for entry in qualified)})
    following.opened_at = timezone.now()
    save_with_history(following, by, "opened", "opened_at")
    return following


@transaction.atomic
def finish_event(tournament: Tournament, *, by: User | None = None) -> Tournament:
    """Close the open stages and make the ranking final. Later corrections are still possible and change it."""
    for stage in tournament.stages.filter(opened_at__isnull=False, closed_at=None):
        close_stage(stage, by=by)
    tournament.finished_at = timezone.now()
    save_with_history(tournament, by, "finished", "finished_at")
    return tournament
