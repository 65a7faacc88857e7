"""Other rules for a season: from now on, or for all its games, which are then scored again (a replay).

A replay first computes without any lock, then writes everything in one short transaction. If the season's revision
shows that a game was entered meanwhile, the replay starts again. One event of the season records it; games get none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from ratings.mahjong.formulas import Rated
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.models import Hanchan, RuleSet, Season, SeasonEvent, Seat
from ratings.queries.replay import ReplayedGame, Report, replayed, rulebook
from ratings.services.seasons import lock
from ratings.services.staging import Staged, staged
from ratings.services.standings import refresh_all_standings

_ = gettext_noop

ATTEMPTS = 5
STAGE_AT = 4000  # seats collected before they are written to the temporary table
FINAL = Hanchan.Status.FINAL


class Overtaken(Exception):
    """The season was changed while it was computed; nothing was stored."""


@dataclass
class Replayed:
    """What a replay did, for its event."""

    games: int = 0
    shifts: Counter[int] = field(default_factory=Counter)  # points added to every seat -> in how many games
    left: list[int] = field(default_factory=list)  # drafts and void games that could not follow
    ratings: dict[int, Rated] = field(default_factory=dict)

    def count(self, played: ReplayedGame) -> None:
        if played.problems:
            if played.game.status == FINAL:
                raise Refused(blocked(played))
            self.left.append(played.game.pk)
            return
        self.games += 1
        if played.shift:
            self.shifts[played.shift] += 1

    def details(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "shifts": {str(shift): games for shift, games in sorted(self.shifts.items())},
            "left": len(self.left),
        }


def blocked(played: ReplayedGame) -> Problem:
    return Problem(
        _("Game %(number)s cannot be played by these rules: %(why)s"),
        {"number": played.game.pk, "why": played.problems[0]},
        code="blocked",
    )


# --- from now on ------------------------------------------------------------------------------------------


@transaction.atomic
def apply_from_now_on(season: Season, rule_set: RuleSet, *, by: User | None = None, reason: str = "") -> SeasonEvent:
    """Use these rules for new games. Recorded games keep their rules."""
    season = lock(season.pk)
    before = season.rule_set
    _check(season, rule_set)
    if before == rule_set:
        raise Refused(Problem(_("The season's new games use these rules already."), code="same_rules"))
    _choose(season, rule_set, by)
    details = {"from": _named(before), "to": _named(rule_set)}
    return SeasonEvent.objects.create(
        season=season, action=SeasonEvent.Action.RULES_FROM_NOW, by=by, reason=reason, details=details
    )


# --- replay all -------------------------------------------------------------------------------------------


def replay_season(
    season: Season,
    rule_set: RuleSet,
    *,
    by: User | None = None,
    reason: str = "",
    report: Report | None = None,
    written: Callable[[SeasonEvent], None] | None = None,
) -> SeasonEvent:
    """Score every game by these rules, and use them for new games.

    `written` is called within the transaction that stores the outcome.
    """
    _check(season, rule_set)
    for _attempt in range(ATTEMPTS):
        try:
            with staged(Seat, ("points", *_derived_columns(season))) as seats:
                return _replay(season, rule_set, seats, _Order(by, reason, report, written))
        except Overtaken:
            continue
    raise Refused(
        Problem(
            _("Games kept being entered while the season was replayed. Try again later, at a quiet time."),
            code="overtaken",
        )
    )


@dataclass(frozen=True)
class _Order:
    """Who started a replay and why, and the functions to call about its progress and end."""

    by: User | None
    reason: str
    report: Report | None
    written: Callable[[SeasonEvent], None] | None


def _replay(season: Season, rule_set: RuleSet, seats: Staged, order: _Order) -> SeasonEvent:
    season = Season.objects.get(pk=season.pk)
    outcome = Replayed()
    games = replayed(season, rulebook(rule_set), state=outcome.ratings, report=order.report)
    stage(seats, _changes(games, outcome, season.depends_on_order))
    with transaction.atomic():
        locked = lock_unchanged(season)
        _still_the_same(rule_set)
        before = _used(season)
        seats.apply()
        followed = Hanchan.objects.filter(season=season).exclude(pk__in=outcome.left)
        followed.update(rule_set=rule_set, version=F("version") + 1)  # a user who has a game open sees a conflict
        refresh_all_standings(locked, outcome.ratings)
        _choose(locked, rule_set, order.by)
        event = SeasonEvent.objects.create(
            season=locked,
            action=SeasonEvent.Action.REPLAYED,
            by=order.by,
            reason=order.reason,
            details={"from": before, "to": _named(rule_set), **outcome.details()},
        )
        if order.written:
            order.written(event)
    return event


def lock_unchanged(season: Season) -> Season:
    """Lock the season, or raise Overtaken if it changed since it was read. Call it inside a transaction."""
    locked = lock(season.pk)
    if locked.revision != season.revision + 1:
        raise Overtaken
    return locked


def _still_the_same(rule_set: RuleSet) -> None:
    """Refuse if the rules changed meanwhile: a version that no game uses yet can change during the computation."""
    current = RuleSet.objects.select_for_update().get(pk=rule_set.pk)
    if (current.parameters, current.ranges) != (rule_set.parameters, rule_set.ranges):
        raise Refused(
            Problem(_("Another user has just changed these rules. Look at what they give now."), code="rules")
        )


def _derived_columns(season: Season) -> tuple[str, ...]:
    """Return the columns to write. Without order-dependent ratings `rating_after` is always None and is left out."""
    columns = ("place", "place_twice", "result", "rating_after")
    return columns if season.depends_on_order else columns[:3]


def _changes(games: Iterator[ReplayedGame], outcome: Replayed, rated: bool) -> Iterator[tuple[Any, ...]]:
    width = 4 if rated else 3
    for played in games:
        outcome.count(played)
        shift = played.shift
        for seat, derived in zip(played.seats, played.derived, strict=True):
            if shift or seat.derived != derived:
                yield seat.pk, seat.played.points + shift, *derived[:width]


def stage(seats: Staged, rows: Iterator[tuple[Any, ...]]) -> None:
    """Write rows to the temporary table in large pieces."""
    gathered: list[tuple[Any, ...]] = []
    for row in rows:
        gathered.append(row)
        if len(gathered) >= STAGE_AT:
            seats.add(gathered)
            gathered.clear()
    seats.add(gathered)


def _check(season: Season, rule_set: RuleSet) -> None:
    if rule_set.club_id != season.club_id:
        raise Refused(Problem(_("These rules belong to another club. Copy them first."), code="other_club"))


def _choose(season: Season, rule_set: RuleSet, by: User | None) -> None:
    """Use these rules for new games. The season's own history shows who chose them."""
    if season.rule_set_id == rule_set.pk:
        return
    season.rule_set = rule_set
    season._history_user = by  # type: ignore[attr-defined]
    season.save(update_fields=["rule_set"])


def _used(season: Season) -> list[dict[str, Any]]:
    """Return the rules that the season's games use until now, for the event."""
    return [_named(rule_set) for rule_set in RuleSet.objects.filter(hanchans__season=season).distinct().order_by("pk")]


def _named(rule_set: RuleSet) -> dict[str, Any]:
    return {"id": rule_set.pk, "name": rule_set.name, "version": rule_set.version}
