"""Drawing seats as a long job, run by `clubsite.jobs`. If it is stopped, the best result so far is kept."""

from __future__ import annotations

import time

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from clubsite import jobs
from clubsite.models import Job
from ratings import rights
from ratings.mahjong.problems import Refused
from tournaments.models import Stage
from tournaments.queries.schedules import Drawing, Drawn, draw, read_drawing, seating_request
from tournaments.seating.budget import Progress
from tournaments.services.schedules import store_drawing

NAME = "draw"


def start_drawing(stage: Stage, drawing: Drawing, seconds: int, *, by: User, back_url: str) -> Job:
    """Start a job, or return the one already running for this stage. Refuses what no drawing could meet."""
    seating_request(stage, drawing)
    return jobs.start(
        NAME,
        gettext("Seats of %(stage)s, %(event)s") % {"stage": stage.name, "event": stage.tournament.name},
        by=by,
        params={"stage": stage.pk, "drawing": drawing.write(), "seconds": seconds},
        scope=str(stage.tournament.club_id),
        subject=f"stage {stage.pk}",
        back_url=back_url,
    )


def draw_now(stage: Stage, drawing: Drawing, seconds: float, *, by: User | None = None) -> Drawn:
    """Draw and store at once: a single round is quick enough for a page request."""
    end = time.monotonic() + seconds
    drawn = draw(seating_request(stage, drawing), stop=lambda: time.monotonic() >= end)
    store_drawing(drawn, by=by)
    return drawn


class Timer:
    """Ends the search when the seconds are over or a user pressed stop, and reports its progress."""

    def __init__(self, work: jobs.Work, seconds: float) -> None:
        self.work, self.end, self.start = work, time.monotonic() + seconds, time.monotonic()
        self.stopped = False
        self._next_look = 0.0

    def report(self, progress: Progress) -> None:
        """Report the progress by moves or by time, whichever is nearer to its end."""
        spent = (time.monotonic() - self.start) / max(0.001, self.end - self.start)
        share = max(progress.made / max(1, progress.allowed), spent)
        try:
            self.work.report(min(99, int(100 * share)), 100, gettext("Searching for the best seats:"))
        except jobs.Stopped:
            self.stopped = True  # do not abort: the job ends normally and keeps the best so far

    def over(self) -> bool:
        return self.stopped or time.monotonic() >= self.end


def _run(work: jobs.Work) -> None:
    stages = Stage.objects.select_related("tournament__club", "season__rule_set")
    stage = stages.filter(pk=work.params["stage"]).first()
    if stage is None:
        raise jobs.JobRefused(gettext("The stage is gone."))
    timer = Timer(work, work.params["seconds"])
    try:
        drawn = draw(seating_request(stage, read_drawing(work.params["drawing"])), timer.report, timer.over)
        with transaction.atomic():
            store_drawing(drawn, by=work.job.started_by)
            if timer.stopped:
                work.finish_early(gettext("Stopped; the best seats found until then are kept."))
            else:
                work.finish(gettext("Drawn. Only staff see it until it is published."))
    except Refused as refused:
        raise jobs.JobRefused(" ".join(refused.sentences(gettext))) from refused


def _may_see(user: User, job: Job) -> bool:
    return rights.may_manage(user, int(job.scope))


KIND = jobs.JobKind(NAME, _run, _may_see, _may_see)
