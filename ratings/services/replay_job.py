"""The replay of a season as a job: what `clubsite.jobs` runs, and who may see and stop it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext, ngettext

from clubsite import jobs, numbers
from clubsite.models import Job
from ratings import rights
from ratings.mahjong.problems import Refused
from ratings.models import RuleSet, Season, SeasonEvent
from ratings.services.replay import replay_season

NAME = "replay"


def start_replay(season: Season, rule_set: RuleSet, *, by: User, reason: str = "") -> Job:
    """Start a replay, or return the job of the replay of this season that is already running."""
    return jobs.start(
        NAME,
        gettext("%(season)s by %(rules)s") % {"season": season.name, "rules": rule_set},
        by=by,
        params={"season": season.pk, "rule_set": rule_set.pk, "reason": reason},
        scope=str(season.club_id),
        subject=f"season {season.pk}",
        back_url=season.get_absolute_url(),
    )


def _run(work: jobs.Work) -> None:
    season = Season.objects.filter(pk=work.params["season"]).first()
    rule_set = RuleSet.objects.filter(pk=work.params["rule_set"]).first()
    if season is None or rule_set is None:
        raise jobs.JobRefused(gettext("The season or its new rules are gone."))
    phrase = gettext("Replaying the games:")
    try:
        replay_season(
            season,
            rule_set,
            by=work.job.started_by,
            reason=work.params["reason"],
            report=lambda done, total: work.report(done, total, phrase),
            written=lambda event: work.finish(_said(event, rule_set)),
        )
    except Refused as refused:
        raise jobs.JobRefused(" ".join(refused.sentences(gettext))) from refused


def _said(event: SeasonEvent, rule_set: RuleSet) -> str:
    games = event.details["games"]
    sentence = ngettext(
        "%(count)s game was replayed by %(rules)s.", "%(count)s games were replayed by %(rules)s.", games
    )
    return sentence % {"count": numbers.points(games), "rules": rule_set}


def _may_see(user: User, job: Job) -> bool:
    return rights.may_enter(user, int(job.scope))


def _may_stop(user: User, job: Job) -> bool:
    return rights.may_manage(user, int(job.scope))


KIND = jobs.JobKind(NAME, _run, _may_see, _may_stop)
