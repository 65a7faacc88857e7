"""The European ranking over the finished events of this site (RULES §3): the ranks, and the results behind them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from fractions import Fraction

from ratings import rights
from ratings.models import Player
from tournaments.models import Tournament
from tournaments.queries.events import visible_to
from tournaments.queries.mers import mers_report
from tournaments.standings import mers


@dataclass(frozen=True)
class Counted:
    """One result: the event, the place in it, base points, and the weight it has today."""

    event: Tournament
    place: int
    points: int
    weight: Fraction


@dataclass
class Ranked:
    player: Player
    results: list[Counted] = field(default_factory=list)
    rank: int | None = None
    score: Fraction | None = None  # None with fewer than two results


@dataclass(frozen=True)
class Ranking:
    ranked: list[Ranked]
    waiting: list[Ranked]  # players without a score, because one result is not enough
    events: list[tuple[Tournament, Fraction, Fraction]]  # with its weight and its age factor


def counting_events(user: rights.Person) -> list[Tournament]:
    """Finished events that report to the ranking and whose results the reader may see, newest first."""
    found = visible_to(user).filter(reports_to_mers=True, finished_at__isnull=False).order_by("-ends_on", "name")
    return [event for event in found if event.results_public or rights.may_enter(user, event.club_id)]


def european_ranking(events: list[Tournament], today: datetime.date) -> Ranking:
    """All players with a result that still counts, best first. Equal scores share a rank."""
    people: dict[int, Ranked] = {}
    weighed = []
    for event in events:
        report = mers_report(event)
        factor = mers.age_factor(event.ends_on, today)
        weighed.append((event, report.weight, factor))
        for row in report.rows:
            player = row.entry.player
            counted = Counted(event, row.place, row.points, report.weight * factor)
            if factor:
                people.setdefault(player.pk, Ranked(player)).results.append(counted)
    for each in people.values():
        each.score = mers.rank(mers.Result(one.points, one.weight, one.event.ends_on) for one in each.results)
    ranked = sorted((each for each in people.values() if each.score is not None), key=_best_first)
    for index, each in enumerate(ranked):
        same = index > 0 and ranked[index - 1].score == each.score
        each.rank = ranked[index - 1].rank if same else index + 1
    waiting = sorted((each for each in people.values() if each.score is None), key=lambda each: -each.results[0].points)
    return Ranking(ranked, waiting, weighed)


def _best_first(each: Ranked) -> tuple[Fraction, int]:
    return -(each.score or Fraction(0)), each.player.pk
