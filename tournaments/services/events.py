"""Create and change an event and its stages. Each stage gets a season of ratings, with the settings that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ratings.mahjong.names import slug_from
from ratings.mahjong.problems import Problem, Refused, gettext_noop
from ratings.mahjong.rulesets.files import LONGEST_NAME, RuleFile
from ratings.mahjong.standings import METRICS
from ratings.models import RuleSet, Season
from ratings.services.naming import refuse_bad_names
from ratings.services.player_rows import freshen, save_with_history, set_history, settings_of
from ratings.services.rulesets import add_rule_set
from ratings.services.seasons import lock, save_season, touch
from tournaments.models import Round, Stage, Tournament

_ = gettext_noop

SETTINGS = settings_of(Tournament)
STAGE_SETTINGS = settings_of(Stage, "tournament", "number", "own_rule_set")


@dataclass(frozen=True)
class StagePlan:
    """The settings of a planned stage; `top` and `totals` describe the cut after it."""

    name: str
    rounds: int
    rule_set: RuleSet | None = None
    top: int | None = None
    totals: str = Stage.Totals.CARRY


@transaction.atomic
def make_event(tournament: Tournament, stages: Sequence[StagePlan], *, by: User | None = None) -> Tournament:
    """Store a new event with its stages; the first stage is open."""
    if not stages:
        raise Refused(Problem(_("An event needs at least one stage."), code="no_stage"))
    if Tournament.objects.filter(slug=tournament.slug).exists():
        raise Refused(
            Problem(
                _("There is an event with the address “%(slug)s” already. Choose another one."),
                {"slug": tournament.slug},
                code="slug_taken",
            )
        )
    refuse_bad_names(tournament)
    tournament.clean_fields(exclude=["play_dates"])
    set_history(tournament, by, "made")
    tournament.save(force_insert=True)
    for plan in stages:
        add_stage(tournament, plan, by=by)
    return tournament


@transaction.atomic
def change_event(
    tournament: Tournament, *, by: User | None = None, reason: str = "", fields: Sequence[str] = SETTINGS
) -> Tournament:
    """Store changed settings and copy them to the seasons: who may see results, days, tie-breaks, rule set.

    A season that already has games keeps its rule set.
    """
    refuse_bad_names(tournament)
    touch(tournament.stages.values_list("season_id", flat=True))
    save_with_history(tournament, by, reason, *fields)
    for stage in tournament.stages.select_related("season", "own_rule_set"):
        season = stage.season
        _inherit(season, tournament)
        if not season.hanchans.exists():
            season.rule_set = stage.own_rule_set or tournament.rule_set
        save_season(season, by=by)
    return tournament


@transaction.atomic
def add_stage(tournament: Tournament, plan: StagePlan, *, by: User | None = None) -> Stage:
    """Add a stage after the last one. The first is open at once, the others when the one before is closed."""
    tournament = (
        Tournament.objects.select_for_update(of=("self",)).select_related("club", "rule_set").get(pk=tournament.pk)
    )
    number = tournament.stages.count() + 1
    season = Season(
        club=tournament.club,
        name=f"{tournament.name}: {plan.name}"[:120],
        slug=_season_slug(tournament, number),
        kind=Season.Kind.TOURNAMENT,
        rule_set=plan.rule_set or tournament.rule_set,
    )
    _inherit(season, tournament)
    save_season(season, by=by)
    stage = Stage(
        tournament=tournament,
        number=number,
        name=plan.name,
        season=season,
        own_rule_set=plan.rule_set,
        cut_top=plan.top,
        cut_totals=plan.totals,
        opened_at=timezone.now() if number == 1 else None,
    )
    refuse_bad_names(stage)
    save_with_history(stage, by, "made")
    return plan_rounds(stage, plan.rounds, by=by)


@transaction.atomic
def set_stage_rules(stage: Stage, content: RuleFile | None, *, by: User | None = None) -> Stage:
    """Give a stage its own rules, copied by value, or those of the event again. Refused once the stage has games."""
    stage.season = lock(stage.season_id)
    freshen(stage)
    if stage.season.hanchans.exists():
        message = _("%(stage)s has games already; its rules can no longer change.")
        raise Refused(Problem(message, {"stage": stage.name}, code="rules_in_use"))
    stage.own_rule_set = own_rules(stage.tournament, stage.name, content)
    stage.season.rule_set = stage.own_rule_set or stage.tournament.rule_set
    save_season(stage.season, by=by)
    save_with_history(stage, by, "rules", "own_rule_set")
    return stage


def own_rules(tournament: Tournament, stage_name: str, content: RuleFile | None) -> RuleSet | None:
    """Store these rules as an own rule set for a stage of this name; None without content."""
    name = f"{tournament.name}: {stage_name}"
    return add_rule_set(tournament.club, content, name[:LONGEST_NAME]) if content else None


@transaction.atomic
def plan_rounds(stage: Stage, rounds: int, *, by: User | None = None) -> Stage:
    """Set how many rounds a stage has. Published rounds cannot be removed."""
    touch([stage.season_id])
    published = stage.rounds.exclude(state=Round.State.PLANNED).order_by("-number").first()
    if published and rounds < published.number:
        raise Refused(
            Problem(
                _("Round %(round)s is published already; there cannot be fewer rounds."),
                {"round": published.number},
                code="round_published",
            )
        )
    stage.rounds.filter(number__gt=rounds).delete()
    have = stage.rounds.count()
    Round.objects.bulk_create(Round(stage=stage, number=number) for number in range(have + 1, rounds + 1))
    stage.rounds_planned = rounds
    save_with_history(stage, by, "", *STAGE_SETTINGS)
    return stage


def set_results_hidden(tournament: Tournament, hidden: bool, *, by: User | None = None) -> Tournament:
    """Hide every result of the event until the ceremony, or show them again."""
    tournament.results_hidden = hidden
    reason = "results hidden" if hidden else "results shown"
    return change_event(tournament, by=by, reason=reason, fields=["results_hidden"])


def _inherit(season: Season, tournament: Tournament) -> None:
    """Copy to the season what ratings must know about the event."""
    season.starts_on, season.ends_on = tournament.starts_on, tournament.ends_on
    season.is_public = tournament.is_public
    season.results_public = tournament.results_public
    season.competition = tournament.slug
    # Only an event can rank by head to head; a season's page can rank by all other tie-breaks.
    season.tie_breaks = [key for key in tournament.tie_breaks if key in METRICS]


def _season_slug(tournament: Tournament, number: int) -> str:
    taken = set(Season.objects.filter(club=tournament.club_id).values_list("slug", flat=True))
    return slug_from(f"{tournament.slug[:40]}-{number}", f"event-{number}", taken)
