"""Seasons. Every competition is one: a club's rated games, its free games, or a stage of a tournament."""

from __future__ import annotations

import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from simple_history.models import HistoricalRecords

from ratings import competitions
from ratings.mahjong import formulas, standings
from ratings.models.clubs import Club, RuleSet, valid_name


def default_metrics() -> list[str]:
    return list(standings.DEFAULT_METRICS)


def default_tie_breaks() -> list[str]:
    return list(standings.DEFAULT_TIE_BREAKS)


def formula_choices() -> list[tuple[str, Any]]:
    """Return the declared formulas. This is a function so that a new formula needs no migration."""
    return [(formula.key, _(formula.label)) for formula in formulas.FORMULAS.values()]


class SeasonQuerySet(models.QuerySet["Season"]):
    def of_clubs(self) -> Self:
        """Return the clubs' own seasons; those of competitions are entered, corrected and shown on their own pages."""
        return self.filter(kind__in=Season.CLUB_KINDS)


class Season(models.Model):
    class Kind(models.TextChoices):
        RATED = "rated", _("rated")
        SIMPLIFIED = "simplified", _("simplified")
        TOURNAMENT = "tournament", _("tournament")

    # The kinds of a club's own seasons, the most important for a visitor first.
    CLUB_KINDS = (Kind.RATED, Kind.SIMPLIFIED)

    club = models.ForeignKey(Club, models.CASCADE, verbose_name=_("club"), related_name="seasons")
    name = models.CharField(pgettext_lazy("of a thing", "name"), max_length=120, validators=[valid_name])
    slug = models.SlugField(_("address"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.RATED)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    rule_set = models.ForeignKey(RuleSet, models.PROTECT, verbose_name=_("rule set"), related_name="seasons")
    formula = models.CharField(_("rating"), max_length=8, choices=formula_choices, default=formulas.SUM.key)
    initial_rating = models.IntegerField(
        _("initial rating"), default=0, help_text=_("In thousandths: 1500 rating points are 1500000.")
    )
    elo_k = models.PositiveIntegerField(_("K of the Elo formula"), default=formulas.ELO_K)
    minimum_games = models.PositiveIntegerField(_("games to be ranked"), default=0)
    metrics = models.JSONField(_("columns"), default=default_metrics)
    tie_breaks = models.JSONField(_("tie-breaks"), default=default_tie_breaks)
    # What ratings must know of a competition: whether strangers may see that it exists, whether they may see its
    # results, and the key by which `ratings.competitions` finds its pages.
    is_public = models.BooleanField(default=True, editable=False)
    results_public = models.BooleanField(_("results are public"), default=True)
    competition = models.SlugField(blank=True, editable=False, db_index=False)
    # Every write raises it first, which locks the season. It is also part of the key of every cached page.
    revision = models.PositiveBigIntegerField(default=0, editable=False)

    objects = SeasonQuerySet.as_manager()
    history = HistoricalRecords(excluded_fields=["revision"])

    class Meta:
        ordering = ["club", "-starts_on", "name"]
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="one_season_per_address"),
            models.CheckConstraint(
                condition=models.Q(ends_on__isnull=True) | models.Q(ends_on__gte=models.F("starts_on")),
                name="season_ends_after_it_starts",
                violation_error_message=_("The last day is before the first day."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return self.competition_page or reverse("ratings:season", args=[self.club.slug, self.slug])

    @property
    def is_competition(self) -> bool:
        """Whether it is part of a competition, which has its own pages and its own rules for entering games."""
        return self.kind == self.Kind.TOURNAMENT

    @property
    def competition_page(self) -> str:
        """The page of the competition that the season is part of; empty for a club's own season."""
        return competitions.competition_page(self.competition)

    @property
    def has_variations(self) -> bool:
        return self.kind == self.Kind.SIMPLIFIED

    @property
    def rating_formula(self) -> formulas.Formula:
        return formulas.FORMULAS[self.formula]

    @property
    def depends_on_order(self) -> bool:
        return self.rating_formula.depends_on_order

    @property
    def rating_settings(self) -> tuple[str, int, int]:
        """The settings on which the stored ratings depend."""
        return self.formula, self.initial_rating, self.elo_k

    def today(self) -> datetime.date:
        """Return today's date in the club's time zone."""
        return timezone.localdate(timezone=self.club.zone)

    def covers(self, day: datetime.date) -> bool:
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)


class SeasonEvent(models.Model):
    """A change of a season as a whole. A replay under other rules is one event, not one for each game."""

    class Action(models.TextChoices):
        RULES_FROM_NOW = "rules_from_now", _("new rules from now on")
        REPLAYED = "replayed", _("replayed under other rules")

    season = models.ForeignKey(Season, models.CASCADE, related_name="events", verbose_name=_("season"))
    action = models.CharField(_("action"), max_length=16, choices=Action)
    at = models.DateTimeField(_("when"), default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("by"))
    reason = models.TextField(_("reason"), blank=True)
    details = models.JSONField(_("details"), default=dict, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("event of a season")
        verbose_name_plural = _("events of a season")

    def __str__(self) -> str:
        return f"{self.season}: {self.get_action_display()}"
